import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { dbtArtifacts } from './dbt-artifacts.ts';
import { readBackfill, readNights } from './read-nights.ts';
import { seededRandom } from './seeded-random.ts';
import { peopleAndProducts } from './shop-people.ts';
import { sales } from './shop-sales.ts';
import { nightLogs } from './task-logs.ts';
import { backfillLogs, schedulerLog } from './wait-logs.ts';
import { writeWarehouse } from './write-warehouse.ts';

const SEED = 20_260_317;
/** Logs and dbt results are kept of the last nights only. */
const NIGHTS_KEPT = 4;

/**
 * Writes logs, dbt results and the warehouse of the example so that they agree with the Airflow export, which is given:
 * it is read from `given/airflow` and copied where `folder` is another one.
 */
export async function writeExample(given: string, folder: string): Promise<void> {
  if (resolve(given) !== resolve(folder)) cpSync(join(given, 'airflow'), join(folder, 'airflow'), { recursive: true });
  for (const part of ['logs', 'dbt']) rmSync(join(folder, part), { recursive: true, force: true });
  const nights = readNights(join(folder, 'airflow'));
  const backfill = readBackfill(join(folder, 'airflow'));
  const random = seededRandom(SEED);
  const people = peopleAndProducts(random);
  const { tables, rowsOf } = sales(random, nights);
  mkdirSync(folder, { recursive: true });
  const counts = await writeWarehouse(join(folder, 'warehouse.duckdb'), [...people, ...tables]);
  const kept = nights.slice(-NIGHTS_KEPT);
  for (const log of [
    ...kept.flatMap((night) => nightLogs(night, rowsOf)),
    ...kept.map((night) => schedulerLog(night, backfill)),
    ...backfillLogs(backfill),
  ])
    write(join(folder, 'logs', log.path), log.text);
  for (const artifact of dbtArtifacts(kept, (table) => counts.get(table) ?? 0))
    write(join(folder, 'dbt', artifact.path), `${JSON.stringify(artifact.value, null, 1)}\n`);
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
