import { isCitedBy } from './cited-for.ts';
import { countUntouched, isTold } from './count-untouched.ts';
import type { Derivation } from './derive-figure.ts';
import type { Mention, NumberMention } from './mention.ts';
import type { Context } from './read-context.ts';
import type { Entry, GroundingResult, ResultIndex } from './result-index.ts';
import { saysNear } from './score-label.ts';
import { sentenceAround } from './sentence-around.ts';

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

function callsByTool(results: readonly GroundingResult[]): Map<string, number> {
  const calls = new Map<string, Set<string>>();
  for (const { tool, arguments: input, informative } of results)
    if (informative) calls.set(tool, (calls.get(tool) ?? new Set()).add(JSON.stringify(input)));
  return new Map([...calls].map(([tool, inputs]) => [tool, inputs.size]));
}

const MORE = /^\s+(?:more|others?|further|weitere)\b/i;

/**
 * "`a`, `b` and 7 more": with what is listed in front it makes up a whole that the sentence tells, or that a result has
 * counted of a list which holds all that is listed; or with that the rest of a list that no call was made for. "22 more tables were not profiled": with the calls or the children that there were.
 */
export function countMore(
  mention: NumberMention,
  text: string,
  { index, context, mentions }: Setting & { readonly mentions: readonly Mention[] },
): Derivation | undefined {
  const value = countIn(mention);
  if (value === undefined || !MORE.test(text.slice(mention.end))) return undefined;
  if (!/\s(?:and|und)\s+$/.test(text.slice(0, mention.start))) return countUnseen(value, { index, context });
  for (const items of listedBefore(text, mention.start)) {
    const whole = value + items.length;
    const formula = `${whole} - ${items.length} listed`;
    const counted = countsIn(whole, { index, context }).find((entry) => holdsAll(items, entry, index));
    if (counted) return { formula, entries: [counted] };
    if (isToldBefore(whole, mention, { text, mentions })) return { formula, entries: [] };
    const { before, behind } = sentenceAround(mention, text);
    const untouched = countUntouched(value, items, { index, context, sentence: before + behind });
    if (untouched) return untouched;
  }
  return undefined;
}

function countUnseen(value: number, setting: Setting): Derivation | undefined {
  const { index, context } = setting;
  const children = new Set(index.results.flatMap(({ through }) => through ?? [])).size;
  const calls = [...callsByTool(index.results)].flatMap(([tool, count]) => (isTold(tool, context) ? [count] : []));
  for (const part of [...calls, children]) {
    const counted =
      part > 0 ? countsIn(value + part, setting).find(({ label }) => saysNear({ ...label, names: [] }, context, NEAR)) : undefined;
    if (counted) return { formula: `${value + part} - ${part} looked at`, entries: [counted] };
  }
  return undefined;
}

function countIn({ readings, unit }: NumberMention): number | undefined {
  const [reading] = readings;
  return unit === undefined && reading?.decimals === 0 && reading.value > 0 ? reading.value : undefined;
}

/** The items of the enumeration in front of an "and", in each of the ways that it may begin; commas within brackets part nothing. */
function listedBefore(text: string, end: number): string[][] {
  const found: string[][] = [];
  const items: string[] = [];
  let depth = 0;
  let last = end;
  let at = end - 1;
  for (; at >= 0; at--) {
    const mark = text[at] ?? '';
    const isSpaced = /\s/.test(text[at + 1] ?? '');
    if (')]}'.includes(mark)) depth++;
    else if ('([{'.includes(mark) && --depth < 0) break;
    else if (depth > 0) continue;
    else if (mark === '\n' || (/[;.]/.test(mark) && isSpaced)) break;
    else if (mark === ':' && isSpaced) found.push([...items, text.slice(at + 1, last)]);
    else if (mark === ',' && isSpaced) {
      items.push(text.slice(at + 1, last));
      last = at;
    }
  }
  return [...found, [...items, text.slice(at + 1, last)]];
}

/** Counts of lists, in the results that the sentence cites if it does. */
function countsIn(whole: number, { index, context: { cited, citedBeside } }: Setting): Entry[] {
  const ids = [...cited, ...citedBeside];
  return (index.numbers.get(String(whole)) ?? []).filter(
    ({ origin, result, path }) =>
      ((origin === 'list' && !path.endsWith(']')) || TOTAL.test(path)) && (ids.length === 0 || isCitedBy(index.results[result], ids)),
  );
}

const TOTAL = /(?:^|\.)total$/;

/** True where the list holds all that is listed, as far as it is told by a name. */
function holdsAll(items: readonly string[], { path, result }: Entry, { texts }: ResultIndex): boolean {
  const list = path === 'total' ? '' : path.replace(TOTAL, '');
  const held = new Set((texts[result] ?? []).flatMap((place) => (place.path.startsWith(list) ? [place.text] : [])));
  return items.every((item) => {
    const codes = [...item.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
    const names = codes.length > 0 ? codes : (/\p{L}[^\s,;()]*/u.exec(item) ?? []);
    return names.some((name) => held.has(name.toLowerCase()));
  });
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
