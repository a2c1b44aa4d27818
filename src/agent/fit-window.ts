import type { Message } from '../core/message.ts';

const HEAD_CHARACTERS = 300;
/** Results this recent are never shortened. */
const RECENT = 4;

/**
 * The history with its oldest tool results cut down to their heads until about `excessCharacters` are gone; `undefined`
 * when nothing more can be given up. Calls and results stay in pairs, texts of the user and the agent stay whole.
 */
export function shortenHistory(messages: readonly Message[], excessCharacters: number): Message[] | undefined {
  let gained = 0;
  let shortened = false;
  const results = messages.filter((message) => message.role === 'tool').length;
  let seen = 0;
  const fitted = messages.map((message) => {
    if (message.role !== 'tool') return message;
    seen++;
    if (gained >= excessCharacters || seen > results - RECENT || message.content.length <= HEAD_CHARACTERS + 120) return message;
    const head = headOf(message.content);
    gained += message.content.length - head.length;
    shortened = true;
    return { ...message, content: head };
  });
  return shortened ? fitted : undefined;
}

function headOf(content: string): string {
  return `${content.slice(0, HEAD_CHARACTERS)}… [shortened to save room: ${content.length} characters; call the tool again if you need the rest]`;
}
