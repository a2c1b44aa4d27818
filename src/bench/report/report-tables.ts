import type { CaseSummary, Difference, ReportGroup, Summary } from '../bench-report.ts';
import type { FailureKind } from '../cell.ts';
import { FAILURE_WORDS } from '../classify-failure.ts';
import { mean, money, percent, ratioWithInterval, seconds, shareWithInterval, whole } from './format-values.ts';

/** A table as every form of the report shows it; columns of figures stand to the right. */
export interface ReportTable {
  readonly title: string;
  readonly columns: readonly { readonly name: string; readonly right: boolean }[];
  readonly rows: readonly (readonly string[])[];
}

interface Column<Row> {
  readonly name: string;
  readonly right?: boolean;
  readonly show: (row: Row) => string;
  /** Left out of the table when it says nothing in any row. */
  readonly optional?: boolean;
}

const NOTHING = new Set(['–', '0', '']);

function tableOf<Row>(title: string, rows: readonly Row[], columns: readonly Column<Row>[]): ReportTable {
  const shown = columns.filter(({ optional, show }) => !optional || rows.some((row) => !NOTHING.has(show(row))));
  return {
    title,
    columns: shown.map(({ name, right = false }) => ({ name, right })),
    rows: rows.map((row) => shown.map(({ show }) => show(row))),
  };
}

/** All tables of a group. Times say in their heading whether they are simulated. */
export function tablesOf(group: ReportGroup, axis: string | undefined): readonly ReportTable[] {
  const wall = group.timing === 'simulated' ? 'wall, simulated' : 'wall';
  return [
    tableOf('What each design reached', group.designs, REACHED),
    tableOf('What each design used, per run', group.designs, usedColumns(wall)),
    tableOf('Each design against the baseline, times as much', group.differences, differenceColumns(wall)),
    tableOf('Case by case, per run', group.cases, caseColumns(wall, axis)),
  ];
}

const UNSUPPORTED: Column<Summary> = {
  name: 'unsupported figures',
  right: true,
  show: ({ unsupportedFigures }) => (unsupportedFigures === undefined ? '–' : String(unsupportedFigures)),
  optional: true,
};

/** The verdicts of the audit: each delegation paid, or did not. */
const PAID: Column<Summary> = {
  name: 'delegations that paid',
  right: true,
  show: ({ delegations, paid }) => (delegations === 0 ? '–' : `${paid} of ${delegations}`),
  optional: true,
};

const REACHED: readonly Column<Summary>[] = [
  { name: 'design', show: ({ design }) => design },
  { name: 'runs', right: true, show: ({ cells }) => String(cells) },
  { name: 'success [95 %]', right: true, show: ({ success }) => shareWithInterval(success) },
  { name: 'failures', show: failuresOf },
  UNSUPPORTED,
  { name: 'calls not as written', right: true, show: ({ badCalls }) => mean(badCalls), optional: true },
  PAID,
];

function usedColumns(wall: string): readonly Column<Summary>[] {
  return [
    { name: 'design', show: ({ design }) => design },
    { name: 'tokens in', right: true, show: ({ inputTokens }) => whole(inputTokens) },
    { name: 'cached', right: true, show: ({ cachedTokens }) => (cachedTokens === undefined ? '–' : whole(cachedTokens)), optional: true },
    { name: 'out', right: true, show: ({ outputTokens }) => whole(outputTokens) },
    { name: 'model calls', right: true, show: ({ modelCalls }) => mean(modelCalls) },
    { name: 'tool calls', right: true, show: ({ toolCalls }) => mean(toolCalls) },
    { name: wall, right: true, show: ({ wallMs }) => seconds(wallMs) },
    { name: 'peak context, agent asked', right: true, show: ({ peakOrchestrator }) => whole(peakOrchestrator) },
    { name: 'any agent', right: true, show: ({ peakAny }) => whole(peakAny) },
    { name: 'cost', right: true, show: ({ cost }) => money(cost), optional: true },
    { name: 'per success', right: true, show: ({ costPerSuccess }) => money(costPerSuccess), optional: true },
  ];
}

function differenceColumns(wall: string): readonly Column<Difference>[] {
  return [
    { name: 'tasks', show: ({ tag }) => tag },
    { name: 'design', show: ({ design }) => design },
    { name: 'pairs', right: true, show: ({ pairs }) => String(pairs) },
    {
      name: 'success, points',
      right: true,
      show: ({ success }) => (success ? `${percent(success.value)} [${percent(success.low)}, ${percent(success.high)}]` : '–'),
    },
    { name: 'tokens', right: true, show: ({ ratios }) => ratioWithInterval(ratios.tokens) },
    { name: wall, right: true, show: ({ ratios }) => ratioWithInterval(ratios.wallMs) },
    { name: 'peak context', right: true, show: ({ ratios }) => ratioWithInterval(ratios.peakOrchestrator) },
    { name: 'model calls', right: true, show: ({ ratios }) => ratioWithInterval(ratios.modelCalls) },
    { name: 'cost', right: true, show: ({ ratios }) => ratioWithInterval(ratios.cost), optional: true },
  ];
}

function caseColumns(wall: string, axis: string | undefined): readonly Column<CaseSummary>[] {
  return [
    { name: 'case', show: (one) => one.case },
    { name: axis ?? 'x', right: true, show: ({ x }) => (x === undefined ? '–' : String(x)), optional: true },
    { name: 'design', show: ({ design }) => design },
    { name: 'passed [95 %]', right: true, show: ({ passed, cells, success }) => `${passed} of ${cells}${intervalOf(success)}` },
    { name: 'tokens in', right: true, show: ({ inputTokens }) => whole(inputTokens) },
    { name: 'cached', right: true, show: ({ cachedTokens }) => (cachedTokens === undefined ? '–' : whole(cachedTokens)), optional: true },
    { name: 'out', right: true, show: ({ outputTokens }) => whole(outputTokens) },
    { name: 'model calls', right: true, show: ({ modelCalls }) => mean(modelCalls) },
    { name: 'tool calls', right: true, show: ({ toolCalls }) => mean(toolCalls) },
    { name: wall, right: true, show: ({ wallMs }) => seconds(wallMs) },
    { name: 'peak context, agent asked', right: true, show: ({ peakOrchestrator }) => whole(peakOrchestrator) },
    { name: 'any agent', right: true, show: ({ peakAny }) => whole(peakAny) },
    { name: 'cost', right: true, show: ({ cost }) => money(cost), optional: true },
    UNSUPPORTED,
    PAID,
    { name: 'failures', show: failuresOf, optional: true },
  ];
}

function intervalOf(success: Summary['success']): string {
  return success ? ` [${percent(success.low)}, ${percent(success.high)}]` : '';
}

function failuresOf({ failures }: Summary): string {
  const kinds = Object.entries(failures) as [FailureKind, number][];
  return kinds.length === 0 ? '–' : kinds.map(([kind, count]) => `${count} ${FAILURE_WORDS[kind]}`).join(', ');
}
