import type { ColumnChange, ColumnFacts } from './diff-columns.ts';

const KEYS_NAMED = 5;

/** The change of a column whose values are JSON objects or lists in one of two tables, or objects of other keys. */
export function diffJson(a: ColumnFacts, b: ColumnFacts): ColumnChange | undefined {
  const [before, after] = [formOf(a), formOf(b)];
  if (before === undefined || after === undefined || (a.json === undefined && b.json === undefined)) return undefined;
  if (before !== after)
    return {
      kind: 'retyped',
      from: a.name,
      to: b.name,
      evidence: `${describeForm(a)} become ${describeForm(b)}`,
      detail: `${before}>${after}`,
    };
  return diffKeys(a, b);
}

/** Keys of which most differ from table to table are data, as in maps: then none is named. */
function diffKeys(a: ColumnFacts, b: ColumnFacts): ColumnChange | undefined {
  const [before, after] = [a.json?.keys, b.json?.keys];
  if (before === undefined || after === undefined) return undefined;
  const gone = before.filter((key) => !after.includes(key));
  const added = after.filter((key) => !before.includes(key));
  if (gone.length + added.length === 0 || isMap(before, after)) return undefined;
  const named = (keys: readonly string[]): string =>
    `${keys
      .slice(0, KEYS_NAMED)
      .map((key) => `"${key.slice(0, 40)}"`)
      .join(', ')}${keys.length > KEYS_NAMED ? ` and ${keys.length - KEYS_NAMED} more` : ''}`;
  const told = [...(gone.length > 0 ? [`without ${named(gone)}`] : []), ...(added.length > 0 ? [`with ${named(added)}`] : [])];
  return {
    kind: 'retyped',
    from: a.name,
    to: b.name,
    evidence: `JSON objects of other keys: ${told.join(', ')}`,
    detail: JSON.stringify([gone, added]),
  };
}

const MAP_KEYS = 20;

function isMap(before: readonly string[], after: readonly string[]): boolean {
  const kept = before.filter((key) => after.includes(key)).length;
  return Math.min(before.length, after.length) > MAP_KEYS && kept < Math.max(before.length, after.length) / 2;
}

/** Undefined where nothing is filled, which could become anything. */
function formOf({ json, filled }: ColumnFacts): string | undefined {
  if (!filled) return undefined;
  const { objects, lists } = json ?? { objects: 0, lists: 0 };
  const forms = [objects > 0 && 'objects', lists > 0 && 'lists', objects + lists < filled && 'plain'].filter((form) => form !== false);
  return forms.join('+');
}

function describeForm({ type, json, filled = 0 }: ColumnFacts): string {
  const { objects, lists } = json ?? { objects: 0, lists: 0 };
  const plain = filled - objects - lists;
  if (plain === filled) return `${filled} plain values (${type})`;
  const parts = [
    ...(plain > 0 ? [`${plain} plain values`] : []),
    ...(objects > 0 ? [`${objects} JSON objects`] : []),
    ...(lists > 0 ? [`${lists} JSON lists`] : []),
  ];
  return parts.join(' and ');
}
