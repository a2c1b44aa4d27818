import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { type ColumnInfo, FileAccessError, type QueryOutcome, type QueryRequest, type Source } from '../../core/source.ts';
import type { SourceEnvironment, SourceSpec } from '../../core/source-spec.ts';
import { type CatalogAdapter, type CatalogTable, createCatalogEngine, readCatalog } from '../tables/catalog-engine.ts';
import { findCalledFunctions } from '../tables/find-called-functions.ts';
import { failQuery, refuseQuery, refuseText } from '../tables/query-guard.ts';
import { seeTypes } from './see-types.ts';
import { createSqliteProcess, type SqliteProcess } from './sqlite-process.ts';

const COUNTED_BYTES = 256_000_000;

/**
 * A SQLite file, read only, in a process of its own.
 *
 * @throws FileAccessError when it is missing.
 */
export async function openSqliteSource(spec: SourceSpec, environment: SourceEnvironment): Promise<Source> {
  const path = spec.paths[0] ?? '';
  const info = await stat(path).catch(() => undefined);
  if (!info) throw new FileAccessError('missing', `${path} does not exist`);
  if (!info.isFile()) throw new FileAccessError('not_a_file', `${path} is a folder; a sqlite source is one file`);
  const reader = createSqliteProcess(path, environment.scratch);
  const adapter = createAdapter(reader, { name: basename(path), bytes: info.size });
  return {
    name: spec.name,
    kind: 'sqlite',
    location: path,
    tables: createCatalogEngine(adapter),
    check: async (scope) => {
      const tables = await adapter.tables(scope).catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
      return typeof tables === 'string' ? { ok: false, summary: tables } : { ok: true, summary: `${tables.length} tables and views` };
    },
    close: async () => reader.close(),
  };
}

const READING_WORDS = new Set(['SELECT', 'WITH', 'VALUES']);

/** Functions that load code, take or give pointers, or touch files where a build has them. */
const UNSAFE_FUNCTION = /^(load_extension|fts3_tokenizer|readfile|writefile|edit|fsdir|lsdir|system|getenv|zipfile|sqlite_dbdata)$/;

/** A view may take long to give its first row: then what it holds is not seen. */
const SEEING_MS = 3_000;

function createAdapter(reader: SqliteProcess, file: { readonly name: string; readonly bytes: number }): CatalogAdapter {
  const query = async (request: QueryRequest): Promise<QueryOutcome> => {
    const refusal = refuseText(request.sql, READING_WORDS);
    if (refusal) return refusal;
    const unsafe = [...findCalledFunctions(request.sql)].find((name) => UNSAFE_FUNCTION.test(name));
    if (unsafe !== undefined)
      return refuseQuery(
        'unsafe_function',
        `the function ${unsafe} cannot be called here: it reaches files or code outside the database; write the SELECT without it`,
      );
    return explain(await reader.run(request), file.name);
  };
  return {
    dialect: 'sqlite',
    typesFrom: 'declared',
    warnings: [{ code: 'types_not_enforced', message: 'SQLite does not hold to declared types: a column may hold values of any type' }],
    query,
    isCheapToCount: () => file.bytes <= COUNTED_BYTES,
    tables: async (scope) => (await readCatalog(query, { sql: TABLES, scope })).map(toTable),
    columns: async (table, scope) => {
      const columns = (await readCatalog(query, { sql: COLUMNS, scope, parameters: [table.table] })).map(toColumn);
      return seeTypes(columns, table.table, (sql) => query({ sql, scope, maxRows: 1, maxBytes: 1_000_000, timeoutMs: SEEING_MS }));
    },
    primaryKey: async (table, scope) =>
      (await readCatalog(query, { sql: PRIMARY_KEY, scope, parameters: [table.table] })).map(([name]) => String(name)),
  };
}

/** What SQLite's short messages mean for the one who asked. */
function explain(outcome: QueryOutcome, file: string): QueryOutcome {
  if (outcome.ok) return outcome;
  const meaning: Readonly<Record<string, string>> = {
    SQLITE_NOTADB: `${file} is not a SQLite database, or it is encrypted`,
    SQLITE_BUSY: `${file} is locked by another process that writes to it; try again`,
    SQLITE_CANTOPEN: `${file} cannot be opened; a file in WAL mode needs a folder that can be written to`,
    SQLITE_CORRUPT: `${file} is damaged: ${outcome.message}`,
    SQLITE_NOMEM: 'the query needs more than the 512 MB of memory it may use; ask for fewer rows or columns',
    SQLITE_TOOBIG: 'a text or blob of the query is larger than SQLite allows',
    MODULE_NOT_FOUND: 'better-sqlite3 is not installed: npm install better-sqlite3',
  };
  const known = meaning[outcome.code];
  if (known !== undefined) return failQuery(outcome.code.toLowerCase(), known);
  return /^(SQLITE|RangeError|TypeError|Error)/.test(outcome.code) ? { ...outcome, code: 'query_failed' } : outcome;
}

/** Tables behind a virtual table are left out: they are its own storage. */
const TABLES = `
  SELECT name, type FROM pragma_table_list WHERE schema = 'main' AND type <> 'shadow' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
  ORDER BY name`;

const COLUMNS = `SELECT name, type, "notnull", pk, cid FROM pragma_table_xinfo(?) WHERE hidden <> 1 ORDER BY cid`;

const PRIMARY_KEY = 'SELECT name FROM pragma_table_xinfo(?) WHERE pk > 0 ORDER BY pk';

type Row = Awaited<ReturnType<typeof readCatalog>>[number];

function toTable([name, type]: Row): CatalogTable {
  return { name: String(name), schema: 'main', table: String(name), kind: type === 'view' ? 'view' : 'table' };
}

function toColumn([name, type, notNull, , position]: Row): ColumnInfo {
  return { name: String(name), type: String(type || 'ANY'), nullable: notNull === 0, position: Number(position) + 1 };
}
