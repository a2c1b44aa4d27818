import type { Source, SourceKind } from '../core/source.ts';
import type { SourceEnvironment, SourceSpec } from '../core/source-spec.ts';

type Open = (spec: SourceSpec, environment: SourceEnvironment) => Promise<Source>;

/** Each adapter is loaded when a source of its kind is first opened: the engines behind them are heavy. */
const ADAPTERS: Readonly<Record<SourceKind, () => Promise<Open>>> = {
  files: async () => (await import('./files/open-files-source.ts')).openFilesSource,
  duckdb: async () => (await import('./duckdb/open-duckdb-source.ts')).openDuckDbSource,
  sqlite: async () => (await import('./sqlite/open-sqlite-source.ts')).openSqliteSource,
  postgres: async () => (await import('./postgres/open-postgres-source.ts')).openPostgresSource,
  airflow: async () => (await import('./airflow/open-airflow-source.ts')).openAirflowSource,
  'airflow-export': async () => (await import('./airflow/open-airflow-export-source.ts')).openAirflowExportSource,
  dbt: async () => (await import('./dbt/open-dbt-source.ts')).openDbtSource,
  openlineage: async () => (await import('./openlineage/open-openlineage-source.ts')).openOpenLineageSource,
  logs: async () => (await import('./logs/open-logs-source.ts')).openLogsSource,
};

/** Opens a source by its kind. @throws what the adapter throws when the place is missing or cannot be read. */
export async function openSource(spec: SourceSpec, environment: SourceEnvironment): Promise<Source> {
  const open = await ADAPTERS[spec.kind]();
  return open(spec, environment);
}
