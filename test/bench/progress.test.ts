import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBenchProgress, type Screen } from '../../src/app/bench-progress.ts';
import { bench, writeProject } from './suite-project.ts';

let folder: string;
let remove: () => void;
beforeAll(() => {
  ({ folder, remove } = writeProject());
});
afterAll(() => remove());

async function progressOn(screen: Screen | undefined): Promise<string[]> {
  const notes: string[] = [];
  await bench(folder, { only: ['few'], fresh: true, ...createBenchProgress((text) => notes.push(text), screen) });
  return notes.filter((text) => !/^ {2}\S/.test(text));
}

describe('the progress of a suite', () => {
  it('is a table that fills, drawn over itself', async () => {
    const [, empty, ...drawn] = await progressOn({ columns: 80, rows: 24 });
    expect(empty).toBe('      alone  lead\nfew   .      .\nmany  .      .\n0 of 6 runs are done (passed/done of all)');
    expect(drawn).toHaveLength(6);
    for (const text of drawn) expect(text.startsWith('\x1b[4A\x1b[0J')).toBe(true);
    expect(drawn.at(-1)).toContain('few   3/3 of 3  3/3 of 3\n');
  });

  it.each([
    ['no screen', undefined],
    ['a screen that is too low', { columns: 80, rows: 4 }],
    ['a screen that is too narrow', { columns: 30, rows: 24 }],
  ])('is a line for each finished cell on %s', async (_, screen) => {
    const [, ...lines] = await progressOn(screen);
    expect(lines).toHaveLength(6);
    for (const line of lines) expect(line).toMatch(/^\d\/6 {2}few {2}(alone|lead) {2}seed \d: passed, \d+ tokens, [\d.]+ s simulated$/);
  });
});
