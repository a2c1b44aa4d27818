import type { Play } from '../../../src/core/policy.ts';
import type { ToolResult } from '../../../src/core/tool-result.ts';
import { mentioned, type Question } from './question.ts';
import type { PipelineSummary, RunList, RunRow } from './shapes.ts';

export interface ChosenRun {
  readonly run: RunRow;
  readonly why: string;
  readonly list: ToolResult<RunList>;
}

/**
 * Which run the question is about: one whose id it names; else of the pipeline it names (or the one that stands out most)
 * the run of the date it names, the newest failed one where it asks about failures, else the newest that was not started by hand.
 */
export async function chooseRun(play: Play, question: Question, overview: ToolResult<RunList>): Promise<ChosenRun | undefined> {
  const named = overview.data.runs.find((run) => question.text.includes(run.run_id.toLowerCase()));
  if (named) return { run: named, why: 'named in the question', list: overview };
  const pipeline = choosePipeline(question, overview.data);
  if (!pipeline) return undefined;
  const list = await play.call<RunList>('list_runs', { source: pipeline.source, pipeline: pipeline.pipeline, limit: 60 });
  if (list.status === 'error' || list.status === 'refused') return undefined;
  const { runs } = list.data;
  const dated =
    runs.find((run) => question.dates.some((date) => fallsOn(run.started_at, date))) ??
    runs.find((run) => question.dates.some((date) => fallsOn(run.logical_date, date)));
  if (dated) return { run: dated, why: 'the run of that date', list };
  const failed =
    question.asksFailure && !question.asksSlow ? runs.find((run) => run.state !== 'success' && run.state !== 'running') : undefined;
  if (failed) return { run: failed, why: 'the newest run that did not succeed', list };
  const regular = runs.find((run) => run.type !== 'manual' && run.type !== 'backfill') ?? runs[0];
  return regular && { run: regular, why: `the newest ${regular.type} run`, list };
}

function choosePipeline(question: Question, { pipelines, runs }: RunList): PipelineSummary | undefined {
  const names = mentioned(
    question,
    pipelines.map((pipeline) => pipeline.pipeline),
  );
  const named = pipelines.find((pipeline) => pipeline.pipeline === names[0]);
  if (named) return named;
  if (question.asksFailure && !question.asksSlow) {
    const failing = runs.find((run) => run.state !== 'success' && run.state !== 'running');
    const owner = pipelines.find((pipeline) => pipeline.pipeline === failing?.pipeline);
    if (owner) return owner;
  }
  return [...pipelines].sort((left, right) => deviation(right, runs) - deviation(left, runs))[0];
}

/** How far the newest run is from the median of its pipeline; a pipeline with one run cannot stand out. */
function deviation(pipeline: PipelineSummary, runs: readonly RunRow[]): number {
  const newest = runs.find((run) => run.pipeline === pipeline.pipeline && run.type !== 'manual' && run.type !== 'backfill');
  if (!newest?.duration_s || !pipeline.median_duration_s || pipeline.runs < 2) return 0;
  return newest.duration_s / pipeline.median_duration_s + pipeline.runs / 1e6;
}

function fallsOn(time: string | null, date: string): boolean {
  if (time === null) return false;
  return date.startsWith('-') ? time.slice(4, 10) === date : time.startsWith(date);
}
