import type { Message, ToolCall } from '../core/message.ts';
import { readResult } from './fit-window.ts';

const ARGUMENT_CHARACTERS = 160;

/** Begins the message that stands in place of turns that were taken out. */
export const SUMMARY_HEAD = 'Earlier work, summed up to save room';

/** The message that stands in place of old turns; `said` are the words of the user among them, kept as they were. */
export function summaryMessage(summary: string, said: readonly string[], hint: string): string {
  const words = said.length > 0 ? `\n\nSaid in the meantime:\n${said.map((text) => `> ${text}`).join('\n')}` : '';
  return `${SUMMARY_HEAD} (the results stay in the log; ${hint}):\n\n${summary}${words}`;
}

/** What the user, or the loop in the user's place, said among these messages; an earlier summary is not that. */
export function saidIn(messages: readonly Message[]): string[] {
  return messages.filter((message) => message.role === 'user' && !isSummary(message)).map(({ content }) => content);
}

export interface DigestSize {
  /** The most characters of all of it. */
  readonly most: number;
  /** The most characters of a text, and of what one call returned. */
  readonly each: number;
}

/**
 * What these turns did, by fixed rules: a line for each call with its outcome and the beginning of what it returned, and
 * the beginnings of texts. Where all is too long the oldest lines are left out, and counted.
 */
export function digestOf(messages: readonly Message[], { most, each }: DigestSize): string {
  const results = new Map(messages.flatMap((message) => (message.role === 'tool' ? [[message.toolCallId, message.content] as const] : [])));
  const lines = messages.flatMap((message): string[] => {
    if (isSummary(message)) return earlierLines(message.content);
    if (message.role !== 'assistant') return [];
    const text = message.content.trim();
    return [...(text ? [clip(text, each)] : []), ...(message.toolCalls ?? []).map((call) => lineOf(call, results.get(call.id), each))];
  });
  return withinCharacters(lines, most);
}

export function isSummary(message: Message | undefined): boolean {
  return message?.role === 'user' && message.content.startsWith(SUMMARY_HEAD);
}

function earlierLines(summary: string): string[] {
  return summary.split('\n').slice(2).filter(Boolean);
}

function lineOf(call: ToolCall, content = '', each = 160): string {
  const { id, status, complete, total, reference, head, data } = readResult(content);
  const outcome = [status, complete === false ? 'not complete' : '', total === undefined ? '' : `total ${total}`]
    .filter(Boolean)
    .join(', ');
  const shown = typeof head === 'string' ? head : data === undefined ? content : JSON.stringify(data);
  const where = typeof reference === 'string' ? ` [reference ${reference}]` : '';
  return `- ${id ?? call.id} ${call.name} ${clip(JSON.stringify(call.arguments), ARGUMENT_CHARACTERS)} → ${outcome}: ${clip(shown, each)}${where}`;
}

function withinCharacters(lines: readonly string[], most: number): string {
  let size = 0;
  let first = lines.length;
  while (first > 0 && size + (lines[first - 1]?.length ?? 0) + 1 <= most) size += (lines[--first]?.length ?? 0) + 1;
  const shown = lines.slice(first);
  return (first > 0 ? [`(${first} older ${first === 1 ? 'line' : 'lines'} left out)`, ...shown] : shown).join('\n');
}

function clip(text: string, most: number): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length <= most ? line : `${line.slice(0, most)}…`;
}
