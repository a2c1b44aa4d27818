import { z } from 'zod';
import { groupBy } from '../../src/core/group-by.ts';
import type { RunDetail, TaskTry } from '../../src/core/source.ts';
import { isSensor } from './analyse-run.ts';
import { median, milliseconds, seconds, sum, wholeSeconds } from './statistics.ts';

const nullable = z.number().nullable();

/** What sums of seconds do not show; each is left out where there is nothing to tell. */
export const odditiesShape = {
  not_started: z
    .array(z.object({ task_id: z.string(), state: z.string(), tasks: z.number(), usually_started: nullable, note: z.string().optional() }))
    .optional()
    .describe('tasks that never started although they do in like runs: skipped, or marked by hand'),
  slow_hosts: z
    .array(z.object({ task_id: z.string(), host: z.string(), tasks: z.number(), median_s: nullable, others_median_s: nullable }))
    .optional()
    .describe('hosts on which the tasks of a group took several times as long as on all others'),
  sensors: z.array(z.string()).optional().describe('tasks whose operator does nothing but wait for something outside'),
  start_delay: z.object({ seconds: nullable, baseline_median_s: nullable }).optional().describe('from due to started, of the run itself'),
  queued: z
    .object({ seconds: nullable, baseline_median_s: nullable })
    .optional()
    .describe('the part of waiting that tasks spent with the executor, for want of a worker and not of a slot'),
};

type Oddities = { readonly [Key in keyof typeof odditiesShape]?: z.output<(typeof odditiesShape)[Key]> };

/** A run beside like runs, beyond its sums. */
export function findOddities(detail: RunDetail, baseline: readonly RunDetail[]): Oddities {
  const like = baseline.filter(({ tries, complete }) => tries.length > 0 && complete);
  const lacking = notStarted(detail, like);
  const hosts = slowHosts(detail.tries);
  const waiters = detail.tries.filter(({ operator }) => isSensor(operator));
  const sensors = [...new Set(waiters.map(({ task_id }) => task_id))].slice(0, MOST_LISTED);
  const delay = startDelay(detail);
  const queued = queuedSeconds(detail.tries);
  return {
    ...(lacking.length > 0 ? { not_started: lacking } : {}),
    ...(hosts.length > 0 ? { slow_hosts: hosts } : {}),
    ...(sensors.length > 0 ? { sensors } : {}),
    ...(delay === null ? {} : { start_delay: { seconds: seconds(delay), baseline_median_s: middle(baseline.map(startDelay)) } }),
    ...(queued === null
      ? {}
      : {
          queued: {
            seconds: wholeSeconds(queued),
            baseline_median_s: wholeSeconds(median(like.flatMap(({ tries }) => queuedSeconds(tries) ?? []))),
          },
        }),
  };
}

/** States of a task that say of themselves why it did not run, or that it still may. */
const TOLD = /fail|error|running|queued|scheduled|deferred|retry|none|restarting/;
const MOST_LISTED = 8;

function notStarted({ run, tries }: RunDetail, like: readonly RunDetail[]) {
  // In a run that failed, what did not run is a consequence.
  if (run.state !== 'success') return [];
  const usual = like.map((one) => startsOf(one.tries));
  const groups = groupBy(tries, ({ task_id }) => task_id);
  const found = [...groups].flatMap(([task_id, list]) => {
    const usually = median(usual.flatMap((starts) => starts.get(task_id) ?? 0));
    const [first] = list;
    // Where each run takes another branch, none is the usual one.
    const always = usual.length > 0 && usual.every((starts) => (starts.get(task_id) ?? 0) > 0);
    if (!first || !always || !usually || list.some(hasWorked) || list.some(({ state }) => TOLD.test(state))) return [];
    const note = list.find((one) => one.note !== undefined)?.note;
    return [{ task_id, state: first.state, tasks: list.length, usually_started: usually, ...(note === undefined ? {} : { note }) }];
  });
  return found.slice(0, MOST_LISTED);
}

function startsOf(tries: readonly TaskTry[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const one of tries) if (hasWorked(one)) counts.set(one.task_id, (counts.get(one.task_id) ?? 0) + 1);
  return counts;
}

/** A skipped task may bear the time at which that was decided. */
function hasWorked({ started_at, state }: TaskTry): boolean {
  return started_at !== null && !/skipped|removed/.test(state);
}

const SLOW_HOST = 3;
const HOST_TASKS = 2;

function slowHosts(tries: readonly TaskTry[]) {
  const groups = groupBy(tries, ({ task_id }) => task_id);
  const found = [...groups].flatMap(([task_id, list]) => {
    const timed = list.flatMap(({ host, duration_s }) => (host && duration_s !== null ? [{ host, duration_s }] : []));
    return [...groupBy(timed, ({ host }) => host)].flatMap(([host, own]) => {
      const others = timed.filter((one) => one.host !== host).map((one) => one.duration_s);
      const [here, there] = [median(own.map((one) => one.duration_s)), median(others)];
      if (own.length < HOST_TASKS || others.length < HOST_TASKS || here === null || there === null) return [];
      const all = Math.min(...own.map((one) => one.duration_s)) >= SLOW_HOST * there && here > Math.max(...others);
      return all ? [{ task_id, host, tasks: own.length, median_s: milliseconds(here), others_median_s: milliseconds(there) }] : [];
    });
  });
  return found.slice(0, MOST_LISTED);
}

function startDelay({ run }: RunDetail): number | null {
  return between(run.queued_at, run.started_at);
}

function queuedSeconds(tries: readonly TaskTry[]): number | null {
  // Where both times are one, the source does not tell waiting for a slot from waiting for a worker.
  const told = tries.filter(({ scheduled_at, queued_at }) => scheduled_at !== null && queued_at !== null && scheduled_at !== queued_at);
  const waits = told.flatMap(({ queued_at, started_at }) => between(queued_at, started_at) ?? []);
  return waits.length === 0 ? null : sum(waits);
}

function between(from: string | null, to: string | null): number | null {
  return from === null || to === null ? null : Math.max(0, (Date.parse(to) - Date.parse(from)) / 1000);
}

function middle(values: readonly (number | null)[]): number | null {
  return seconds(median(values.flatMap((value) => value ?? [])));
}
