import type { CellResult } from '../cell.ts';
import type { SuiteSpec } from '../suite-spec.ts';

/** The table that fills while a suite runs: cases down, designs across, in each cell how many runs passed of those done. */
export function renderLiveTable(suite: SuiteSpec, results: readonly CellResult[], planned: number): string {
  const runs = suite.seeds.length * suite.repeat;
  const header = ['', ...suite.designs.map(({ name }) => name)];
  const rows = suite.cases.map(({ id }) => [
    id,
    ...suite.designs.map(({ name }) => {
      const done = results.filter((cell) => cell.case === id && cell.design === name);
      return done.length === 0 ? '.' : `${done.filter(({ passed }) => passed).length}/${done.length} of ${runs}`;
    }),
  ]);
  const widths = header.map((_, place) => Math.max(...[header, ...rows].map((row) => row[place]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, place) => cell.padEnd(widths[place] ?? 0))
      .join('  ')
      .trimEnd();
  return [line(header), ...rows.map(line), `${results.length} of ${planned} runs are done (passed/done of all)`].join('\n');
}

/** One line for a finished cell, where a table cannot be drawn over itself. */
export function renderCellLine(result: CellResult, done: number, planned: number): string {
  const { design, case: id, seed, repeat, passed, failure, usage, timing } = result;
  const outcome = passed ? 'passed' : `failed (${failure})`;
  const wall = `${(usage.wallMs / 1000).toFixed(1)} s${timing === 'simulated' ? ' simulated' : ''}`;
  return `${String(done).padStart(String(planned).length)}/${planned}  ${id}  ${design}  seed ${seed}${repeat > 1 ? `, run ${repeat}` : ''}: ${outcome}, ${usage.inputTokens + usage.outputTokens} tokens, ${wall}`;
}
