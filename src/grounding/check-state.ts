import { meaningsOf } from './label-words.ts';
import type { Match } from './match-figure.ts';
import type { Context } from './read-context.ts';
import type { ResultIndex, TextPlace } from './result-index.ts';

const STATE = /^(.*)\[(\d+)\]\.(?:\w+_)?(?:state|status|outcome)$/i;
const ITEM = /^(.*)\[(\d+)\](?:\.[^[\]]*)?$/;
/** So many words right at a figure can say in which state that is which it is told of: "the failed run took 90 s". */
const WORDS_NEAR = 4;
const JOINS = /\s(?:and|but|while|whereas|und|aber|während)\s/i;
const TURNED = /^(?:not|no|never|non|un|than|after|before|since|until|nicht|kein\w*|vor|nach|als)$/i;

/** Leaves the readings whose item is in the state that the words right before the figure say, where they say one that its neighbours are in. */
export function createStateCheck({ texts }: ResultIndex): (matches: readonly Match[], context: Context) => readonly Match[] {
  /** Of each result, read when first asked for. */
  const known = new Map<number, ListStates>();
  return (matches, context) =>
    withoutWrongState(matches, context, (result) => {
      const states = known.get(result) ?? statesIn(texts[result] ?? []);
      known.set(result, states);
      return states;
    });
}

/** The states of the items of each list, by the list's path and the item's place. */
type ListStates = ReadonlyMap<string, ReadonlyMap<string, string>>;

function withoutWrongState(
  matches: readonly Match[],
  { before, behind }: Context,
  statesOf: (result: number) => ListStates,
): readonly Match[] {
  if (matches.length === 0) return matches;
  const clause = /[^.,;:()|!?\d\n]*$/.exec(before)?.[0].split(JOINS).at(-1) ?? '';
  const words = clause.trim().split(/\s+/).slice(-WORDS_NEAR);
  if (words.some((word) => TURNED.test(word))) return matches;
  const said = meaningsOfAll(words.map((word) => word.replace(/[`*_]/g, '')));
  if (said.size === 0) return matches;
  const saidBehind = meaningsOfAll((behind.match(/\p{L}+/gu) ?? []).slice(0, WORDS_NEAR));
  return matches.filter(({ entry }) => {
    const [, list, place] = entry.origin === 'field' ? (ITEM.exec(entry.path) ?? []) : [];
    if (list === undefined || place === undefined) return true;
    const states = statesOf(entry.result).get(list);
    const isIn = (words: ReadonlySet<string>, state: string): boolean => meaningsOf(state).some((word) => words.has(word));
    const own = states?.get(place);
    if (!states || own === undefined) return true;
    return isIn(said, own) || isIn(saidBehind, own) || ![...states.values()].some((state) => isIn(said, state));
  });
}

function meaningsOfAll(words: readonly string[]): ReadonlySet<string> {
  return new Set(words.flatMap((word) => meaningsOf(word.toLowerCase())));
}

function statesIn(texts: readonly TextPlace[]): ListStates {
  const lists = new Map<string, Map<string, string>>();
  for (const { text, path } of texts) {
    const [, list, place = ''] = STATE.exec(path) ?? [];
    if (list === undefined) continue;
    const states = lists.get(list) ?? new Map<string, string>();
    lists.set(list, states.set(place, text));
  }
  return lists;
}
