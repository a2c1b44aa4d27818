import { extended, isIdentifying, namesOf, namesOfArguments, unique, wordsOfToken } from './item-names.ts';
import { meaningsOfField, meaningsOfName } from './label-words.ts';
import type { GroundingResult, Label } from './result-index.ts';

/** What stands around a place of a result, and so names what it holds. */
export interface Around {
  readonly path: string;
  readonly key: string;
  readonly parent: readonly string[];
  /** Words of the names of the item above. */
  readonly title: readonly string[];
  readonly identifies: boolean;
  readonly isGroup: boolean;
  readonly above: readonly string[];
  readonly aboveNames: readonly string[];
  readonly names: readonly string[];
  readonly nameWords: readonly string[];
  readonly item: number;
  readonly list: string;
}

/** What stands around the whole result. */
export function rootOf(result: GroundingResult, item: number): Around {
  const called = namesOfArguments(result.arguments);
  return {
    path: '',
    key: '',
    parent: [],
    title: [],
    identifies: false,
    isGroup: false,
    above: unique([...meaningsOfName(result.tool), ...called.flatMap(wordsOfToken)]),
    aboveNames: called,
    names: [],
    nameWords: [],
    item,
    list: '',
  };
}

/** What a value there is called. */
export function labelOf(tool: string, around: Around): Label {
  return {
    key: [...keyOf(around)],
    parent: around.parent,
    identifies: isIdentifying(around.key) || around.identifies,
    isGroup: around.isGroup,
    names: around.names,
    nameWords: around.nameWords,
    above: around.above,
    aboveNames: around.aboveNames,
    item: around.item,
    list: `${tool}:${around.list}.${around.key}`,
  };
}

/** What stands around the fields of an item. */
export function belowItem(fields: Readonly<Record<string, unknown>>, around: Around, item: number): Around {
  const names = namesOf(Object.entries(fields));
  return {
    ...around,
    parent: isPlainList(around) ? around.parent : keyOf(around),
    title: around.nameWords.length > 0 ? around.nameWords.slice(0, 6) : around.title,
    above: extended(around.above, [...meaningsOfName(around.key), ...around.nameWords]),
    aboveNames: extended(around.aboveNames, around.names),
    names,
    nameWords: unique(names.flatMap(wordsOfToken)),
    item,
    list: around.path.replace(/\[\d+\]/g, '[]'),
  };
}

/** What says nothing of its items; an object that is called so is no list. */
function isPlainList({ key, path }: Around): boolean {
  return /^(?:data)?$/.test(key) || (path.endsWith(']') && /^(?:items|rows|values)$/.test(key));
}

/** The field's own words; one that only names a unit is called as what it stands in. */
function keyOf({ key, parent, title }: Pick<Around, 'key' | 'parent' | 'title'>): readonly string[] {
  const own = meaningsOfField(key);
  if (own.length > 0) return own;
  return key === 'value' && title.length > 0 ? title : parent;
}
