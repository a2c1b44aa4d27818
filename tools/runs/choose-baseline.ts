import type { PipelineRun } from '../../src/core/source.ts';

export interface Baseline {
  readonly runs: readonly PipelineRun[];
  /** Why runs of the same pipeline were left out, counted. */
  readonly excluded: Readonly<Record<string, number>>;
  readonly missing: readonly string[];
}

/**
 * Runs that are like the target: same pipeline and type, succeeded, ended. The nearest before it are taken first, then
 * the nearest after. A failed or manual run says nothing about how long a good one takes.
 */
export function chooseBaseline(target: PipelineRun, all: readonly PipelineRun[], most: number): Baseline {
  const excluded: Record<string, number> = {};
  const like = all.filter((run) => {
    if (run.pipeline !== target.pipeline || run.run_id === target.run_id) return false;
    const reason = unlikeness(run, target);
    if (reason) excluded[reason] = (excluded[reason] ?? 0) + 1;
    return reason === undefined;
  });
  const at = (run: PipelineRun): string => run.started_at ?? run.queued_at ?? '';
  const before = like.filter((run) => at(run) < at(target)).sort((left, right) => (at(left) < at(right) ? 1 : -1));
  const after = like.filter((run) => at(run) >= at(target)).sort((left, right) => (at(left) < at(right) ? -1 : 1));
  const chosen = [...before, ...after].slice(0, most);
  const beyond = like.length - chosen.length;
  if (beyond > 0) excluded['beyond n'] = beyond;
  return { runs: chosen, excluded, missing: [] };
}

/** The runs asked for by id, whatever their state. */
export function namedBaseline(target: PipelineRun, all: readonly PipelineRun[], ids: readonly string[]): Baseline {
  const runs = all.filter((run) => run.pipeline === target.pipeline && ids.includes(run.run_id));
  return { runs, excluded: {}, missing: ids.filter((id) => !runs.some((run) => run.run_id === id)) };
}

function unlikeness(run: PipelineRun, target: PipelineRun): string | undefined {
  if (run.type !== target.type) return `type ${run.type}`;
  // The note of a dbt run names its command: a `dbt test` says nothing about how long a `dbt run` takes.
  if (run.type === 'dbt' && run.note !== target.note) return 'other dbt command';
  if (run.state !== 'success') return `state ${run.state}`;
  return run.duration_s === null ? 'no duration' : undefined;
}
