import type { Play } from '../../../../src/core/policy.ts';
import { callIfOffered, NOTHING, type PartReport, tell, usable } from '../part-report.ts';
import { enumerate, read } from '../read-data.ts';
import { type ChosenRun, type ListedRun, listingOf, type RunList } from './choose-run.ts';
import { readTask, taskName } from './run-facts.ts';

const MOST_RUNS = 8;
/** From so many pipelines on, what failed is not one of them. */
const SEVERAL = 3;

/** Where many pipelines failed on the day of a run: in which of their tasks, for what they share is where to look. */
export async function othersThatFailed(play: Play, { run }: ChosenRun, list: RunList): Promise<PartReport> {
  const day = run.startedAt?.slice(0, 10);
  if (day === undefined) return NOTHING;
  const seen = new Set<string>();
  const failed = list.runs.filter(
    (one) => one.startedAt?.slice(0, 10) === day && one.state === 'failed' && !seen.has(one.pipeline) && seen.add(one.pipeline),
  );
  if (failed.length < SEVERAL) return NOTHING;
  const told = await Promise.all(failed.slice(0, MOST_RUNS).map((one) => rootOf(play, one, list)));
  const known = told.flatMap((one) => one ?? []);
  if (known.length < SEVERAL) return NOTHING;
  const more = failed.length > MOST_RUNS ? ' and others' : '';
  const claim = `Several pipelines failed on that day, not this one alone: ${enumerate(
    known.map(({ text }) => text),
    MOST_RUNS,
  )}${more}; so look at what they share.`;
  const evidence = known.map(({ id }) => id);
  return tell({ kind: 'cause', claim, evidence, confidence: 'medium', refuted_by: 'a reason of its own for each of them' });
}

async function rootOf(play: Play, run: ListedRun, list: RunList) {
  const source = listingOf(list, run)?.source ?? '';
  const taken = await callIfOffered(play, 'get_run', { run_id: run.runId, pipeline: run.pipeline, ...(source === '' ? {} : { source }) });
  if (!usable(taken)) return undefined;
  const roots = read(taken.data)
    .list('failed')
    .map(readTask)
    .filter(({ state }) => state !== 'upstream_failed' && state !== 'skipped');
  const where = roots.length === 0 ? '' : ` in ${enumerate(roots.map(taskName), 2)}`;
  return { text: `\`${run.pipeline}\`${where}`, id: taken.id };
}
