import type { Entry, GroundingResult, NamePlace, ResultIndex, TextPlace } from './result-index.ts';
import { secondsIn } from './units.ts';

/** The index of all entries: by number, value, span, date, clock time, item, list and name. */
export function makeIndex(
  results: readonly GroundingResult[],
  entries: readonly Entry[],
  { names, texts }: { readonly names: Map<string, NamePlace>; readonly texts: TextPlace[][] },
): ResultIndex {
  const numbers = new Map<string, Entry[]>();
  const dates = new Map<string, Entry[]>();
  const clocks = new Map<string, Entry[]>();
  const byItem = new Map<number, Entry[]>();
  const lists = new Map<string, Entry[]>();
  const spread = new Map<string, number>();
  for (const entry of entries) {
    if (entry.kind === 'number') push(numbers, entry.exact, entry);
    if (entry.moment?.date !== undefined) push(dates, entry.moment.date, entry);
    if (entry.moment?.time !== undefined) push(clocks, entry.moment.time.slice(0, 5), entry);
    if (entry.origin === 'field') {
      push(byItem, entry.label.item, entry);
      push(lists, entry.label.list, entry);
    } else if (entry.origin === 'text') push(lists, entry.label.list, entry);
    for (const token of entry.label.key) spread.set(token, (spread.get(token) ?? 0) + 1);
  }
  const sorted = entries.filter((entry) => entry.kind === 'number').sort((left, right) => left.value - right.value);
  const spans = entries
    .filter((entry) => entry.kind === 'span' || secondsIn(entry.unit) !== undefined)
    .map((entry) => ({ entry, seconds: secondsOf(entry) }))
    .sort((left, right) => left.seconds - right.seconds)
    .map(({ entry }) => entry);
  const distinct = differentIn(sorted);
  return {
    results,
    numbers,
    sorted,
    spans,
    dates,
    clocks,
    items: byItem,
    lists,
    named: byName(lists),
    called: byCalled(entries),
    itemsNamed: byItemName(byItem),
    names,
    texts,
    spread,
    distinct,
    valuesOf: byResult(sorted),
  };
}

function differentIn(entries: readonly Entry[]): Float64Array {
  return Float64Array.from(new Set(entries.map(({ value }) => value))).sort();
}

function byResult(sorted: readonly Entry[]): ResultIndex['valuesOf'] {
  const made = new Map<number, Float64Array>();
  return (place) => {
    const values = made.get(place) ?? differentIn(sorted.filter(({ result }) => result === place));
    made.set(place, values);
    return values;
  };
}

/** Entries by each name of their items, list by list. */
function byName(lists: ReadonlyMap<string, readonly Entry[]>): ResultIndex['named'] {
  const made = new Map<string, Map<string, Entry[]>>();
  return (list) => {
    const known = made.get(list);
    if (known) return known;
    const names = new Map<string, Entry[]>();
    for (const entry of lists.get(list) ?? [])
      for (const name of [...entry.label.names, ...entry.label.aboveNames]) push(names, name, entry);
    made.set(list, names);
    return names;
  };
}

/** Entries by each word of their field, list by list; how often a value is there is no field of its own. */
function byCalled(entries: readonly Entry[]): ResultIndex['called'] {
  let made: Map<string, Map<string, Entry[]>> | undefined;
  return (token) => {
    if (!made) {
      made = new Map();
      for (const entry of entries)
        if (entry.origin === 'field' || (entry.origin === 'list' && !entry.label.isGroup))
          for (const word of entry.label.key) {
            const lists = made.get(word) ?? new Map<string, Entry[]>();
            made.set(word, lists);
            push(lists, entry.label.list, entry);
          }
    }
    return made.get(token) ?? NONE;
  };
}

function byItemName(items: ReadonlyMap<number, readonly Entry[]>): ResultIndex['itemsNamed'] {
  let made: Map<string, number[]> | undefined;
  return (name) => {
    if (!made) {
      made = new Map();
      for (const [item, entries] of items) {
        for (const own of new Set(entries.flatMap(({ label }) => label.names))) push(made, own, item);
      }
    }
    return made.get(name) ?? [];
  };
}

const NONE: ReadonlyMap<string, readonly Entry[]> = new Map();

function push<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

/** The length of a span in seconds, whatever it is measured in. */
export function secondsOf(entry: Entry): number {
  return entry.kind === 'span' ? entry.value : entry.value * (secondsIn(entry.unit) ?? 1);
}
