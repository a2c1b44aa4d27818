import type { ToolWarning } from '../../core/tool-result.ts';
import { judgeHeader } from './judge-header.ts';
import { type JsonRow, type JsonValue, splitList, VALUE_COLUMN } from './parse-json-item.ts';
import type { JsonRowAt } from './scan-json.ts';
import { SURPLUS_COLUMN } from './table-plan.ts';

const JUDGED = 100;

/** Rows in order, lists among them made into rows with a column for each value. */
export interface ListRows {
  add(at: JsonRowAt): void;
  /** To be called behind the last row; answers what was done. */
  end(): readonly ToolWarning[];
}

interface ListAt {
  readonly at: JsonRowAt;
  readonly values: readonly JsonValue[];
}

/**
 * Passes rows on. Where all of the first ones are lists of one width, each list is a row of its values; the columns have the given
 * names, or those in the first list where it looks like a header, or are numbered.
 */
export function openListRows(onRow: (at: JsonRowAt) => void, given?: readonly string[]): ListRows {
  let waiting: ListAt[] | undefined = [];
  let names: readonly string[] | undefined;
  const done = { short: 0, long: 0, header: false };
  const pass = ({ at, values }: ListAt): void => {
    if (names === undefined) {
      onRow(at);
      return;
    }
    if (values.length < names.length) done.short++;
    if (values.length > names.length) done.long++;
    const entries = names.flatMap((name, index): [string, JsonValue][] => {
      const value = values[index];
      return value ? [[name, value]] : [];
    });
    const surplus = values.slice(names.length).map(({ raw }) => raw);
    if (surplus.length > 0) entries.push([SURPLUS_COLUMN, { kind: 'nested', text: `[${surplus.join(',')}]`, raw: '' }]);
    onRow({ ...at, row: { ...at.row, entries } });
  };
  const decide = (): void => {
    const first = waiting ?? [];
    waiting = undefined;
    const shape = shapeOf(
      first.map(({ values }) => values),
      given,
    );
    names = shape?.names;
    done.header = shape?.header === true;
    for (const one of done.header ? first.slice(1) : first) pass(one);
  };
  return {
    add(at) {
      const values = listOf(at.row);
      if (waiting && values) {
        waiting.push({ at, values });
        if (waiting.length >= JUDGED) decide();
        return;
      }
      if (waiting) decide();
      if (values) pass({ at, values });
      else onRow(at);
    },
    end() {
      if (waiting && waiting.length > 0) decide();
      return names ? warningsOf(names.length, done) : [];
    },
  };

  function warningsOf(width: number, { short, long, header }: typeof done): ToolWarning[] {
    const from = given
      ? 'another list of the file names the columns'
      : header
        ? 'the first list names the columns'
        : 'the columns are numbered';
    return [
      { code: 'rows_from_lists', message: `each row is a list of ${width} values; ${from}` },
      ...(short > 0 ? [{ code: 'short_rows', message: `${short} rows have fewer than ${width} values; what is missing is NULL` }] : []),
      ...(long > 0
        ? [{ code: 'long_rows', message: `${long} rows have more than ${width} values; these are kept in ${SURPLUS_COLUMN}` }]
        : []),
    ];
  }
}

function listOf({ isObject, entries }: JsonRow): readonly JsonValue[] | undefined {
  const [first] = entries;
  if (isObject || first?.[0] !== VALUE_COLUMN || !first[1].text.startsWith('[') || first[1].kind !== 'nested') return undefined;
  return splitList(first[1].text);
}

function shapeOf(
  rows: readonly (readonly JsonValue[])[],
  given: readonly string[] | undefined,
): { readonly names: readonly string[]; readonly header: boolean } | undefined {
  const [first = []] = rows;
  if (given && given.length >= first.length && given.length > 0) return { names: given, header: false };
  const body = rows.slice(1);
  const widths = new Map<number, number>();
  for (const { length } of rows) widths.set(length, (widths.get(length) ?? 0) + 1);
  const [usual = 0, times = 0] = [...widths].sort((left, right) => right[1] - left[1])[0] ?? [];
  // Some services leave out the empty values at the end of a row.
  const isWidest = rows.every(({ length }) => length <= first.length) && first.every(({ kind }) => kind === 'string');
  const width = isWidest ? first.length : usual;
  if (rows.length < 2 || width < 2 || (!isWidest && times < rows.length * 0.8)) return undefined;
  if (rows.some((row) => row.some(({ kind, text }) => kind === 'nested' && text.startsWith('[')))) return undefined;
  const texts = first.map(({ text }) => text);
  const couldName =
    first.length === width && first.every(({ kind, text }) => kind === 'string' && text.trim() !== '') && new Set(texts).size === width;
  const header = couldName && (hasTypedColumn(body, width) || judgeHeader(record(first), body.map(record), width).header);
  return { names: header ? texts : Array.from({ length: width }, (_, index) => `column${index + 1}`), header };
}

/** A column whose values are no texts, under a text. */
function hasTypedColumn(body: readonly (readonly JsonValue[])[], width: number): boolean {
  return Array.from({ length: width }, (_, index) => body.map((row) => row[index]?.kind ?? 'null')).some(
    (kinds) => kinds.some((kind) => kind !== 'null') && !kinds.includes('string'),
  );
}

function record(values: readonly JsonValue[]) {
  return { fields: values.map(({ text }) => text), quoted: null, line: 1, terminated: true, quoting: 'sound' as const };
}
