import { isCounting } from './is-counting.ts';
import { meaningsOf, meaningsOfName } from './label-words.ts';
import type { Citation } from './mask-text.ts';
import type { Mention } from './mention.ts';
import { nameToken } from './name-token.ts';

/** A word, a figure or a break of the answer, in order. Tokens are meanings; whole names begin with `=`, plain words that may be one with `~`. */
export interface Piece {
  readonly kind: 'word' | 'figure' | 'break';
  readonly start: number;
  readonly end: number;
  readonly tokens: readonly string[];
  /** The word in lower case, or the mark of a break. */
  readonly text: string;
  /** True for what stands between backticks. */
  readonly isCode?: boolean;
}

const WORD = /``\s?([^\n]+?)\s?``|`([^`\n]+)`|[\p{L}_](?:[\p{L}\p{N}_.:+\-/=]*[\p{L}\p{N}_])?|\n+|[.,;:()!?|–—×=+"“”]/gu;

/** The answer in pieces: figures as they were read, the words and breaks between them; citations are left out. */
export function readPieces(text: string, mentions: readonly Mention[], citations: readonly Citation[]): Piece[] {
  const pieces: Piece[] = mentions.map(figurePiece);
  for (const match of text.matchAll(/"([^"\n]{8,200})"|“([^”\n]{8,200})”/g))
    pieces.push({ kind: 'word', start: match.index, end: match.index + 1, tokens: [nameToken(match[1] ?? match[2] ?? '')], text: '' });
  const taken = [...mentions, ...citations].sort((left, right) => left.start - right.start);
  let at = 0;
  for (const match of text.matchAll(WORD)) {
    const start = match.index;
    const end = start + match[0].length;
    while (at < taken.length && (taken[at]?.end ?? 0) <= start) at++;
    const next = taken[at];
    const overlaps = next !== undefined && next.start < end;
    const code = match[1] ?? match[2];
    if (code !== undefined) pieces.push({ kind: 'word', start, end, tokens: nameTokens(code), text: code.toLowerCase(), isCode: true });
    else if (overlaps) continue;
    else pieces.push(wordPiece(match[0], start, end));
  }
  return pieces.sort((left, right) => left.start - right.start || left.end - right.end);
}

function figurePiece(mention: Mention): Piece {
  const tokens: string[] = [];
  if (mention.kind === 'identifier') tokens.push(...nameTokens(mention.name));
  else if (mention.kind === 'moment')
    for (const moment of mention.moments) tokens.push(...(moment.date === undefined ? [] : [`=${moment.date}`, nameToken(mention.text)]));
  else if (mention.kind === 'number' && !isCounting(mention))
    tokens.push(...mention.readings.slice(0, 1).map((reading) => `=#${reading.exact}`));
  if (mention.kind === 'number' && mention.label !== undefined) tokens.push(nameToken(mention.text), ...nameTokens(mention.label));
  return { kind: mention.kind === 'identifier' ? 'word' : 'figure', start: mention.start, end: mention.end, tokens, text: mention.text };
}

function wordPiece(text: string, start: number, end: number): Piece {
  if (/^[\p{L}_]/u.test(text)) {
    const lower = text.toLowerCase();
    const plain = /^\p{L}+$/u.test(text);
    return { kind: 'word', start, end, tokens: plain ? [...meaningsOf(lower), `~${lower}`] : nameTokens(text), text: lower };
  }
  return { kind: 'break', start, end, tokens: [], text: text.startsWith('\n') ? '\n' : text };
}

function nameTokens(name: string): string[] {
  return [nameToken(name), ...meaningsOfName(name)];
}
