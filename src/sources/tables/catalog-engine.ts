import type { Scope } from '../../core/scope.ts';
import type { ColumnInfo, QueryOutcome, QueryRequest, TableDescription, TableEngine, TableInfo, TableListing } from '../../core/source.ts';
import type { ToolWarning } from '../../core/tool-result.ts';
import { findTable, quoteIdentifier } from './find-table.ts';
import { hasDottedName, splitQuotedNames } from './split-names.ts';

/** A table as a database's own catalog names it. */
export interface CatalogTable {
  /** As shown and asked for: `table`, or `schema.table` outside the default schema. */
  readonly name: string;
  readonly schema: string;
  readonly table: string;
  readonly kind: TableInfo['kind'];
  readonly bytes?: number;
  /** The engine's own estimate of its rows. */
  readonly estimate?: string;
}

/** What one kind of database has to say about itself; all else is the same for each. */
export interface CatalogAdapter {
  readonly dialect: TableEngine['dialect'];
  query(request: QueryRequest): Promise<QueryOutcome>;
  tables(scope: Scope): Promise<readonly CatalogTable[]>;
  columns(table: CatalogTable, scope: Scope): Promise<readonly ColumnInfo[]>;
  primaryKey(table: CatalogTable, scope: Scope): Promise<readonly string[]>;
  /** Whether counting its rows is cheap. */
  isCheapToCount(table: CatalogTable): boolean;
  /** Said about every description, e.g. that the engine does not hold to its declared types. */
  readonly typesFrom: string;
  readonly warnings?: readonly ToolWarning[];
}

const MOST_TABLES_COUNTED = 200;
const COUNT_TIMEOUT_MS = 5_000;

/** A table engine over a database with a catalog. Its catalog calls throw Error with the engine's message. */
export function createCatalogEngine(adapter: CatalogAdapter): TableEngine {
  const find = async (name: string, scope: Scope): Promise<CatalogTable> => findTable(name, await adapter.tables(scope));
  return {
    dialect: adapter.dialect,
    quote: quoteIdentifier,
    query: (request) => queryByShownNames(adapter, request),
    relation: async (name, scope) => relationOf(await find(name, scope)),
    listTables: async (scope) => listTables(adapter, scope),
    describeTable: async (name, scope): Promise<TableDescription> => {
      const table = await find(name, scope);
      const [columns, primaryKey] = [await adapter.columns(table, scope), await adapter.primaryKey(table, scope)];
      return { name: table.name, columns, primaryKey, typesFrom: adapter.typesFrom, warnings: adapter.warnings ?? [] };
    },
  };
}

/** A name of a table as it is listed, quoted as a whole, is as good as one quoted part by part. */
async function queryByShownNames(adapter: CatalogAdapter, request: QueryRequest): Promise<QueryOutcome> {
  if (!hasDottedName(request.sql)) return adapter.query(request);
  const tables = await adapter.tables(request.scope).catch(() => []);
  const dotted = tables.filter(({ name }) => name.includes('.') && !tables.some(({ table }) => table === name));
  const relations = new Map(dotted.map((table) => [table.name.toLowerCase(), relationOf(table)]));
  return adapter.query({ ...request, sql: splitQuotedNames(request.sql, relations) });
}

function relationOf(table: CatalogTable): string {
  return `${quoteIdentifier(table.schema)}.${quoteIdentifier(table.table)}`;
}

async function listTables(adapter: CatalogAdapter, scope: Scope): Promise<TableListing> {
  const tables = await adapter.tables(scope);
  const counted = tables.filter((table) => table.kind === 'table' && adapter.isCheapToCount(table)).slice(0, MOST_TABLES_COUNTED);
  const counts = await countRows(adapter, counted, scope);
  const warnings: ToolWarning[] = [];
  if (counts.size < counted.length)
    warnings.push({ code: 'rows_not_counted', message: 'counting rows took too long or failed; counts are estimates or left out' });
  return { tables: tables.map((table) => toTableInfo(table, counts.get(table.name))), warnings, complete: true };
}

function toTableInfo(table: CatalogTable, count: string | undefined): TableInfo {
  const rows =
    count === undefined ? (table.estimate === undefined ? undefined : { count: table.estimate, exact: false }) : { count, exact: true };
  return {
    name: table.name,
    kind: table.kind,
    ...(rows ? { rows } : {}),
    ...(table.bytes === undefined ? {} : { bytes: table.bytes }),
  };
}

/** Exact counts in one query; none at all when it takes too long. */
async function countRows(adapter: CatalogAdapter, tables: readonly CatalogTable[], scope: Scope): Promise<ReadonlyMap<string, string>> {
  if (tables.length === 0) return new Map();
  const parts = tables.map((table, index) => `SELECT ${index} AS i, COUNT(*) AS n FROM ${relationOf(table)}`);
  const sql = `SELECT i, n FROM (${parts.join(' UNION ALL ')}) AS counts`;
  const outcome = await adapter.query({ sql, maxRows: tables.length, maxBytes: 1_000_000, timeoutMs: COUNT_TIMEOUT_MS, scope });
  if (!outcome.ok) return new Map();
  return new Map(outcome.rows.map(([index, count]) => [tables[Number(index)]?.name ?? '', String(count)]));
}

/** Rows of our own question to a catalog. @throws Error with the engine's message. */
export async function readCatalog(
  query: CatalogAdapter['query'],
  request: Pick<QueryRequest, 'sql' | 'scope' | 'parameters'>,
): Promise<Extract<QueryOutcome, { ok: true }>['rows']> {
  const outcome = await query({ ...request, maxRows: 100_000, maxBytes: 32_000_000, timeoutMs: 20_000 });
  if (!outcome.ok) throw new Error(outcome.message);
  return outcome.rows;
}
