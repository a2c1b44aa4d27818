import type { Play } from '../../../../src/core/policy.ts';
import type { ToolResult } from '../../../../src/core/tool-result.ts';
import { reasonInLogs } from '../logs/reason-in-logs.ts';
import { callIfOffered, usable } from '../part-report.ts';
import { clock, enumerate, figure, read } from '../read-data.ts';
import { type ListedRun, listingOf, type RunList } from './choose-run.ts';
import { atText } from './explain-unfinished.ts';
import { idleTaskText } from './odd-run.ts';
import { readRunFacts, readTask, retriesText, taskName } from './run-facts.ts';

/** Something about the newest runs that is not as it should be, with the results that show it. */
export interface OpenMatter {
  readonly pipeline: string;
  readonly claim: string;
  readonly evidence: readonly string[];
}

const MOST_PIPELINES = 12;
/** A run that is not done is stuck where it has gone on for so many times what it usually takes. */
const STUCK = 2;
/** A run of which so much is known is under way, however short its like are. */
const LEAST_STUCK_S = 600;

/** Pipelines that ran at even intervals and whose next run is not there. */
export function overdueRuns(listed: ToolResult): readonly OpenMatter[] {
  return read(listed.data)
    .list('overdue')
    .map((one) => ({
      pipeline: one.text('pipeline') ?? '',
      claim: `\`${one.text('pipeline') ?? ''}\` did not run${one.flag('paused') === true ? ', as it is paused' : ''}: its last run is of ${clock(one.text('last_run_at'))} and the next was due at ${clock(one.text('due_at'))} (usual interval ${figure(one.number('usual_interval_s'))} s), while the source tells of times until ${clock(one.text('known_until'))}`,
      evidence: [listed.id],
    }));
}

/** The same, with the tasks that they are at. */
export async function stuckRunsWithTasks(play: Play, list: RunList, listed: ToolResult): Promise<readonly OpenMatter[]> {
  return Promise.all(
    stuckRuns(list, listed).map(async (matter) => {
      const taken = await callIfOffered(play, 'get_run', { run_id: matter.runId, pipeline: matter.pipeline });
      const at = usable(taken) ? read(taken.data).list('running') : [];
      const tasks = at.filter((one) => one.text('task_id') !== matter.pipeline).slice(0, 4);
      if (!taken || tasks.length === 0) return matter;
      const told = tasks.map((one) => `\`${one.text('task_id') ?? ''}\` ${atText(one)}`);
      return { ...matter, claim: `${matter.claim}; in it ${enumerate(told, 4)}`, evidence: [...matter.evidence, taken.id] };
    }),
  );
}

/** Runs beside the usual ones: what they load is loaded once more. */
export function extraRuns(listed: ToolResult): readonly OpenMatter[] {
  return read(listed.data)
    .list('extra_runs')
    .map((one) => ({
      pipeline: one.text('pipeline') ?? '',
      claim: `\`${one.text('pipeline') ?? ''}\` ran more than once: its run \`${one.text('before_run_id') ?? ''}\` started ${clock(one.text('before_started_at'))}, and \`${one.text('run_id') ?? ''}\` (${one.text('type') ?? ''}) again at ${clock(one.text('started_at'))}, though its usual interval is ${figure(one.number('usual_interval_s'))} s`,
      evidence: [listed.id],
    }));
}

/** Runs that have no end although they should have one long since. */
export function stuckRuns(list: RunList, listed: ToolResult): readonly (OpenMatter & { readonly runId: string })[] {
  const newest = list.runs
    .flatMap(({ startedAt, endedAt }) => [startedAt, endedAt].flatMap((time) => time ?? []))
    .sort((left, right) => Date.parse(left) - Date.parse(right))
    .at(-1);
  return list.runs.flatMap((run) => {
    const median = listingOf(list, run)?.median ?? null;
    const from = run.startedAt ?? run.queuedAt;
    const since = newest !== undefined && from !== null ? (Date.parse(newest) - Date.parse(from)) / 1000 : 0;
    if (run.endedAt !== null || !/running|queued|unknown/.test(run.state) || since <= Math.max(LEAST_STUCK_S, STUCK * (median ?? 0)))
      return [];
    const usual = median === null ? '' : `; its runs take a median of ${median} s`;
    const claim = `run \`${run.runId}\` of \`${run.pipeline}\` is ${run.state} since ${clock(from)} and has ${run.startedAt === null ? 'not begun' : 'no end'}, while the source tells of times until ${clock(newest ?? null)}${usual}`;
    return [{ pipeline: run.pipeline, runId: run.runId, claim, evidence: [listed.id] }];
  });
}

/** The newest run of each pipeline that did not end well, or ended well and left tasks out. */
export async function unevenRuns(
  play: Play,
  list: RunList,
): Promise<{
  readonly matters: readonly OpenMatter[];
  readonly looked: readonly ListedRun[];
  /** What of them went well only when it was tried again. */
  readonly retried: readonly OpenMatter[];
}> {
  const looked = newestOfEach(list);
  const told = await Promise.all(looked.slice(0, MOST_PIPELINES).map((run) => matterOf(play, run, list)));
  const known = told.flatMap((one) => one ?? []);
  return { matters: known.filter(({ retried }) => !retried), looked, retried: known.filter(({ retried }) => retried) };
}

/** The newest run of each pipeline, of its usual type where it has several. */
function newestOfEach(list: RunList): readonly ListedRun[] {
  const seen = new Set<string>();
  return list.runs.filter(({ pipeline, type }) => !/manual|backfill/.test(type) && !seen.has(pipeline) && seen.add(pipeline));
}

async function matterOf(play: Play, run: ListedRun, list: RunList): Promise<(OpenMatter & { readonly retried?: boolean }) | undefined> {
  const source = listingOf(list, run)?.source ?? '';
  const which = { run_id: run.runId, pipeline: run.pipeline, ...(source === '' ? {} : { source }) };
  const name = `run \`${run.runId}\` of \`${run.pipeline}\``;
  if (run.state === 'success') {
    const compared = await callIfOffered(play, 'compare_runs', which);
    if (!usable(compared)) return undefined;
    const facts = readRunFacts(compared);
    const idle = facts.notStarted;
    if (idle.length === 0 && facts.retried.length > 0)
      return { pipeline: run.pipeline, claim: `in ${name} ${retriesText(facts)}`, evidence: [compared.id], retried: true };
    if (idle.length === 0) return undefined;
    return {
      pipeline: run.pipeline,
      claim: `in ${name}, which ended as success, ${enumerate(idle.map(idleTaskText), 6)}, though in like runs they ran`,
      evidence: [compared.id],
    };
  }
  // One that goes on is no matter until it is stuck.
  if (run.endedAt === null) return undefined;
  const taken = await callIfOffered(play, 'get_run', which);
  if (!usable(taken)) return undefined;
  const data = read(taken.data);
  const failed = data
    .list('failed')
    .map(readTask)
    .filter(({ state }) => state !== 'upstream_failed');
  const why = failed.map(
    (task) => `${taskName(task)}${task.message === null ? '' : ` (${task.message.replace(/\s+/g, ' ').slice(0, 200)})`}`,
  );
  const logged = failed.some(({ message }) => message !== null) ? undefined : await reasonInLogs(play, run, failed);
  const states = data
    .at('by_state')
    .entries()
    .filter(([state]) => /skipped|upstream_failed/.test(state))
    .map(([state, count]) => `${state} ${String(count.value)}`);
  return {
    pipeline: run.pipeline,
    claim: `${name} ended as ${run.state}${why.length > 0 ? `: failed ${enumerate(why, 4)}` : ''}${states.length > 0 ? `, and so not run: ${enumerate(states)}` : ''}${logged ? `; the log says why: ${logged.text}` : ''}`,
    evidence: [taken.id, ...(logged?.evidence ?? [])],
  };
}
