import type { BenchReport, ReportGroup } from '../bench-report.ts';
import { type ReportTable, tablesOf } from './report-tables.ts';

/** The report for a terminal: verdicts first, then the tables, then what makes them comparable. */
export function renderText(report: BenchReport): string {
  const head = `${report.suite}: ${report.about}`;
  const missing = report.cellsPlanned - report.cells.length;
  const parts = [
    head,
    ...(missing > 0 ? [`Not finished: ${report.cells.length} of ${report.cellsPlanned} runs are there.`] : []),
    ...report.groups.flatMap((group) => groupParts(group, report)),
    ['Fairness', ...report.fairness.map(({ what, state, detail }) => `  ${what}: ${state} (${detail})`)].join('\n'),
    report.conditions.join('\n'),
    `Run ${report.run}.`,
  ];
  return `${parts.join('\n\n')}\n`;
}

function groupParts(group: ReportGroup, { groups, axis }: BenchReport): string[] {
  const title = groups.length > 1 ? [group.timing === 'simulated' ? 'SIMULATED TIME' : 'MEASURED'] : [];
  const verdicts = group.verdicts.map((sentence) => `- ${sentence.replaceAll('*', '')}`).join('\n');
  const tables = tablesOf(group, axis).filter(({ rows }) => rows.length > 0);
  return [...title, ...(verdicts === '' ? [] : [verdicts]), ...tables.map(renderTable)];
}

function renderTable({ title, columns, rows }: ReportTable): string {
  const widths = columns.map(({ name }, place) => Math.max(name.length, ...rows.map((row) => row[place]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, place) => (columns[place]?.right ? cell.padStart(widths[place] ?? 0) : cell.padEnd(widths[place] ?? 0)))
      .join('  ')
      .trimEnd();
  const rule = widths.map((width) => '-'.repeat(width)).join('  ');
  return [title, line(columns.map(({ name }) => name)), rule, ...rows.map(line)].join('\n');
}
