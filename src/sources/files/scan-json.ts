import type { JsonReading, LineSample, TextEncodingName } from '../../core/file-reading.ts';
import type { Scope } from '../../core/scope.ts';
import type { ToolWarning } from '../../core/tool-result.ts';
import { addJsonValue, type ColumnEvidence, newColumnEvidence } from './column-evidence.ts';
import { decodeText } from './decode-text.ts';
import { openListRows } from './list-rows.ts';
import { type JsonRow, type JsonValue, parseJsonItem, withoutNonFinite } from './parse-json-item.ts';
import { findRecords, type RecordsInside, slicesOf } from './records-inside.ts';
import { reshapeObject } from './reshape-object.ts';
import { type JsonItem, type JsonSplit, splitJson } from './split-json.ts';
import { MOST_COLUMNS } from './table-plan.ts';

export interface JsonFile {
  readonly path: string;
  readonly gzip: boolean;
  readonly encoding: TextEncodingName;
  readonly scope: Scope;
  readonly limit?: number;
  /** The records that its only object wraps, where it is known; null where it is known that there are none. */
  readonly inside?: RecordsInside | null;
}

export interface JsonRowAt {
  readonly row: JsonRow;
  readonly item: JsonItem;
}

/** How a file was cut into values, and how its rows were found. */
export interface JsonReadingEnd extends JsonSplit {
  readonly inside: RecordsInside | undefined;
  readonly reshaped: readonly ToolWarning[];
}

interface JsonWatch {
  readonly onBad?: (line: number, text: string) => void;
  readonly afterChunk?: () => Promise<void>;
}

/**
 * Reads the rows of a JSON file in order: the elements of its arrays, its top-level values, or the records that its only object wraps;
 * lists and columns are made into rows.
 */
export async function readJsonRows(file: JsonFile, onRow: (at: JsonRowAt) => void, watch: JsonWatch = {}): Promise<JsonReadingEnd> {
  const known = file.inside === undefined && file.limit === undefined ? await findRecords(file) : file.inside;
  if (known) return readInside(file, known, { onRow, watch });
  const rows = openListRows(onRow);
  let held: JsonRowAt | undefined;
  let bad = 0;
  const splitter = splitJson(
    (item) => {
      const row = parseJsonItem(item.raw);
      if (!row) return false;
      if (held) rows.add(held);
      held = undefined;
      if (item.topLevel === 1 && !item.inArray && row.isObject && item.depth > 1) held = { row, item };
      else rows.add({ row, item });
      return true;
    },
    (line, text) => {
      bad++;
      watch.onBad?.(line, text);
    },
  );
  for await (const text of decodeText(file, file.encoding)) {
    splitter.feed(text);
    if (watch.afterChunk) await watch.afterChunk();
  }
  const split = splitter.end(file.limit !== undefined);
  const reshaped = held && bad === 0 ? reshapeObject(held.row) : undefined;
  if (held && reshaped) for (const row of reshaped.rows()) onRow({ row, item: held.item });
  else if (held) rows.add(held);
  return { ...split, inside: undefined, reshaped: [...rows.end(), ...(reshaped ? [reshaped.warning] : [])] };
}

async function readInside(
  file: JsonFile,
  inside: RecordsInside,
  { onRow, watch }: { readonly onRow: (at: JsonRowAt) => void; readonly watch: JsonWatch },
): Promise<JsonReadingEnd> {
  const above = inside.line - 1;
  const rows = openListRows(onRow, inside.names);
  const splitter = splitJson(
    (item) => {
      const row = parseJsonItem(item.raw);
      if (row) rows.add({ row, item: { ...item, line: item.line + above } });
      return row !== undefined;
    },
    (line, text) => watch.onBad?.(line + above, text),
  );
  for await (const text of slicesOf(file, inside)) {
    splitter.feed(text);
    if (watch.afterChunk) await watch.afterChunk();
  }
  const { brokenAt } = splitter.end();
  const broken = brokenAt && { ...brokenAt, line: brokenAt.line + above };
  return { topLevelValues: 1, arrays: 0, severalOnALine: false, brokenAt: broken, inside, reshaped: rows.end() };
}

export interface JsonScan {
  readonly json: JsonReading;
  readonly rows: number;
  /** Distinct keys in order of appearance; the first ones only when there are too many for a table. */
  readonly keys: readonly string[];
  readonly keyCount: number;
  readonly evidence: readonly ColumnEvidence[];
  readonly broken: JsonSplit['brokenAt'];
  /** Depth below the top of a row beyond which the engine does not follow. */
  readonly deepest: number;
  /** Set when the rows are the records that the file's only object wraps. */
  readonly inside: RecordsInside | undefined;
  /** How lists and columns were made into rows. */
  readonly reshaped: readonly ToolWarning[];
  /** Lists and objects of the file's only object, with the number of their members. */
  readonly nestedIn: readonly string[];
}

const MOST_KEYS = 100_000;
const MOST_NESTED = 5;
const UNENDED = { line: 1, because: 'its first value does not end in the part that was looked at' };

/** Counts the rows and gathers what every key's values look like. */
export async function scanJson(file: JsonFile): Promise<JsonScan> {
  const keys = new Map<string, ColumnEvidence>();
  const duplicates = new Set<string>();
  const bad: LineSample[] = [];
  let nested: string[] = [];
  const seen = { rows: 0, deepest: 0, nonFinite: 0, badCount: 0, objects: 0 };
  const evidenceOf = (key: string): ColumnEvidence | undefined => {
    let found = keys.get(key);
    if (found === undefined && keys.size < MOST_KEYS) {
      found = newColumnEvidence();
      keys.set(key, found);
    }
    return found;
  };
  const split = await readJsonRows(
    file,
    ({ row, item }) => {
      seen.rows++;
      seen.nonFinite += row.nonFinite;
      if (row.isObject) seen.objects++;
      seen.deepest = Math.max(seen.deepest, item.depth + (item.inArray ? 1 : 0));
      nested = [];
      for (const [key, value] of lastOfEach(row, duplicates)) {
        if (seen.rows === 1 && value.kind === 'nested' && nested.length < MOST_NESTED)
          nested.push(`"${key}" (${describeNested(value.text)})`);
        const cells = evidenceOf(key);
        if (cells) addJsonValue(cells, value.kind, value.text, item.line);
      }
    },
    {
      onBad: (line, text) => {
        seen.badCount++;
        if (bad.length < 5) bad.push({ line, text });
      },
    },
  );
  const brokenByLimit = file.limit !== undefined;
  const shape = split.topLevelValues !== 1 ? 'values' : split.arrays === 1 ? 'array' : 'object';
  return {
    json: {
      shape,
      top_level_values: split.topLevelValues,
      max_depth: seen.deepest,
      duplicate_keys: [...duplicates].slice(0, 20),
      non_finite: seen.nonFinite,
      several_values_on_a_line: split.severalOnALine,
      bad,
      bad_count: seen.badCount,
    },
    rows: seen.rows,
    keys: [...keys.keys()].slice(0, MOST_COLUMNS),
    keyCount: keys.size,
    evidence: [...keys.values()].slice(0, MOST_COLUMNS),
    broken: brokenByLimit && seen.rows > 0 ? null : (split.brokenAt ?? (brokenByLimit ? UNENDED : null)),
    deepest: seen.deepest,
    inside: split.inside,
    reshaped: split.reshaped,
    nestedIn: seen.rows === 1 && split.arrays === 0 && split.reshaped.length === 0 ? [...nested] : [],
  };
}

/** `list of 50`, `object of 3 keys`. */
function describeNested(text: string): string {
  const members = parseShallow(text);
  return Array.isArray(members) ? `list of ${members.length}` : `object of ${Object.keys(members).length} keys`;
}

function parseShallow(text: string): object {
  try {
    return JSON.parse(withoutNonFinite(text).text) as object;
  } catch {
    return {};
  }
}

/** The entries of a row with the last value of each key, as most parsers have it; keys that come twice are noted. */
export function lastOfEach(row: JsonRow, duplicates?: Set<string>): ReadonlyMap<string, JsonValue> {
  const values = new Map<string, JsonValue>();
  for (const [key, value] of row.entries) {
    if (values.has(key)) duplicates?.add(key);
    values.set(key, value);
  }
  return values;
}
