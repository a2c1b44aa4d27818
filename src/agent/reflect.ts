import type { Message } from '../core/message.ts';
import type { Tool } from '../core/tool.ts';

/** What a critic says of an attempt. */
export type Verdict = { readonly done: true } | { readonly done: false; readonly missing: string };

export const REFLECT_RULES = `You check whether a request was done. You see the request, what was called, and the answer.
Look only for what the request asks for and was not done, or was done otherwise. Style does not matter, and neither does what was not asked for.
Reply with one JSON object and nothing else: {"done": true}, or {"done": false, "missing": "what is missing, in one or two sentences"}.`;

const MOST_ACTIONS = 60;
const HEAD_CHARACTERS = 240;
const LONGEST_MISSING = 800;

/** True once the agent has called a tool with effects: only then there is something done to be checked. */
export function hasWritten(messages: readonly Message[], tools: ReadonlyMap<string, Pick<Tool, 'effect'>>): boolean {
  return messages.some(
    (message) => message.role === 'assistant' && message.toolCalls?.some(({ name }) => tools.get(name)?.effect === 'write'),
  );
}

/** What the critic gets: the request, the calls with the heads of their results, and the answer. Nothing of the conversation. */
export function reflectionText(task: string, messages: readonly Message[], answer: string): string {
  const results = new Map(messages.flatMap((message) => (message.role === 'tool' ? [[message.toolCallId, message.content] as const] : [])));
  const calls = messages.flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []));
  const lines = calls
    .slice(-MOST_ACTIONS)
    .map(
      (call) => `- ${call.name} ${JSON.stringify(call.arguments)} -> ${(results.get(call.id) ?? 'no result').slice(0, HEAD_CHARACTERS)}`,
    );
  return [`Request:\n${task}`, `Calls:\n${lines.join('\n') || 'none'}`, `Answer:\n${answer}`].join('\n\n');
}

/** Reads a critic's reply; one that cannot be read counts as done, and so does a "not done" that says nothing of what is missing. */
export function readVerdict(reply: string): Verdict & { readonly readable: boolean } {
  const object = /\{[\s\S]*\}/.exec(reply)?.[0];
  try {
    const { done, missing } = JSON.parse(object ?? '') as { done?: unknown; missing?: unknown };
    if (done === true) return { done: true, readable: true };
    if (done === false && typeof missing === 'string' && missing.trim() !== '')
      return { done: false, missing: missing.trim().slice(0, LONGEST_MISSING), readable: true };
  } catch {
    // Below.
  }
  return { done: true, readable: false };
}
