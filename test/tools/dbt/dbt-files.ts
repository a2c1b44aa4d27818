type Json = Record<string, unknown>;

interface Node {
  readonly id: string;
  readonly sql?: string;
  readonly config?: Json;
  readonly parents?: readonly string[];
  readonly column?: string;
  readonly test?: string;
  readonly file?: string;
}

/** A manifest as dbt 1.x writes it, with what the tools read. */
export function manifest(
  nodes: readonly Node[],
  { version = 'v12', invocation = 'inv-1', at = '2026-03-01T02:00:00Z', extra = {} as Json } = {},
): Json {
  const old = Number(version.slice(1)) < 7;
  const shaped = nodes.map(({ id, sql, config = {}, parents = [], column, test, file }) => [
    id,
    {
      unique_id: id,
      resource_type: id.split('.')[0],
      name: id.split('.')[2],
      package_name: id.split('.')[1],
      original_file_path: file ?? `models/${id.split('.')[2]}.sql`,
      ...(sql === undefined ? {} : { [old ? 'raw_sql' : 'raw_code']: sql }),
      depends_on: { macros: [], nodes: parents },
      config: { enabled: true, ...config },
      ...(column === undefined ? {} : { column_name: column }),
      ...(test === undefined ? {} : { test_metadata: { name: test, kwargs: { column_name: column } } }),
    },
  ]);
  return {
    metadata: {
      dbt_schema_version: `https://schemas.getdbt.com/dbt/manifest/${version}.json`,
      invocation_id: invocation,
      generated_at: at,
      dbt_version: '1.9.4',
    },
    nodes: Object.fromEntries(shaped),
    sources: {},
    macros: {},
    ...extra,
  };
}

/** A run_results.json with one result a row: id, status, seconds, and what else there is. */
export function runResults(
  rows: readonly (readonly [string, string, number, Json?])[],
  { version = 'v6', invocation = 'inv-1', at = '2026-03-01T02:10:00Z', command = 'build' } = {},
): Json {
  return {
    metadata: {
      dbt_schema_version: `https://schemas.getdbt.com/dbt/run-results/${version}.json`,
      invocation_id: invocation,
      generated_at: at,
      dbt_version: '1.9.4',
    },
    results: rows.map(([unique_id, status, execution_time, more = {}]) => ({
      unique_id,
      status,
      execution_time,
      timing: [],
      adapter_response: {},
      message: null,
      failures: null,
      ...more,
    })),
    elapsed_time: 12.5,
    args: { which: command },
  };
}
