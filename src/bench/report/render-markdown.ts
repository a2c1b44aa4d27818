import type { BenchReport, ReportGroup } from '../bench-report.ts';
import { type ReportTable, tablesOf } from './report-tables.ts';

/**
 * The report as Markdown. What differs from run to run though the results are the same (ids, dates) is left out, so that
 * a simulated suite gives the same text every time.
 */
export function renderMarkdown(report: BenchReport): string {
  const missing = report.cellsPlanned - report.cells.length;
  const parts = [
    `# ${report.suite}`,
    report.about,
    ...(report.claim === '' ? [] : [`**Bears on:** ${report.claim}`]),
    ...(missing > 0 ? [`**Not finished:** ${report.cells.length} of ${report.cellsPlanned} runs are there.`] : []),
    designList(report),
    ...report.groups.flatMap((group) => groupParts(group, report)),
    ['## Fairness', renderFairness(report)].join('\n\n'),
    ['## How it was run', report.conditions.map((sentence) => `- ${sentence}`).join('\n')].join('\n\n'),
  ];
  return `${parts.join('\n\n')}\n`;
}

function designList({ designs, baseline }: BenchReport): string {
  return designs
    .map(({ name, about }) => `- **${name}**${name === baseline ? ' (the baseline)' : ''}${about === '' ? '' : `: ${about}`}`)
    .join('\n');
}

function groupParts(group: ReportGroup, { axis }: BenchReport): string[] {
  const label = group.timing === 'simulated' ? ' (simulated time, no model was called)' : ' (measured)';
  const verdicts = group.verdicts.map((sentence) => `- ${sentence}`).join('\n');
  return [
    `## Verdict${label}`,
    ...(verdicts === '' ? ['There is nothing to compare with the baseline.'] : [verdicts]),
    ...tablesOf(group, axis)
      .filter(({ rows }) => rows.length > 0)
      .map((table) => `## ${table.title}\n\n${markdownTable(table)}`),
  ];
}

function renderFairness({ fairness }: BenchReport): string {
  const columns = ['what', 'is', 'detail'].map((name) => ({ name, right: false }));
  return markdownTable({ title: '', columns, rows: fairness.map(({ what, state, detail }) => [what, state, detail]) });
}

function markdownTable({ columns, rows }: ReportTable): string {
  const line = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  const rule = `| ${columns.map(({ right }) => (right ? '--:' : '---')).join(' | ')} |`;
  return [line(columns.map(({ name }) => name)), rule, ...rows.map(line)].join('\n');
}
