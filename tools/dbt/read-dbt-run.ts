import { z } from 'zod';
import { defineTool, type ToolContext } from '../../src/core/tool.ts';
import { failed, noData, refused, type ToolWarning } from '../../src/core/tool-result.ts';
import { answerLists } from '../artifacts/answer-lists.ts';
import { shortenText } from '../artifacts/shorten-text.ts';
import { createListShortener, type ListShortener } from '../runs/shorten-lists.ts';
import { isDisabled } from './dbt-manifest.ts';
import type { DbtNodeResult } from './dbt-results.ts';
import {
  chooseInvocation,
  createManifestReader,
  type FoundManifest,
  folderOf,
  type Invocation,
  type LoadedInvocations,
  loadInvocations,
  manifestOf,
} from './load-invocations.ts';
import { freshnessShape, readFreshness, tellFreshness } from './read-freshness.ts';
import { countBy, figure, nodeResult, shapeNodeResult, sumSeconds } from './shape-node-results.ts';

const listed = z.object({ total: z.number(), returned: z.number(), items: z.array(nodeResult) });

const output = z.object({
  source: z.string(),
  path: z.string(),
  schema_version: z.string().describe('of run_results.json; unknown where the file names none'),
  dbt_version: z.string().nullable(),
  invocation_id: z.string().nullable(),
  command: z.string().nullable(),
  generated_at: z.string().nullable(),
  elapsed_s: figure.describe('text where the file holds no finite number'),
  results: z.number(),
  by_status: z.record(z.string(), z.number()).describe('every status as it stands, known or not'),
  by_type: z.record(z.string(), z.number()),
  unknown_statuses: z.array(z.string()),
  execution_s_sum: z.number().describe('of the results that state a finite number'),
  failed: listed.describe('error, fail, runtime error and partial success'),
  warned: listed,
  skipped: listed,
  slowest: z.array(nodeResult),
  nodes: listed.optional().describe('the results that "status" or "node" asks for'),
  non_finite: z.object({ count: z.number(), places: z.array(z.string()) }).describe('NaN and Infinity: not a number, never 0'),
  manifest: z
    .object({
      path: z.string(),
      schema_version: z.string(),
      because: z.string(),
      by_type: z.record(z.string(), z.number()),
      tests_without_result: z.number().describe('tests of the manifest that this run has no result for'),
    })
    .nullable(),
  source_freshness: freshnessShape.optional().describe('by the sources.json beside the run, where there is one'),
  other_runs: z.array(z.object({ path: z.string(), invocation_id: z.string().nullable(), generated_at: z.string().nullable() })),
  runs_found: z.number(),
});

const input = z.object({
  source: z.string().optional().describe('Name of the source; all that have files unless named'),
  path: z.string().optional().describe('A folder or file; the newest run below it is read'),
  run: z.string().optional().describe('Invocation id, where there are several runs'),
  status: z.string().optional().describe('List the results of this status'),
  node: z.string().optional().describe('List the results whose id contains this text'),
  limit: z.number().int().min(1).max(500).default(20).describe('Most items of each list'),
});

/** One run of dbt from its artifacts, whatever their version. */
export const readDbtRun = defineTool({
  name: 'read_dbt_run',
  description:
    'Reads one dbt run from its artifacts (run_results.json v1 to v6, manifest.json v1 to v12; the newest run unless one is named): results by status with unknown statuses kept, failures with messages, warnings, skipped nodes, the slowest nodes, rows, the schema versions, the places of NaN and Infinity. Says why run_results.json may be missing.',
  input,
  output,
  effect: 'read',
  example: {},
  run: readRun,
});

async function readRun(request: z.output<typeof input>, context: ToolContext) {
  const loaded = await loadInvocations(context, request);
  const missing = missingResults(loaded);
  const chosen = request.run === undefined ? loaded.invocations[0] : chooseInvocation(loaded.invocations, request.run);
  const lists = createListShortener();
  if (!chosen) {
    const known = loaded.invocations.map(({ results, path }) => results.invocationId ?? path);
    if (known.length > 0)
      return refused(
        'no_such_run',
        `there is no dbt run "${shortenText(request.run ?? '', 100)}"; the newest are: ${known.slice(0, 5).join(', ')}`,
      );
    return withoutRun(loaded, missing, context.now());
  }
  const manifest = await manifestOf(chosen, loaded.manifests, createManifestReader());
  const fresh = await readFreshness(chosen, loaded.freshness);
  const data = { ...shapeRun({ chosen, manifest, loaded, lists, request }), ...(fresh ? { source_freshness: fresh } : {}) };
  lists.warn([...warningsOf(chosen), ...missing, ...loaded.warnings]);
  const total = chosen.results.nodes.length + chosen.results.unreadable;
  const whole = loaded.complete && chosen.results.unreadable === 0;
  return answerLists(data, { lists, whole, now: context.now(), total, returned: chosen.results.nodes.length });
}

interface Shaping {
  readonly chosen: Invocation;
  readonly manifest: FoundManifest | undefined;
  readonly loaded: LoadedInvocations;
  readonly lists: ListShortener;
  readonly request: z.output<typeof input>;
}

function shapeRun({ chosen, manifest, loaded, lists, request }: Shaping): z.output<typeof output> {
  const { results, nonFinite, nonFiniteCount } = chosen;
  const { nodes } = results;
  const asked = request.status !== undefined || request.node !== undefined;
  const list = (name: string, items: readonly DbtNodeResult[], characters: number) => {
    const shaped = items.map(shapeNodeResult);
    const shown = lists.shorten(name, shaped, { characters, most: request.limit });
    return { total: items.length, returned: shown.length, items: shown };
  };
  const of = (...classes: string[]): DbtNodeResult[] => nodes.filter((one) => classes.includes(one.class));
  const timed = nodes.filter((one) => typeof one.execution_s === 'number');
  const slowest = timed.sort((left, right) => Number(right.execution_s) - Number(left.execution_s)).slice(0, Math.min(5, request.limit));
  const others = loaded.invocations.filter((one) => one !== chosen);
  return {
    source: chosen.source,
    path: chosen.path,
    schema_version: results.schemaVersion,
    dbt_version: results.dbtVersion,
    invocation_id: results.invocationId,
    command: results.command,
    generated_at: results.generatedAt,
    elapsed_s: results.elapsed,
    results: nodes.length,
    by_status: countBy(nodes, ({ status }) => status),
    by_type: countBy(nodes, ({ type }) => type),
    unknown_statuses: [...new Set(of('unknown').map(({ status }) => shortenText(status, 60)))].slice(0, 20),
    execution_s_sum: sumSeconds(nodes),
    failed: list('failed', of('failed', 'partly_failed'), asked ? 1500 : 4000),
    warned: list('warned', of('warned'), asked ? 500 : 1500),
    skipped: list('skipped', of('skipped'), asked ? 500 : 1500),
    slowest: slowest.map((one) => ({ ...shapeNodeResult(one), message: undefined })).map(({ message: _, ...rest }) => rest),
    ...(asked
      ? {
          nodes: list(
            'nodes',
            nodes.filter((one) => matches(one, request)),
            4500,
          ),
        }
      : {}),
    non_finite: { count: nonFiniteCount, places: lists.shorten('non_finite places', nonFinite, { characters: 900 }) },
    manifest: manifest ? shapeManifest(manifest, nodes) : null,
    other_runs: lists.shorten(
      'other_runs',
      others.slice(0, 5).map(({ path, results: one }) => ({
        path: shortenText(path, 150),
        invocation_id: one.invocationId,
        generated_at: one.generatedAt,
      })),
      { characters: 900 },
    ),
    runs_found: loaded.invocations.length,
  };
}

function matches(one: DbtNodeResult, { status, node }: z.output<typeof input>): boolean {
  return (status === undefined || one.status === status) && (node === undefined || one.node.includes(node));
}

function shapeManifest({ artifact, manifest, because }: FoundManifest, results: readonly DbtNodeResult[]) {
  const ran = new Set(results.map(({ node }) => node));
  const tests = [...manifest.nodes.values()].filter(({ type, id }) => type === 'test' && !isDisabled(manifest, id));
  return {
    path: artifact.path,
    schema_version: manifest.schemaVersion,
    because,
    by_type: countBy([...manifest.nodes.values()], ({ type }) => type),
    tests_without_result: tests.filter(({ id }) => !ran.has(id)).length,
  };
}

const NEWEST_KNOWN_RESULTS = 6;

function warningsOf({ results, nonFiniteCount, path }: Invocation): ToolWarning[] {
  const warnings: ToolWarning[] = [];
  if (Number(results.schemaVersion.slice(1)) > NEWEST_KNOWN_RESULTS) {
    warnings.push({
      code: 'newer_version',
      message: `run results ${results.schemaVersion} are newer than v${NEWEST_KNOWN_RESULTS}, the newest known here: what they add is not read`,
    });
  }
  if (nonFiniteCount > 0)
    warnings.push({
      code: 'not_a_number',
      message: `${path}: ${nonFiniteCount} places hold NaN or Infinity, which are no JSON; they are kept as text and never count as 0`,
    });
  if (results.rowsUnknown > 0)
    warnings.push({
      code: 'rows_unknown',
      message: `${results.rowsUnknown} results say -1 rows: the adapter does not know, it is not minus one row`,
    });
  if (results.unreadable > 0)
    warnings.push({ code: 'unreadable_results', message: `${results.unreadable} results have no id and were left out` });
  return warnings;
}

/** Folders where a manifest stands alone: dbt writes its results only at the end of a run that came so far. */
function missingResults({ invocations, manifests }: LoadedInvocations): ToolWarning[] {
  const withResults = new Set(invocations.map(({ source, path }) => `${source}\n${folderOf(path)}`));
  return manifests
    .filter(({ source, path }) => /(^|\/)manifest\.json$/.test(path) && !withResults.has(`${source}\n${folderOf(path)}`))
    .slice(0, 3)
    .map(({ path }) => ({
      code: 'no_run_results',
      message: `${shortenText(path, 80)} has no run_results.json beside it: dbt crashed, was stopped, only parsed, or failed with --fail-fast before it wrote results; see the dbt log`,
    }));
}

/** Why there is no run to tell of. */
async function withoutRun({ warnings, freshness }: LoadedInvocations, missing: readonly ToolWarning[], asOf: Date) {
  const broken = warnings.find(({ code }) => code === 'broken_file');
  if (broken)
    return failed('broken_file', `the only run results cannot be read: ${broken.message}; the file was cut off or not written by dbt`);
  const message = 'no run_results.json was found';
  const more = missing[0]?.message ?? (await tellFreshness(freshness));
  const told = more === undefined ? message : `${message}; ${more}`;
  return noData({ message: told }, { warnings: [...missing, ...warnings, { code: 'no_run_results', message }], asOf });
}
