import { expect, it } from 'vitest';
import { summarizeLog } from '../../../tools/logs/summarize-log.ts';
import { callTool, dropFolder, makeFolder } from '../artifacts/call-tool.ts';

async function fileOf(minutes: readonly number[]) {
  const line = (minute: number): string => `${new Date(Date.UTC(2026, 5, 3, 1, minute)).toISOString().slice(0, 19)}Z INFO batch done`;
  const folder = makeFolder({ 'loader.log': `${minutes.map(line).join('\n')}\n` });
  try {
    const { data } = await callTool(summarizeLog, folder, {}, 'logs');
    return data.files.items[0];
  } finally {
    dropFolder(folder);
  }
}

const range = (from: number, to: number, step = 1): number[] =>
  Array.from({ length: Math.ceil((to - from) / step) }, (_, place) => from + place * step);

it('is told where a log holds nothing for far longer than ever else', async () => {
  expect((await fileOf([...range(0, 30), ...range(90, 120)])).silence).toEqual({
    from: '2026-06-03T01:29:00Z',
    to: '2026-06-03T02:30:00Z',
    seconds: 3660,
    next_longest_s: 60,
  });
});

it('is not told where there are several alike, or none', async () => {
  expect((await fileOf([...range(0, 20), ...range(80, 100), ...range(160, 180)])).silence).toBeUndefined();
  expect((await fileOf(range(0, 200, 5))).silence).toBeUndefined();
});

it('stands beside a clock that went back', async () => {
  const file = await fileOf([...range(0, 40), ...range(20, 60)]);
  expect(file.clock_went_back).toEqual({ times: 1, from: '2026-06-03T01:39:00Z', to: '2026-06-03T01:20:00Z' });
  expect((await fileOf(range(0, 60))).clock_went_back).toBeUndefined();
});
