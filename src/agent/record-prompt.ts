import type { EventLog } from '../core/event.ts';
import type { ToolOffer } from '../core/model.ts';

/** The front of every request of an agent: what it is told, and the tools it is offered. */
export interface Prompt {
  readonly system: string;
  readonly tools: readonly ToolOffer[];
}

/** Keeps the front of an agent's requests in the log, once for all agents that have the same, and answers its hash. */
export function recordPrompt(log: EventLog, { system, tools }: Prompt): string {
  const known = recorded.get(log) ?? new Map<string, string>();
  recorded.set(log, known);
  const key = `${tools.map(({ name }) => name).join(' ')}\n${system}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const hash = log.putBlob(
    JSON.stringify({ system, tools: tools.map(({ name, description, parameters }) => ({ name, description, parameters })) }),
  );
  known.set(key, hash);
  return hash;
}

/** Twenty children of one kind start at once; hashing their schemas twenty times would cost more than their events. */
const recorded = new WeakMap<EventLog, Map<string, string>>();
