import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Scope } from '../../core/scope.ts';
import { type ColumnInfo, FileAccessError, type Source } from '../../core/source.ts';
import type { SourceEnvironment, SourceSpec } from '../../core/source-spec.ts';
import { type CatalogAdapter, type CatalogTable, createCatalogEngine, readCatalog } from '../tables/catalog-engine.ts';
import { refuseQuery, showEngineMessage } from '../tables/query-guard.ts';
import { type DuckDbSession, findUnsafeDuckDbFunction, openDuckDb } from './duckdb-session.ts';

/**
 * A DuckDB file, read only; nothing else can be read through it.
 *
 * @throws FileAccessError when it is missing; Error with what the engine says when it cannot be opened.
 */
export async function openDuckDbSource(spec: SourceSpec, environment: SourceEnvironment): Promise<Source> {
  const path = spec.paths[0] ?? '';
  const info = await stat(path).catch(() => undefined);
  if (!info) throw new FileAccessError('missing', `${path} does not exist`);
  if (!info.isFile()) throw new FileAccessError('not_a_file', `${path} is a folder; a duckdb source is one file`);
  const session = await openFile(path, environment.scratch);
  const adapter = createAdapter(session);
  return {
    name: spec.name,
    kind: 'duckdb',
    location: path,
    tables: createCatalogEngine(adapter),
    check: async (scope) => {
      const tables = await adapter.tables(scope).catch((error: unknown) => showEngineMessage(error));
      return typeof tables === 'string' ? { ok: false, summary: tables } : { ok: true, summary: `${tables.length} tables and views` };
    },
    close: () => session.close(),
  };
}

async function openFile(path: string, scratch: string): Promise<DuckDbSession> {
  try {
    return await openDuckDb({ path, scratch });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const holder = /PID (\d+)/.exec(message)?.[1];
    if (/lock/i.test(message))
      throw new Error(
        `${basename(path)} is held by another process${holder ? ` (pid ${holder})` : ''}: DuckDB lets no one read a file while it is open for writing; close it there or point to a copy`,
      );
    throw new Error(`${basename(path)} cannot be opened as a DuckDB file: ${showEngineMessage(error)}`);
  }
}

function createAdapter(session: DuckDbSession): CatalogAdapter {
  const rows = (sql: string, scope: Scope, parameters: readonly string[] = []) =>
    readCatalog((request) => session.select(request), { sql, scope, parameters });
  let unsafeView: Promise<string | undefined> | undefined;
  return {
    dialect: 'duckdb',
    typesFrom: 'declared',
    isCheapToCount: () => true,
    query: async (request) => {
      unsafeView ??= findUnsafeView(rows, request.scope);
      const unsafe = await unsafeView.catch(() => undefined);
      if (unsafe !== undefined) return refuseQuery('unsafe_function', unsafe);
      return session.select(request);
    },
    tables: async (scope) => (await rows(TABLES, scope)).map(toTable),
    columns: async (table, scope) => (await rows(COLUMNS, scope, [table.schema, table.table])).map(toColumn),
    primaryKey: async (table, scope) => (await rows(PRIMARY_KEY, scope, [table.schema, table.table])).map(([name]) => String(name)),
  };
}

/** A file of others may hold a view or macro that calls what a query may not. */
async function findUnsafeView(
  rows: (sql: string, scope: Scope) => ReturnType<typeof readCatalog>,
  scope: Scope,
): Promise<string | undefined> {
  for (const [name, text] of await rows(DEFINITIONS, scope)) {
    const unsafe = findUnsafeDuckDbFunction(String(text).replace(/^CREATE[^(]*?\bAS\b/i, ''));
    if (unsafe !== undefined) return `the file holds ${name}, which calls the function ${unsafe}: nothing is read from such a file`;
  }
  return undefined;
}

const DEFINITIONS = `
  SELECT 'the view ' || view_name, sql FROM duckdb_views() WHERE NOT internal AND database_name = current_database()
  UNION ALL
  SELECT 'the macro ' || function_name, macro_definition FROM duckdb_functions()
  WHERE macro_definition IS NOT NULL AND NOT internal AND database_name = current_database()`;

const TABLES = `
  SELECT schema_name, table_name, 'table' AS kind, estimated_size FROM duckdb_tables()
  WHERE NOT internal AND database_name = current_database()
  UNION ALL
  SELECT schema_name, view_name, 'view', NULL FROM duckdb_views()
  WHERE NOT internal AND database_name = current_database()
  ORDER BY ALL`;

const COLUMNS = `
  SELECT column_name, data_type, is_nullable, column_index FROM duckdb_columns()
  WHERE database_name = current_database() AND schema_name = $1 AND table_name = $2 ORDER BY column_index`;

const PRIMARY_KEY = `
  SELECT unnest(constraint_column_names) FROM duckdb_constraints()
  WHERE database_name = current_database() AND schema_name = $1 AND table_name = $2 AND constraint_type = 'PRIMARY KEY'`;

type Row = Awaited<ReturnType<typeof readCatalog>>[number];

function toTable([schema, table, kind, estimate]: Row): CatalogTable {
  return {
    name: schema === 'main' ? String(table) : `${schema}.${table}`,
    schema: String(schema),
    table: String(table),
    kind: kind === 'view' ? 'view' : 'table',
    ...(estimate === null || estimate === undefined ? {} : { estimate: String(estimate) }),
  };
}

function toColumn([name, type, nullable, position]: Row): ColumnInfo {
  return { name: String(name), type: String(type), nullable: nullable === true, position: Number(position) };
}
