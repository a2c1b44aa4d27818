import type { EventBody } from '../core/event.ts';
import type { Message, ToolMessage } from '../core/message.ts';

const HEAD_CHARACTERS = 300;
/** Results this recent are never shortened, turns this recent never summed up. */
const RECENT_RESULTS = 4;
const RECENT_TURNS = 2;

/** A tool result that gives way: the text that stands in its place. */
export interface Shortened {
  readonly callId: string;
  readonly content: string;
}

export interface Shortening {
  readonly excessCharacters: number;
  /** Stores a whole result and answers the reference under which it can be read again. */
  readonly keep: (content: string) => string;
  /** What a reader of the head can do for the rest. */
  readonly hint: string;
}

/** The oldest results whose heads free about `excessCharacters`; empty when nothing more can be given up. */
export function shortenResults(window: readonly Message[], { excessCharacters, keep, hint }: Shortening): Shortened[] {
  const results = window.filter((message): message is ToolMessage => message.role === 'tool');
  const shortened: Shortened[] = [];
  let gained = 0;
  for (const { toolCallId: callId, content } of results.slice(0, Math.max(0, results.length - RECENT_RESULTS))) {
    if (gained >= excessCharacters) break;
    if (content.length <= HEAD_CHARACTERS * 2) continue;
    const head = headOf(content, keep, hint);
    if (head.length >= content.length) continue;
    gained += content.length - head.length;
    shortened.push({ callId, content: head });
  }
  return shortened;
}

/** Valid JSON as the result was, so that id, status and what is left out can still be read. */
function headOf(content: string, keep: (content: string) => string, hint: string): string {
  const { id, tool, status, complete, total, returned, as_of, reference, data } = readResult(content);
  const text = data === undefined ? content : JSON.stringify(data);
  return JSON.stringify({
    ...{ id, tool, status, complete, total, returned, as_of },
    reference: typeof reference === 'string' ? reference : keep(content),
    shortened: `to save room, from ${content.length} characters; ${hint}`,
    head: text.slice(0, HEAD_CHARACTERS),
  });
}

/** A result's fields; none for a text that is not JSON. */
export function readResult(content: string): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(content);
    return parsed !== null && typeof parsed === 'object' ? (parsed as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** How many messages stand before the first turn: the task, and what came with it. */
export function frontOf(window: readonly Message[]): number {
  const first = window.findIndex((message) => message.role === 'assistant');
  return first < 0 ? window.length : first;
}

/**
 * Where the oldest turns end that free about `excessCharacters` when they are summed up, as an index into the window;
 * `undefined` when all that is left is recent. A turn is a reply with the results of its calls: they are never parted.
 */
export function endOfOldTurns(window: readonly Message[], excessCharacters: number): number | undefined {
  const starts = window.flatMap((message, index) => (message.role === 'assistant' ? [index] : []));
  const last = starts.at(-RECENT_TURNS);
  const first = starts[0];
  if (first === undefined || last === undefined || last <= first) return undefined;
  let freed = 0;
  for (let at = first; at < last; at++) {
    freed += sizeOf(window[at]);
    if (freed >= excessCharacters && starts.includes(at + 1)) return at + 1;
  }
  return last;
}

/** Characters of a message, its calls included. */
export function sizeOf(message: Message | undefined): number {
  if (!message) return 0;
  const calls = message.role === 'assistant' && message.toolCalls ? JSON.stringify(message.toolCalls).length : 0;
  return message.content.length + calls;
}

/** What gave way, done to the window: heads in place of results, one message in place of old turns. */
export function fitWindow(window: Message[], { shortened, compacted }: Extract<EventBody, { type: 'context.fitted' }>): void {
  const heads = new Map(shortened.map(({ callId, content }) => [callId, content]));
  for (const [index, message] of window.entries()) {
    const content = message.role === 'tool' ? heads.get(message.toolCallId) : undefined;
    if (content !== undefined) window[index] = { ...message, content } as ToolMessage;
  }
  if (compacted) window.splice(compacted.from, compacted.messages, { role: 'user', content: compacted.summary });
}
