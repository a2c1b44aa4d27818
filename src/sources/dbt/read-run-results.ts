import { parseLenientJson } from '../../core/lenient-json.ts';
import type { PipelineRun, TaskTry } from '../../core/source.ts';
import type { ToolWarning } from '../../core/tool-result.ts';
import { utcTime } from '../runs/utc-time.ts';

/** One invocation of dbt, as its run_results.json tells it. */
export interface DbtInvocation {
  readonly run: PipelineRun;
  readonly tries: readonly TaskTry[];
  readonly warnings: readonly ToolWarning[];
}

type Json = Readonly<Record<string, unknown>>;

const FAILED = new Set(['error', 'fail', 'failed', 'runtime error', 'partial success']);

/**
 * Reads a run_results.json of schema v1 to v6 or later. Statuses are kept as they stand, known or not; numbers that are
 * not finite are never taken for 0: rows keep them as text, times are unknown, and a warning names the places.
 *
 * @throws SyntaxError when the text is not JSON, or holds no list of results.
 */
export function readRunResults(text: string, place: { readonly path: string; readonly project?: string }): DbtInvocation {
  const read = parseLenientJson(text);
  if (!read.ok) throw new SyntaxError(`line ${read.line}, column ${read.column}: ${read.message}`);
  const { value, nonFinite } = read;
  const {
    metadata = {},
    results,
    elapsed_time: elapsed,
    args = {},
  } = (value ?? {}) as { metadata?: Json; results?: unknown; elapsed_time?: unknown; args?: Json };
  if (!Array.isArray(results)) throw new SyntaxError('it has no list "results"');
  const nodes = (results as Json[]).filter((result) => typeof result?.unique_id === 'string');
  const pipeline = place.project ?? projectOf(nodes) ?? 'dbt';
  const runId = typeof metadata.invocation_id === 'string' ? metadata.invocation_id : place.path;
  const tries = nodes.map((node) => readNode(node, pipeline, runId));
  return {
    run: describeRun({ metadata, elapsed, command: args.which, pipeline, runId, tries }),
    tries,
    warnings: warningsOf(place.path, nonFinite, results.length - nodes.length),
  };
}

interface Invocation {
  readonly metadata: Json;
  readonly elapsed: unknown;
  readonly command: unknown;
  readonly pipeline: string;
  readonly runId: string;
  readonly tries: readonly TaskTry[];
}

function describeRun({ metadata, elapsed, command, pipeline, runId, tries }: Invocation): PipelineRun {
  const starts = tries.flatMap((one) => one.started_at ?? []).sort();
  const ends = tries.flatMap((one) => one.ended_at ?? []).sort();
  // Some versions write generated_at before the last node ends.
  const ended = [...ends, utcTime(metadata.generated_at) ?? ''].sort().at(-1) || null;
  const seconds = typeof elapsed === 'number' ? elapsed : null;
  const started = utcTime(metadata.invocation_started_at) ?? starts[0] ?? null;
  return {
    pipeline,
    run_id: runId,
    type: 'dbt',
    state: tries.some((one) => FAILED.has(one.state.toLowerCase())) ? 'failed' : 'success',
    logical_date: null,
    queued_at: null,
    started_at: started,
    ended_at: ended,
    duration_s: seconds ?? (started !== null && ended !== null ? (Date.parse(ended) - Date.parse(started)) / 1000 : null),
    ...(typeof command === 'string' ? { note: `dbt ${command}` } : {}),
  };
}

function readNode(node: Json, pipeline: string, runId: string): TaskTry {
  const timing = (Array.isArray(node.timing) ? node.timing : []) as { name?: string; started_at?: string; completed_at?: string }[];
  const execute = timing.find((entry) => entry.name === 'execute') ?? timing.at(-1);
  const failures =
    node.failures === null || node.failures === undefined || node.failures === 0 ? '' : ` (${String(node.failures)} failures)`;
  const message = typeof node.message === 'string' ? `${node.message}${failures}` : failures.trim();
  const rows = (node.adapter_response as Json | undefined)?.rows_affected;
  return {
    pipeline,
    run_id: runId,
    task_id: String(node.unique_id),
    map_index: -1,
    try_number: 1,
    state: String(node.status ?? 'unknown'),
    scheduled_at: null,
    queued_at: null,
    started_at: utcTime(execute?.started_at),
    ended_at: utcTime(execute?.completed_at),
    duration_s: typeof node.execution_time === 'number' ? node.execution_time : null,
    pool: null,
    slots: 1,
    operator: String(node.unique_id).split('.', 1)[0] ?? null,
    // -1 is how adapters say that they do not know
    ...(isStated(rows) ? { rows: String(rows) } : {}),
    ...(message ? { message } : {}),
  };
}

function isStated(rows: unknown): boolean {
  return (typeof rows === 'number' && rows >= 0) || (typeof rows === 'string' && /^(\d+|NaN|-?Infinity)$/.test(rows));
}

function projectOf(nodes: readonly Json[]): string | undefined {
  return nodes.map((node) => String(node.unique_id).split('.')[1]).find((name) => name);
}

function warningsOf(path: string, nonFinite: readonly string[], unread: number): ToolWarning[] {
  const warnings: ToolWarning[] = [];
  if (nonFinite.length > 0) {
    const shown = nonFinite.slice(0, 10).join(', ');
    const more = nonFinite.length > 10 ? ` and ${nonFinite.length - 10} more` : '';
    warnings.push({
      code: 'not_a_number',
      message: `${path}: ${nonFinite.length} places hold NaN or Infinity, which JSON has no word for; they count as unknown, not as 0: ${shown}${more}`,
    });
  }
  if (unread > 0) warnings.push({ code: 'unreadable_results', message: `${path}: ${unread} results have no unique_id and were left out` });
  return warnings;
}
