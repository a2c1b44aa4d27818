import { type Json, objectOf, objectsOf, textOf } from '../artifacts/read-artifact.ts';
import { datasetsOf, type LineageEvent } from './read-lineage-events.ts';

/** A dataset that a run read or wrote, with what its facets count. */
export interface RunDataset {
  readonly name: string;
  rows: string | undefined;
  bytes: string | undefined;
}

/** All events of one run of one job, put together. */
export interface LineageRun {
  readonly job: string;
  readonly runId: string;
  readonly parent: string | null;
  state: string;
  started: string | null;
  ended: string | null;
  events: number;
  error: string | null;
  nominal: string | null;
  /** Tag or commit of the code of the job. */
  code: string | null;
  readonly inputs: Map<string, RunDataset>;
  readonly outputs: Map<string, RunDataset>;
  /** Checks that OpenLineage carries: assertion and column, with their outcome. */
  readonly assertions: {
    readonly dataset: string;
    readonly assertion: string;
    readonly column: string | null;
    readonly success: boolean;
  }[];
}

const END_STATES: Readonly<Record<string, string>> = { COMPLETE: 'success', FAIL: 'failed', ABORT: 'aborted' };

/** The runs of the events, in the order in which they were first seen. Times are compared as moments, not as text. */
export function gatherRuns(events: readonly LineageEvent[]): readonly LineageRun[] {
  const runs = new Map<string, LineageRun>();
  for (const event of events) {
    if (event.kind !== 'run' || event.job === null || event.runId === null) continue;
    const key = JSON.stringify([event.job, event.runId]);
    const run = runs.get(key) ?? newRun(event.job, event.runId, event.value);
    runs.set(key, run);
    apply(run, event);
  }
  return [...runs.values()];
}

function newRun(job: string, runId: string, value: Json): LineageRun {
  const parent = objectOf(objectOf(objectOf(value.run).facets).parent);
  return {
    job,
    runId,
    parent: textOf(objectOf(parent.job).name) ?? null,
    state: 'unknown',
    started: null,
    ended: null,
    events: 0,
    error: null,
    nominal: null,
    code: null,
    inputs: new Map(),
    outputs: new Map(),
    assertions: [],
  };
}

function apply(run: LineageRun, { type, time, value }: LineageEvent): void {
  run.events++;
  if (type === 'START' && (run.started === null || moment(time) < moment(run.started))) run.started = time;
  const end = END_STATES[type];
  if (end !== undefined) {
    run.state = end;
    run.ended = time;
  } else if (run.ended === null) run.state = 'running';
  const facets = objectOf(objectOf(value.run).facets);
  run.error = textOf(objectOf(facets.errorMessage).message) ?? run.error;
  run.nominal = textOf(objectOf(facets.nominalTime).nominalStartTime) ?? run.nominal;
  const code = objectOf(objectOf(objectOf(value.job).facets).sourceCodeLocation);
  run.code = textOf(code.tag) ?? textOf(code.version) ?? run.code;
  for (const { name, value: dataset } of datasetsOf(value, 'inputs')) addInput(run, name, dataset);
  for (const { name, value: dataset } of datasetsOf(value, 'outputs')) {
    const statistics = objectOf(objectOf(dataset.outputFacets).outputStatistics);
    put(run.outputs, { name, rows: counted(statistics.rowCount), bytes: counted(statistics.size) });
  }
}

function addInput(run: LineageRun, name: string, dataset: Json): void {
  const facets = { ...objectOf(dataset.facets), ...objectOf(dataset.inputFacets) };
  const metrics = objectOf(facets.dataQualityMetrics ?? facets.inputStatistics);
  put(run.inputs, { name, rows: counted(metrics.rowCount), bytes: counted(metrics.bytes ?? metrics.size) });
  for (const one of objectsOf(objectOf(facets.dataQualityAssertions).assertions)) {
    const assertion = {
      dataset: name,
      assertion: textOf(one.assertion) ?? 'unknown',
      column: textOf(one.column) ?? null,
      success: one.success === true,
    };
    if (!run.assertions.some((known) => JSON.stringify(known) === JSON.stringify(assertion))) run.assertions.push(assertion);
  }
}

function put(datasets: Map<string, RunDataset>, one: RunDataset): void {
  const known = datasets.get(one.name);
  if (!known) datasets.set(one.name, one);
  else {
    known.rows = one.rows ?? known.rows;
    known.bytes = one.bytes ?? known.bytes;
  }
}

function counted(value: unknown): string | undefined {
  return typeof value === 'number' || (typeof value === 'string' && value !== '') ? String(value) : undefined;
}

/** Milliseconds; a time without a zone is taken as UTC. */
export function moment(time: string | null): number {
  if (time === null) return Number.NaN;
  return Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/.test(time) ? time : `${time}Z`);
}
