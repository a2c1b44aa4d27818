import { existsSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { BenchReport } from '../bench/bench-report.ts';
import { findShortfalls, GATE_METRICS, type GateRule, readGateRule } from '../bench/gate.ts';
import { renderHtml } from '../bench/report/render-html.ts';
import { renderMarkdown } from '../bench/report/render-markdown.ts';
import { renderText } from '../bench/report/render-text.ts';
import { SoloistError } from '../core/errors.ts';

type ReportForm = 'text' | 'json' | 'markdown' | 'html';

export interface ReportOutput {
  /** Whether stdout gets JSON. */
  readonly json?: boolean;
  /** Files to write. */
  readonly save?: string;
  readonly markdown?: string;
  readonly html?: string;
  readonly rules: readonly GateRule[];
  readonly cwd: string;
  readonly out: (text: string) => void;
}

/**
 * Writes a report wherever it is wanted, and answers what falls short of the rules, in words.
 *
 * @throws SoloistError `usage` when a file cannot be written.
 */
export function tellReport(report: BenchReport, output: ReportOutput): readonly string[] {
  const { json, cwd } = output;
  // First: whatever becomes of the files, what was measured is shown.
  output.out(render(report, json ? 'json' : 'text'));
  for (const [form, file] of filesOf(output)) writeReport(report, form, resolve(cwd, file));
  return findShortfalls(report, output.rules);
}

type OutputFiles = Pick<ReportOutput, 'save' | 'markdown' | 'html'>;

function filesOf({ save, markdown, html }: OutputFiles): readonly (readonly [ReportForm, string])[] {
  const files = [
    ['json', save],
    ['markdown', markdown],
    ['html', html],
  ] as const;
  return files.flatMap(([form, file]) => (file === undefined ? [] : [[form, file] as const]));
}

/** Looks before the first run whether the reports can be written after the last. @throws SoloistError `usage` where a folder is not there. */
export function checkFiles(files: OutputFiles, cwd: string): void {
  for (const [, file] of filesOf(files)) {
    const folder = dirname(resolve(cwd, file));
    if (!existsSync(folder))
      throw new SoloistError('usage', `there is no folder ${folder} for the report`, { where: file, fix: 'make it, or name another' });
  }
}

function render(report: BenchReport, form: ReportForm): string {
  switch (form) {
    case 'text':
      return renderText(report);
    case 'json':
      return `${JSON.stringify(report)}\n`;
    case 'markdown':
      return renderMarkdown(report);
    case 'html':
      return renderHtml(report);
  }
}

function writeReport(report: BenchReport, form: ReportForm, file: string): void {
  try {
    writeFileSync(file, render(report, form));
  } catch (error) {
    throw new SoloistError('usage', `the report cannot be written (${(error as NodeJS.ErrnoException).code})`, {
      where: file,
      fix: 'name a file in a folder that exists and may be written to',
    });
  }
}

/** @throws SoloistError `usage` for a rule that is none. */
export function readGate(texts: readonly string[]): readonly GateRule[] {
  return texts.map((text) => {
    const rule = readGateRule(text);
    if (rule) return rule;
    throw new SoloistError('usage', `--fail-under: "${text}" is no rule`, {
      fix: `write [DESIGN.]METRIC=SHARE with a share from 0 to 1, e.g. success=0.9; metrics are ${GATE_METRICS.join(' and ')}`,
    });
  });
}
