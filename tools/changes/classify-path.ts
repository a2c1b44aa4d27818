/** What a changed file is to a pipeline. */
export type PathKind = 'model' | 'macro' | 'packages' | 'dag' | 'schema' | 'settings' | 'sql' | 'code' | 'other';

const KINDS: readonly (readonly [PathKind, RegExp])[] = [
  [
    'packages',
    /(^|\/)(packages\.ya?ml|package-lock\.ya?ml|dependencies\.ya?ml|requirements[^/]*\.(txt|in)|pyproject\.toml|poetry\.lock|uv\.lock|Pipfile(\.lock)?|package(-lock)?\.json)$/,
  ],
  ['macro', /(^|\/)macros\/.*\.sql$/],
  ['model', /(^|\/)(models|snapshots|seeds)\/.*\.(sql|py|csv)$/],
  ['schema', /(^|\/)(models|snapshots|seeds|tests|contracts|checks|soda|expectations)\/.*\.(ya?ml|json)$|(^|\/)tests\/.*\.sql$/],
  ['settings', /(^|\/)(dbt_project|profiles|airflow|docker-compose[^/]*|values[^/]*)\.(ya?ml|cfg)$|(^|\/)Dockerfile$|\.env$/],
  ['dag', /(^|\/)dags?\/.*\.py$|(^|\/)(jobs|flows|pipelines|assets)\/.*\.py$/],
  ['sql', /\.sql$/],
  ['code', /\.(py|scala|java|ts|js|r|sh)$/i],
];

export function classifyPath(path: string): PathKind {
  return KINDS.find(([, pattern]) => pattern.test(path))?.[0] ?? 'other';
}
