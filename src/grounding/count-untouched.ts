import { isCitedBy } from './cited-for.ts';
import type { Derivation } from './derive-figure.ts';
import { meaningsOfName } from './label-words.ts';
import type { Context } from './read-context.ts';
import type { GroundingResult, ResultIndex } from './result-index.ts';

interface Setting {
  readonly index: ResultIndex;
  readonly context: Context;
}

/** Longer lists are not looked through call by call. */
const MOST_MEMBERS = 2_000;
const NOT_SEEN =
  /\b(?:not|never|nothing|without|nicht|nie|ohne|un(?:checked|covered|examined|profiled|queried|read|seen|tested|touched))\b/i;

/**
 * "Not checked: `a`, `b` and 19 more": with what is listed they are the members of a complete list that no call was made for; no call of a
 * tool, where the words of its name stand near by. None of those listed may be one that a call was made for.
 */
export function countUntouched(
  value: number,
  listed: readonly string[],
  { sentence, index, context }: Setting & { readonly sentence: string },
): Derivation | undefined {
  const names = listed.map(nameIn);
  if (names.length === 0 || names.includes(undefined) || !NOT_SEEN.test(sentence)) return undefined;
  const cited = [...context.cited, ...context.citedBeside];
  for (const [place, result] of index.results.entries()) {
    if (!(result.complete || result.whole !== undefined) || (cited.length > 0 && !isCitedBy(result, cited))) continue;
    for (const { path, members } of listsHolding(names as string[], index.texts[place] ?? [])) {
      const touched = membersCalled(members, index.results, context);
      if (touched.size > 0 && members.size - touched.size === value + names.length && !names.some((name) => touched.has(name as string))) {
        const formula = `${members.size} of ${path} - ${touched.size} looked at - ${names.length} listed`;
        return { formula, entries: (index.numbers.get(String(members.size)) ?? []).filter((entry) => entry.result === place).slice(0, 1) };
      }
    }
  }
  return undefined;
}

function nameIn(item: string): string | undefined {
  const codes = [...item.matchAll(/`([^`]+)`/g)];
  return codes.length === 1 ? codes[0]?.[1]?.toLowerCase() : undefined;
}

/** The fields of lists whose values, all different, hold every name. */
function* listsHolding(
  [first = '', ...others]: readonly string[],
  texts: ResultIndex['texts'][number],
): Generator<{ readonly path: string; readonly members: ReadonlySet<string> }> {
  const paths = new Set(texts.flatMap(({ text, path }) => (text === first && path.includes('[') ? [fieldOf(path)] : [])));
  for (const path of paths) {
    const values = texts.flatMap((place) => (fieldOf(place.path) === path ? [place.text] : []));
    const members = new Set(values);
    if (members.size === values.length && members.size <= MOST_MEMBERS && others.every((name) => members.has(name)))
      yield { path, members };
  }
}

function fieldOf(path: string): string {
  return path.replace(/\[\d+\]/g, '[]');
}

function membersCalled(members: ReadonlySet<string>, results: readonly GroundingResult[], context: Context): ReadonlySet<string> {
  const told = results.filter(({ tool }) => isTold(tool, context));
  const calls = (told.length > 0 ? told : results).filter(({ informative }) => informative);
  const texts = calls.map(({ arguments: input }) => JSON.stringify(input).toLowerCase());
  return new Set([...members].filter((member) => texts.some((text) => isNamedIn(text, member))));
}

/** "Not profiled" says of which calls as well. */
const TOLD = 0.6;

/** Whether the words of a tool's name stand near by. */
export function isTold(tool: string, { weights }: Context): boolean {
  return meaningsOfName(tool).every((token) => (weights.get(token) ?? 0) >= TOLD);
}

/** As a whole: `orders` is not named by `raw.orders`, `orders_old` or `orders.csv`. */
function isNamedIn(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const behind = text.slice(at + name.length, at + name.length + 2);
    if (!/[\w./-]$/.test(text.slice(Math.max(0, at - 1), at)) && !/^(?:[\w/-]|\.\w)/.test(behind)) return true;
  }
  return false;
}
