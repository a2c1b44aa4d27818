import type { ConclusionStatus } from '../core/conclusion.ts';
import type { AssistantMessage } from '../core/message.ts';
import type { AgentState } from './agent-state.ts';
import type { Recorder } from './recorder.ts';
import { unfinishedResults } from './reopen-calls.ts';

/** How the agent had ended before it goes on: `killed` when its log simply stops. */
export type EndedBefore = 'killed' | ConclusionStatus;

const GO_ON = 'You may go on: the limits count anew and tools can be called again. Continue from where you stopped, then conclude.';

interface Resumption {
  readonly name: string;
  readonly model: string;
  readonly after: EndedBefore;
  /** Hash of the front of its requests, which may have changed since. */
  readonly prompt: string;
}

/** Writes down that an agent goes on from its log, and tells it so where it had been told to conclude. */
export function recordResumption(recorder: Recorder, { name, model, after, prompt }: Resumption): void {
  const { state } = recorder;
  recorder.record({ type: 'agent.resumed', agent: name, model, after, unfinished: unfinishedResults(state, after), prompt });
  const waitsForModel = after === 'failed' && state.messages.at(-1)?.role !== 'assistant';
  if (state.begunAnew && state.open.size === 0 && !waitsForModel) recorder.record({ type: 'user.said', content: GO_ON, why: 'nudge' });
  recorder.flush();
}

/** The last reply, where the log stops before what follows it was done: its calls, or taking it for the answer. */
export function unhandledReply({ messages, open }: AgentState): AssistantMessage | undefined {
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at];
    if (message?.role === 'assistant') return open.size > 0 || at === messages.length - 1 ? message : undefined;
    if (message?.role !== 'tool') return undefined;
  }
  return undefined;
}
