import { z } from 'zod';
import { groupBy } from '../../src/core/group-by.ts';
import type { TaskTry } from '../../src/core/source.ts';
import { defineTool, type ToolContext } from '../../src/core/tool.ts';
import { complete, noData, partial, refused } from '../../src/core/tool-result.ts';
import { findRun, runSources } from './find-run.ts';
import { readMoment } from './read-moment.ts';
import { createListShortener } from './shorten-lists.ts';
import { sweepSlots, timeHolding } from './slot-sweep.ts';

const holder = z.object({
  pipeline: z.string(),
  run_id: z.string(),
  pool: z.string(),
  tasks: z.number(),
  max_slots: z.number().describe('most slots of the pool held at once within the window'),
  seconds_at_max: z.number(),
  slot_seconds: z.number(),
  held_from: z.string().nullable().describe('first start, also before the window'),
  held_until: z.string().nullable().describe('last end, also after the window; null while running'),
});

const poolUse = z.object({
  pool: z.string(),
  slots: z.number().nullable().describe('size of the pool, where the source says'),
  others_max_slots: z.number(),
  own_max_slots: z.number(),
  left_for_the_run: z.number().nullable().describe('size minus the most that others held at once'),
});

/** Who held the slots while a run waited. */
export const whoElseRan = defineTool({
  name: 'who_else_ran',
  description:
    'Finds what else ran in a window (or while a given run ran) and which slots it held: per run and pool the most slots at once, slot-seconds, from when until when; per pool its size, what others held and what was left. Use it when a run waited for slots.',
  input: z.object({
    run_id: z.string().optional().describe('The run that waited: its window is taken and it is left out of the others'),
    pipeline: z.string().optional(),
    from: z.string().optional().describe('ISO 8601; start of the window, unless run_id is given'),
    to: z.string().optional(),
    pool: z.string().optional().describe('Only this pool'),
    source: z.string().optional(),
  }),
  output: z.object({ from: z.string(), to: z.string(), source: z.string(), others: z.array(holder), pools: z.array(poolUse) }),
  effect: 'read',
  example: { source: 'runs', run_id: 'scheduled__2026-03-16T02:00:00+00:00' },
  async run(input, context) {
    const window = await chooseWindow(input, context);
    if ('refusal' in window) return refused('no_window', window.refusal);
    const { from, to, source, own, ownPools } = window;
    const [{ tries, complete: allRead, warnings }, pools] = await Promise.all([
      source.runs.triesBetween(from, to, context.scope),
      source.runs.pools(context.scope),
    ]);
    const fitting = tries.filter((one) => input.pool === undefined || one.pool === input.pool);
    const isOwn = (one: TaskTry): boolean => own !== undefined && one.pipeline === own.pipeline && one.run_id === own.run_id;
    const others = holders(
      fitting.filter((one) => !isOwn(one)),
      from,
      to,
    );
    const sizes = new Map(pools.map((pool) => [pool.name, pool.slots]));
    const named = ownPools.filter((pool) => input.pool === undefined || pool === input.pool);
    const uses = poolUses({ fitting, isOwn, sizes, window: { from, to }, named });
    const lists = createListShortener();
    lists.warn(warnings);
    const data = {
      from,
      to,
      source: source.name,
      others: lists.shorten('others', others, { characters: 5500 }),
      pools: lists.shorten('pools', uses, { characters: 2000 }),
    };
    const extra = { total: others.length, returned: data.others.length, warnings: lists.warnings(), asOf: context.now() };
    if (others.length === 0 && allRead) return noData(data, { ...extra, total: 0, returned: 0 });
    return allRead && others.length === data.others.length ? complete(data, extra) : partial(data, extra);
  },
});

type WindowInput = {
  readonly run_id?: string | undefined;
  readonly pipeline?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly source?: string | undefined;
};

async function chooseWindow(input: WindowInput, context: ToolContext) {
  const [from, to] = [input.from, input.to].map((time) => (time === undefined ? undefined : readMoment(time)));
  for (const time of [input.from, input.to])
    if (time !== undefined && readMoment(time) === undefined)
      return { refusal: `"${time}" is no ISO 8601 time; write 2026-03-17T02:00:00Z` };
  if (from !== undefined && to !== undefined && from >= to) return { refusal: `from (${from}) must come before to (${to})` };
  if (input.run_id !== undefined) {
    const { source, detail } = await findRun(context, { ...input, run_id: input.run_id });
    const { run } = detail;
    const start = from ?? run.queued_at ?? run.started_at;
    if (start === null) return { refusal: `run "${run.run_id}" has not started; give from and to` };
    return {
      from: start,
      to: to ?? run.ended_at ?? context.now().toISOString(),
      source,
      own: run,
      ownPools: detail.tries.flatMap((one) => one.pool ?? []),
    };
  }
  if (from === undefined || to === undefined) return { refusal: 'give run_id, or both from and to' };
  const [source, ...others] = await runSources(context, input.source);
  if (!source) return { refusal: 'there is no source of runs' };
  if (others.length > 0)
    return { refusal: `several sources have runs; say which with "source": ${[source, ...others].map((one) => one.name).join(', ')}` };
  return { from, to, source, own: undefined, ownPools: [] };
}

function holders(tries: readonly TaskTry[], from: string, to: string): z.output<typeof holder>[] {
  const groups = groupBy(tries, (one) => JSON.stringify([one.pipeline, one.run_id, one.pool]));
  const list = [...groups.values()].map((group) => describeHolder(group, from, to));
  return list.sort((left, right) => right.slot_seconds - left.slot_seconds);
}

function describeHolder(group: readonly TaskTry[], from: string, to: string): z.output<typeof holder> {
  const use = sweepSlots(group, from, to);
  const [first] = group;
  const starts = group.flatMap((one) => one.started_at ?? []).sort();
  const ends = group.flatMap((one) => one.ended_at ?? []).sort();
  return {
    pipeline: first?.pipeline ?? '',
    run_id: first?.run_id ?? '',
    pool: first?.pool ?? 'none',
    tasks: group.length,
    max_slots: use.max_slots,
    seconds_at_max: timeHolding(group, { from, to }, use.max_slots),
    slot_seconds: use.slot_seconds,
    held_from: starts[0] ?? null,
    held_until: ends.length === group.length ? (ends.at(-1) ?? null) : null,
  };
}

interface PoolQuestion {
  readonly fitting: readonly TaskTry[];
  readonly isOwn: (one: TaskTry) => boolean;
  readonly sizes: ReadonlyMap<string, number>;
  readonly window: { readonly from: string; readonly to: string };
  /** Pools of the run itself, also of tasks that never got a slot. */
  readonly named: readonly string[];
}

function poolUses({ fitting, isOwn, sizes, window, named }: PoolQuestion): z.output<typeof poolUse>[] {
  const names = [...new Set([...fitting.flatMap((one) => one.pool ?? []), ...named])];
  const uses = names.map((pool) => {
    const inPool = fitting.filter((one) => one.pool === pool);
    const others = sweepSlots(
      inPool.filter((one) => !isOwn(one)),
      window.from,
      window.to,
    ).max_slots;
    const slots = sizes.get(pool) ?? null;
    return {
      pool,
      slots,
      others_max_slots: others,
      own_max_slots: sweepSlots(inPool.filter(isOwn), window.from, window.to).max_slots,
      left_for_the_run: slots === null ? null : slots - others,
    };
  });
  return uses.sort((left, right) => right.others_max_slots - left.others_max_slots);
}
