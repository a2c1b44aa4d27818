import type { Play } from '../../../src/core/policy.ts';
import type { ToolResult } from '../../../src/core/tool-result.ts';
import type { Account } from './account.ts';
import type { Comparison, Group, Holder, SlotUse } from './shapes.ts';

/** The share of a pool that another run must hold to be named as the cause. */
const CAUSE_SHARE = 0.25;

/** The run waited more than its like: says how much and where, and looks for who held the slots. */
export async function explainWaiting(play: Play, account: Account, compared: ToolResult<Comparison>): Promise<void> {
  const { waiting, working, run, groups } = compared.data;
  const more = (waiting.ratio ?? 1) > 1;
  const same =
    working.changed === false ? ` while the work itself did not change (${working.seconds} s against ${working.baseline_median_s} s)` : '';
  account.say(`Its tasks waited ${waiting.seconds} s in all against a median of ${waiting.baseline_median_s} s${same}.`, compared);
  if (!more) return;
  const waiters = groups
    .filter((group) => (group.waiting_s ?? 0) > (group.baseline_waiting_s ?? 0) * 1.2 + 1)
    .sort((left, right) => extra(right) - extra(left));
  for (const group of waiters.slice(0, 3)) account.find({ kind: 'observation', claim: describeWaiter(group), evidence: [compared] });
  const slots = await play.call<SlotUse>('who_else_ran', { run_id: run.run_id, pipeline: run.pipeline });
  if (slots.status === 'error' || slots.status === 'refused') {
    account.find({ kind: 'not_checked', claim: 'Who else held slots could not be read.', evidence: [slots] });
    return;
  }
  const pools = new Set(waiters.flatMap((group) => group.pools));
  const blockers = blockersOf(slots.data, pools);
  for (const blocker of blockers.slice(0, 3)) sayBlocker(account, blocker, { compared, slots });
  if (blockers.length === 0) sayNoBlocker(account, waiters, { compared, slots });
}

interface Evidence {
  readonly compared: ToolResult<Comparison>;
  readonly slots: ToolResult<SlotUse>;
}

interface Blocker {
  readonly holder: Holder;
  readonly size: number;
  readonly left: number;
  readonly own: number;
}

function extra(group: Group): number {
  return (group.waiting_s ?? 0) - (group.baseline_waiting_s ?? 0);
}

function describeWaiter(group: Group): string {
  const parallel =
    group.baseline_max_parallel !== null && group.max_parallel !== group.baseline_max_parallel
      ? `; at most ${group.max_parallel} ran at once, normally ${group.baseline_max_parallel}`
      : '';
  const span =
    group.span_s !== null && group.baseline_span_s !== null && group.count > 1
      ? `; from first start to last end ${group.span_s} s, normally ${group.baseline_span_s} s`
      : '';
  const where = group.pools.length > 0 ? ` (pool ${group.pools.join(', ')})` : '';
  return `\`${group.task_id}\`${where} waited ${group.waiting_s} s against ${group.baseline_waiting_s} s${parallel}${span}.`;
}

/** Runs that held a good part of a pool in which this run's tasks waited. */
function blockersOf(slots: SlotUse, pools: ReadonlySet<string>): Blocker[] {
  return slots.others.flatMap((holder) => {
    const pool = slots.pools.find((one) => one.pool === holder.pool);
    if (!pool || !pools.has(holder.pool)) return [];
    const size = pool.slots ?? pool.others_max_slots + pool.own_max_slots;
    if (holder.max_slots < size * CAUSE_SHARE) return [];
    return [{ holder, size, left: size - pool.others_max_slots, own: pool.own_max_slots }];
  });
}

function sayBlocker(account: Account, { holder, size, left, own }: Blocker, { compared, slots }: Evidence): void {
  const until = holder.held_until ?? 'now (still running)';
  const claim = `\`${holder.pipeline}\` (run \`${holder.run_id}\`) held ${holder.max_slots} of ${size} slots of pool \`${holder.pool}\` from ${clock(holder.held_from)} until ${clock(until)}; ${left} were left, and this run used at most ${own} at once.`;
  account.say(`The cause: ${claim}`, slots);
  account.find({
    kind: 'cause',
    claim,
    evidence: [compared, slots],
    refutedBy: `a run in which ${holder.pipeline} held as many slots and this pipeline did not wait`,
  });
}

function sayNoBlocker(account: Account, waiters: readonly Group[], { compared, slots }: Evidence): void {
  const names = waiters.flatMap((group) => group.pools);
  const where = names.length > 0 ? `pool ${[...new Set(names)].join(', ')}` : 'the pools of the waiting tasks';
  const held = slots.complete ? '' : ', as far as could be read';
  account.say(`No other run held a quarter or more of ${where} in that time${held}; why the tasks waited is unknown.`, slots);
  account.find({
    kind: 'ruled_out',
    claim: `Another run did not take the slots of ${where}${held}.`,
    evidence: [slots],
    confidence: slots.complete ? 'high' : 'low',
  });
  const [first] = waiters;
  if (first)
    account.find({
      kind: 'cause',
      claim: `The waiting arose in ${describeWaiter(first)} What held it up is unknown.`,
      evidence: [compared, slots],
      confidence: 'low',
    });
}

function clock(time: string | null): string {
  return time === null ? 'an unknown time' : time.replace(/\.0+Z$/, 'Z');
}
