import type { GroupFacts, RunFacts, SlowHost, TaskLength } from './run-facts.ts';
import { type Holder, type PoolFacts, type SlotFacts, unusualHolders } from './slot-facts.ts';

/** An explanation of why a run took longer, from strongest to weakest. */
export type Cause =
  | {
      readonly kind: 'pool_taken';
      readonly group: GroupFacts;
      readonly pool: string;
      readonly holders: readonly Holder[];
      readonly use: PoolFacts | undefined;
    }
  | { readonly kind: 'pool_small'; readonly group: GroupFacts; readonly use: PoolFacts }
  | { readonly kind: 'slow_host'; readonly hosts: readonly SlowHost[] }
  | { readonly kind: 'idle'; readonly task: string; readonly after: string; readonly seconds: number }
  | { readonly kind: 'straggler'; readonly group: GroupFacts; readonly one: TaskLength }
  | { readonly kind: 'work_grew'; readonly groups: readonly GroupFacts[]; readonly more: boolean }
  | { readonly kind: 'retry_wait'; readonly group: GroupFacts }
  | { readonly kind: 'new_task'; readonly tasks: readonly GroupFacts[] }
  | {
      readonly kind: 'unexplained_wait';
      readonly group: GroupFacts;
      readonly pool: string | undefined;
      readonly use: PoolFacts | undefined;
    };

type WaitCause = Extract<Cause, { readonly kind: 'pool_taken' | 'pool_small' | 'retry_wait' | 'unexplained_wait' }>;

/** A group that grew by less than this part of what the whole run lost is no cause. */
const SHARE = 0.1;
/** Tasks at once have dropped when at most this part of the usual number is left. */
const PARALLEL_LEFT = 0.8;

/** Whether the run took longer than its like: beyond the threshold, and beyond the longest of them. */
export function tookLonger(facts: RunFacts): boolean {
  if (facts.ratio === null || facts.duration === null) return false;
  return facts.ratio > 1 + facts.threshold && facts.duration > (facts.baselineMax ?? 0);
}

/** What the figures say made the run longer; empty where they say nothing. */
export function findCauses(facts: RunFacts, slots: SlotFacts, usual: SlotFacts | undefined): readonly Cause[] {
  const causes: Cause[] = [];
  const hosts = facts.slowHosts.filter(({ task }) => grewAtAll(facts, task));
  if (hosts.length > 0) causes.push({ kind: 'slow_host', hosts });
  const onHosts = new Set(hosts.map(({ task }) => task));
  const stragglers = findStragglers(facts).filter(({ group }) => !onHosts.has(group.task));
  causes.push(...stragglers);
  const alone = new Set([...onHosts, ...stragglers.map(({ group }) => group.task)]);
  for (const one of facts.idle) if (weighs(one.seconds, facts)) causes.push({ kind: 'idle', ...one });
  const slower = slowerGroups(facts).filter(({ task }) => !alone.has(task));
  if (slower.length > 0) causes.push({ kind: 'work_grew', groups: slower, more: slower.every(moreTasks) });
  const added = facts.groups.filter((group) => facts.newTasks.includes(group.task) && weighs(group.working, facts));
  if (added.length > 0) causes.push({ kind: 'new_task', tasks: added });
  const waiting = waitCause(facts, slots, usual);
  if (!waiting) return causes;
  if (waiting.kind === 'pool_taken' || waiting.kind === 'pool_small') return [waiting, ...causes];
  // Longer tasks keep the slots of their own group busy: without a drop in parallel tasks the wait is their consequence.
  const consequence = causes.length > 0 && !parallelDropped(waiting.group);
  return consequence ? causes : [...causes, waiting];
}

function grewAtAll({ groups, threshold }: RunFacts, task: string): boolean {
  const group = groups.find((one) => one.task === task);
  return (group?.working ?? 0) > (1 + threshold) * (group?.workingBefore ?? Number.POSITIVE_INFINITY);
}

function waitCause(facts: RunFacts, slots: SlotFacts, usual: SlotFacts | undefined): WaitCause | undefined {
  const waited = mostWaiting(facts);
  if (waited.length === 0) return undefined;
  for (const group of waited) {
    for (const pool of group.pools) {
      const holders = unusualHolders(pool, slots, usual);
      const use = slots.pools.find((one) => one.pool === pool);
      if (use && (use.slots ?? Number.POSITIVE_INFINITY) < (group.parallelBefore ?? 0)) return { kind: 'pool_small', group, use };
      if (holders.length > 0 && tight(group, use)) return { kind: 'pool_taken', group, pool, holders, use };
    }
  }
  const [group] = waited;
  if (!group) return undefined;
  const retries = facts.retried.filter((task) => task.task === group.task).length;
  if (retries > 0 && retries >= (group.count ?? 0) / 2) return { kind: 'retry_wait', group };
  const [pool] = group.pools;
  return { kind: 'unexplained_wait', group, pool, use: slots.pools.find((one) => one.pool === pool) };
}

/** The groups that waited longer than usual by a part of the run's length that matters, the most first. */
export function mostWaiting(facts: RunFacts): readonly GroupFacts[] {
  const grown = (group: GroupFacts): number => (group.waiting ?? 0) - (group.waitingBefore ?? 0);
  const known = facts.groups.filter((group) => group.waiting !== null && group.waitingBefore !== null);
  const weighty = known.filter(
    (group) =>
      grown(group) / Math.max(1, group.parallel ?? 1) > SHARE * lost(facts) && grown(group) > facts.threshold * (group.waitingBefore ?? 0),
  );
  return [...weighty].sort((left, right) => grown(right) - grown(left));
}

/** The run's length beyond the median of its like, in seconds. */
function lost(facts: RunFacts): number {
  return Math.max(1, (facts.duration ?? 0) - (facts.baselineMedian ?? 0));
}

/** Whether others left too little of the pool: the group's own tasks at once dropped, or nothing or little was left. */
function tight(group: GroupFacts, use: PoolFacts | undefined): boolean {
  if (parallelDropped(group)) return true;
  if (!use || use.slots === null || use.othersMax === null) return false;
  return use.othersMax + (use.ownMax ?? 0) >= use.slots || use.othersMax * 2 >= use.slots;
}

export function parallelDropped(group: GroupFacts): boolean {
  return group.parallel !== null && group.parallelBefore !== null && group.parallel <= PARALLEL_LEFT * group.parallelBefore;
}

/** Whether the pool had a slot for as many tasks at once as normally run: then something else held them back. */
export function poolHadRoom(group: GroupFacts, use: PoolFacts | undefined): boolean {
  if (!use || use.slots === null || group.parallelBefore === null) return false;
  return use.slots >= group.parallelBefore + (use.othersMax ?? 0);
}

function slowerGroups(facts: RunFacts): GroupFacts[] {
  const grown = (group: GroupFacts): number => (group.working ?? 0) - (group.workingBefore ?? 0);
  const slower = facts.groups.filter(
    (group) =>
      group.workingBefore !== null &&
      grown(group) > facts.threshold * group.workingBefore &&
      weighs(grown(group) / Math.max(1, group.parallel ?? 1), facts),
  );
  return slower.sort((left, right) => grown(right) - grown(left));
}

/** A task of a group has to take so many times the median of its group to stand out of it. */
const STANDS_OUT = 3;
/** Below so many tasks a median says nothing of a single one. */
const GROUP_SIZE = 4;

/** Groups of many tasks of which one took far longer than the rest, so much that the run hung on it. */
function findStragglers(facts: RunFacts): Extract<Cause, { kind: 'straggler' }>[] {
  return facts.groups.flatMap((group) => {
    const [one] = facts.slowest.filter(({ task }) => task === group.task);
    if (!one || group.median === null || (group.count ?? 0) < GROUP_SIZE) return [];
    const usual = Math.max(group.median, group.medianBefore ?? 0);
    // One that takes as long every night is in the sum of earlier nights too.
    const grown = (group.working ?? 0) - (group.workingBefore ?? group.working ?? 0);
    if (grown < (one.seconds - usual) / 2) return [];
    const stands = one.seconds >= STANDS_OUT * usual && weighs((one.seconds - usual) / STANDS_OUT, facts);
    return stands && group.median <= STANDS_OUT * (group.medianBefore ?? group.median) ? [{ kind: 'straggler', group, one }] : [];
  });
}

function weighs(seconds: number | null, facts: RunFacts): boolean {
  return seconds !== null && seconds > SHARE * lost(facts);
}

/** True where the group did more tasks, each of about the usual length. */
export function moreTasks(group: GroupFacts): boolean {
  const { count, countBefore, median, medianBefore } = group;
  if (count === null || countBefore === null || count <= countBefore) return false;
  return median !== null && medianBefore !== null && median <= medianBefore * 1.2;
}
