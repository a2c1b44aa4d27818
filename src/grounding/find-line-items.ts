import type { Mention } from './mention.ts';
import { nameToken } from './name-token.ts';
import type { Entry, ResultIndex } from './result-index.ts';

/** A line of a list, a row of a table or a sentence, with what it names and the items of results that it tells of. */
interface Line {
  readonly mentions: readonly (readonly [number, Mention])[];
  readonly tokens: ReadonlySet<string>;
  readonly quote: { readonly start: number; readonly end: number; readonly token: string } | undefined;
  /** Of `file.log:7`. */
  readonly place: { readonly file: string; readonly line: string } | undefined;
}

const LEAST_SHARED = 3;

/**
 * Figures of a line that tells of one event, `TIME task attempt 2: "text" (file:7)`, and that are not of that event: the
 * item of a result that shares the most with the line says otherwise. Answers the place of each with the reason.
 */
export function findStrangers(text: string, mentions: readonly Mention[], index: ResultIndex): Map<number, string> {
  const strangers = new Map<number, string>();
  for (const line of readLines(text, mentions)) {
    const items = itemsOf(line, index);
    const first = items[0]?.[0];
    if (!first) continue;
    const held = items.flat();
    const isOfOthers = line.quote !== undefined && index.itemsNamed(line.quote.token).length > 0;
    const reason = `the line tells of ${index.results[first.result]?.id} (${first.path.replace(/\.[^.]*$/, '')}), which says otherwise`;
    for (const [at, mention] of line.mentions) if (isStranger(mention, line, { held, isOfOthers, text })) strangers.set(at, reason);
  }
  return strangers;
}

const UNIT_END = /\n+|(?<=[.!?])\s+(?=[\p{Lu}`*"“(\d])/gu;
const QUOTE = /(?<=[\s(:])"([^\n]{10,400}?)"(?=\s*(?:[).,;]|\(|$))|“([^”\n]{10,400})”/gm;

/** Lines that name exactly one event: one quotation, or one place in a file. */
function* readLines(text: string, mentions: readonly Mention[]): Generator<Line> {
  let start = 0;
  const ends = [...text.matchAll(UNIT_END)].map((match) => match.index);
  for (const end of [...ends, text.length]) {
    const line = text.slice(start, end);
    const quotes = [...line.matchAll(QUOTE)];
    const own = mentions.map((mention, at) => [at, mention] as const).filter(([, mention]) => mention.start >= start && mention.end <= end);
    const places = own.filter(([, mention]) => mention.kind === 'identifier' && mention.line !== undefined);
    if (own.length > 1 && quotes.length <= 1 && places.length <= 1 && quotes.length + places.length > 0) {
      const [found] = quotes;
      const token = nameToken(found?.[1] ?? found?.[2] ?? '');
      const from = start + (found?.index ?? 0);
      yield {
        mentions: own,
        tokens: tokensOf(line, own, token),
        place: placeOf(places[0]?.[1]),
        quote: found && { start: from, end: from + found[0].length, token },
      };
    }
    start = end;
  }
}

function placeOf(mention: Mention | undefined): Line['place'] {
  return mention?.kind === 'identifier' && mention.line !== undefined ? { file: `=${mention.name}`, line: `=#${mention.line}` } : undefined;
}

function tokensOf(line: string, mentions: readonly (readonly [number, Mention])[], quote: string): Set<string> {
  const tokens = new Set<string>(quote.length > 1 ? [quote] : []);
  for (const match of line.matchAll(/`([^`\n]+)`/g)) tokens.add(nameToken(match[1] ?? ''));
  for (const [, mention] of mentions) {
    if (mention.kind === 'identifier') {
      tokens.add(`=${mention.name}`);
      if (mention.line !== undefined) tokens.add(`=#${mention.line}`);
    } else if (mention.kind === 'moment') tokens.add(nameToken(mention.text));
    else if (mention.kind === 'number') for (const { exact } of mention.readings) tokens.add(`=#${exact}`);
  }
  return tokens;
}

/** The items that share the most names with the line, among them the quotation or the place in a file. */
function itemsOf({ tokens, quote, place }: Line, index: ResultIndex): (readonly Entry[])[] {
  let most = LEAST_SHARED - 1;
  let found: (readonly Entry[])[] = [];
  const looked = new Set<number>();
  for (const token of tokens) {
    if (token.startsWith('=#') || token.length < 6) continue;
    for (const item of index.itemsNamed(token)) {
      if (looked.has(item)) continue;
      looked.add(item);
      const entries = index.items.get(item);
      if (!entries) continue;
      const names = new Set(entries.flatMap(({ label }) => label.names));
      if (!(quote && names.has(quote.token)) && !(place && names.has(place.file) && names.has(place.line))) continue;
      const shared = [...names].filter((name) => tokens.has(name)).length;
      if (shared > most) found = [];
      if (shared >= Math.max(most, LEAST_SHARED)) found.push(entries);
      most = Math.max(most, shared);
    }
  }
  return found;
}

interface Held {
  readonly held: readonly Entry[];
  /** True where the quotation is the text of another event. */
  readonly isOfOthers: boolean;
  readonly text: string;
}

/** A time where the event has another; a number called by a field of the event that holds another. */
function isStranger(mention: Mention, { mentions, quote }: Line, { held, isOfOthers, text }: Held): boolean {
  if (quote && mention.start >= quote.start && mention.end <= quote.end)
    return isOfOthers && !held.some(({ label }) => label.names.includes(quote.token));
  if (mention.kind === 'moment') {
    const others = mentions.filter(
      ([, other]) => other.kind === 'moment' && !(quote && other.start > quote.start && other.end < quote.end),
    );
    const moments = held.filter((entry) => entry.kind === 'moment' && entry.origin === 'field' && entry.moment?.time !== undefined);
    const [asked] = mention.moments;
    if (others.length !== 1 || moments.length === 0 || asked?.date?.length !== 10 || asked.time === undefined) return false;
    const token = nameToken(mention.text);
    return !moments.some(({ moment }) => moment && nameToken(`${moment.date} ${moment.time}`) === token);
  }
  if (mention.kind !== 'number' || mention.unit !== undefined) return false;
  const word = /(?:^|[\s(`])(\p{L}+)\s+$/u.exec(text.slice(Math.max(0, mention.start - 30), mention.start))?.[1]?.toLowerCase();
  const called = held.filter((entry) => entry.kind === 'number' && entry.origin === 'field' && entry.path.endsWith(`.${word}`));
  return called.length > 0 && !called.some(({ exact }) => mention.readings.some((reading) => reading.exact === exact));
}
