import type { TaskTry } from '../../src/core/source.ts';

/** How many slots a set of tries held over time. */
export interface SlotUse {
  /** The most slots held at once. */
  readonly max_slots: number;
  readonly slot_seconds: number;
  readonly from: string | null;
  readonly to: string | null;
}

interface Change {
  readonly at: string;
  readonly slots: number;
}

/**
 * A sweep over the starts and ends of tries, clipped to [from, to): an end frees its slots before a start at the same
 * instant takes them. Tries still running count until `to`.
 */
export function sweepSlots(tries: readonly TaskTry[], from: string, to: string): SlotUse {
  const changes = changesOf(tries, from, to);
  let held = 0;
  let most = 0;
  let slotSeconds = 0;
  let last: string | undefined;
  for (const change of changes) {
    if (last !== undefined) slotSeconds += held * between(last, change.at);
    held += change.slots;
    most = Math.max(most, held);
    last = change.at;
  }
  return { max_slots: most, slot_seconds: Math.round(slotSeconds), from: changes[0]?.at ?? null, to: changes.at(-1)?.at ?? null };
}

/** Slots held by these tries at each change, for finding how long at least so many were held. */
export function timeHolding(tries: readonly TaskTry[], window: { readonly from: string; readonly to: string }, slots: number): number {
  let held = 0;
  let last: string | undefined;
  let total = 0;
  for (const change of changesOf(tries, window.from, window.to)) {
    if (last !== undefined && held >= slots) total += between(last, change.at);
    held += change.slots;
    last = change.at;
  }
  return Math.round(total * 10) / 10;
}

function changesOf(tries: readonly TaskTry[], from: string, to: string): Change[] {
  const changes: Change[] = [];
  for (const one of tries) {
    if (one.started_at === null || one.started_at >= to) continue;
    const end = one.ended_at ?? to;
    if (end <= from) continue;
    changes.push({ at: one.started_at < from ? from : one.started_at, slots: one.slots }, { at: end > to ? to : end, slots: -one.slots });
  }
  return changes.sort((left, right) => (left.at === right.at ? left.slots - right.slots : left.at < right.at ? -1 : 1));
}

function between(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / 1000;
}
