import type { BenchReport, Summary } from './bench-report.ts';

/** The least that a report has to reach: `success=0.9`, or `solo.success=0.9` for one design. */
export interface GateRule {
  readonly design: string | undefined;
  readonly metric: GateMetric;
  readonly least: number;
  readonly text: string;
}

const METRICS = {
  success: ({ success }: Summary) => success?.value,
  success_low: ({ success }: Summary) => success?.low,
} as const;

export type GateMetric = keyof typeof METRICS;
export const GATE_METRICS = Object.keys(METRICS) as GateMetric[];

/** Reads a rule; `undefined` when it is not one. */
export function readGateRule(text: string): GateRule | undefined {
  const [, design, metric = '', least = ''] = /^(?:(.+)\.)?([a-z_]+)=(\d*\.?\d+)$/.exec(text.trim()) ?? [];
  const known = GATE_METRICS.find((one) => one === metric);
  const value = Number(least);
  return known === undefined || value > 1 ? undefined : { design, metric: known, least: value, text: text.trim() };
}

/** Every design that falls short of a rule, in words; a rule that fits no design falls short too. */
export function findShortfalls(report: BenchReport, rules: readonly GateRule[]): readonly string[] {
  const summaries = report.groups.flatMap(({ designs }) => designs);
  return rules.flatMap((rule) => {
    const fitting = summaries.filter(({ design }) => rule.design === undefined || rule.design === design);
    if (fitting.length === 0) return [`${rule.text}: there are no runs${rule.design === undefined ? '' : ` of ${rule.design}`}`];
    return fitting.flatMap((summary) => {
      const value = METRICS[rule.metric](summary) ?? 0;
      return value >= rule.least ? [] : [`${rule.text}: ${summary.design} has ${value.toFixed(3)} (${summary.passed} of ${summary.cells})`];
    });
  });
}
