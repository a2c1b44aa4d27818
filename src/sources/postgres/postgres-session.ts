import type { Client, Pool, PoolClient, QueryArrayResult } from 'pg';
import { SoloistError } from '../../core/errors.ts';
import type { QueryOutcome, QueryRequest } from '../../core/source.ts';
import { collectRows, type RowCollector } from '../tables/collect-rows.ts';
import { findCalledFunctions } from '../tables/find-called-functions.ts';
import { failQuery, type QueryFailure, refuseQuery, refuseText, timedOut, watchQuery } from '../tables/query-guard.ts';
import { explainPostgresError, isRefusal } from './explain-postgres-error.ts';
import { readPostgresCell } from './read-postgres-cell.ts';

/** A PostgreSQL database of which each query sees one read-only transaction. */
export interface PostgresSession {
  /** Runs one SELECT. Never rejects. */
  select(request: QueryRequest): Promise<QueryOutcome>;
  close(): Promise<void>;
}

const ROWS_PER_FETCH = 500;
const MOST_CONNECTIONS = 4;
const CONNECT_TIMEOUT_MS = 10_000;

/** Connects at the first query. @throws SoloistError `dependency_missing`. */
export async function openPostgres(url: string): Promise<PostgresSession> {
  const pg = await loadPg();
  const options = { connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS, application_name: 'soloist' };
  const pool = new pg.Pool({ ...options, max: MOST_CONNECTIONS, allowExitOnIdle: true });
  // A server that closes an idle connection is no failure of ours: the next query opens another.
  pool.on('error', () => undefined);
  const typeNames = new Map<string, string>();
  const newClient = (): Client => new pg.Client(options);
  let closed = false;
  return {
    select: async (request) =>
      closed ? failQuery('closed', 'the source is closed') : select({ pool, newClient, typeNames, url }, request),
    close: async () => {
      if (closed) return;
      closed = true;
      await pool.end();
    },
  };
}

async function loadPg(): Promise<Pick<typeof import('pg'), 'Client' | 'Pool'>> {
  try {
    return (await import('pg')).default;
  } catch (cause) {
    throw new SoloistError('dependency_missing', 'the PostgreSQL client is not installed', { fix: 'npm install pg', cause });
  }
}

interface Server {
  readonly pool: Pool;
  readonly newClient: () => Client;
  readonly typeNames: Map<string, string>;
  readonly url: string;
}

async function select(server: Server, request: QueryRequest): Promise<QueryOutcome> {
  const refusal = refuseByText(request.sql);
  if (refusal) return refusal;
  let process: number | undefined;
  let cancelled = false;
  const watch = watchQuery(request, () => {
    if (process === undefined || cancelled) return;
    cancelled = true;
    cancelQuery(server, process).catch(() => undefined);
  });
  const work = withClient(server, async (client) => {
    process = (client as unknown as { readonly processID?: number }).processID;
    if (watch.failure) return watch.failure;
    return runSelect(server, client, request);
  }).catch((error: unknown) => (isTimeout(error) ? timedOut(request.timeoutMs) : toFailure(error, server.url)));
  const outcome = await Promise.race([work, watch.abandoned]);
  watch.done();
  return outcome.ok ? outcome : (watch.failure ?? outcome);
}

/** A connection in which a query failed is given up, so that nothing of it reaches the next. */
async function withClient(server: Server, work: (client: PoolClient) => Promise<QueryOutcome>): Promise<QueryOutcome> {
  const client = await server.pool.connect();
  let failed = true;
  try {
    const outcome = await work(client);
    failed = !outcome.ok;
    return outcome;
  } finally {
    client.release(failed);
  }
}

/** The cursor takes one SELECT and no other statement, and lets the rest of the rows stay on the server. */
async function runSelect(server: Server, client: PoolClient, request: QueryRequest): Promise<QueryOutcome> {
  const started = performance.now();
  await client.query('BEGIN READ ONLY');
  const settings = `SET LOCAL statement_timeout = ${Math.max(1, Math.ceil(request.timeoutMs))}; SET LOCAL DateStyle = 'ISO, YMD'; SET LOCAL TimeZone = 'UTC'; SET LOCAL IntervalStyle = 'postgres'; SET LOCAL bytea_output = 'hex'; SET LOCAL extra_float_digits = 1`;
  await client.query(settings);
  const sql = request.sql.replace(/[\s;]+$/, '');
  await ask(client, `DECLARE rows_read NO SCROLL CURSOR FOR ${sql}\n`, request.parameters ?? []);
  const collector = collectRows(request);
  const fields = await fetchRows(client, collector, request.maxRows);
  const types = await nameTypes(server, client, fields);
  await client.query('ROLLBACK');
  const { rows, truncated, warnings } = collector;
  const columns = fields.map((field, index) => ({ name: field.name, type: types[index] ?? 'unknown' }));
  return { ok: true, columns, rows, truncated, elapsedMs: Math.round(performance.now() - started), warnings };
}

type Field = QueryArrayResult['fields'][number];

async function fetchRows(client: PoolClient, collector: RowCollector, maxRows: number): Promise<readonly Field[]> {
  for (;;) {
    const count = Math.min(ROWS_PER_FETCH, maxRows + 1 - collector.rows.length);
    const batch = await ask(client, `FETCH FORWARD ${Math.max(1, count)} FROM rows_read`, []);
    for (const row of batch.rows) {
      const cells = row.map((text, index) => readPostgresCell(text as string | null, batch.fields[index]?.dataTypeID ?? 0));
      if (!collector.add(cells)) return batch.fields;
    }
    if (batch.rows.length < count || collector.rows.length > maxRows) return batch.fields;
  }
}

/** One statement by the extended protocol, which takes no second one; values come as the server's text. */
async function ask(client: PoolClient, text: string, parameters: readonly unknown[]): Promise<QueryArrayResult<unknown[]>> {
  const values = parameters.map((value) => (typeof value === 'bigint' ? value.toString() : value));
  const types = { getTypeParser: () => (value: string) => value };
  const query = { text, values, rowMode: 'array' as const, types, queryMode: 'extended' };
  return client.query<unknown[]>(query as never) as unknown as Promise<QueryArrayResult<unknown[]>>;
}

async function nameTypes(server: Server, client: PoolClient, fields: readonly Field[]): Promise<readonly string[]> {
  const keys = fields.map((field) => `${field.dataTypeID}:${field.dataTypeModifier}`);
  const unknown = [...new Set(keys)].filter((key) => !server.typeNames.has(key));
  if (unknown.length > 0) {
    const pairs = unknown.map((key) => key.split(':'));
    const answer = await ask(client, 'SELECT format_type(oid, modifier) FROM unnest($1::oid[], $2::int[]) AS types(oid, modifier)', [
      pairs.map(([oid]) => oid),
      pairs.map(([, modifier]) => modifier),
    ]);
    answer.rows.forEach(([name], index) => {
      server.typeNames.set(unknown[index] ?? '', String(name));
    });
  }
  return keys.map((key) => server.typeNames.get(key) ?? 'unknown');
}

async function cancelQuery(server: Server, process: number): Promise<void> {
  const client = server.newClient();
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT pg_cancel_backend($1)', [process]);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** The server's own timer may be quicker than ours. */
function isTimeout(error: unknown): boolean {
  const { code, message } = error as { readonly code?: string; readonly message?: string };
  return code === '57014' && /statement timeout/.test(message ?? '');
}

function toFailure(error: unknown, url: string): QueryFailure {
  const message = explainPostgresError(error, url);
  return isRefusal(error)
    ? refuseQuery('not_a_select', `only one SELECT that changes nothing can be run here: ${message}`)
    : failQuery('query_failed', message);
}

const READING_WORDS = new Set(['SELECT', 'WITH', 'VALUES', 'TABLE']);

/** Catalogs with the hashes of passwords, or the passwords of other servers. */
const SECRET_CATALOG = /\bpg_(authid|shadow|user_mappings?|subscription)\b/i;

/** Functions that read the server's files, act outside the transaction, hold locks, or run a text as SQL. */
const UNSAFE_FUNCTION =
  /^(pg_(read_|ls_|stat_file|file_|terminate_|cancel_|reload_|rotate_|switch_|promote|create_|drop_|copy_|logical_|replication_|wal_replay|backup_|start_backup|stop_backup|export_snapshot|log_|notify|stat_reset|advisory_|try_advisory_|current_logfile|import_system|sync_)\w*|lo_\w+|loread|lowrite|dblink\w*|set_config|setval|nextval|query_to_xml\w*|cursor_to_xml\w*|ts_stat|ts_rewrite|crosstab\w*|connectby|xpath_table)$/;

function refuseByText(sql: string): QueryFailure | undefined {
  const refusal = refuseText(sql, READING_WORDS);
  if (refusal) return refusal;
  if (/\bU&"/i.test(sql))
    return refuseQuery('escaped_name', 'names with unicode escapes (U&"…") cannot be used here; write the name itself');
  const secret = SECRET_CATALOG.exec(sql)?.[0];
  if (secret !== undefined) return refuseQuery('secret_catalog', `${secret} holds passwords: it cannot be used here`);
  const unsafe = [...findCalledFunctions(sql)].find((name) => UNSAFE_FUNCTION.test(name));
  if (unsafe === undefined) return undefined;
  const why = "it may reach the server's files, act outside the query, hold locks or run a text as SQL; write the SELECT without it";
  return refuseQuery('unsafe_function', `the function ${unsafe} cannot be called here: ${why}`);
}
