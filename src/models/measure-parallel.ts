import type { ChatModel, ModelFailure } from '../core/model.ts';
import { Scope } from '../core/scope.ts';

/** What two requests at once showed. */
export type ParallelMeasure =
  | {
      readonly ok: true /** Whether the second began to be answered before the first was done. */;
      readonly atOnce: boolean;
      readonly firstMs: number;
    }
  | { readonly ok: false; readonly failure: ModelFailure };

interface Span {
  readonly failure?: ModelFailure;
  readonly begun: number;
  readonly ended: number;
}

/**
 * Whether a server works on two requests for one model at the same time: one tiny request loads the model, then two go
 * out together. Their answers overlap, or the second begins when the first is over.
 *
 * @param model with at least two places, or its own limit would be measured
 * @param contextTokens the window that runs ask for, so that the server need not load the model again for them
 */
export async function measureParallel(model: ChatModel, contextTokens: number, parent: Scope): Promise<ParallelMeasure> {
  const scope = new Scope(parent);
  try {
    const startedAt = performance.now();
    const alone = await count(model, contextTokens, scope);
    if (alone.failure) return { ok: false, failure: alone.failure };
    const spans = await Promise.all([count(model, contextTokens, scope), count(model, contextTokens, scope)]);
    const [first, second] = spans.sort((left, right) => left.begun - right.begun) as [Span, Span];
    const failure = first.failure ?? second.failure;
    if (failure) return { ok: false, failure };
    return { ok: true, atOnce: second.begun < first.ended, firstMs: alone.ended - startedAt };
  } finally {
    scope.close();
  }
}

/** One tiny request; when its answer began and ended. */
async function count(model: ChatModel, contextTokens: number, scope: Scope): Promise<Span> {
  const conversation = model.startConversation({
    agent: 'doctor',
    system: 'Answer with numbers only.',
    tools: [],
    task: { goal: 'count' },
    sources: [],
    maxOutputTokens: 48,
    contextTokens,
  });
  conversation.append({ role: 'user', content: 'Count from 1 to 20.' });
  let begun = Number.POSITIVE_INFINITY;
  const onDelta = ({ type }: { readonly type: string }): void => {
    if (type !== 'waiting') begun = Math.min(begun, performance.now());
  };
  const reply = await conversation.reply({ scope, withTools: false, onDelta });
  const ended = performance.now();
  // An answer cut off by the limit of the output has shown what it was asked for.
  const failure =
    reply.ok || reply.failure.kind === 'thinking_exhausted' || reply.failure.kind === 'empty_turn' ? undefined : reply.failure;
  return { begun: Math.min(begun, ended), ended, ...(failure ? { failure } : {}) };
}
