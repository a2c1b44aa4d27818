import type { DbtNodeResult, StatusClass } from './dbt-results.ts';

export interface NodePair {
  readonly node: string;
  readonly before: DbtNodeResult;
  readonly after: DbtNodeResult;
}

/** Fails now and did not before, when it may not have been run. */
export interface NewFailure {
  readonly node: string;
  readonly before: DbtNodeResult | undefined;
  readonly after: DbtNodeResult;
}

export interface ComparedResults {
  readonly pairs: readonly NodePair[];
  /** Slower by at least a second (or half of the floor) and by a fifth, most seconds first. */
  readonly slower: readonly NodePair[];
  readonly faster: readonly NodePair[];
  readonly newlyFailing: readonly NewFailure[];
  readonly fixed: readonly NodePair[];
  /** Other changes of status, such as success to skipped. */
  readonly changedStatus: readonly NodePair[];
  readonly stillFailing: readonly NodePair[];
  readonly onlyBefore: readonly DbtNodeResult[];
  readonly onlyAfter: readonly DbtNodeResult[];
}

/** Seconds and share that a node must have moved by: less is noise. */
export const SLOWER_SECONDS = 1;
export const SLOWER_SHARE = 0.2;

const BAD: ReadonlySet<StatusClass> = new Set(['failed', 'partly_failed']);

/** The results of two runs, node by node. Where a run names a node twice, the last counts. */
export function compareResults(before: readonly DbtNodeResult[], after: readonly DbtNodeResult[]): ComparedResults {
  const [old, now] = [new Map(before.map((one) => [one.node, one])), new Map(after.map((one) => [one.node, one]))];
  const pairs = [...now.values()].flatMap((one) => {
    const earlier = old.get(one.node);
    return earlier ? [{ node: one.node, before: earlier, after: one }] : [];
  });
  const moved = pairs.filter((pair) => Math.abs(delta(pair) ?? 0) >= SLOWER_SECONDS && Math.abs(share(pair) ?? 0) >= SLOWER_SHARE);
  const failing = ({ class: kind }: DbtNodeResult): boolean => BAD.has(kind);
  const onlyAfter = [...now.values()].filter(({ node }) => !old.has(node));
  return {
    pairs,
    slower: moved.filter((pair) => (delta(pair) ?? 0) > 0).sort((left, right) => (delta(right) ?? 0) - (delta(left) ?? 0)),
    faster: moved.filter((pair) => (delta(pair) ?? 0) < 0).sort((left, right) => (delta(left) ?? 0) - (delta(right) ?? 0)),
    newlyFailing: [
      ...pairs.filter((pair) => failing(pair.after) && !failing(pair.before)),
      ...onlyAfter.filter(failing).map((after) => ({ node: after.node, before: undefined, after })),
    ],
    fixed: pairs.filter((pair) => failing(pair.before) && pair.after.class === 'good'),
    changedStatus: pairs.filter(
      (pair) => pair.before.status !== pair.after.status && !failing(pair.after) && !(failing(pair.before) && pair.after.class === 'good'),
    ),
    stillFailing: pairs.filter((pair) => failing(pair.after) && failing(pair.before)),
    onlyBefore: [...old.values()].filter(({ node }) => !now.has(node)),
    onlyAfter,
  };
}

/** Seconds after minus before; null where either is no finite number. */
export function delta({ before, after }: NodePair): number | null {
  if (typeof before.execution_s !== 'number' || typeof after.execution_s !== 'number') return null;
  return Math.round((after.execution_s - before.execution_s) * 1e6) / 1e6;
}

function share(pair: NodePair): number | null {
  const moved = delta(pair);
  if (moved === null) return null;
  const base = Number(pair.before.execution_s);
  return base === 0 ? Number.POSITIVE_INFINITY : moved / base;
}
