import pLimit from 'p-limit';
import type { ChildConclusion } from '../core/conclusion.ts';

export interface ChildWork {
  readonly id: string;
  readonly path: string;
  readonly agent: string;
  readonly goal: string;
  readonly model: string;
  run(): Promise<ChildConclusion>;
}

/**
 * Runs children in parallel, at most `concurrency` at once, and answers their conclusions in task order. One that throws
 * is a named gap, a `failed` conclusion; the others are kept.
 */
export function runChildren(children: readonly ChildWork[], concurrency: number): Promise<ChildConclusion[]> {
  const limit = pLimit(concurrency);
  return Promise.all(
    children.map((child) =>
      limit(async () => {
        try {
          return await child.run();
        } catch (error) {
          return crashed(child, error);
        }
      }),
    ),
  );
}

function crashed({ id, path, agent, goal, model }: ChildWork, error: unknown): ChildConclusion {
  const reason = error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error);
  const usage = { modelCalls: 0, toolCalls: 0, inputTokens: 0, outputTokens: 0, peakContextTokens: 0, wallMs: 0 };
  return {
    id,
    path,
    agent,
    goal,
    model,
    status: 'failed',
    text: '',
    evidence: [],
    findings: [],
    usage,
    reason: `the child crashed: ${reason}`,
  };
}
