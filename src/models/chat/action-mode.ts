import type { JsonSchema, ToolOffer } from '../../core/model.ts';
import { quoteLargeIntegers, readArguments } from './read-arguments.ts';
import { sanitiseSchema } from './sanitise-schema.ts';

/** What a model that takes no tools did: it called tools, or it answered. */
export type Action =
  | { readonly kind: 'calls'; readonly calls: readonly ActionCall[] }
  | { readonly kind: 'answer'; readonly text: string }
  | { readonly kind: 'unreadable' };

export interface ActionCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly unreadable?: string;
}

const ANSWER = { type: 'object', properties: { answer: { type: 'string' } }, required: ['answer'] };

/** The schema of one action: a call of one of the tools, or the answer. Without tools only the answer is left. */
export function actionSchema(tools: readonly ToolOffer[]): JsonSchema {
  const calls = tools.map(({ name, parameters }) => ({
    type: 'object',
    properties: { tool: { type: 'string', enum: [name] }, arguments: sanitiseSchema(parameters) },
    required: ['tool', 'arguments'],
  }));
  const action = calls.length === 0 ? ANSWER : { anyOf: [...calls, ANSWER] };
  return { type: 'object', properties: { action }, required: ['action'] };
}

/** What stands at the end of the system prompt of a model that takes no tools: how it calls them instead. */
export function actionInstructions(tools: readonly ToolOffer[]): string {
  const lines = tools.map(({ name, description, parameters }) => {
    return `- ${name}: ${description}\n  arguments: ${JSON.stringify(sanitiseSchema(parameters))}`;
  });
  return [
    'You act by writing exactly one JSON object a turn, and nothing else. To call a tool:',
    '{"action": {"tool": "<name>", "arguments": {…}}}',
    'Its result comes back as the next message. To end with your answer:',
    '{"action": {"answer": "<text>"}}',
    'Tools:',
    ...lines,
  ].join('\n');
}

/** A call as the model itself would have written it. */
export function writeAction(call: { readonly name: string; readonly arguments: unknown }): string {
  return JSON.stringify({ action: { tool: call.name, arguments: call.arguments } });
}

/** Reads an action, with or without its frame, a code fence around it, or several in a list. Other text is unreadable. */
export function readAction(content: string): Action {
  const bare = content.trim().replace(/^```(?:json)?\s*|\s*```$/g, '');
  let value: unknown;
  try {
    value = JSON.parse(quoteLargeIntegers(bare));
  } catch {
    // A model whose server does not constrain it may write its answer as it is.
    return /^[[{]/.test(bare) ? { kind: 'unreadable' } : { kind: 'answer', text: content };
  }
  return actionOf(value);
}

function actionOf(value: unknown): Action {
  if (Array.isArray(value)) {
    const actions = value.map(actionOf);
    const calls = actions.flatMap((action) => (action.kind === 'calls' ? action.calls : []));
    return calls.length === actions.length && calls.length > 0 ? { kind: 'calls', calls } : { kind: 'unreadable' };
  }
  if (value === null || typeof value !== 'object') return { kind: 'unreadable' };
  const fields = value as Record<string, unknown>;
  if ('action' in fields && typeof fields.action === 'object') return actionOf(fields.action);
  const name = fields.tool ?? fields.name;
  if (typeof name === 'string' && name !== '') {
    const { arguments: read, unreadable } = readArguments(fields.arguments ?? fields.parameters);
    return { kind: 'calls', calls: [{ name, arguments: read, ...(unreadable === undefined ? {} : { unreadable }) }] };
  }
  if (typeof fields.answer === 'string')
    return fields.answer.trim() === '' ? { kind: 'unreadable' } : { kind: 'answer', text: fields.answer };
  return { kind: 'unreadable' };
}
