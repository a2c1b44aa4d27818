import { type Around, belowItem, labelOf, rootOf } from './around.ts';
import type { Collector } from './collect-entries.ts';
import { constantNames } from './constant-query.ts';
import { extended, namesOf, unique, wordsOfToken } from './item-names.ts';
import { meaningsOfName } from './label-words.ts';
import { nameToken } from './name-token.ts';
import type { GroundingResult } from './result-index.ts';
import { isStatistic } from './units.ts';

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

/** One result on the way to the collector. */
interface Walk {
  readonly collector: Collector;
  readonly place: number;
  readonly result: GroundingResult;
  /** What `total` and `returned` of the envelope count. */
  readonly counted: string;
  /** Columns that the query set itself. */
  readonly constants: ReadonlySet<string>;
}

/** Walks one result and the arguments of its call; what it finds goes to the collector with its label. */
export function walkResult(value: unknown, { collector, place, result }: Omit<Walk, 'constants' | 'counted'>): void {
  const walk: Walk = { collector, place, result, counted: countedBy(value, result.tool), constants: constantNames(result.arguments) };
  const root = rootOf(result, collector.nextItem());
  visit(walk, value, root);
  takeArguments(walk, root);
}

/** Lists of what a tool was asked to find, which are counted as anything that the tool is called after. */
const FOUND_LIST = /^(?:matches|hits|found|lines|records)$/;
const PLAIN_LIST = /^(?:items|rows|data|values|results)$/;

/**
 * The envelope counts the list that has so many entries. One of a name of its own is counted by that name; other lists hold
 * rows, or what the tool is called after, unless the result has a field `rows` beside, which tells of something else.
 */
function countedBy(value: unknown, tool: string): string {
  const { returned, data } = (value ?? {}) as { readonly returned?: unknown; readonly data?: unknown };
  if (data === null || typeof data !== 'object') return `${tool} rows`;
  const [list] = Object.entries(data).find(([, child]) => Array.isArray(child) && child.length === returned) ?? [];
  if (list !== undefined && FOUND_LIST.test(list)) return `${tool} ${list} rows`;
  if (list !== undefined && !PLAIN_LIST.test(list)) return list;
  return typeof (data as { readonly rows?: unknown }).rows === 'number' ? tool : `${tool} rows`;
}

function takeArguments(walk: Walk, root: Around): void {
  for (const [key, value] of Object.entries(walk.result.arguments))
    if (value === null || typeof value !== 'object')
      walk.collector.takeArgument(value, {
        label: labelOf(walk.result.tool, { ...root, key }),
        key,
        result: walk.place,
        path: `arguments.${key}`,
      });
}

function leaf(walk: Walk, value: unknown, around: Around): void {
  const { collector, constants, place } = walk;
  if (constants.has(around.key.toLowerCase())) return;
  const key = around.path === 'total' || around.path === 'returned' ? walk.counted : around.key;
  collector.take(value, { label: labelOf(walk.result.tool, { ...around, key }), key: measured(around), result: place, path: around.path });
}

/** `task_s.median` is measured as what it stands in. */
function measured({ key, path }: Around): string {
  if (!isStatistic(key)) return key;
  return /([^.[\]]+)(?:\[\d+\])?\.[^.]+$/.exec(path)?.[1] ?? key;
}

function visit(walk: Walk, value: unknown, around: Around): void {
  if (Array.isArray(value)) visitList(walk, value, around);
  else if (value !== null && typeof value === 'object') visitItem(walk, value as Record<string, unknown>, around);
  else leaf(walk, value, around);
}

function visitItem(walk: Walk, item: Readonly<Record<string, unknown>>, around: Around): void {
  const rows = tableOf(item);
  const below = belowItem(item, around, walk.collector.nextItem());
  for (const [key, child] of Object.entries(item)) {
    if (around.path === '' && SILENT_FIELDS.has(key)) continue;
    if (key === 'elapsed_ms' || (rows && key === 'columns')) continue;
    const inside: Around = { ...below, key, path: around.path === '' ? key : `${around.path}.${key}` };
    if (rows && key === 'rows') visitRows(walk, rows, inside);
    else if (/\d|\s/.test(key))
      visit(walk, child, {
        ...inside,
        names: [...below.names, nameToken(key)],
        nameWords: extended(below.nameWords, meaningsOfName(key)),
      });
    else visit(walk, child, inside);
  }
}

function visitList(walk: Walk, list: readonly unknown[], around: Around): void {
  if (isWhole(walk)) {
    walk.collector.count(list.length, { label: labelOf(walk.result.tool, around), key: around.key, result: walk.place, path: around.path });
    countGroups(walk, list, around);
  }
  for (const [at, child] of list.entries()) {
    const path = `${around.path}[${at}]`;
    if (isCountedValue(child)) visitCounted(walk, child, { ...around, path });
    else visit(walk, child, { ...around, path });
  }
}

function isWhole({ result }: Walk): boolean {
  return result.complete || result.whole !== undefined;
}

/** A value and how often it is there, as a list of two. */
function visitCounted(walk: Walk, [value, count]: readonly [unknown, number], around: Around): void {
  leaf(walk, value, { ...around, identifies: true });
  const name = typeof value === 'number' ? `=#${value}` : nameToken(String(value));
  leaf(walk, count, {
    ...around,
    isGroup: true,
    key: 'count rows',
    path: `${around.path}[1]`,
    names: [name],
    nameWords: wordsOfToken(name),
    aboveNames: extended(around.aboveNames, around.names),
    item: walk.collector.nextItem(),
  });
}

/** How many items of a list hold the same short text in the same field: failed runs, warnings. */
function countGroups(walk: Walk, list: readonly unknown[], around: Around): void {
  const groups = groupsOf(list);
  if (groups.size > MOST_GROUPS) return;
  for (const [group, count] of groups) {
    if (count < 2 && !/^(?:state|status|type|kind|level|outcome)=/.test(group)) continue;
    const name = group.slice(group.indexOf('=') + 1);
    walk.collector.count(count, {
      label: { ...labelOf(walk.result.tool, around), isGroup: true, names: [nameToken(name)], nameWords: meaningsOfName(name) },
      key: around.key,
      result: walk.place,
      path: `${around.path}[${group}]`,
    });
  }
}

function groupsOf(list: readonly unknown[]): Map<string, number> {
  const groups = new Map<string, number>();
  for (const child of list) {
    if (child === null || typeof child !== 'object' || Array.isArray(child)) continue;
    for (const [key, value] of Object.entries(child))
      if (typeof value === 'string' && value.length <= 40 && !/^[\d.+-]+$/.test(value) && groups.size < MOST_GROUPS * 4)
        groups.set(`${key}=${value}`, (groups.get(`${key}=${value}`) ?? 0) + 1);
  }
  return groups;
}

function visitRows(walk: Walk, { columns, rows }: Table, around: Around): void {
  if (isWhole(walk))
    walk.collector.count(rows.length, { label: labelOf(walk.result.tool, around), key: 'rows', result: walk.place, path: around.path });
  for (const [at, row] of rows.entries()) {
    const names = namesOf(columns.map((column, place) => [place === 0 ? `${column} id` : column, row[place]]));
    const item = walk.collector.nextItem();
    const nameWords = unique(names.flatMap(wordsOfToken));
    for (const [cell, value] of row.entries()) {
      const key = columns[cell] ?? '';
      const path = `${around.path}[${at}].${key || cell}`;
      visit(walk, value, { ...around, key, path, names, nameWords, item, list: `${around.path}[]` });
    }
  }
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
