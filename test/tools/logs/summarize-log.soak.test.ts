import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { summarizeLog } from '../../../tools/logs/summarize-log.ts';
import type { LogSummary } from '../../../tools/logs/summary-schema.ts';
import { runOnFolder, withFolder } from './log-context.ts';

const LINES = 7_000_000;

it('reads a log of 1 GB as a stream, within bounded memory', async () => {
  await withFolder(async (folder) => {
    const out = createWriteStream(join(folder, 'big.log'));
    let bytes = 0;
    for (let at = 0; at < LINES; at += 1000) {
      let text = '';
      for (let line = at; line < at + 1000; line++) {
        const clock = new Date(1_772_409_600_000 + line * 10).toISOString().slice(0, 23);
        const level = line % 100_000 === 99_999 ? 'ERROR' : 'INFO';
        text += `[${clock}+0000] {load.py:${line % 90}} ${level} - wrote partition ${line} of table sales_${line % 7} to s3://bucket/${line}/part.parquet after some work\n`;
      }
      bytes += text.length;
      if (!out.write(text)) await once(out, 'drain');
    }
    out.end();
    await once(out, 'close');
    const before = process.memoryUsage().rss;
    let peak = before;
    const timer = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss);
    }, 50);
    const { data } = await runOnFolder<LogSummary>(summarizeLog, folder);
    clearInterval(timer);
    expect(bytes).toBeGreaterThan(1_000_000_000);
    expect(data.totals).toMatchObject({ bytes_read: bytes, lines: LINES, records: LINES, by_level: { info: LINES - 70, error: 70 } });
    expect(peak - before).toBeLessThan(300 * 1024 * 1024);
  });
});
