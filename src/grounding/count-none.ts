import { isCitedBy } from './cited-for.ts';
import type { Derivation } from './derive-figure.ts';
import { columnsOf, isWhole } from './derive-list.ts';
import { meaningsOf } from './label-words.ts';
import type { NumberMention } from './mention.ts';
import type { Context } from './read-context.ts';
import type { Entry, ResultIndex } from './result-index.ts';
import { secondsIn } from './units.ts';

const NONE_ON =
  /\b(?:no|zero|without(?: any)?|keine[nr]?|ohne)\s+((?:[\p{L}_`]+\s+){1,3})(?:on|in|at|for|an|am|bei|für)\s+(?:only\s+|just\s+|nur\s+)?$/iu;
const MISSING = /(?:^|[._])(?:missing|absent|gaps?|lacking|empty)(?:_[a-z]+)?$/i;
const DAYS = /^\s*(?:of\s+(?:the|these|those|all)\s+)?(?:\d+\s+)?(?:days|dates|nights|tage)\b/i;
const DAY_SECONDS = 86_400;

/**
 * "No rows on 5 of the days": how often a field of that name is 0 in a complete list, or how many days a complete list of those that are
 * missing holds.
 */
export function countNone(
  mention: NumberMention,
  text: string,
  { index, context }: { readonly index: ResultIndex; readonly context: Context },
): Derivation | undefined {
  const [reading] = mention.readings;
  const isCount = mention.unit === undefined || secondsIn(mention.unit) === DAY_SECONDS;
  if (!reading || reading.decimals > 0 || reading.value < 1 || !isCount) return undefined;
  const said = NONE_ON.exec(text.slice(Math.max(0, mention.start - 80), mention.start))?.[1];
  if (said === undefined) return undefined;
  const things = new Set(
    said
      .toLowerCase()
      .split(/[^\p{L}]+/u)
      .flatMap((word) => (word === '' ? [] : meaningsOf(word))),
  );
  const ids = [...context.cited, ...context.citedBeside];
  const counts = (entry: Entry): boolean => isWhole(entry, index) && (ids.length === 0 || isCitedBy(index.results[entry.result], ids));
  for (const list of columnsOf(index)) {
    const [first] = list;
    if (first?.kind !== 'number' || !counts(first) || !first.label.key.some((word) => things.has(word))) continue;
    const none = list.filter(({ kind, value }) => kind === 'number' && value === 0).length;
    if (none === reading.value && none < list.length)
      return { formula: `count of ${first.path.replace(/\[\d+\]/g, '[]')} that are 0 (of ${list.length})`, entries: [first] };
  }
  if (mention.unit === undefined && !DAYS.test(text.slice(mention.end))) return undefined;
  const missing = (index.numbers.get(String(reading.value)) ?? []).find(
    (entry) => entry.origin === 'list' && MISSING.test(entry.path) && counts(entry) && holdsDays(entry, index),
  );
  return missing && { formula: `count of ${missing.path}`, entries: [missing] };
}

function holdsDays({ path, result }: Entry, { texts }: ResultIndex): boolean {
  return (texts[result] ?? []).some((place) => place.path.startsWith(`${path}[`) && /^\d{4}-\d\d-\d\d$/.test(place.text));
}
