import { isCitedBy } from './cited-for.ts';
import type { Derivation } from './derive-figure.ts';
import { meaningsOfName } from './label-words.ts';
import type { Mention, NumberMention } from './mention.ts';
import type { Context } from './read-context.ts';
import type { Entry, GroundingResult, ResultIndex } from './result-index.ts';

interface Setting {
  readonly index: ResultIndex;
  readonly context: Context;
}

const NEAR = 0.9;

/** "8 tables were profiled": how often a tool answered, each call counted once; the words of its name have to stand near by. */
export function countCalls(mention: NumberMention, { index, context }: Setting): Derivation | undefined {
  const value = countIn(mention);
  if (value === undefined) return undefined;
  const found = [...callsByTool(index.results)].find(([tool, calls]) => calls === value && isTold(tool, context));
  return found && { formula: `count of ${found[1]} calls of ${found[0]}`, entries: [] };
}

function isTold(tool: string, { weights }: Context): boolean {
  return meaningsOfName(tool).every((token) => (weights.get(token) ?? 0) >= NEAR);
}

function callsByTool(results: readonly GroundingResult[]): Map<string, number> {
  const calls = new Set(results.filter(({ informative }) => informative).map((held) => `${held.tool} ${JSON.stringify(held.arguments)}`));
  const counts = new Map<string, number>();
  for (const call of calls) {
    const tool = call.slice(0, call.indexOf(' '));
    counts.set(tool, (counts.get(tool) ?? 0) + 1);
  }
  return counts;
}

const MORE = /^\s+(?:more|others?|further|weitere)\b/i;

/**
 * "`a`, `b` and 7 more": with what is listed in front it makes up a whole that the sentence tells or a result has counted.
 * "22 more tables were not profiled": with the calls that were made.
 */
export function countMore(
  mention: NumberMention,
  text: string,
  { index, context, mentions }: Setting & { readonly mentions: readonly Mention[] },
): Derivation | undefined {
  const value = countIn(mention);
  if (value === undefined || !MORE.test(text.slice(mention.end))) return undefined;
  const listed = /\s(?:and|und)\s+$/.test(text.slice(0, mention.start)) ? listedBefore(text, mention.start) : 0;
  const parts = listed > 0 ? [listed] : [...callsByTool(index.results)].flatMap(([tool, calls]) => (isTold(tool, context) ? [calls] : []));
  for (const part of parts) {
    const whole = value + part;
    const formula = `${whole} - ${part} ${listed > 0 ? 'listed' : 'looked at'}`;
    const counted = wholeOf(whole, { index, context });
    if (counted) return { formula, entries: [counted] };
    if (listed > 0 && isToldBefore(whole, mention, { text, mentions })) return { formula, entries: [] };
  }
  return undefined;
}

function countIn({ readings, unit }: NumberMention): number | undefined {
  const [reading] = readings;
  return unit === undefined && reading?.decimals === 0 && reading.value > 0 ? reading.value : undefined;
}

/** How many items of an enumeration stand in front of its last "and"; commas within brackets part nothing. */
function listedBefore(text: string, end: number): number {
  let depth = 0;
  let items = 1;
  for (let at = end - 1; at >= 0; at--) {
    const mark = text[at] ?? '';
    if (')]}'.includes(mark)) depth++;
    else if ('([{'.includes(mark) && --depth < 0) break;
    else if (depth === 0 && (mark === '\n' || (/[;:.]/.test(mark) && /\s/.test(text[at + 1] ?? '')))) break;
    else if (depth === 0 && mark === ',' && /\s/.test(text[at + 1] ?? '')) items++;
  }
  return items;
}

/** The count of a list, in the results that the sentence cites if it does. */
function wholeOf(whole: number, { index, context: { cited, citedBeside } }: Setting): Entry | undefined {
  const ids = [...cited, ...citedBeside];
  return (index.numbers.get(String(whole)) ?? []).find(
    ({ origin, result, path }) => (origin === 'list' || path === 'total') && (ids.length === 0 || isCitedBy(index.results[result], ids)),
  );
}

function isToldBefore(
  whole: number,
  { start }: Mention,
  { text, mentions }: { readonly text: string; readonly mentions: readonly Mention[] },
): boolean {
  return mentions.some(
    (other) => other.kind === 'number' && other.end <= start && countIn(other) === whole && !/[.!?\n]\s/.test(text.slice(other.end, start)),
  );
}
