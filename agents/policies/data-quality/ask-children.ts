import type { Play } from '../../../src/core/policy.ts';
import { type Reading, read } from '../investigator/read-data.ts';
import { failureOf } from '../table-profiler/table-facts.ts';

export interface ChildTask {
  readonly goal: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly expect: string;
}

export interface ChildAnswer {
  /** Of a finished conclusion; empty when there is none. */
  readonly text: string;
  /** Ids of the results that the child rests on. */
  readonly evidence: readonly string[];
  /** Why there is no conclusion, or what it says was not checked. */
  readonly gap?: string;
}

/** All tasks in one call of a subagent; the answers in task order, gaps named. */
export async function askChildren(
  play: Play,
  agent: string,
  tasks: readonly ChildTask[],
  because: string,
): Promise<readonly ChildAnswer[]> {
  if (tasks.length === 0) return [];
  const why = tasks.length > 1 ? 'parallelism' : 'context_isolation';
  const result = await play.call(agent, { tasks, why, because });
  const conclusions = read(result.data).list('conclusions');
  const refusal = read(result.data).text('message') ?? result.status;
  return tasks.map((_, index) => answerOf(conclusions[index], refusal));
}

function answerOf(conclusion: Reading | undefined, refusal: string): ChildAnswer {
  if (!conclusion) return { text: '', evidence: [], gap: refusal };
  const status = conclusion.text('status');
  const text = conclusion.text('text') ?? '';
  const unread = failureOf(text);
  if (status === 'ok') return { text, evidence: conclusion.texts('evidence'), ...(unread === undefined ? {} : { gap: unread }) };
  // A child that got no data says why in its text; the reason only says that it got none.
  const why = status === 'no_evidence' ? unread : undefined;
  return { text: '', evidence: [], gap: why ?? conclusion.text('reason') ?? status ?? 'no conclusion came' };
}
