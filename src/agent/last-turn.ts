import type { ConclusionStatus, LimitName } from '../core/conclusion.ts';
import type { ModelReply } from '../core/model.ts';
import { Scope } from '../core/scope.ts';
import type { EndCause } from './agent-state.ts';
import { lastTurnNotice } from './limits.ts';
import type { Recorder } from './recorder.ts';
import type { Window } from './window.ts';

/** How an agent's run ended, before it is made a conclusion. */
export interface Ending {
  readonly status: ConclusionStatus;
  readonly text: string;
  readonly reason?: string;
  readonly limit?: LimitName;
}

export interface LastTurn {
  readonly recorder: Recorder;
  readonly window: Pick<Window, 'append'>;
  /** Stops everything at once. */
  readonly scope: Scope;
  /** One reply without tools, recorded. */
  readonly ask: (scope: Scope) => Promise<ModelReply>;
}

const LAST_TURN_SECONDS = 120;

/** The agent concludes from what it has, without tools; its outcome says why. What the log has of this turn already is not done again. */
export async function takeLastTurn({ recorder, window, scope, ask }: LastTurn, cause: EndCause): Promise<Ending> {
  const { state } = recorder;
  const ending = endingOf(cause);
  const notice = lastTurnNotice(cause.detail);
  if (state.ending && state.messages.at(-1)?.role === 'assistant') return { ...ending, text: state.messages.at(-1)?.content ?? '' };
  if (scope.stopped) return { ...ending, text: '' };
  if (!state.ending) {
    recorder.nextStep();
    recorder.record(cause.limit ? { type: 'limit.reached', limit: cause.limit, detail: cause.detail } : { type: 'interrupted' });
  }
  const last = state.messages.at(-1);
  if (last?.role !== 'user' || last.content !== notice) {
    recorder.record({ type: 'user.said', content: notice, why: 'limit' });
    window.append({ role: 'user', content: notice });
  }
  recorder.flush();
  const within = new Scope(scope);
  const timer = setTimeout(() => within.stop({ kind: 'timeout', seconds: LAST_TURN_SECONDS }), LAST_TURN_SECONDS * 1000);
  const reply = await ask(within);
  clearTimeout(timer);
  within.close();
  return { ...ending, text: reply.ok ? reply.message.content : (reply.failure.partial ?? '') };
}

function endingOf({ limit, detail }: EndCause): Omit<Ending, 'text'> {
  if (limit === undefined) return { status: 'aborted', reason: 'interrupted' };
  return { status: limit === 'seconds' ? 'timeout' : 'budget', reason: `limit reached: ${detail}`, limit };
}
