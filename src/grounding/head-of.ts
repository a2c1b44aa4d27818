import { meaningsOfName } from './label-words.ts';
import type { Mention } from './mention.ts';
import { manyOf } from './phrases.ts';
import type { Context } from './read-context.ts';

/** Words that end what a figure counts, or stand before one without naming it. */
const STOP: ReadonlySet<string> = new Set(
  'a an the of in by at for with from and or to on than per as that which who this these those it its their was were is are be been had has have not so but while when before after until since only also again more less fewer each over under into out among between against without where if then there about around nearly almost roughly just took takes ran lasted held became gave was got one two remain remains remained stay stayed und oder von der die das mit im in bei für als pro'.split(
    ' ',
  ),
);
const BEHIND = /^[*_]{0,2}(?:\s+by the(?=\s))?((?:[ \u00a0-]+[`*_]{0,2}[\p{L}_]+[`*_]{0,2}){1,3})/u;
const BEFORE =
  /(?:`([^`\n]+)`|([\p{L}_][\p{L}\p{N}_.]*))(?:=|[*_]{0,2}\s+)(?<others>(?:\d+(?:,\s+|,?\s+(?:and|und|&|or)\s+))*)[*_`"]{0,2}$/u;

/** "a median of 12". */
const OF = /\b(median|average|mean|maximum|minimum|sum|total|baseline)\s+(?:of|von)\s+(?:about\s+|only\s+)?$/i;

/** What stands directly at a figure and names it; it leads where it stands in front, as in "line 7". */
export interface Head {
  readonly words: readonly string[];
  readonly leads: boolean;
}

const NO_HEAD: Head = { words: [], leads: false };

/** The meanings of the words that stand directly at a figure and say what it is: "5 `attempts`", "exact copies", else "line 7". */
export function headOf(mention: Mention, { before, behind, heads }: Context): Head {
  if (mention.kind === 'number' && mention.label !== undefined) return NO_HEAD;
  if (heads.length > 0) return { words: heads, leads: false };
  const many = manyOf(behind);
  if (many.length > 0) return { words: many, leads: false };
  const words: string[] = [];
  for (const word of (BEHIND.exec(behind)?.[1] ?? '').trim().split(/[\s\u00a0-]+/)) {
    const bare = word.replace(/[`*_]/g, '');
    if (bare === '' || STOP.has(bare)) break;
    words.push(word);
  }
  if (words.length > 0) return { words: words.flatMap(meaningsOfName), leads: false };
  const [, statistic] = OF.exec(before) ?? [];
  if (statistic !== undefined) return { words: meaningsOfName(statistic), leads: true };
  const [, code, plain, others] = BEFORE.exec(before) ?? [];
  const word = code ?? plain;
  // "231 missing rows 181 are": a plural belongs to the figure before it.
  return word === undefined || STOP.has(word) || (code === undefined && !others && /[^s]s$/.test(word))
    ? NO_HEAD
    : { words: meaningsOfName(word), leads: true };
}
