import { z } from 'zod';
import { suggestName } from '../../src/core/nearest.ts';
import { defineTool, type ToolContext } from '../../src/core/tool.ts';
import { refused, type ToolWarning } from '../../src/core/tool-result.ts';
import { answerLists } from '../artifacts/answer-lists.ts';
import { type Artifact, findArtifacts } from '../artifacts/find-artifacts.ts';
import { readArtifact } from '../artifacts/read-artifact.ts';
import { shortenText } from '../artifacts/shorten-text.ts';
import { readDbtManifest } from '../dbt/dbt-manifest.ts';
import { fitList, listOf } from '../dbt/shape-changes.ts';
import { countBy } from '../dbt/shape-node-results.ts';
import { createListShortener, type ListShortener } from '../runs/shorten-lists.ts';
import { dbtGraph, isTest } from './dbt-graph.ts';
import { findCycles, findNodes, type LineageGraph, type Reached, reach } from './lineage-graph.ts';
import { openLineageGraph } from './openlineage-graph.ts';
import { readLineageEvents } from './read-lineage-events.ts';

const reachedNode = z.object({ id: z.string(), type: z.string(), depth: z.number(), via: z.array(z.string()) });

const side = listOf(reachedNode).extend({
  by_type: z.record(z.string(), z.number()),
  deepest: z.number(),
  beyond_depth: z.number().describe('nodes that are further away than "depth" and not listed'),
});

const output = z.object({
  source: z.string(),
  from: z.string().describe('the manifest, or the OpenLineage files'),
  node: z.string(),
  type: z.string(),
  file: z.string().optional(),
  upstream: side.optional(),
  downstream: side.optional(),
  tests: z.number().optional().describe('tests that look at the node; listed only with include_tests'),
  cycles: listOf(z.array(z.string())).describe('ways from a node back to itself'),
  graph: z.object({ nodes: z.number(), edges: z.number() }),
});

const input = z.object({
  node: z.string().min(1).describe('A dbt node by id, name or relation; a job or dataset of OpenLineage'),
  direction: z.enum(['upstream', 'downstream', 'both']).default('both'),
  depth: z.number().int().min(1).max(100).default(3).describe('Most steps away from the node'),
  limit: z.number().int().min(1).max(500).default(50).describe('Most nodes listed a direction'),
  include_tests: z.boolean().default(false),
  source: z.string().optional(),
  path: z.string().optional().describe('The manifest or the events to read; the newest manifest unless given'),
});

/** What a node is made from and what is made from it. */
export const lineage = defineTool({
  name: 'lineage',
  description:
    'Says what a table, model, job or dataset is made from (upstream) and what is made from it (downstream), from a dbt manifest or OpenLineage events: nodes by distance with the step that leads to each, totals, what lies beyond the depth or the limit, cycles. Use it to find where a wrong figure may come from or what a failure touches.',
  input,
  output,
  effect: 'read',
  example: { node: 'mart_daily_sales' },
  run: trace,
});

interface Found {
  readonly graph: LineageGraph;
  readonly source: string;
  readonly from: string;
  readonly tests?: (id: string) => number;
}

async function trace(request: z.output<typeof input>, context: ToolContext) {
  const { artifacts, warnings, complete } = await findArtifacts(context, { ...request, kinds: ['dbt_manifest', 'openlineage'] });
  if (artifacts.length === 0)
    return refused('no_lineage', 'no source holds a dbt manifest.json or OpenLineage events; lineage comes from those');
  const lists = createListShortener();
  const known: string[] = [];
  for await (const found of graphsOf(artifacts, request, lists)) {
    const matches = preferTables(found.graph, findNodes(found.graph, request.node));
    if (matches.length > 1)
      return refused(
        'several_nodes',
        `${matches.length} nodes are called "${shortenText(request.node, 80)}"; name one by its id: ${matches.slice(0, 8).join(', ')}`,
      );
    const [id] = matches;
    if (id === undefined) known.push(...[...found.graph.nodes.values()].flatMap((node) => [...node.names.slice(0, 1), node.id]));
    else {
      lists.warn(warnings);
      return answerLists(shape(found, id, { request, lists }), { lists, whole: complete, now: context.now() });
    }
  }
  const [name] = [shortenText(request.node, 80)];
  return refused(
    'no_such_node',
    `there is no node "${name}" in ${artifacts.length} files; ${shortenText(suggestName(request.node, [...new Set(known)]), 600)}`,
  );
}

/** Of several nodes with one name the one that holds rows: dbt calls a metric or a semantic model after its table. */
function preferTables(graph: LineageGraph, ids: readonly string[]): readonly string[] {
  const tables = ids.filter((id) => /^(model|seed|snapshot|source)$/.test(graph.nodes.get(id)?.type ?? ''));
  return tables.length === 1 ? tables : ids;
}

/** The newest manifest first, then the older ones only if they are asked for by path, then the events. */
async function* graphsOf(artifacts: readonly Artifact[], request: z.output<typeof input>, lists: ListShortener): AsyncGenerator<Found> {
  const manifests = artifacts.filter(({ kind }) => kind === 'dbt_manifest');
  const read: { found: Found; at: string; artifact: Artifact }[] = [];
  for (const artifact of manifests) {
    const json = await readArtifact(artifact);
    const manifest = json.ok ? readDbtManifest(json.value) : undefined;
    if (!manifest) lists.warn([broken(artifact, json.ok ? 'it has no nodes' : json.message)]);
    else {
      const graph = dbtGraph(manifest, { tests: request.include_tests });
      const tests = (id: string): number =>
        [...manifest.nodes.values()].filter((node) => isTest(node.type) && node.parents.includes(id)).length;
      read.push({
        found: { graph, source: artifact.source, from: artifact.path, tests },
        at: manifest.generatedAt ?? artifact.modified.toISOString(),
        artifact,
      });
    }
  }
  read.sort((left, right) => (left.at < right.at ? 1 : -1));
  for (const { found } of read) yield found;
  const events = artifacts.filter(({ kind }) => kind === 'openlineage');
  if (events.length === 0) return;
  const { events: list, badCount } = await readLineageEvents(events);
  if (badCount > 0) lists.warn([{ code: 'bad_events', message: `${badCount} OpenLineage events or lines could not be read` }]);
  yield { graph: openLineageGraph(list), source: events[0]?.source ?? '', from: `${events.length} OpenLineage files` };
}

function broken({ path }: Artifact, why: string): ToolWarning {
  return { code: 'broken_file', message: `${path} was left out: ${why}` };
}

function shape(
  found: Found,
  id: string,
  { request, lists }: { request: z.output<typeof input>; lists: ListShortener },
): z.output<typeof output> {
  const { graph } = found;
  const node = graph.nodes.get(id);
  const sides = request.direction === 'both' ? (['upstream', 'downstream'] as const) : ([request.direction] as const);
  const cycles = findCycles(graph).map((cycle) => cycle.slice(0, 12).map((one) => shortenText(one, 120)));
  return {
    source: found.source,
    from: found.from,
    node: id,
    type: node?.type ?? 'unknown',
    ...(node?.file === undefined ? {} : { file: shortenText(node.file, 200) }),
    ...Object.fromEntries(sides.map((name) => [name, shapeSide(graph, reach(graph, id, name), { name, request, lists })])),
    ...(found.tests ? { tests: found.tests(id) } : {}),
    cycles: fitList(lists, 'cycles', cycles, { characters: 1200 }),
    graph: { nodes: graph.nodes.size, edges: [...graph.parents.values()].reduce((sum, list) => sum + list.length, 0) },
  };
}

interface SideRequest {
  readonly name: string;
  readonly request: z.output<typeof input>;
  readonly lists: ListShortener;
}

function shapeSide(graph: LineageGraph, reached: readonly Reached[], { name, request, lists }: SideRequest): z.output<typeof side> {
  const near = reached.filter(({ depth }) => depth <= request.depth);
  const beyond = reached.length - near.length;
  if (beyond > 0) lists.leaveOut(`${name}: ${beyond} of ${reached.length} nodes are further away than ${request.depth} steps`);
  const shaped = near.map(({ id, depth, via }) => ({
    id: shortenText(id, 180),
    type: graph.nodes.get(id)?.type ?? 'unknown',
    depth,
    via: via.slice(0, 4).map((one) => shortenText(one, 120)),
  }));
  const listed = fitList(lists, name, shaped, { characters: request.direction === 'both' ? 3600 : 7200, most: request.limit });
  return {
    ...listed,
    total: reached.length,
    by_type: countBy(reached, ({ id }) => graph.nodes.get(id)?.type ?? 'unknown', 12),
    deepest: reached.reduce((most, { depth }) => Math.max(most, depth), 0),
    beyond_depth: beyond,
  };
}
