import type { ColumnInfo, Source } from '../../core/source.ts';
import type { SourceEnvironment, SourceSpec } from '../../core/source-spec.ts';
import { type CatalogAdapter, type CatalogTable, createCatalogEngine, readCatalog } from '../tables/catalog-engine.ts';
import { showPostgresLocation } from './explain-postgres-error.ts';
import { openPostgres, type PostgresSession } from './postgres-session.ts';

const COUNTED_BYTES = 32_000_000;

/** A PostgreSQL database by its connection string; connects when first asked. */
export async function openPostgresSource(spec: SourceSpec, _environment: SourceEnvironment): Promise<Source> {
  const session = await openPostgres(spec.url ?? '');
  const adapter = createAdapter(session);
  return {
    name: spec.name,
    kind: 'postgres',
    location: showPostgresLocation(spec.url ?? ''),
    tables: createCatalogEngine(adapter),
    check: async (scope) => {
      const tables = await adapter.tables(scope).catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
      return typeof tables === 'string' ? { ok: false, summary: tables } : { ok: true, summary: `${tables.length} tables and views` };
    },
    close: () => session.close(),
  };
}

function createAdapter(session: PostgresSession): CatalogAdapter {
  const query: CatalogAdapter['query'] = (request) => session.select(request);
  return {
    dialect: 'postgres',
    typesFrom: 'declared',
    query,
    isCheapToCount: (table) => (table.bytes ?? COUNTED_BYTES) < COUNTED_BYTES,
    tables: async (scope) => (await readCatalog(query, { sql: TABLES, scope })).map(toTable),
    columns: async (table, scope) =>
      (await readCatalog(query, { sql: COLUMNS, scope, parameters: [table.schema, table.table] })).map(toColumn),
    primaryKey: async (table, scope) =>
      (await readCatalog(query, { sql: PRIMARY_KEY, scope, parameters: [table.schema, table.table] })).map(([name]) => String(name)),
  };
}

/** Parts of a partitioned table are left out: their rows are counted with it. */
const TABLES = `
  SELECT s.nspname, c.relname, c.relkind::text, pg_total_relation_size(c.oid), c.reltuples::numeric(38,0)::text
  FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace s ON s.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition
    AND s.nspname <> 'information_schema' AND s.nspname NOT LIKE 'pg\\_%' AND has_table_privilege(c.oid, 'SELECT')
  ORDER BY s.nspname, c.relname`;

const COLUMNS = `
  SELECT a.attname, format_type(a.atttypid, a.atttypmod), NOT a.attnotnull, a.attnum
  FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_class c ON c.oid = a.attrelid JOIN pg_catalog.pg_namespace s ON s.oid = c.relnamespace
  WHERE s.nspname = $1 AND c.relname = $2 AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum`;

const PRIMARY_KEY = `
  SELECT a.attname
  FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class c ON c.oid = i.indrelid JOIN pg_catalog.pg_namespace s ON s.oid = c.relnamespace
    CROSS JOIN LATERAL unnest(i.indkey::int2[]) WITH ORDINALITY AS k(attnum, place)
    JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.attnum
  WHERE s.nspname = $1 AND c.relname = $2 AND i.indisprimary ORDER BY k.place`;

type Row = Awaited<ReturnType<typeof readCatalog>>[number];

function toTable([schema, table, kind, bytes, estimate]: Row): CatalogTable {
  const isTable = kind === 'r' || kind === 'p' || kind === 'm' || kind === 'f';
  const known = isTable && kind !== 'f' && estimate !== null && !String(estimate).startsWith('-');
  return {
    name: schema === 'public' ? String(table) : `${schema}.${table}`,
    schema: String(schema),
    table: String(table),
    kind: isTable ? 'table' : 'view',
    // A partitioned or foreign table has no size of its own, so it counts as large.
    ...(kind === 'r' || kind === 'm' ? { bytes: Number(bytes) } : {}),
    ...(known ? { estimate: String(estimate) } : {}),
  };
}

function toColumn([name, type, nullable, position]: Row): ColumnInfo {
  return { name: String(name), type: String(type), nullable: nullable === true, position: Number(position) };
}
