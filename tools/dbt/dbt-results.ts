import { type Json, numberOf, objectOf, objectsOf, textOf } from '../artifacts/read-artifact.ts';

/** How a status counts: dbt's own words and those of newer versions; a word that is not listed stays what it is. */
export type StatusClass = 'good' | 'failed' | 'partly_failed' | 'warned' | 'skipped' | 'unknown';

/** One node of a run_results.json. Numbers that are none stay text; what is not stated is null. */
export interface DbtNodeResult {
  readonly node: string;
  /** `model`, `test`, `seed` …: the first part of its id. */
  readonly type: string;
  readonly status: string;
  readonly class: StatusClass;
  readonly execution_s: number | string | null;
  readonly failures: number | string | null;
  /** Rows that the adapter reports; null where it says -1 (it does not know) or nothing. */
  readonly rows: number | string | null;
  readonly message: string | null;
  readonly started_at: string | null;
  readonly relation: string | null;
  readonly compiledCode: string | null;
}

export interface DbtResults {
  readonly schemaVersion: string;
  readonly dbtVersion: string | null;
  readonly invocationId: string | null;
  readonly command: string | null;
  /** Whether incremental models and seeds were built anew; null where the file does not say. */
  readonly fullRefresh: boolean | null;
  /** How many nodes could run at once; null where the file does not say. */
  readonly threads: number | null;
  readonly generatedAt: string | null;
  readonly elapsed: number | string | null;
  readonly nodes: readonly DbtNodeResult[];
  /** Results without an id, which cannot be told apart. */
  readonly unreadable: number;
  /** Nodes whose adapter answers -1 rows: not known. */
  readonly rowsUnknown: number;
}

const CLASSES: Readonly<Record<string, StatusClass>> = {
  success: 'good',
  pass: 'good',
  passed: 'good',
  'no-op': 'good',
  reused: 'good',
  error: 'failed',
  fail: 'failed',
  failed: 'failed',
  'runtime error': 'failed',
  'partial success': 'partly_failed',
  warn: 'warned',
  warned: 'warned',
  skipped: 'skipped',
  skip: 'skipped',
};

/** The parts of a run_results.json of schema v1 to v6 and later; undefined where there is no list of results. */
export function readDbtResults(value: Json): DbtResults | undefined {
  if (!Array.isArray(value.results)) return undefined;
  const metadata = objectOf(value.metadata);
  const results = objectsOf(value.results);
  const nodes = results.filter((result) => nodeId(result) !== undefined);
  return {
    schemaVersion: schemaVersion(metadata),
    dbtVersion: textOf(metadata.dbt_version) ?? textOf(value.dbt_version) ?? null,
    invocationId: textOf(metadata.invocation_id) ?? null,
    fullRefresh: flagOf(objectOf(value.args).full_refresh),
    threads: threadsOf(objectOf(value.args).threads, nodes),
    command: textOf(objectOf(value.args).which) ?? textOf(objectOf(value.args).rpc_method) ?? null,
    generatedAt: textOf(metadata.generated_at) ?? textOf(value.generated_at) ?? null,
    elapsed: numberOf(value.elapsed_time),
    nodes: nodes.map(readNode),
    unreadable: value.results.length - nodes.length,
    rowsUnknown: nodes.filter((node) => objectOf(node.adapter_response).rows_affected === -1).length,
  };
}

/** `v6`, from the address of the schema; `unknown` where the file names none. */
export function schemaVersion(metadata: Json): string {
  return /\/(v\d+)\b/.exec(textOf(metadata.dbt_schema_version) ?? '')?.[1] ?? 'unknown';
}

function nodeId(result: Json): string | undefined {
  // Before the schema had a version, the whole node stood in the result.
  return textOf(result.unique_id) ?? textOf(objectOf(result.node).unique_id);
}

function readNode(result: Json): DbtNodeResult {
  const id = nodeId(result) ?? '';
  const status = String(result.status ?? 'unknown');
  const rows = objectOf(result.adapter_response).rows_affected;
  const timing = objectsOf(result.timing).find((one) => one.name === 'execute') ?? objectsOf(result.timing).at(-1) ?? {};
  return {
    node: id,
    type: id.split('.', 1)[0] ?? '',
    status,
    class: CLASSES[status.toLowerCase()] ?? 'unknown',
    execution_s: numberOf(result.execution_time),
    failures: numberOf(result.failures),
    rows: rows === -1 ? null : numberOf(rows),
    message: textOf(result.message) ?? null,
    started_at: textOf(timing.started_at) ?? null,
    relation: textOf(result.relation_name) ?? null,
    compiledCode: textOf(result.compiled_code) ?? null,
  };
}

/** As it was asked for, else as many as took part. */
function threadsOf(value: unknown, nodes: readonly Json[]): number | null {
  if (typeof value === 'number' && Number.isInteger(value)) return value;
  const names = new Set(nodes.flatMap(({ thread_id: name }) => (typeof name === 'string' && /\d/.test(name) ? [name] : [])));
  return names.size === 0 ? null : names.size;
}

function flagOf(value: unknown): boolean | null {
  return typeof value === 'boolean' ? value : null;
}
