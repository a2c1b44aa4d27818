/**
 * profile_table against DuckDB's own SUMMARIZE on one generated Parquet file: `npx tsx bench/profile.ts [rows] [rounds]`.
 * Both run in DuckDB with the same threads and memory, one after the other in each round; the file is in a temporary folder.
 */
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { Scope } from '../src/core/scope.ts';
import { createSourceCatalog } from '../src/sources/source-catalog.ts';
import { profileTable } from '../tools/warehouse/profile-table.ts';

/** The most times that profile_table may take what SUMMARIZE takes. */
const BAR = 1.5;

/** Twelve columns of the sorts that warehouses hold: keys, low and high cardinality, money, floats, times, texts, NULL. */
const COLUMNS = `i AS id, hash(i) % 1000000 AS customer_id, (hash(i) % 100)::SMALLINT AS store, ((hash(i) % 100000) / 100)::DECIMAL(12,2) AS amount,
  (hash(i * 3) % 1000003) / 7.0 AS ratio, TIMESTAMP '2024-01-01' + INTERVAL (i % 31536000) SECOND AS placed_at, DATE '2024-01-01' + (i % 730)::INTEGER AS day,
  'customer ' || (hash(i) % 200000) AS name, ['web', 'shop', 'app', 'phone'][1 + i % 4] AS channel, i % 3 = 0 AS is_new,
  CASE WHEN i % 10 = 0 THEN NULL ELSE 'note ' || (i % 5000) END AS note, CASE WHEN i % 7 = 0 THEN NULL ELSE i % 1000 END AS score`;

const [rows = 10_000_000, rounds = 3] = process.argv.slice(2).map(Number);
const root = mkdtempSync(join(tmpdir(), 'soloist-profile-'));
try {
  for (const folder of ['data', 'scratch']) mkdirSync(join(root, folder));
  const file = join(root, 'data', 'orders.parquet');
  await writeParquet(file);
  const load = loadavg()[0] ?? 0;
  console.log(
    `${rows} rows x 12 columns, ${Math.round(statSync(file).size / 1e6)} MB Parquet, ${availableParallelism()} cores, load ${load.toFixed(1)} before the first round`,
  );
  const ratios: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    const summarize = await timeSummarize(file);
    const profile = await timeProfile();
    ratios.push(profile / summarize);
    console.log(
      `round ${round}: SUMMARIZE ${summarize.toFixed(2)} s, profile_table ${profile.toFixed(2)} s, ratio ${(profile / summarize).toFixed(2)}`,
    );
  }
  const middle = ratios.sort((a, b) => a - b)[Math.floor(ratios.length / 2)] ?? 0;
  console.log(`median ratio ${middle.toFixed(2)}, bar ${BAR}: ${middle <= BAR ? 'met' : 'not met'}`);
} finally {
  rmSync(root, { recursive: true, force: true });
}

async function writeParquet(file: string): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run(`COPY (SELECT ${COLUMNS} FROM range(${rows}) r(i)) TO '${file}' (FORMAT parquet)`);
  connection.closeSync();
  instance.closeSync();
}

async function timeSummarize(file: string): Promise<number> {
  const threads = String(Math.max(1, Math.min(4, availableParallelism())));
  const instance = await DuckDBInstance.create(':memory:', { threads, memory_limit: '1024MB', temp_directory: join(root, 'scratch') });
  const connection = await instance.connect();
  const began = performance.now();
  await connection.runAndReadAll(`SUMMARIZE SELECT * FROM read_parquet('${file}')`);
  const seconds = (performance.now() - began) / 1000;
  connection.closeSync();
  instance.closeSync();
  return seconds;
}

/** From opening the source to the result, so that nothing of it is left out. */
async function timeProfile(): Promise<number> {
  const began = performance.now();
  const sources = createSourceCatalog([{ name: 'data', kind: 'files', paths: [join(root, 'data')] }], { scratch: join(root, 'scratch') });
  const context = {
    sources,
    scope: new Scope(),
    now: () => new Date(),
    resultId: 'r1',
    resultIds: () => [],
    readReference: () => undefined,
  };
  const outcome = await profileTable.run(profileTable.input.parse({ table: 'orders' }), context);
  const seconds = (performance.now() - began) / 1000;
  await sources.close();
  if (outcome.status !== 'ok' && outcome.status !== 'partial') throw new Error(JSON.stringify(outcome));
  return seconds;
}
