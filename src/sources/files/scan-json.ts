import type { JsonReading, LineSample, TextEncodingName } from '../../core/file-reading.ts';
import type { Scope } from '../../core/scope.ts';
import { addJsonValue, type ColumnEvidence, newColumnEvidence } from './column-evidence.ts';
import { decodeText } from './decode-text.ts';
import { type JsonRow, type JsonValue, parseJsonItem } from './parse-json-item.ts';
import { type JsonItem, type JsonSplit, splitJson } from './split-json.ts';
import { MOST_COLUMNS } from './table-plan.ts';

export interface JsonFile {
  readonly path: string;
  readonly gzip: boolean;
  readonly encoding: TextEncodingName;
  readonly scope: Scope;
  readonly limit?: number;
}

export interface JsonRowAt {
  readonly row: JsonRow;
  readonly item: JsonItem;
}

/** Reads the values of a JSON file in order: the elements of its arrays, or its top-level values. */
export async function readJsonRows(
  file: JsonFile,
  onRow: (at: JsonRowAt) => void,
  more: { readonly onBad?: (line: number, text: string) => void; readonly afterChunk?: () => Promise<void> } = {},
): Promise<JsonSplit> {
  const splitter = splitJson(
    (item) => {
      const row = parseJsonItem(item.raw);
      if (row) onRow({ row, item });
      return row !== undefined;
    },
    more.onBad ?? (() => undefined),
  );
  for await (const text of decodeText(file, file.encoding)) {
    splitter.feed(text);
    if (more.afterChunk) await more.afterChunk();
  }
  return splitter.end();
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
}

const MOST_KEYS = 100_000;

/** Counts the rows and gathers what every key's values look like. */
export async function scanJson(file: JsonFile): Promise<JsonScan> {
  const keys = new Map<string, ColumnEvidence>();
  const duplicates = new Set<string>();
  const bad: LineSample[] = [];
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
      for (const [key, value] of lastOfEach(row, duplicates)) {
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
    broken: brokenByLimit ? null : split.brokenAt,
    deepest: seen.deepest,
  };
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
