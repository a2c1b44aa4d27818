import { meaningsOfName } from './label-words.ts';
import { nameToken } from './name-token.ts';

const IDENTIFYING = /(?:^|[_\s])(?:id|index|key|number|no|batch|partition|attempt|try|line|day|date|month|year|name)$/i;

/** True for a field that names its item: an id, an index, a day. */
export function isIdentifying(key: string): boolean {
  return IDENTIFYING.test(key);
}

const SHORT_NAME = 200;
const MOST_WORDS = 24;
const SQL_WORDS =
  /^(?:select|from|where|group|order|by|as|and|or|not|null|is|in|on|join|left|right|inner|outer|cast|count|distinct|sum|min|max|avg|having|limit|offset|case|when|then|else|end|exists|varchar|substr|between|like|union|all|with|over|partition|desc|asc)$/i;

/** Fields that say of what kind an item is; many items share them. */
const DESCRIBING = /^(?:type|state|status|kind|level|unit|outcome|operator|mode|format|typeFrom|because|severity)$/i;

/** What an item is called: its short texts, and the numbers of its identifying fields as `#7`. */
export function namesOf(fields: readonly (readonly [string, unknown])[]): string[] {
  const names: string[] = [];
  for (const [key, value] of fields) {
    if (names.length >= 12) break;
    if (DESCRIBING.test(key)) continue;
    if (typeof value === 'string' && value !== '' && value.length <= SHORT_NAME && !/^[+-]?\d+(?:\.\d+)?$/.test(value))
      names.push(nameToken(value));
    else if (Array.isArray(value) && value.length === 1 && ['string', 'number'].includes(typeof value[0]))
      names.push(typeof value[0] === 'number' ? `=#${value[0]}` : nameToken(value[0]));
    else if ((typeof value === 'number' || typeof value === 'string') && (IDENTIFYING.test(key) || (key === 'value' && fields.length > 2)))
      names.push(`=#${value}`);
  }
  return withBases(names);
}

/** A path is known by its last part as well, with and without the ending of a file. */
function withBases(names: readonly string[]): string[] {
  const all = [...names];
  for (const name of names) {
    const [, base] = /^=(?:[^\s:]*\/)?([^\s/:]{3,})$/.exec(name) ?? [];
    if (base === undefined) continue;
    const stem = base.replace(/\.(?:csv|tsv|jsonl?|parquet|log|txt|xlsx|gz)$/, '');
    for (const other of [`=${base}`, `=${stem}`]) if (!all.includes(other)) all.push(other);
  }
  return all;
}

export function namesOfArguments(given: Readonly<Record<string, unknown>>): readonly string[] {
  const names: string[] = [];
  for (const value of Object.values(given)) {
    if (typeof value !== 'string') continue;
    if (value.length <= SHORT_NAME && !/\s/.test(value)) names.push(nameToken(value));
    else
      names.push(
        ...(value.slice(0, 4000).match(/[\p{L}_][\p{L}\p{N}_.]{2,}/gu) ?? [])
          .filter((word) => !SQL_WORDS.test(word))
          .slice(0, MOST_WORDS)
          .map(nameToken),
      );
  }
  return unique(withBases(names));
}

export function wordsOfToken(token: string): readonly string[] {
  return meaningsOfName(token.slice(1));
}

export function unique(tokens: readonly string[]): readonly string[] {
  return [...new Set(tokens)];
}

/** The same list where nothing is new. */
export function extended(tokens: readonly string[], more: readonly string[]): readonly string[] {
  const fresh = more.filter((token) => !tokens.includes(token));
  return fresh.length === 0 ? tokens : [...tokens, ...new Set(fresh)];
}
