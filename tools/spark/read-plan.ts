/** The joins of a physical plan as Spark prints it, by kind: of the final plan where it was adapted, each once. */
export function joinsIn(plan: string): Readonly<Record<string, number>> {
  // The tree comes first; below it every node is listed a second time, and the plan before adaption a third.
  const [tree = ''] = plan.replace(/^== Physical Plan ==\s*/, '').split(/\n\s*\n|== Initial Plan ==/);
  const counts: Record<string, number> = {};
  for (const line of tree.split('\n')) {
    const kind = JOIN.exec(line)?.[1];
    if (kind !== undefined) counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

const JOIN = /^[\s:|+\-*()\d]*(BroadcastHashJoin|BroadcastNestedLoopJoin|SortMergeJoin|ShuffledHashJoin|CartesianProduct)\b/;
