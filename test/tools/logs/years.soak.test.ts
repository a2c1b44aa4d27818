import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { summarizeLog } from '../../../tools/logs/summarize-log.ts';
import type { LogSummary } from '../../../tools/logs/summary-schema.ts';
import { runOnFolder, withFolder } from './log-context.ts';

it('infers the year of a large log from its beginning and its end', async () => {
  await withFolder(async (folder) => {
    const line = (day: string): string => `${day} 10:00:30 host app[1]: ${'request handled '.repeat(8)}\n`;
    const text = [line('Nov  3').repeat(120_000), line('Dec 31').repeat(20_000), line('Jan  2').repeat(20_000)].join('');
    expect(text.length).toBeGreaterThan(20 * 1024 * 1024);
    await writeFile(join(folder, 'a.log'), text);
    await utimes(join(folder, 'a.log'), new Date('2026-01-03'), new Date('2026-01-03'));
    const { data } = await runOnFolder<LogSummary>(summarizeLog, folder);
    expect(data.files.items[0]).toMatchObject({ first_time: '2025-11-03T10:00:30Z', last_time: '2026-01-02T10:00:30Z' });
  });
});
