/** Kinds of sources that tell of runs. */
export const RUN_KINDS: ReadonlySet<string> = new Set(['airflow', 'airflow-export', 'dbt', 'openlineage']);

/** Kinds of sources that hold tables. */
export const TABLE_KINDS: ReadonlySet<string> = new Set(['files', 'duckdb', 'sqlite', 'postgres']);
