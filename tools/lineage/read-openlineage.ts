import { z } from 'zod';
import { defineTool, type ToolContext } from '../../src/core/tool.ts';
import { noData } from '../../src/core/tool-result.ts';
import { answerLists } from '../artifacts/answer-lists.ts';
import { findArtifacts } from '../artifacts/find-artifacts.ts';
import { objectOf } from '../artifacts/read-artifact.ts';
import { shortenText } from '../artifacts/shorten-text.ts';
import { fitList, listOf } from '../dbt/shape-changes.ts';
import { countBy } from '../dbt/shape-node-results.ts';
import { createListShortener } from '../runs/shorten-lists.ts';
import { gatherRuns, type LineageRun, moment, type RunDataset } from './gather-runs.ts';
import { datasetsOf, type LineageEvent, readLineageEvents } from './read-lineage-events.ts';
import { schemaChange, schemaChanges } from './schema-changes.ts';

const dataset = z.object({ name: z.string(), rows: z.string().optional(), bytes: z.string().optional() });

const run = z.object({
  job: z.string(),
  run_id: z.string(),
  parent: z.string().optional(),
  state: z.string(),
  started_at: z.string().nullable().describe('as written'),
  ended_at: z.string().nullable(),
  duration_s: z.number().nullable(),
  nominal_time: z.string().optional(),
  code: z.string().optional().describe('tag or commit of the code of the job'),
  inputs: z.array(dataset),
  outputs: z.array(dataset),
  datasets_left_out: z.number().optional(),
  failed_assertions: z.array(z.string()).optional(),
  error: z.string().optional(),
});

const output = z.object({
  files: z.number(),
  events: z.number(),
  by_type: z.record(z.string(), z.number()),
  bad_events: listOf(z.object({ file: z.string(), place: z.number(), why: z.string() })).describe(
    'place: the line, or the place in a list',
  ),
  runs: listOf(run).describe('failed ones first, then the newest'),
  by_state: z.record(z.string(), z.number()),
  jobs: z.record(z.string(), z.number()).describe('runs a job'),
  datasets: listOf(z.object({ name: z.string(), read_by: z.number(), written_by: z.number() })),
  schema_changes: listOf(schemaChange).optional().describe('of datasets, the newest first; left out where there is none'),
  facets: z.record(z.string(), z.number()).describe('how many events carry each facet'),
  times_without_zone: z.number().describe('read as UTC'),
});

const input = z.object({
  source: z.string().optional().describe('Name of the source; all that have files unless named'),
  path: z.string().optional().describe('One file, or the beginning of paths'),
  job: z.string().optional().describe('Only jobs whose name contains this text'),
  limit: z.number().int().min(1).max(200).default(20),
});

/** Runs, datasets and facets of OpenLineage events. */
export const readOpenLineage = defineTool({
  name: 'read_openlineage',
  description:
    'Reads OpenLineage events from files (one event, a list, or one a line): runs with state, duration, what they read and wrote with row counts, errors, failed data quality assertions; datasets with how many jobs read and write them; facets; events that could not be read, counted with reasons. Use it when the sources hold OpenLineage or Marquez events.',
  input,
  output,
  effect: 'read',
  example: { source: 'events' },
  run: readEvents,
});

async function readEvents(request: z.output<typeof input>, context: ToolContext) {
  const found = await findArtifacts(context, { ...request, kinds: ['openlineage'] });
  const lists = createListShortener();
  lists.warn(found.warnings);
  if (found.artifacts.length === 0)
    return noData({ message: 'no file holds OpenLineage events' }, { warnings: lists.warnings(), asOf: context.now() });
  const { events: all, bad, badCount } = await readLineageEvents(found.artifacts);
  const events = request.job === undefined ? all : all.filter(({ job }) => job?.includes(request.job ?? '') ?? false);
  const runs = [...gatherRuns(events)].sort(byTrouble);
  const withoutZone = events.filter(({ zoneGiven }) => !zoneGiven).length;
  if (badCount > 0) lists.warn([{ code: 'bad_events', message: `${badCount} events or lines could not be read; see bad_events` }]);
  if (withoutZone > 0) lists.warn([{ code: 'zone_assumed', message: `${withoutZone} events give no zone; their times were read as UTC` }]);
  const changes = schemaChanges(events);
  const data: z.output<typeof output> = {
    files: found.artifacts.length,
    events: events.length,
    by_type: countBy(events, ({ type }) => type),
    bad_events: {
      ...fitList(
        lists,
        'bad_events',
        bad.map((one) => ({ ...one, file: shortenText(one.file, 120), why: shortenText(one.why, 120) })),
        { characters: 800 },
      ),
      total: badCount,
    },
    runs: fitList(lists, 'runs', runs.map(shapeRun), { characters: 5000, most: request.limit }),
    by_state: countBy(runs, ({ state }) => state),
    jobs: countBy(runs, ({ job }) => job, 12),
    datasets: fitList(lists, 'datasets', countDatasets(events), { characters: 1200 }),
    ...(changes.length > 0 ? { schema_changes: fitList(lists, 'schema_changes', changes, { characters: 2000 }) } : {}),
    facets: countBy(events.flatMap(facetNames), (name) => name, 20),
    times_without_zone: withoutZone,
  };
  return answerLists(data, {
    lists,
    whole: found.complete && badCount === 0,
    now: context.now(),
    total: runs.length,
    returned: data.runs.returned,
  });
}

function byTrouble(left: LineageRun, right: LineageRun): number {
  const rank = ({ state }: LineageRun): number => (state === 'failed' ? 0 : state === 'aborted' ? 1 : 2);
  const at = (one: LineageRun): number => moment(one.started ?? one.ended) || 0;
  return rank(left) - rank(right) || at(right) - at(left);
}

const MOST_DATASETS = 6;

function shapeRun(one: LineageRun): z.output<typeof run> {
  const [inputs, outputs] = [[...one.inputs.values()], [...one.outputs.values()]];
  const left = Math.max(0, inputs.length - MOST_DATASETS) + Math.max(0, outputs.length - MOST_DATASETS);
  const failed = one.assertions
    .filter(({ success }) => !success)
    .map(({ assertion, column, dataset: of }) => `${assertion}${column === null ? '' : `(${column})`} on ${of}`);
  const [from, to] = [moment(one.started), moment(one.ended)];
  return {
    job: shortenText(one.job, 160),
    run_id: shortenText(one.runId, 80),
    ...(one.parent === null ? {} : { parent: shortenText(one.parent, 120) }),
    state: one.state,
    started_at: one.started,
    ended_at: one.ended,
    duration_s: Number.isFinite(to - from) ? (to - from) / 1000 : null,
    ...(one.nominal === null ? {} : { nominal_time: one.nominal }),
    ...(one.code === null ? {} : { code: shortenText(one.code, 80) }),
    inputs: inputs.slice(0, MOST_DATASETS).map(shapeDataset),
    outputs: outputs.slice(0, MOST_DATASETS).map(shapeDataset),
    ...(left > 0 ? { datasets_left_out: left } : {}),
    ...(failed.length > 0 ? { failed_assertions: failed.slice(0, 6).map((text) => shortenText(text, 160)) } : {}),
    ...(one.error === null ? {} : { error: shortenText(one.error.replace(/\s*\n\s*/g, ' | '), 400) }),
  };
}

function shapeDataset({ name, rows, bytes }: RunDataset): z.output<typeof dataset> {
  return { name: shortenText(name, 160), ...(rows === undefined ? {} : { rows }), ...(bytes === undefined ? {} : { bytes }) };
}

function countDatasets(events: readonly LineageEvent[]): { name: string; read_by: number; written_by: number }[] {
  const known = new Map<string, { readers: Set<string>; writers: Set<string> }>();
  for (const { job, value } of events)
    for (const side of ['inputs', 'outputs'] as const)
      for (const { name } of datasetsOf(value, side)) {
        const one = known.get(name) ?? { readers: new Set<string>(), writers: new Set<string>() };
        known.set(name, one);
        (side === 'inputs' ? one.readers : one.writers).add(job ?? '');
      }
  const shaped = [...known].map(([name, { readers, writers }]) => ({
    name: shortenText(name, 160),
    read_by: readers.size,
    written_by: writers.size,
  }));
  return shaped.sort((left, right) => right.read_by + right.written_by - left.read_by - left.written_by);
}

function facetNames({ value }: LineageEvent): string[] {
  const of = (kind: string, holder: unknown): string[] => Object.keys(objectOf(objectOf(holder).facets)).map((name) => `${kind}.${name}`);
  const datasets = [...datasetsOf(value, 'inputs'), ...datasetsOf(value, 'outputs')].flatMap((one) => of('dataset', one.value));
  return [...of('run', value.run), ...of('job', value.job), ...new Set(datasets)];
}
