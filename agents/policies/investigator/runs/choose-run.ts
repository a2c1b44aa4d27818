import { namedOf, type Question } from '../question/read-question.ts';
import { type Reading, read } from '../read-data.ts';

export interface ListedRun {
  readonly pipeline: string;
  readonly runId: string;
  readonly type: string;
  readonly state: string;
  readonly logicalDate: string | null;
  readonly startedAt: string | null;
  /** When it was due, of a run that has not begun. */
  readonly queuedAt: string | null;
  readonly endedAt: string | null;
  readonly duration: number | null;
}

interface ListedPipeline {
  readonly pipeline: string;
  readonly source: string;
  readonly runs: number;
  readonly states: Readonly<Record<string, number>>;
  readonly median: number | null;
}

export interface RunList {
  /** Newest first. */
  readonly runs: readonly ListedRun[];
  readonly pipelines: readonly ListedPipeline[];
}

export interface ChosenRun {
  readonly run: ListedRun;
  readonly source: string;
  /** How the question led to it, for the reader to check. */
  readonly because: string;
}

/** A run has to take so much longer than its pipeline's median to be taken for the one that is meant. */
const DEVIATION = 1.2;

export function readRunList(data: unknown): RunList {
  const reading = read(data);
  return {
    runs: reading
      .list('runs')
      .map(readRun)
      .sort((left, right) => (timeOf(left) < timeOf(right) ? 1 : timeOf(left) > timeOf(right) ? -1 : 0)),
    pipelines: reading.list('pipelines').map((one) => ({
      pipeline: one.text('pipeline') ?? '',
      source: one.text('source') ?? '',
      runs: one.number('runs') ?? 0,
      states: Object.fromEntries(
        one
          .at('by_type_and_state')
          .entries()
          .map(([key, count]) => [key, Number(count.value)]),
      ),
      median: one.number('median_duration_s'),
    })),
  };
}

/** When a run began; of one of which only the end is known, when it ended. */
function timeOf({ startedAt, endedAt, queuedAt }: ListedRun): string {
  return startedAt ?? endedAt ?? queuedAt ?? '';
}

function readRun(one: Reading): ListedRun {
  return {
    pipeline: one.text('pipeline') ?? '',
    runId: one.text('run_id') ?? '',
    type: one.text('type') ?? '',
    state: one.text('state') ?? '',
    logicalDate: one.text('logical_date'),
    startedAt: one.text('started_at'),
    queuedAt: one.text('queued_at'),
    endedAt: one.text('ended_at'),
    duration: one.number('duration_s'),
  };
}

/** What the list says of the pipeline of a run: its source, how many runs it has, how long they take. */
export function listingOf(list: RunList, run: Pick<ListedRun, 'pipeline'>): ListedPipeline | undefined {
  return list.pipelines.find(({ pipeline }) => pipeline === run.pipeline);
}

/** The pipelines that the question names, else none. */
export function namedPipelines(question: Question, list: RunList): readonly string[] {
  return namedOf(
    question,
    list.pipelines.map((one) => one.pipeline),
  );
}

/** The run that the question means; undefined where there are no runs at all. */
export function chooseRun(question: Question, list: RunList): ChosenRun | undefined {
  const named = namedPipelines(question, list);
  const pool = list.runs.filter((run) => named.length === 0 || named.includes(run.pipeline));
  const chosen =
    byId(question, pool) ?? byDay(question, pool, list) ?? byNewest(question, pool, list, named) ?? byDeviation(pool, list, question);
  if (!chosen) return undefined;
  const source = listingOf(list, chosen.run)?.source ?? '';
  return { ...chosen, source };
}

type Choice = Omit<ChosenRun, 'source'>;

function byId(question: Question, runs: readonly ListedRun[]): Choice | undefined {
  const run = runs.find((one) => namesId(question.text, one.runId));
  return run && { run, because: 'the question names its id' };
}

/** Whether the text holds the id as a word of its own; one or two letters are no id that anybody writes. */
function namesId(text: string, id: string): boolean {
  if (id.length < 3) return false;
  const at = text.indexOf(id);
  const around = [text[at - 1] ?? ' ', text[at + id.length] ?? ' '];
  return at >= 0 && around.every((letter) => !/[\p{L}\p{N}_]/u.test(letter));
}

function byDay(question: Question, runs: readonly ListedRun[], list: RunList): Choice | undefined {
  const on = (day: string, time: string | null): boolean => time?.slice(0, 10).endsWith(day) ?? false;
  for (const day of question.days) {
    const started = runs.filter((run) => on(day, run.startedAt));
    const fitting = started.length > 0 ? started : runs.filter((run) => on(day, run.logicalDate));
    const run = prefer(question, fitting, list);
    if (run) return { run, because: `it is the one of ${(started.length > 0 ? run.startedAt : run.logicalDate)?.slice(0, 10) ?? day}` };
  }
  const { weekday } = question;
  if (weekday === null) return undefined;
  const newestFirst = runs.filter((run) => run.startedAt !== null && new Date(run.startedAt).getUTCDay() === weekday);
  const day = newestFirst[0]?.startedAt?.slice(0, 10);
  const run = prefer(
    question,
    newestFirst.filter((one) => one.startedAt?.slice(0, 10) === day),
    list,
  );
  return run && { run, because: 'it is the newest that started on that weekday' };
}

function byNewest(question: Question, runs: readonly ListedRun[], list: RunList, named: readonly string[]): Choice | undefined {
  if (!question.newest) return undefined;
  if (named.length === 0) {
    const day = (one: ListedRun): string => timeOf(one).slice(0, 10);
    const newest = runs.map(day).sort().at(-1);
    const run = prefer(
      question,
      runs.filter((one) => day(one) === newest),
      list,
    );
    return run && { run, because: 'among those of the newest day it is the one that failed, or lies furthest above its median' };
  }
  const usual = commonestType(runs);
  const run = runs.find((one) => one.type === usual) ?? runs[0];
  return run && { run, because: `it is the newest ${run.type} run` };
}

function byDeviation(runs: readonly ListedRun[], list: RunList, question: Question): Choice | undefined {
  // By the runs, not by the pipelines, of which only the first are listed.
  const pipelines = [...new Set(runs.map(({ pipeline }) => pipeline))];
  const recent = pipelines.flatMap((pipeline) => runs.filter((run) => run.pipeline === pipeline).slice(0, 10));
  const run = prefer(question, recent, list);
  return run && { run, because: 'among the recent runs it is the one that failed, or lies furthest above its median' };
}

/** Of several, the failed one where failures are asked for; else the one furthest above its median; else the first. */
function prefer(question: Question, runs: readonly ListedRun[], list: RunList): ListedRun | undefined {
  const failed = runs.find((run) => !['success', 'running', 'queued', 'warn', 'pass'].includes(run.state));
  if (failed && question.aims.has('failed') && !question.aims.has('slow')) return failed;
  const usual = runs.filter((run) => run.type !== 'manual' && run.type !== 'backfill');
  const candidates = (usual.length > 0 ? usual : runs).map((run) => ({ run, deviation: deviationOf(run, list) }));
  const [most] = [...candidates].sort((left, right) => right.deviation - left.deviation);
  return most && most.deviation > DEVIATION ? most.run : (failed ?? candidates[0]?.run);
}

/** How many times the median of its pipeline a run took; 0 where too few runs tell. */
function deviationOf(run: ListedRun, list: RunList): number {
  const pipeline = listingOf(list, run);
  if (!pipeline?.median || run.duration === null || pipeline.runs < 3) return 0;
  return run.duration / pipeline.median;
}

/** Whether a run took about as long as those of its pipeline do, by the list alone. */
export function tookAsLong(run: ListedRun, list: RunList): boolean {
  const deviation = deviationOf(run, list);
  return deviation > 0 && deviation <= DEVIATION;
}

function commonestType(runs: readonly ListedRun[]): string | undefined {
  const counts = new Map<string, number>();
  for (const run of runs) counts.set(run.type, (counts.get(run.type) ?? 0) + 1);
  return [...counts].sort((left, right) => right[1] - left[1])[0]?.[0];
}
