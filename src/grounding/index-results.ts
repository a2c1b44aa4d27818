import { type Collector, createCollector } from './collect-entries.ts';
import { constantNames } from './constant-query.ts';
import { extended, isIdentifying, namesOf, namesOfArguments, unique, wordsOfToken } from './item-names.ts';
import { meaningsOfField, meaningsOfName } from './label-words.ts';
import { nameToken } from './name-token.ts';
import type { GroundingResult, Label, ResultIndex } from './result-index.ts';

/** Fields that describe the call, not the data. */
const SILENT_FIELDS: ReadonlySet<string> = new Set([
  'id',
  'tool',
  'as_of',
  'elapsed_ms',
  'reference',
  'omitted',
  'again',
  'truncated',
  'status',
]);
const MOST_GROUPS = 60;

/** Reads every result once and answers where which value stands. Text that is not JSON is read as one text. */
export function indexResults(results: readonly GroundingResult[]): ResultIndex {
  const collector = createCollector(results);
  for (const [place, result] of results.entries()) {
    if (!result.informative) continue;
    const value = parse(result.whole ?? result.content);
    const walk = createWalk(collector, place, result);
    walk.envelope(value);
    walk.argumentsOf(result.arguments);
  }
  return collector.finish();
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

interface Around {
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

/** Walks one result; what it finds goes to the collector with its label. */
function createWalk(collector: Collector, place: number, result: GroundingResult) {
  const called = namesOfArguments(result.arguments);
  const constants = constantNames(result.arguments);
  const root: Around = {
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
    item: collector.nextItem(),
    list: '',
  };
  const labelOf = (around: Around, words: readonly string[] = []): Label => ({
    key: [...keyOf(around), ...words],
    parent: around.parent,
    identifies: isIdentifying(around.key) || around.identifies,
    isGroup: around.isGroup,
    names: around.names,
    nameWords: around.nameWords,
    above: around.above,
    aboveNames: around.aboveNames,
    item: around.item,
    list: `${result.tool}:${around.list}.${around.key}`,
  });
  const leaf = (value: unknown, around: Around): void => {
    if (constants.has(around.key.toLowerCase())) return;
    // What the envelope counts is what the tool lists.
    const key = around.path === 'total' || around.path === 'returned' ? `${result.tool} rows` : around.key;
    collector.take(value, { label: labelOf({ ...around, key }), key: around.key, result: place, path: around.path });
  };
  const visit = (value: unknown, around: Around): void => {
    if (Array.isArray(value)) visitList(value, around);
    else if (value !== null && typeof value === 'object') visitItem(value as Record<string, unknown>, around);
    else leaf(value, around);
  };
  const inside = (around: Around, key: string, path: string): Around => ({ ...around, key, path });

  const visitItem = (item: Record<string, unknown>, around: Around): void => {
    const rows = tableOf(item);
    const names = namesOf(Object.entries(item));
    const below: Around = {
      ...around,
      parent: /^(?:data|items|rows|values)?$/.test(around.key) ? around.parent : keyOf(around),
      title: around.nameWords.length > 0 ? around.nameWords.slice(0, 6) : around.title,
      above: extended(around.above, [...meaningsOfName(around.key), ...around.nameWords]),
      aboveNames: extended(around.aboveNames, around.names),
      names,
      nameWords: unique(names.flatMap(wordsOfToken)),
      item: collector.nextItem(),
      list: around.path.replace(/\[\d+\]/g, '[]'),
    };
    for (const [key, child] of Object.entries(item)) {
      if (around.path === '' && SILENT_FIELDS.has(key)) continue;
      if (key === 'elapsed_ms' || (rows && key === 'columns')) continue;
      const path = around.path === '' ? key : `${around.path}.${key}`;
      if (rows && key === 'rows') visitRows(rows, { ...below, key, path });
      else if (/\d|\s/.test(key))
        visit(child, {
          ...inside(below, key, path),
          names: [...below.names, nameToken(key)],
          nameWords: extended(below.nameWords, meaningsOfName(key)),
        });
      else visit(child, inside(below, key, path));
    }
  };
  const visitList = (list: readonly unknown[], around: Around): void => {
    if (result.complete || result.whole !== undefined) {
      collector.count(list.length, { label: labelOf(around), key: around.key, result: place, path: around.path });
      countGroups(list, around);
    }
    for (const [at, child] of list.entries()) {
      const path = `${around.path}[${at}]`;
      if (isCountedValue(child)) visitCounted(child, { ...around, path });
      else visit(child, { ...around, path });
    }
  };
  /** A value and how often it is there, as a list of two. */
  const visitCounted = ([value, count]: readonly [unknown, number], around: Around): void => {
    leaf(value, { ...around, identifies: true });
    const name = typeof value === 'number' ? `=#${value}` : nameToken(String(value));
    leaf(count, {
      ...around,
      isGroup: true,
      key: 'count rows',
      path: `${around.path}[1]`,
      names: [name],
      nameWords: wordsOfToken(name),
      aboveNames: extended(around.aboveNames, around.names),
      item: collector.nextItem(),
    });
  };
  /** How many items of a list hold the same short text in the same field: failed runs, warnings. */
  const countGroups = (list: readonly unknown[], around: Around): void => {
    const groups = new Map<string, number>();
    for (const child of list) {
      if (child === null || typeof child !== 'object' || Array.isArray(child)) continue;
      for (const [key, value] of Object.entries(child))
        if (typeof value === 'string' && value.length <= 40 && !/^[\d.+-]+$/.test(value) && groups.size < MOST_GROUPS * 4)
          groups.set(`${key}=${value}`, (groups.get(`${key}=${value}`) ?? 0) + 1);
    }
    if (groups.size > MOST_GROUPS) return;
    for (const [group, count] of groups)
      if (count > 1 || /^(?:state|status|type|kind|level|outcome)=/.test(group))
        collector.count(count, {
          label: {
            ...labelOf(around),
            isGroup: true,
            names: [nameToken(group.slice(group.indexOf('=') + 1))],
            nameWords: meaningsOfName(group.slice(group.indexOf('=') + 1)),
          },
          key: around.key,
          result: place,
          path: `${around.path}[${group}]`,
        });
  };
  const visitRows = ({ columns, rows }: Table, around: Around): void => {
    if (result.complete || result.whole !== undefined)
      collector.count(rows.length, { label: labelOf(around), key: 'rows', result: place, path: around.path });
    for (const [at, row] of rows.entries()) {
      const names = namesOf(columns.map((column, place) => [place === 0 ? `${column} id` : column, row[place]]));
      const item = collector.nextItem();
      const nameWords = unique(names.flatMap(wordsOfToken));
      for (const [cell, value] of row.entries()) {
        const key = columns[cell] ?? '';
        visit(value, { ...around, key, path: `${around.path}[${at}].${key || cell}`, names, nameWords, item, list: `${around.path}[]` });
      }
    }
  };
  return {
    envelope: (value: unknown) => visit(value, root),
    argumentsOf: (given: Readonly<Record<string, unknown>>) => {
      for (const [key, value] of Object.entries(given))
        if (value === null || typeof value !== 'object')
          collector.takeArgument(value, { label: labelOf({ ...root, key }), key, result: place, path: `arguments.${key}` });
    },
  };
}

function isCountedValue(child: unknown): child is readonly [unknown, number] {
  return (
    Array.isArray(child) &&
    child.length === 2 &&
    (typeof child[0] === 'string' || typeof child[0] === 'number') &&
    typeof child[1] === 'number'
  );
}

interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/** An object that holds rows as lists, with the names of their columns beside. */
function tableOf(item: Readonly<Record<string, unknown>>): Table | undefined {
  const { columns, rows } = item;
  if (!Array.isArray(columns) || !Array.isArray(rows) || !rows.every(Array.isArray)) return undefined;
  const names = columns.map((column: unknown) =>
    typeof column === 'string' ? column : String((column as { name?: unknown } | null)?.name ?? ''),
  );
  return { columns: names, rows: rows as unknown[][] };
}

/** The field's own words; one that only names a unit is called as what it stands in. */
function keyOf({ key, parent, title }: Pick<Around, 'key' | 'parent' | 'title'>): readonly string[] {
  const own = meaningsOfField(key);
  if (own.length > 0) return own;
  return key === 'value' && title.length > 0 ? title : parent;
}
