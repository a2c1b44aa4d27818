/**
 * Memory and time of a large CSV: `npx tsx bench/large-csv.ts [megabytes]`. Generates the file in a temporary folder, then sniffs it,
 * counts its rows and sums a column through the files source, and prints the most memory that the process held.
 */
import { createWriteStream, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { Scope } from '../src/core/scope.ts';
import type { Source } from '../src/core/source.ts';
import { openFilesSource } from '../src/sources/files/open-files-source.ts';

/** DuckDB's own limit is 1 GB; the rest is the runtime, its buffers and what the engine does not count. */
const MOST_MEGABYTES = 1_800;
const LINES_AT_ONCE = 20_000;

const [megabytes = 2_000] = process.argv.slice(2).map(Number);
const root = mkdtempSync(join(tmpdir(), 'soloist-large-csv-'));
let peak = 0;
const sampler = setInterval(() => {
  peak = Math.max(peak, process.memoryUsage().rss / 1e6);
}, 100);
try {
  for (const folder of ['data', 'scratch']) mkdirSync(join(root, folder));
  const { rows, sum } = await writeCsv(join(root, 'data', 'events.csv'));
  console.log(
    `${Math.round(statSync(join(root, 'data', 'events.csv')).size / 1e6)} MB, ${rows} rows, load ${(loadavg()[0] ?? 0).toFixed(1)}`,
  );
  peak = 0;
  const source = await openFilesSource({ name: 'data', kind: 'files', paths: [join(root, 'data')] }, { scratch: join(root, 'scratch') });
  await time('sniff_file', async () => source.readings?.sniff('events.csv', new Scope()));
  const answer = await time('count and sum', () => ask(source));
  console.log(
    `read ${JSON.stringify(answer)}, expected ${JSON.stringify([rows, String(sum)])}: ${JSON.stringify(answer) === JSON.stringify([rows, String(sum)]) ? 'the same' : 'WRONG'}`,
  );
  console.log(`most memory ${Math.round(peak)} MB, limit ${MOST_MEGABYTES} MB: ${peak <= MOST_MEGABYTES ? 'kept' : 'broken'}`);
  await source.close();
} finally {
  clearInterval(sampler);
  rmSync(root, { recursive: true, force: true });
}

/** Lines of about 100 bytes with a key, a time, a text that may hold a comma, and cents; answers their number and sum. */
async function writeCsv(path: string): Promise<{ rows: number; sum: bigint }> {
  const stream = createWriteStream(path);
  stream.write('id,at,customer,note,cents\n');
  let rows = 0;
  let sum = 0n;
  for (let bytes = 0; bytes < megabytes * 1e6; ) {
    const lines: string[] = [];
    for (let line = 0; line < LINES_AT_ONCE; line++, rows++) {
      const cents = (rows * 7919) % 100_000;
      sum += BigInt(cents);
      const at = new Date(1_700_000_000_000 + rows * 1000).toISOString();
      lines.push(`${rows},${at},customer ${rows % 5000},"a note of some length, ${rows % 97}, with commas",${cents}\n`);
    }
    const text = lines.join('');
    bytes += text.length;
    if (!stream.write(text)) await new Promise<void>((resolve) => stream.once('drain', () => resolve()));
  }
  stream.end();
  await finished(stream);
  return { rows, sum };
}

async function ask(source: Source): Promise<unknown> {
  const sql = 'SELECT COUNT(*), CAST(SUM(cents) AS VARCHAR) FROM events';
  const outcome = await source.tables?.query({ sql, maxRows: 1, maxBytes: 1000, timeoutMs: 3_600_000, scope: new Scope() });
  return outcome?.ok ? outcome.rows[0] : outcome;
}

async function time<Value>(what: string, work: () => Promise<Value>): Promise<Value> {
  const began = performance.now();
  const value = await work();
  console.log(`${what}: ${((performance.now() - began) / 1000).toFixed(1)} s`);
  return value;
}
