import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type GeneratorRequest, type SeededRandom, seededRandom } from './seeded-random.ts';

const CASES = fileURLToPath(new URL('../../../test/cases/', import.meta.url));
const ANSWERS = new Set(['EXPECTED.md', 'expected.json']);

/**
 * The data of an incident: `case`, one of the cases of this project without its answers, or a `variant` of a kind of incident made from
 * the seed: `reload` (a retry that wrote its first batches again) or `pool` (a run that waited for slots that another held).
 */
export function generate({ folder, seed, parameters }: GeneratorRequest): Record<string, unknown> {
  const data = join(folder, 'data');
  mkdirSync(data);
  if (typeof parameters.case === 'string') return copyCase(parameters.case, data);
  const random = seededRandom(seed);
  return parameters.variant === 'pool' ? starvePool(random, data) : reloadBatches(random, data);
}

function copyCase(name: string, data: string): Record<string, unknown> {
  const folder = join(CASES, name);
  if (!existsSync(folder)) throw new Error(`there is no case ${folder}`);
  for (const entry of readdirSync(folder)) {
    if (!ANSWERS.has(entry)) cpSync(join(folder, entry), join(data, basename(entry)), { recursive: true });
  }
  return {};
}

/** A target table into which attempt 2 wrote the first batches again, what the source holds, and the logs of both attempts. */
function reloadBatches(random: SeededRandom, data: string): Record<string, unknown> {
  const table = random.pick(['invoices', 'bookings', 'payments', 'returns']);
  const [size, again, batches] = [random.between(20, 60), random.between(1, 3), random.between(4, 6)];
  const logs = join(data, 'logs');
  const tables = join(data, 'tables');
  mkdirSync(logs);
  mkdirSync(tables);
  const key = `${table.slice(0, -1)}_id`;
  const rows = Array.from({ length: size * batches }, (_, row) => {
    const amount = (random.between(100, 99_999) / 100).toFixed(2);
    return {
      batch: Math.floor(row / size),
      cells: [`K${random.between(10, 99)}${String(10_000 + row)}`, `C${random.between(100, 999)}`, amount],
    };
  });
  const loaded = (attempt: number) =>
    rows.filter(({ batch }) => attempt === 2 || batch < again).map(({ batch, cells }) => [...cells, attempt, batch].join(','));
  writeFileSync(join(tables, `${table}.csv`), `${[`${key},customer,amount,try_number,batch`, ...loaded(1), ...loaded(2)].join('\n')}\n`);
  writeFileSync(
    join(tables, `source_${table}.csv`),
    `${[`${key},customer,amount`, ...rows.map(({ cells }) => cells.join(','))].join('\n')}\n`,
  );
  const line = (minute: number, text: string): string =>
    `[2026-03-12T01:${String(minute).padStart(2, '0')}:00.000+0000] {load.py:41} INFO - ${text}`;
  const writes = (count: number): string[] =>
    Array.from({ length: count }, (_, batch) => line(batch + 1, `inserted batch ${batch} rows=${size}, committed`));
  const fault =
    '[2026-03-12T01:09:00.000+0000] {taskinstance.py:2905} ERROR - Task failed with exception: psycopg2.OperationalError: connection reset by peer';
  writeFileSync(join(logs, `load_${table}_attempt1.log`), `${[line(0, 'Starting attempt 1 of 3'), ...writes(again), fault].join('\n')}\n`);
  writeFileSync(
    join(logs, `load_${table}_attempt2.log`),
    `${[line(20, 'Starting attempt 2 of 3'), ...writes(batches).map((one) => one.replace('T01:0', 'T01:2'))].join('\n')}\n`,
  );
  return { table, extra: size * again, rows: size * (batches + again), distinct: size * batches };
}

/** Eight nights of a pipeline, in the last of which another held most slots of its pool. */
function starvePool(random: SeededRandom, data: string): Record<string, unknown> {
  const [dag, other, pool] = [
    random.pick(['daily_books', 'hourly_feeds', 'night_marts']),
    random.pick(['backfill_2024', 'reindex_all']),
    random.pick(['loaders', 'heavy', 'shared']),
  ];
  const slots = random.pick([8, 12, 16]);
  const held = slots - 2;
  const seconds = random.between(80, 160);
  const start = (night: number): number => Date.UTC(2026, 2, 1 + night, 2, 0, 0);
  const runs = Array.from({ length: 8 }, (_, night) => {
    const free = night === 7 ? slots - held : slots;
    const length = Math.ceil((slots * 2) / free) * seconds + random.between(0, 8);
    return { id: `scheduled__2026-03-0${night + 1}T02:00:00+00:00`, night, free, begin: start(night), length };
  });
  const dagRuns = runs.map(({ id, begin, length }) => runOf({ dag, id, begin, length, type: 'scheduled' }));
  writeJson(join(data, `dagRuns_${dag}.json`), { dag_runs: dagRuns, total_entries: dagRuns.length });
  mkdirSync(join(data, 'taskInstances'));
  for (const { id, night, free, begin } of runs.slice(-4)) {
    const tasks = Array.from({ length: slots * 2 }, (_, index) => {
      const from = begin + Math.floor(index / free) * seconds * 1000;
      return taskOf({ dag, id, task: 'load_part', index, asked: begin, from, length: seconds, pool });
    });
    writeJson(join(data, 'taskInstances', `run_2026-03-0${night + 1}.json`), { task_instances: tasks, total_entries: tasks.length });
  }
  const last = runs.at(-1) ?? { begin: 0, length: 0 };
  const heldFrom = last.begin - 300_000;
  const holding = Array.from({ length: held }, (_, index) =>
    taskOf({
      dag: other,
      id: 'backfill__2024-01-01T00:00:00+00:00',
      task: 'reload',
      index,
      asked: heldFrom,
      from: heldFrom,
      length: last.length + 900,
      pool,
    }),
  );
  writeJson(join(data, `taskInstances_${other}.json`), { task_instances: holding, total_entries: holding.length });
  writeJson(join(data, 'pools.json'), {
    pools: [{ name: pool, slots, occupied_slots: 0, running_slots: 0, queued_slots: 0, open_slots: slots }],
    total_entries: 1,
  });
  return { dag, other, pool, slots, held, took: last.length };
}

interface RunFacts {
  readonly dag: string;
  readonly id: string;
  readonly begin: number;
  readonly length: number;
  readonly type: string;
}

function runOf({ dag, id, begin, length, type }: RunFacts): Record<string, unknown> {
  const at = (time: number): string => new Date(time).toISOString();
  const times = { logical_date: at(begin), queued_at: at(begin), start_date: at(begin), end_date: at(begin + length * 1000) };
  return { dag_run_id: id, dag_id: dag, ...times, duration: length, run_after: at(begin), run_type: type, state: 'success', note: null };
}

interface TaskFacts {
  readonly dag: string;
  readonly id: string;
  readonly task: string;
  readonly index: number;
  readonly asked: number;
  readonly from: number;
  readonly length: number;
  readonly pool: string;
}

function taskOf({ dag, id, task, index, asked, from, length, pool }: TaskFacts): Record<string, unknown> {
  const at = (time: number): string => new Date(time).toISOString();
  const times = {
    start_date: at(from),
    end_date: at(from + length * 1000),
    duration: length,
    queued_when: at(from),
    scheduled_when: at(asked),
  };
  return {
    task_id: task,
    dag_id: dag,
    dag_run_id: id,
    map_index: index,
    ...times,
    state: 'success',
    try_number: 1,
    pool,
    pool_slots: 1,
    operator: 'PythonOperator',
  };
}

function writeJson(file: string, value: unknown): void {
  writeFileSync(file, JSON.stringify(value));
}
