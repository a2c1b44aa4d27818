import { availableParallelism } from 'node:os';
import type * as DuckDb from '@duckdb/node-api';
import { SoloistError } from '../../core/errors.ts';
import type { Scope } from '../../core/scope.ts';
import type { QueryOutcome, QueryRequest } from '../../core/source.ts';
import { collectRows } from '../tables/collect-rows.ts';
import { findCalledFunctions } from '../tables/find-called-functions.ts';
import { failQuery, type QueryFailure, refuseQuery, refuseText, showEngineMessage, watchQuery } from '../tables/query-guard.ts';
import { adviseDialect } from './advise-dialect.ts';
import { createCellReader } from './read-duckdb-cell.ts';
import { findUnbounded } from './unbounded-calls.ts';

export interface DuckDbOptions {
  /** A DuckDB file, opened read only; without it a database in memory. */
  readonly path?: string | undefined;
  /** The only folder that queries may read files from; without it none. */
  readonly folder?: string | undefined;
  /** A folder of ours for what does not fit in memory. */
  readonly scratch: string;
  readonly memoryMegabytes?: number;
  readonly temporaryMegabytes?: number;
}

/** A DuckDB that reads only, leaves its folder never, loads no extension and keeps within its memory. */
export interface DuckDbSession {
  /**
   * Runs our own statements (views over files); not for text of others. With a scope it ends when that stops, and others
   * go on beside it. @throws Error with the engine's message.
   */
  define(sql: string, scope?: Scope): Promise<void>;
  /** Runs one SELECT. Never rejects. */
  select(request: QueryRequest): Promise<QueryOutcome>;
  close(): Promise<void>;
}

/** @throws Error with the engine's message when the file cannot be opened; SoloistError `dependency_missing`. */
export async function openDuckDb(options: DuckDbOptions): Promise<DuckDbSession> {
  const duckdb = await loadDuckDb();
  const instance = await duckdb.DuckDBInstance.create(options.path ?? ':memory:', {
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
    memory_limit: `${options.memoryMegabytes ?? 1024}MB`,
    temp_directory: options.scratch,
    threads: String(Math.max(1, Math.min(4, availableParallelism()))),
    ...(options.path === undefined ? {} : { access_mode: 'READ_ONLY' }),
  });
  const owner = await instance.connect();
  try {
    for (const statement of lockStatements(options)) await owner.run(statement);
  } catch (error) {
    owner.closeSync();
    instance.closeSync();
    throw error;
  }
  let closed = false;
  return {
    define: async (sql, scope) => {
      if (scope) await runWithin(instance, sql, scope);
      else await owner.run(sql);
    },
    select: async (request) => {
      if (closed) return failQuery('closed', 'the source is closed');
      return select({ duckdb, instance, folder: options.folder }, request);
    },
    close: async () => {
      if (closed) return;
      closed = true;
      owner.closeSync();
      instance.closeSync();
    },
  };
}

async function runWithin(instance: DuckDb.DuckDBInstance, sql: string, scope: Scope): Promise<void> {
  if (scope.stopped) throw new Error('stopped before the statement was run');
  const connection = await instance.connect();
  const hook = { stop: () => connection.interrupt() };
  scope.add(hook);
  try {
    await connection.run(sql);
  } finally {
    scope.remove(hook);
    connection.closeSync();
  }
}

async function loadDuckDb(): Promise<typeof DuckDb> {
  try {
    return await import('@duckdb/node-api');
  } catch (cause) {
    throw new SoloistError('dependency_missing', 'DuckDB is not installed', { fix: 'npm install @duckdb/node-api', cause });
  }
}

/** The order matters: the folders are named before access is shut, and the lock comes last. */
function lockStatements(options: DuckDbOptions): string[] {
  const text = (value: string): string => `'${value.replaceAll("'", "''")}'`;
  return [
    `SET max_temp_directory_size = '${options.temporaryMegabytes ?? 4096}MB'`,
    `SET GLOBAL TimeZone = 'UTC'`,
    ...(options.folder === undefined ? [] : [`SET allowed_directories = [${text(options.folder)}]`]),
    'SET enable_external_access = false',
    'SET lock_configuration = true',
  ];
}

interface Engine {
  readonly duckdb: typeof DuckDb;
  readonly instance: DuckDb.DuckDBInstance;
  readonly folder: string | undefined;
}

/** Each query has its own connection, so that stopping one stops no other. */
async function select(engine: Engine, request: QueryRequest): Promise<QueryOutcome> {
  const connection = await engine.instance.connect();
  const watch = watchQuery(request, () => connection.interrupt());
  const work = runSelect(engine, connection, request)
    .catch((error: unknown) =>
      failQuery('query_failed', adviseDialect(showEngineMessage(error, { sql: request.sql, folder: engine.folder }), request.sql)),
    )
    .finally(() => connection.closeSync());
  const outcome = await Promise.race([work, watch.abandoned]);
  watch.done();
  if (watch.failure && outcome === watch.failure) leaveBehind(work, () => connection.interrupt());
  return outcome.ok ? outcome : (watch.failure ?? outcome);
}

const leftBehind = new Set<Promise<unknown>>();

const REPEAT_MS = 200;

/**
 * A query that does not heed its interruption is told again until it does, and nobody waits for it. Should it never, it must not
 * keep the process from ending either: node would wait for its thread, so the process then ends by a signal.
 */
function leaveBehind(work: Promise<unknown>, interrupt: () => void): void {
  if (leftBehind.size === 0) process.once('exit', endAtOnce);
  leftBehind.add(work);
  const again = setInterval(interrupt, REPEAT_MS).unref();
  work.finally(() => {
    clearInterval(again);
    leftBehind.delete(work);
    if (leftBehind.size === 0) process.off('exit', endAtOnce);
  });
}

function endAtOnce(): void {
  process.kill(process.pid, 'SIGKILL');
}

async function runSelect(engine: Engine, connection: DuckDb.DuckDBConnection, request: QueryRequest): Promise<QueryOutcome> {
  const started = performance.now();
  const statement = await prepareSelect(engine, connection, request.sql);
  if ('status' in statement) return statement;
  if (request.parameters?.length) statement.bind([...request.parameters]);
  await connection.run('BEGIN TRANSACTION READ ONLY');
  const result = await statement.stream();
  const types = result.columnTypes();
  const toCell = createCellReader(engine.duckdb);
  const collector = collectRows(request);
  reading: for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    const columns = types.map((type, column) => chunk.getColumnValues(column).map((value) => toCell(value, type)));
    for (let row = 0; row < chunk.rowCount; row++) if (!collector.add(columns.map((column) => column[row] ?? null))) break reading;
  }
  return {
    ok: true,
    columns: result.columnNames().map((name, index) => ({ name, type: String(types[index]) })),
    rows: collector.rows,
    truncated: collector.truncated,
    elapsedMs: Math.round(performance.now() - started),
    warnings: collector.warnings,
  };
}

/**
 * Functions that change the engine, run text as SQL, read raw memory or cannot be interrupted. A SELECT may call them, and
 * `enable_logging` to a folder that is not allowed ends the whole process.
 */
const UNSAFE_FUNCTION =
  /^((enable|disable|verify)_\w+|(force_)?checkpoint|arrow_scan\w*|seq_scan|copy_database|import_database|json_execute_serialized_sql|query|truncate_duckdb_logs|write_log|add_parquet_key|nextval|setseed|sleep_ms)$/;

const WHY_UNSAFE = 'it may change the engine, run a text as SQL, or go on when it is stopped; write the SELECT without it';

/** The first function in `sql` (a query, or the text of a view) that a reader must not call. */
export function findUnsafeDuckDbFunction(sql: string): string | undefined {
  return [...findCalledFunctions(sql)].find((name) => UNSAFE_FUNCTION.test(name));
}

/** PRAGMA counts as SELECT to the engine, though some change it; so the first word is looked at as well. */
const READING_WORDS = new Set(['SELECT', 'WITH', 'FROM', 'VALUES', 'TABLE', 'DESCRIBE', 'DESC', 'SHOW', 'SUMMARIZE', 'PIVOT', 'UNPIVOT']);

async function prepareSelect(
  engine: Engine,
  connection: DuckDb.DuckDBConnection,
  sql: string,
): Promise<DuckDb.DuckDBPreparedStatement | QueryFailure> {
  const refusal = refuseText(sql, READING_WORDS);
  if (refusal) return refusal;
  const unsafe = findUnsafeDuckDbFunction(sql);
  if (unsafe !== undefined) return refuseQuery('unsafe_function', `the function ${unsafe} cannot be called here: ${WHY_UNSAFE}`);
  const unbounded = findUnbounded(sql);
  if (unbounded !== undefined) return refuseQuery('unbounded_call', unbounded);
  const statements = await connection.extractStatements(sql);
  if (statements.count !== 1)
    return refuseQuery('several_statements', `only one SELECT can be run at a time; the text holds ${statements.count} statements`);
  const statement = await statements.prepare(0);
  if (statement.statementType !== engine.duckdb.StatementType.SELECT)
    return refuseQuery('not_a_select', 'only a SELECT can be run here: nothing is changed through this tool');
  return statement;
}
