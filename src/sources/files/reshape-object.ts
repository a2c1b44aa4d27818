import type { ToolWarning } from '../../core/tool-result.ts';
import { elementEnds, type JsonRow, type JsonValue, membersOf, parseJsonItem, readJsonValue } from './parse-json-item.ts';

/** An object that holds a table in another form than a list of records. */
export interface ReshapedObject {
  readonly rows: () => Iterable<JsonRow>;
  readonly warning: ToolWarning;
}

const LEAST_ROWS = 3;
const LEAST_COLUMNS = 2;
const KEY_COLUMN = 'key';

/**
 * The table in an object: its columns as lists of one length (`{"id": [1, 2, 3], "n": [4, 5, 6]}`), as objects by row number, or its
 * rows as objects by their keys; also where an object in it is one. Undefined where it holds none.
 */
export function reshapeObject(row: JsonRow): ReshapedObject | undefined {
  const own = fromColumns(row, '') ?? fromMap(row);
  if (own) return own;
  const inner = row.entries.flatMap(([key, { kind, text }]) => {
    const object = kind === 'nested' && text.startsWith('{') ? parseJsonItem(text) : undefined;
    return (object && fromColumns(object, ` under "${key}"`)) ?? [];
  });
  return inner.length === 1 ? inner[0] : undefined;
}

function fromColumns({ entries }: JsonRow, place: string): ReshapedObject | undefined {
  const lists = entries.filter(([, { kind, text }]) => kind === 'nested' && text.startsWith('['));
  if (lists.length < LEAST_COLUMNS || entries.some(([, { kind, text }]) => kind === 'nested' && !text.startsWith('['))) return undefined;
  if (new Set(lists.map(([key]) => key)).size < lists.length) return undefined;
  const counts = lists.map(([, { text }]) => countPlain(text));
  const [count = 0] = counts;
  if (count < LEAST_ROWS || counts.some((other) => other !== count)) return undefined;
  const message = `each of the ${lists.length} columns is a list of ${count} values${place}: row 1 holds the first value of each`;
  return { rows: () => zip(lists.map(([key, { text }]) => [key, text])), warning: { code: 'rows_from_columns', message } };
}

/** Values of a list; none where objects or lists stand among them. */
function countPlain(text: string): number {
  if (/^\[\s*[[{]/.test(text)) return 0;
  let count = 0;
  for (const { start } of elementEnds(text)) {
    if (text[start] === '{' || text[start] === '[') return 0;
    count++;
  }
  return count;
}

function* zip(columns: readonly (readonly [string, string])[]): Generator<JsonRow> {
  const cursors = columns.map(([key, text]) => ({ key, text, ends: elementEnds(text) }));
  for (;;) {
    const entries: [string, JsonValue][] = [];
    for (const { key, text, ends } of cursors) {
      const next = ends.next();
      if (next.done) return;
      entries.push([key, readJsonValue(text.slice(next.value.start, next.value.end).trim())]);
    }
    yield { entries, nonFinite: 0, isObject: true };
  }
}

/** Objects with the same keys: of columns by row number, as pandas writes, or of rows by what identifies them. */
function fromMap({ entries }: JsonRow): ReshapedObject | undefined {
  if (entries.length < LEAST_COLUMNS || entries.some(([, { kind, text }]) => kind !== 'nested' || !text.startsWith('{'))) return undefined;
  const keys = [...membersOf(entries[0]?.[1].text ?? '{}')].map(([key]) => key);
  const isAlike = keys.length > 0 && entries.every(([, { text }]) => hasKeys(text, keys));
  if (!isAlike) return undefined;
  if (keys.length >= LEAST_COLUMNS && keys.every((key, index) => key === String(index))) return fromNumbered(entries, keys.length);
  if (entries.length < LEAST_ROWS || keys.length < LEAST_COLUMNS) return undefined;
  const name = keys.some((key) => key.toLowerCase() === KEY_COLUMN) ? `${KEY_COLUMN}_` : KEY_COLUMN;
  const message = `each of the ${entries.length} rows stands under its key, which is column "${name}"`;
  const rows = function* (): Generator<JsonRow> {
    for (const [key, { text }] of entries)
      yield { entries: [[name, { kind: 'string', text: key, raw: '' }], ...membersOf(text)], nonFinite: 0, isObject: true };
  };
  return { rows, warning: { code: 'rows_from_columns', message } };
}

function hasKeys(object: string, keys: readonly string[]): boolean {
  let at = 0;
  for (const [key] of membersOf(object)) if (key !== keys[at++]) return false;
  return at === keys.length;
}

function fromNumbered(columns: JsonRow['entries'], count: number): ReshapedObject {
  const rows = function* (): Generator<JsonRow> {
    const cursors = columns.map(([key, { text }]) => ({ key, members: membersOf(text) }));
    for (let row = 0; row < count; row++) {
      const entries = cursors.flatMap(({ key, members }): [string, JsonValue][] => {
        const next = members.next();
        return next.done ? [] : [[key, next.value[1]]];
      });
      yield { entries, nonFinite: 0, isObject: true };
    }
  };
  const message = `each of the ${columns.length} columns is an object with the numbers of ${count} rows as keys`;
  return { rows, warning: { code: 'rows_from_columns', message } };
}
