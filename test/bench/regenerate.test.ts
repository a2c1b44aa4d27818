import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { regeneratePage } from '../../bench/regenerate.ts';

const page = (suite: string) => readFileSync(new URL(`../../docs/benchmarks/${suite}.md`, import.meta.url), 'utf8');

it('writes the page of a suite to the byte as it is committed (else: npx tsx bench/regenerate.ts small-model)', async () => {
  expect(await regeneratePage('small-model')).toBe(page('small-model'));
}, 60_000);

/** Rows of the table of cases: a figure of a design by the number that the case counts. */
function column(text: string, design: string, name: string): Map<number, number> {
  const [head = [], , ...rows] = (text.split('## Case by case')[1] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.split('|').map((cell) => cell.trim()));
  const at = head.indexOf(name);
  return new Map(
    rows.filter((row) => row[3] === design).map((row) => [Number(row[2]), Number.parseFloat((row[at] ?? '').replaceAll(',', ''))]),
  );
}

const PEAK = 'peak context, agent asked';

it('shows that the window of a caller of subagents stays flat over the tables while that of one agent grows with them', () => {
  const text = page('profile-tables');
  const parallel = [...column(text, 'parallel', PEAK).values()];
  expect(parallel).toHaveLength(5);
  expect(Math.max(...parallel) / Math.min(...parallel)).toBeLessThan(1.15);
  const solo = column(text, 'solo', PEAK);
  const perTable = [10, 20, 40, 80].map((tables) => ((solo.get(tables) ?? 0) - (solo.get(5) ?? 0)) / (tables - 5));
  // A straight line: every piece of it is as steep as any other, to 10 %.
  expect(Math.max(...perTable) / Math.min(...perTable)).toBeLessThan(1.1);
  expect(solo.get(80) ?? 0).toBeGreaterThan(8 * (solo.get(5) ?? 0));
  const wall = (design: string): number => column(text, design, 'wall, simulated').get(80) ?? 0;
  expect(wall('parallel')).toBeLessThan(wall('solo') / 2);
});

it('shows that subagents cost more on chains and gain nothing', () => {
  const text = page('trace-cause');
  for (const design of ['handed-over', 'link-by-link']) {
    for (const links of [2, 12]) {
      for (const figure of ['tokens in', 'out', 'model calls', 'wall, simulated']) {
        expect(column(text, design, figure).get(links), `${design} ${figure}`).toBeGreaterThan(
          column(text, 'solo', figure).get(links) ?? 0,
        );
      }
    }
  }
  expect(text).toMatch(/solo is faster and takes fewer tokens: handed-over takes/);
  expect(text).toMatch(/solo is better in all: link-by-link takes/);
  expect(text).not.toMatch(/points? .* success \(/);
});

it('shows that the team of four costs more calls and tokens at the same success', () => {
  const text = page('data-quality');
  for (const figure of ['tokens in', 'model calls', 'tool calls']) {
    for (const tables of [4, 8, 16])
      expect(column(text, 'team', figure).get(tables)).toBeGreaterThan(column(text, 'solo', figure).get(tables) ?? 0);
  }
  expect(text).toMatch(/solo is (better in all|faster and takes fewer tokens): team takes .* at equal success \(6 of 6 each/);
});

it('shows that replay of transcripts grows with the sessions while recall stays flat, and that stale records win in neither', () => {
  const text = page('memory');
  const sessions = [1, 10, 50, 100, 200, 400];
  const recalled = sessions.slice(1).map((count) => column(text, 'recall', PEAK).get(count) ?? 0);
  // How many lines fit the question differs from session to session; that there are forty times as many sessions adds none.
  expect(recalled.at(-1)).toBeLessThanOrEqual(recalled[0] ?? 0);
  expect(Math.max(...recalled) / Math.min(...recalled)).toBeLessThan(1.5);
  const many = recalled.slice(1);
  expect(Math.max(...many) / Math.min(...many)).toBeLessThan(1.05);
  const replayed = column(text, 'replay', PEAK);
  expect(replayed.get(400) ?? 0).toBeGreaterThan(20 * (replayed.get(10) ?? 0));
  expect(text.match(/\| 3 of 3 \[/g)?.length).toBe(24);
});
