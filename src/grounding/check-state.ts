import { meaningsOf } from './label-words.ts';
import type { Match } from './match-figure.ts';
import type { Context } from './read-context.ts';
import type { ResultIndex } from './result-index.ts';

const STATE = /^(.*)\[(\d+)\]\.(?:\w+_)?(?:state|status|outcome)$/i;
const ITEM = /^(.*)\[(\d+)\](?:\.[^[\]]*)?$/;
/** So many words right at a figure can say in which state that is which it is told of: "the failed run took 90 s". */
const WORDS_NEAR = 4;
const JOINS = /\s(?:and|but|while|whereas|und|aber|während)\s/i;
const TURNED = /^(?:not|no|never|non|un|than|after|before|since|until|nicht|kein\w*|vor|nach|als)$/i;

/** The readings whose item is in the state that the words right before the figure say, where they say one that its neighbours are in. */
export function withoutWrongState(matches: readonly Match[], { before, behind }: Context, index: ResultIndex): readonly Match[] {
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
    const states = statesIn(list, entry.result, index);
    const isIn = (words: ReadonlySet<string>, state: string): boolean => meaningsOf(state).some((word) => words.has(word));
    const own = states.get(place);
    return own === undefined || isIn(said, own) || isIn(saidBehind, own) || ![...states.values()].some((state) => isIn(said, state));
  });
}

function meaningsOfAll(words: readonly string[]): ReadonlySet<string> {
  return new Set(words.flatMap((word) => meaningsOf(word.toLowerCase())));
}

/** The states of a list's items by their place. */
function statesIn(list: string, result: number, { texts }: ResultIndex): Map<string, string> {
  const states = new Map<string, string>();
  for (const { text, path } of texts[result] ?? []) {
    const [, held, place = ''] = STATE.exec(path) ?? [];
    if (held === list) states.set(place, text);
  }
  return states;
}
