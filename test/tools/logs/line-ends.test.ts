import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { searchLogs } from '../../../tools/logs/search-logs.ts';
import { summarizeLog } from '../../../tools/logs/summarize-log.ts';
import { runOnFolder, withFolder } from './log-context.ts';

const LINES = ['2026-05-01 10:00:00 INFO begin', '2026-05-01 10:00:01 ERROR disk full', '2026-05-01 10:00:02 INFO end'];

describe('logs whose lines end in another way', () => {
  it.each([
    ['a return alone', `${LINES.join('\r')}\r`],
    ['returns, and one newline at the end', `${LINES.join('\r')}\n`],
    ['a return and a newline', `${LINES.join('\r\n')}\r\n`],
  ])('are cut into lines: %s', async (_, text) => {
    await withFolder(async (folder) => {
      await writeFile(join(folder, 'a.log'), text);
      const { data } = await runOnFolder<{ total_matches: number; matches: { line: number; time: string }[] }>(searchLogs, folder, {
        level: 'error',
      });
      expect(data).toMatchObject({ total_matches: 1, matches: [{ line: 2, time: '2026-05-01T10:00:01Z' }] });
    });
  });

  it('are read whole where all entries stand in one list on one long line', async () => {
    await withFolder(async (folder) => {
      const entries = Array.from({ length: 20_000 }, (_, at) => ({
        ts: `2026-05-01T10:00:${String(at % 60).padStart(2, '0')}Z`,
        level: at % 100 === 0 ? 'error' : 'info',
        msg: `row ${at} was loaded into the table`,
      }));
      await writeFile(join(folder, 'a.json'), JSON.stringify(entries));
      const { data, warnings } = await runOnFolder<{ totals: { records: number; by_level: Record<string, number> } }>(summarizeLog, folder);
      expect(data?.totals).toMatchObject({ records: 20_000, by_level: { error: 200, info: 19_800 } });
      expect(warnings).toEqual([]);
    });
  });
});
