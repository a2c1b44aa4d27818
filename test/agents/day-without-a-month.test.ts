import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { dayUpTo } from '../../agents/policies/investigator/question/read-days.ts';
import { askInvestigator } from './ask-investigator.ts';

const place = mkdtempSync(join(tmpdir(), 'soloist-day-'));
afterAll(() => rmSync(place, { recursive: true, force: true }));

function folder(name: string, lines: readonly string[]): string {
  const made = mkdtempSync(join(place, 'files-'));
  writeFileSync(join(made, name), `${lines.join('\n')}\n`);
  return made;
}

/** Ten rows on each of the days, but on one. */
const parts = (days: readonly string[], without = ''): readonly string[] => [
  'part,built_on,weight',
  ...days.flatMap((day) => (day === without ? [] : Array.from({ length: 10 }, (_, at) => `${day}-${at},${day},${20 + ((at * 7) % 13)}`))),
];
const daysOf = (from: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => new Date(Date.parse(from) + at * 86_400_000).toISOString().slice(0, 10));

describe('a day that is named without its month or year', () => {
  it.each([
    ['-14', '2026-03-20', '2026-03-14'],
    ['-28', '2026-03-03', '2026-02-28'],
    ['-31', '2026-05-02', '2026-03-31'],
    ['-12-31', '2026-01-02', '2025-12-31'],
    ['2024-02-03', '2026-01-02', '2024-02-03'],
    ['-14', '', '-14'],
  ])('is the last one: %s up to %s', (named, last, day) => {
    expect(dayUpTo(named, last)).toBe(day);
  });

  it('is due next where it begins a month or a year', async () => {
    const source = (from: string) => [`data=files:${folder('parts.csv', parts(daysOf(from, 9)))}`];
    const month = await askInvestigator({ question: 'Why are no parts there on the 1st?', sources: source('2026-05-23') });
    expect(month.answer).toContain('`parts` has no rows of 2026-06-01 by `built_on`: its newest are of 2026-05-31');
    const year = await askInvestigator({ question: 'Why are no parts there on 1 January?', sources: source('2025-12-23') });
    expect(year.answer).toContain('`parts` has no rows of 2026-01-01 by `built_on`: its newest are of 2025-12-31');
  });

  it('ends a month, and the night after it belongs to it', async () => {
    const days = daysOf('2026-05-24', 12);
    const log = days.map((day) => {
      const night = `${new Date(Date.parse(day) + 27 * 3_600_000).toISOString().slice(0, 19)}Z`;
      return day === '2026-05-31' ? `${night} WARNING no file matches parts, nothing to fetch` : `${night} INFO fetched the parts`;
    });
    const sources = [`data=files:${folder('parts.csv', parts(days, '2026-05-31'))}`, `logs=logs:${folder('fetch.log', log)}`];
    const { answer } = await askInvestigator({ question: 'Why are the parts missing on the 31st?', sources });
    expect(answer).toContain('2026-06-01T03:00:00Z "no file matches parts, nothing to fetch"');
  });

  it('is no month', async () => {
    const load = (day: string, count: number) => Array.from({ length: count }, (_, at) => `T${at},${at * 3},run_${day}`);
    const lines = ['ticket,price,load_id', ...load('2026-02-28', 20), ...load('2026-03-01', 5)];
    const sources = [`data=files:${folder('tickets.csv', lines)}`];
    const report = await askInvestigator({ question: 'Why are there duplicates in tickets on the 3rd?', sources });
    expect(report.answer).toContain('5 rows of `tickets` are copies of another but for `load_id`');
    expect(report.answer).toContain('Totals: `price` 600');
  });
});
