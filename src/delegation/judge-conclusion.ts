import type { Conclusion } from '../core/conclusion.ts';

/** What a child's run shows apart from its text. */
export interface ChildRecord {
  /** Ids of the tool results that this child got. */
  readonly resultIds: readonly string[];
  /** Figures of its text that no tool result, and not its task, holds. */
  readonly invented: readonly string[];
  readonly hasTools: boolean;
}

/**
 * A child's own word is not enough: an answer with no tool call behind it, with figures that no result holds, or with
 * evidence that it never got, is `no_evidence` and never `ok`.
 */
export function judgeConclusion(conclusion: Conclusion, record: ChildRecord): Conclusion {
  if (conclusion.status !== 'ok') return conclusion;
  if (!conclusion.text.trim()) return { ...conclusion, status: 'empty', reason: 'the child answered nothing' };
  const objection = findObjection(conclusion, record);
  return objection === undefined ? conclusion : { ...conclusion, status: 'no_evidence', reason: objection };
}

function findObjection(conclusion: Conclusion, record: ChildRecord): string | undefined {
  if (record.hasTools && record.resultIds.length === 0) return 'the child called no tool: nothing stands behind its answer';
  const known = new Set(record.resultIds);
  const cited = [...new Set([...conclusion.evidence, ...citationsIn(conclusion.text)])];
  const foreign = cited.filter((id) => !known.has(id));
  if (foreign.length > 0) return `cites results that it never got: ${foreign.slice(0, 5).join(', ')}`;
  const { invented } = record;
  return invented.length > 0 ? `figures that no result of its own holds: ${invented.slice(0, 5).join(', ')}` : undefined;
}

/** Result ids as they are cited in a text: `[r3]`, `[c2.r1, c2.r4]`. */
export function citationsIn(text: string): string[] {
  return [...text.matchAll(/\[((?:(?:c\d+\.)*r\d+)(?:\s*,\s*(?:c\d+\.)*r\d+)*)\]/g)].flatMap((match) => (match[1] ?? '').split(/\s*,\s*/));
}
