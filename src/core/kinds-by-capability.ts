import type { SourceCapability, SourceKind } from './source.ts';

/**
 * Which kinds have a capability, best first: without a name the only source of the first group that has any is taken,
 * so that a folder of logs is not asked for tables, nor a folder of files for logs where a log source exists.
 */
export const KINDS_BY_CAPABILITY: Readonly<Record<SourceCapability, readonly (readonly SourceKind[])[]>> = {
  tables: [['files', 'duckdb', 'sqlite', 'postgres']],
  runs: [['airflow', 'airflow-export', 'dbt', 'openlineage']],
  logs: [['logs'], ['files']],
  control: [['airflow']],
  files: [['files'], ['logs', 'dbt', 'openlineage', 'airflow-export']],
};
