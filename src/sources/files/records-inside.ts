import { decodeText } from './decode-text.ts';
import { type JsonOutline, JsonOutliner, type OutlinedList, type OutlinedObject } from './outline-json.ts';
import { splitList } from './parse-json-item.ts';
import type { JsonFile } from './scan-json.ts';

/** A list of records that an object of a file wraps, as answers of services and exports do. */
export interface RecordsInside {
  /** Keys on the way to the list: `response.results`. */
  readonly at: string;
  /** Where the list stands in the decoded text, and the line on which it begins. */
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly count: number;
  /** Names of the columns, where the records are lists and another list of the file names their values. */
  readonly names: readonly string[] | undefined;
  /** Keys beside the list that hold plain values, and those values. */
  readonly beside: readonly (readonly [string, string])[];
}

const DEEPEST = 3;
/** A list under another name is the file's content when it is most of it. */
const MOST_OF_IT = 0.6;
const ENVELOPE =
  /^(?:data|results?|items|records|rows|entries|hits|features|events|content|list|objects|documents|elements|response|payload|value|values)$/i;
const NAMES = /^(?:columns?|cols|fields|headers?|names|schema|column_?names|field_?names|keys)$/i;
const MOST_NAMES = 2000;

/** The one list of records in a file's only object; undefined where there is none or several could be meant. */
export async function findRecords(file: JsonFile): Promise<RecordsInside | undefined> {
  const outliner = new JsonOutliner();
  for await (const text of decodeText(file, file.encoding)) if (!outliner.feed(text)) return undefined;
  const outline = outliner.result;
  const found = outline && chooseList(outline);
  if (!outline || !found) return undefined;
  const { list, object, beside } = found;
  const names = list.lists > 0 ? await readNames(file, outline) : undefined;
  const { start, end, line } = list;
  return { at: [...object.path, list.key].join('.'), start, end, line, count: list.objects + list.lists, names, beside };
}

interface FoundList {
  readonly list: OutlinedList;
  readonly object: OutlinedObject;
  readonly beside: readonly [string, string][];
}

function chooseList({ objects, characters }: JsonOutline): FoundList | undefined {
  for (let depth = 0; depth < DEEPEST; depth++) {
    const level = objects.filter(({ path }) => path.length === depth);
    const all = level.flatMap((object) => object.lists.map((list) => ({ list, object })));
    const ofObjects = all.filter(({ list }) => isOfObjects(list));
    const hasNames = all.some(({ list }) => NAMES.test(list.key));
    const ofLists = all.filter(({ list }) => isOfLists(list, hasNames));
    // What names columns is the content only where nothing else is.
    const unnamed = ofObjects.filter(({ list }) => !NAMES.test(list.key) || ENVELOPE.test(list.key));
    const lists = [unnamed, ofLists, ofObjects].find(({ length }) => length > 0) ?? [];
    if (lists.length > 1) return undefined;
    const [only] = lists;
    if (!only) continue;
    const { key, start, end } = only.list;
    const isContent = ENVELOPE.test(key) || end - start >= characters * MOST_OF_IT;
    return isContent ? { ...only, beside: level.flatMap(({ plain }) => plain) } : undefined;
  }
  return undefined;
}

function isOfObjects({ key, objects, lists, others }: OutlinedList): boolean {
  return lists === 0 && others === 0 && (objects > 1 || (objects === 1 && ENVELOPE.test(key)));
}

function isOfLists({ key, objects, lists, others }: OutlinedList, hasNames: boolean): boolean {
  return objects === 0 && others === 0 && lists > 0 && (hasNames || (ENVELOPE.test(key) && lists > 1));
}

/** The list that names columns: of texts, or of objects with a name. */
async function readNames(file: JsonFile, { objects }: JsonOutline): Promise<readonly string[] | undefined> {
  const list = objects
    .flatMap(({ lists }) => lists)
    .find(({ key, lists, objects: records, others }) => NAMES.test(key) && lists === 0 && records + others <= MOST_NAMES);
  if (!list) return undefined;
  const values = splitList(await readSlice(file, list));
  const names = values.flatMap(({ kind, text }) => (kind === 'string' ? [text] : kind === 'nested' ? nameOf(text) : []));
  return names.length === values.length ? names : undefined;
}

function nameOf(text: string): string[] {
  const { name } = JSON.parse(text) as { name?: unknown };
  return typeof name === 'string' ? [name] : [];
}

async function readSlice(file: JsonFile, place: { readonly start: number; readonly end: number }): Promise<string> {
  let slice = '';
  for await (const piece of slicesOf(file, place)) slice += piece;
  return slice;
}

/** The pieces of a file's decoded text between two places. */
export async function* slicesOf(file: JsonFile, { start, end }: { readonly start: number; readonly end: number }): AsyncGenerator<string> {
  let offset = 0;
  for await (const text of decodeText(file, file.encoding)) {
    const piece = text.slice(Math.max(0, start - offset), Math.max(0, end - offset));
    offset += text.length;
    yield piece;
    if (offset >= end) return;
  }
}
