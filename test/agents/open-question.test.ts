import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { askInvestigator, claims } from './ask-investigator.ts';

const folder = mkdtempSync(join(tmpdir(), 'soloist-open-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const range = (count: number): number[] => Array.from({ length: count }, (_, at) => at);
/** The n-th of a set has n rows fewer than the first; `cell` may spoil a value. */
function write(name: string, rows: number, spoil: (at: number, cells: string[]) => string[] = (_, cells) => cells): void {
  const lines = range(rows).map((at) =>
    spoil(at, [`${name}-${at}`, `2026-03-${String(1 + (at % 28)).padStart(2, '0')}`, `${10 + (at % 7)}.5`]),
  );
  writeFileSync(join(folder, `${name}.csv`), `entry_ref,noted_on,worth\n${lines.map((cells) => cells.join(',')).join('\n')}\n`);
}

it('looks at every table in one line first, closely at those that look odd, and says which it did not look at closely', async () => {
  for (const at of range(20)) write(`depot_${'abcdefghijklmnopqrst'[at]}x`, 170 - at);
  // The smallest of 23 tables.
  write('valves', 60, (at, cells) => (at === 7 ? [cells[0]!, cells[1]!, 'n/a'] : cells));
  write('pumps', 58, (at, cells) =>
    at > 50 ? [`pumps-${at - 10}`, `2026-03-${String(1 + ((at - 10) % 28)).padStart(2, '0')}`, `${10 + ((at - 10) % 7)}.5`] : cells,
  );
  write('gauges', 56, (at, cells) => (at % 14 === 2 ? [cells[0]!, cells[1]!, ''] : cells));
  const report = await askInvestigator({ question: 'what is wrong with my data?', sources: [`data=files:${folder}`] });
  expect(report.answer).toContain('7 rows of `pumps` are exact copies');
  expect(report.answer).toContain('`worth` in 1 of 60 rows of `valves`');
  expect(report.answer).toContain('`worth` in 4 of 56 rows of `gauges`');
  expect(report.answer).toMatch(/\nLooked at closely: .*`pumps`.*; all others in one line each \[r\d+\]/);
  expect(claims(report, 'not_checked').join()).toMatch(
    /^Looked at in one line each, without days, keys and copies: `depot_.* and 7 more\.?$/,
  );
});
