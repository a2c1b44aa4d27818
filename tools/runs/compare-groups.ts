import { groupBy } from '../../src/core/group-by.ts';
import type { RunAnalysis, TaskGroup } from './analyse-run.ts';
import { median, ratio, seconds } from './statistics.ts';

/** One task of the target run beside the median of the same task in the baseline runs. */
export interface GroupDelta {
  readonly task_id: string;
  readonly count: number;
  readonly baseline_count: number | null;
  readonly working_s: number;
  readonly baseline_working_s: number | null;
  readonly waiting_s: number | null;
  readonly baseline_waiting_s: number | null;
  readonly median_s: number | null;
  readonly baseline_median_s: number | null;
  readonly span_s: number | null;
  readonly baseline_span_s: number | null;
  readonly max_parallel: number;
  readonly baseline_max_parallel: number | null;
  readonly pools: readonly string[];
}

/** Every task of the target, those that changed most in seconds first. */
export function compareGroups(target: RunAnalysis, baseline: readonly RunAnalysis[]): GroupDelta[] {
  const before = groupBy(
    baseline.flatMap(({ groups }) => groups),
    ({ task_id }) => task_id,
  );
  const deltas = target.groups.map((group) => delta(group, before.get(group.task_id) ?? []));
  return deltas.sort((left, right) => change(right) - change(left));
}

/** Task ids that only one side has. */
export function changedTasks(target: RunAnalysis, baseline: readonly RunAnalysis[]): { readonly added: string[]; readonly gone: string[] } {
  const [now, before] = [
    new Set(target.groups.map((group) => group.task_id)),
    new Set(baseline.flatMap((analysis) => analysis.groups.map((group) => group.task_id))),
  ];
  if (baseline.length === 0) return { added: [], gone: [] };
  return { added: [...now].filter((id) => !before.has(id)), gone: [...before].filter((id) => !now.has(id)) };
}

function delta(group: TaskGroup, before: readonly TaskGroup[]): GroupDelta {
  const middle = (pick: (group: TaskGroup) => number | null): number | null => seconds(median(before.flatMap((one) => pick(one) ?? [])));
  return {
    task_id: group.task_id,
    count: group.count,
    baseline_count: middle((one) => one.count),
    working_s: group.working_s,
    baseline_working_s: middle((one) => one.working_s),
    waiting_s: group.waiting_s,
    baseline_waiting_s: middle((one) => one.waiting_s),
    median_s: group.median_s,
    baseline_median_s: middle((one) => one.median_s),
    span_s: group.span_s,
    baseline_span_s: middle((one) => one.span_s),
    max_parallel: group.max_parallel,
    baseline_max_parallel: middle((one) => one.max_parallel),
    pools: group.pools,
  };
}

function change(one: GroupDelta): number {
  return Math.abs(one.working_s - (one.baseline_working_s ?? 0)) + Math.abs((one.waiting_s ?? 0) - (one.baseline_waiting_s ?? 0));
}

/** From this share on a sum counts as changed, if it moved by enough seconds too. */
export const CHANGE_THRESHOLD = 0.2;

/** Seconds that a sum must move by at least: one, or a fiftieth of what a like run takes. Less is noise. */
export function changeFloor(usualDuration: number | null): number {
  return Math.max(1, Math.round((usualDuration ?? 0) * 0.02 * 10) / 10);
}

/** Whether a sum moved against its usual value; unknown where either is. */
export function changed(
  value: number | null,
  before: number | null,
  floor: number,
): { readonly changed: boolean | null; readonly ratio: number | null } {
  const by = ratio(value, before);
  if (value === null || before === null) return { changed: null, ratio: by };
  const share = before === 0 ? Number.POSITIVE_INFINITY : Math.abs(value / before - 1);
  return { changed: Math.abs(value - before) >= floor && share > CHANGE_THRESHOLD, ratio: by };
}
