import type { ToolResult } from '../../../../src/core/tool-result.ts';
import { usable } from '../part-report.ts';
import { read } from '../read-data.ts';

export interface Holder {
  readonly pipeline: string;
  readonly runId: string;
  readonly pool: string;
  readonly tasks: number | null;
  readonly maxSlots: number;
  readonly slotSeconds: number | null;
  readonly from: string | null;
  readonly until: string | null;
}

export interface PoolFacts {
  readonly pool: string;
  readonly slots: number | null;
  readonly othersMax: number | null;
  readonly ownMax: number | null;
  readonly left: number | null;
}

/** What `who_else_ran` says of the window of one run. */
export interface SlotFacts {
  readonly result: string;
  /** False where the tool could not look; then nobody is ruled out. */
  readonly looked: boolean;
  readonly complete: boolean;
  readonly holders: readonly Holder[];
  readonly pools: readonly PoolFacts[];
}

export function readSlotFacts(result: ToolResult | undefined): SlotFacts {
  const data = read(result?.data);
  const looked = usable(result) || result?.status === 'no_data';
  return {
    result: result?.id ?? '',
    looked,
    complete: result?.complete ?? false,
    holders: data.list('others').map((one) => ({
      pipeline: one.text('pipeline') ?? '',
      runId: one.text('run_id') ?? '',
      pool: one.text('pool') ?? '',
      tasks: one.number('tasks'),
      maxSlots: one.number('max_slots') ?? 0,
      slotSeconds: one.number('slot_seconds'),
      from: one.text('held_from'),
      until: one.text('held_until'),
    })),
    pools: data.list('pools').map((one) => ({
      pool: one.text('pool') ?? '',
      slots: one.number('slots'),
      othersMax: one.number('others_max_slots'),
      ownMax: one.number('own_max_slots'),
      left: one.number('left_for_the_run'),
    })),
  };
}

/** Who held slots of the pool and did not hold as many in the usual run, the one that held most first. */
export function unusualHolders(pool: string, now: SlotFacts, usual: SlotFacts | undefined): readonly Holder[] {
  const before = (pipeline: string): number =>
    Math.max(0, ...(usual?.holders ?? []).filter((one) => one.pipeline === pipeline && one.pool === pool).map((one) => one.maxSlots));
  return now.holders.filter((one) => one.pool === pool && one.maxSlots > 0 && one.maxSlots > before(one.pipeline));
}
