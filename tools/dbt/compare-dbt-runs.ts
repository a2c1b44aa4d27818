import { z } from 'zod';
import { defineTool, type ToolContext } from '../../src/core/tool.ts';
import { refused, type ToolWarning } from '../../src/core/tool-result.ts';
import { answerLists } from '../artifacts/answer-lists.ts';
import { shortenText } from '../artifacts/shorten-text.ts';
import { createListShortener } from '../runs/shorten-lists.ts';
import { chooseDbtPair } from './choose-dbt-pair.ts';
import { type ComparedManifests, compareManifests } from './compare-manifests.ts';
import {
  type ComparedResults,
  compareResults,
  delta,
  type NewFailure,
  type NodePair,
  SLOWER_SECONDS,
  SLOWER_SHARE,
} from './compare-results.ts';
import { isDisabled } from './dbt-manifest.ts';
import { createManifestReader, type FoundManifest, type Invocation, loadInvocations, manifestOf } from './load-invocations.ts';
import {
  changedNode,
  fitList,
  goneTest,
  listOf,
  manifestChanges,
  shapeChangedNode,
  shapeGoneTest,
  shapeManifestChanges,
} from './shape-changes.ts';
import { countBy, figure, sumSeconds } from './shape-node-results.ts';

const side = z.object({
  source: z.string(),
  path: z.string(),
  manifest: z.string().nullable(),
  invocation_id: z.string().nullable(),
  command: z.string().nullable(),
  full_refresh: z.boolean().optional().describe('left out where the file does not say'),
  threads: z.number().optional(),
  generated_at: z.string().nullable(),
  elapsed_s: figure,
  execution_s_sum: z.number(),
  by_status: z.record(z.string(), z.number()),
});

/** In place of a status, where a node has no result. */
const NOT_RUN = 'not run';

const movedNode = z.object({ node: z.string(), before_s: figure, after_s: figure, delta_s: z.number().nullable() });
const changedStatus = z.object({
  node: z.string(),
  before: z.string(),
  after: z.string(),
  failures: figure.optional(),
  message: z.string().optional(),
});

const output = z.object({
  before: side,
  after: side,
  slower: listOf(movedNode).describe(`by at least ${SLOWER_SECONDS} s and ${SLOWER_SHARE * 100} %`),
  faster: listOf(movedNode),
  newly_failing: listOf(changedStatus).describe(`those without a result before are "${NOT_RUN}" there`),
  still_failing: listOf(changedStatus),
  fixed: listOf(changedStatus),
  changed_status: listOf(changedStatus),
  tests_disappeared: listOf(goneTest).describe('tests with a result or a definition before and none after'),
  tests_added: z.number(),
  only_before: listOf(z.string()).describe('other nodes with a result before and none after'),
  only_after: listOf(z.string()),
  changed_nodes: listOf(changedNode).nullable().describe('null where a manifest is missing: not compared'),
  rows_changed: listOf(z.object({ node: z.string(), before: figure, after: figure })),
  ...Object.fromEntries(Object.entries(manifestChanges).map(([key, shape]) => [key, shape.optional()])),
});

const input = z.object({
  source: z.string().optional().describe('Name of the source; all that have files unless named'),
  a: z.string().optional().describe('The earlier run: invocation id, folder or file; the one before b unless given'),
  b: z.string().optional().describe('The later run; the newest unless given'),
  limit: z.number().int().min(1).max(200).default(15).describe('Most items of each list'),
});

/** Two dbt runs side by side, by their results and their manifests. */
export const compareDbtRuns = defineTool({
  name: 'compare_dbt_runs',
  description:
    'Compares two dbt runs by run_results.json and manifest.json (the newest with the one before it unless named): slower nodes, newly failing ones, tests that DISAPPEARED (removed, disabled or not run), changed SQL and settings of models with the lines that differ, changed rows, added and removed nodes. Use it when data or duration changed from one run to the next, or a check that used to fail is suddenly green.',
  input,
  output,
  effect: 'read',
  example: {},
  run: compare,
});

async function compare(request: z.output<typeof input>, context: ToolContext) {
  const loaded = await loadInvocations(context, { source: request.source });
  const pair = chooseDbtPair(loaded.invocations, request);
  if ('refusal' in pair) return refused('no_pair', pair.refusal);
  const read = createManifestReader();
  const [before, after] = [pair.before, pair.after];
  const now = await manifestOf(after, loaded.manifests, read);
  const found = await manifestOf(before, loaded.manifests, read);
  // dbt overwrites its manifest: one file cannot tell what it was before.
  const old = found?.artifact.absolutePath === now?.artifact.absolutePath ? undefined : found;
  const sides: Sides = { before, after, old, now };
  const data = shape(sides, request.limit);
  data.lists.warn([...warningsOf(sides), ...loaded.warnings]);
  const whole = loaded.complete && old !== undefined && now !== undefined;
  return answerLists(data.shaped, { lists: data.lists, whole, now: context.now() });
}

interface Sides {
  readonly before: Invocation;
  readonly after: Invocation;
  readonly old: FoundManifest | undefined;
  readonly now: FoundManifest | undefined;
}

function shape(sides: Sides, most: number) {
  const { before, after, old, now } = sides;
  const lists = createListShortener();
  const results = compareResults(before.results.nodes, after.results.nodes);
  const manifests = old && now ? compareManifests(old.manifest, now.manifest) : undefined;
  const list = <Item>(name: string, items: readonly Item[], characters: number) => fitList(lists, name, items, { characters, most });
  const isTest = ({ type }: { readonly type: string }): boolean => type === 'test' || type === 'unit_test';
  const names = (items: readonly { readonly node: string }[]): string[] => items.map(({ node }) => shortenText(node, 200));
  const rows = results.pairs.filter(
    (pair) => pair.before.rows !== null && pair.after.rows !== null && pair.before.rows !== pair.after.rows,
  );
  const changed = manifests?.changed.filter((node) => !isTest(node) || node.what.includes('config'));
  const shaped: z.output<typeof output> = {
    before: shapeSide(before, old),
    after: shapeSide(after, now),
    slower: list('slower', results.slower.map(shapeMoved), 1800),
    faster: list('faster', results.faster.map(shapeMoved), 500),
    newly_failing: list('newly_failing', results.newlyFailing.map(shapeStatus), 2500),
    still_failing: list('still_failing', results.stillFailing.map(shapeStatus), 500),
    fixed: list('fixed', results.fixed.map(shapeStatus), 400),
    changed_status: list('changed_status', results.changedStatus.map(shapeStatus), 500),
    tests_disappeared: list('tests_disappeared', disappeared(results, manifests, now), 3000),
    tests_added: manifests ? manifests.newTests.length : results.onlyAfter.filter(isTest).length,
    only_before: list('only_before', names(results.onlyBefore.filter((one) => !isTest(one))), 900),
    only_after: list('only_after', names(results.onlyAfter.filter((one) => !isTest(one))), 300),
    changed_nodes: changed ? list('changed_nodes', changed.map(shapeChangedNode), 3000) : null,
    rows_changed: list(
      'rows_changed',
      rows.map(({ node, ...pair }) => ({ node: shortenText(node, 200), before: pair.before.rows, after: pair.after.rows })),
      500,
    ),
    ...(manifests ? shapeManifestChanges(manifests, lists) : {}),
  };
  return { shaped, lists };
}

function shapeSide({ source, path, results }: Invocation, manifest: FoundManifest | undefined): z.output<typeof side> {
  return {
    source,
    path: shortenText(path, 150),
    manifest: manifest ? shortenText(manifest.artifact.path, 150) : null,
    invocation_id: results.invocationId,
    command: results.command,
    ...(results.fullRefresh === null ? {} : { full_refresh: results.fullRefresh }),
    ...(results.threads === null ? {} : { threads: results.threads }),
    generated_at: results.generatedAt,
    elapsed_s: results.elapsed,
    execution_s_sum: sumSeconds(results.nodes),
    by_status: countBy(results.nodes, ({ status }) => status, 10),
  };
}

function shapeMoved(pair: NodePair): z.output<typeof movedNode> {
  return { node: shortenText(pair.node, 200), before_s: pair.before.execution_s, after_s: pair.after.execution_s, delta_s: delta(pair) };
}

function shapeStatus({ node, before, after }: NewFailure): z.output<typeof changedStatus> {
  return {
    node: shortenText(node, 200),
    before: before?.status ?? NOT_RUN,
    after: after.status,
    ...(after.failures === null || after.failures === 0 ? {} : { failures: after.failures }),
    ...(after.message === null ? {} : { message: shortenText(after.message.replace(/\s*\n\s*/g, ' | ').trim(), 240) }),
  };
}

/** Tests that had a result before, or a definition, and have none after; with why, where the manifests tell. */
function disappeared(
  results: ComparedResults,
  manifests: ComparedManifests | undefined,
  now: FoundManifest | undefined,
): z.output<typeof goneTest>[] {
  const gone = new Map((manifests?.goneTests ?? []).map((one) => [one.node.id, shapeGoneTest(one)]));
  for (const { node, type, status, failures } of results.onlyBefore) {
    if (type !== 'test' && type !== 'unit_test') continue;
    const own = gone.get(node) ?? { test: shortenText(node, 220), why: whyNotRun(node, now) };
    gone.set(node, { ...own, status_before: status, ...(failures === null ? {} : { failures_before: failures }) });
  }
  const rank = ({ status_before: status }: z.output<typeof goneTest>): number => (status === undefined ? 2 : status === 'pass' ? 1 : 0);
  return [...gone.values()].sort((left, right) => rank(left) - rank(right));
}

function whyNotRun(id: string, now: FoundManifest | undefined): string {
  if (!now) return 'has no result in the later run; there is no manifest to say why';
  if (isDisabled(now.manifest, id)) return 'disabled in the later manifest';
  return now.manifest.nodes.has(id) ? 'still in the later manifest, but was not run' : 'no longer in the manifest';
}

function warningsOf({ before, after, old, now }: Sides): ToolWarning[] {
  const warnings: ToolWarning[] = [];
  if (before.results.command !== after.results.command)
    warnings.push({
      code: 'different_commands',
      message: `the runs are "dbt ${before.results.command}" and "dbt ${after.results.command}": nodes that only one of them runs did not disappear`,
    });
  for (const [name, manifest] of [
    ['before', old],
    ['after', now],
  ] as const)
    if (!manifest)
      warnings.push({
        code: 'no_manifest',
        message: `no manifest.json belongs to the run "${name}": SQL, settings and removed tests were not compared`,
      });
  if (before.nonFiniteCount + after.nonFiniteCount > 0)
    warnings.push({
      code: 'not_a_number',
      message: `${before.nonFiniteCount} places before and ${after.nonFiniteCount} after hold NaN or Infinity; they are not compared`,
    });
  return warnings;
}
