/** The kinds of files that the tools about runs, checks and lineage read, known by what stands in them. */
export const ARTIFACT_KINDS = [
  'dbt_manifest',
  'dbt_run_results',
  'dbt_catalog',
  'dbt_freshness',
  'great_expectations',
  'soda_scan',
  'spark_event_log',
  'openlineage',
  'dagster_events',
  'git_repository',
] as const;
export type ArtifactKind = (typeof ARTIFACT_KINDS)[number];

type Rule = readonly [ArtifactKind, RegExp];

/** Words that only files of the kind hold, in the order in which they are asked. */
const BY_TEXT: readonly Rule[] = [
  ['dbt_run_results', /dbt_schema_version"\s*:\s*"[^"]*\/dbt\/run-results\//],
  ['dbt_manifest', /dbt_schema_version"\s*:\s*"[^"]*\/dbt\/manifest\//],
  ['dbt_catalog', /dbt_schema_version"\s*:\s*"[^"]*\/dbt\/catalog\//],
  ['dbt_freshness', /dbt_schema_version"\s*:\s*"[^"]*\/dbt\/sources\//],
  ['spark_event_log', /"Event"\s*:\s*"(?:SparkListener|org\.apache\.spark)/],
  ['openlineage', /"schemaURL"\s*:\s*"https:\/\/openlineage|"eventType"\s*:[\s\S]*"runId"|"runId"[\s\S]*"eventType"\s*:/],
  ['great_expectations', /"expectation_config"|"expectation_suite_name"|great_expectations_version|great_expectations\.__version__/],
  ['soda_scan', /"scanStartTimestamp"|"defaultDataSource"|"scanReference"|"hasFailures"\s*:/],
  ['dagster_events', /"dagster_event"|"event_type_value"|"__typename"\s*:\s*"(?:\w*Step\w*Event|Run\w+Event)"/],
];

/** Names that the tools who write the files give them; asked only where the words are not at either end of the file. */
const BY_NAME: readonly Rule[] = [
  ['dbt_run_results', /(^|\/)run_results[^/]*\.json$/i],
  ['dbt_manifest', /(^|\/)manifest[^/]*\.json$/i],
  [
    'spark_event_log',
    /(^|\/)(?:events_\d+_[^/]+|(?:application_\d+_\d+|local-\d+|app-\d+-\d+|spark-[0-9a-f]{32})(?:_\d+)?)(?:\.(?:zstd|zst|lz4|snappy|lzf|gz|inprogress|json))*$/,
  ],
];

/** The file that every git repository has. */
function isGitHead(path: string): boolean {
  return /(^|\/)\.git\/HEAD$/.test(path);
}

/** What the file is, by the text at its beginning and its end and by its name. */
export function detectArtifact(path: string, ends: string): ArtifactKind | undefined {
  if (isGitHead(path)) return 'git_repository';
  const byText = BY_TEXT.find(([, words]) => words.test(ends))?.[0];
  return byText ?? BY_NAME.find(([, name]) => name.test(path))?.[0];
}

const NEVER =
  /\.(?:csv|tsv|parquet|avro|orc|duckdb|db|sqlite3?|sql|py|ya?ml|toml|md|html?|png|jpe?g|pdf|zip|jar|crc)(?:\.(?:gz|zst|bz2|xz))?$/i;

/** False for files whose name says that they hold something else, so that they are not opened. */
export function mayBeArtifact(path: string): boolean {
  return !NEVER.test(path) && (!/(^|\/)\.git\//.test(path) || isGitHead(path));
}
