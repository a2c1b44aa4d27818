import type { Cell } from '../../src/core/source.ts';
import { isNumeric } from './column-class.ts';
import {
  breakDownByLoad,
  countDuplicates,
  countLookalikes,
  countVersionColumns,
  type RowParts,
  sampleCopies,
  sampleLookalikes,
  sampleVersions,
  sumExtraCopies,
} from './duplicate-sql.ts';
import { cutCell, cutText, fitItems } from './fit-items.ts';
import { isIdentifierName } from './load-columns.ts';
import { type SplitRows, splitRows } from './repeated-rows.ts';
import { type Asking, runQuery } from './run-query.ts';

const MOST_VALUES = 100;
const VALUES_SHOWN = 8;
const SAMPLES = 3;
const CELL_CHARACTERS = 60;
const MOST_SUMS = 4;
const MOST_KEY_CELLS = 5;
const BREAKDOWN_CHARACTERS = 2_500;

/** Rows, keys, and what the rows beyond one per key are; `apart` the rows that are no part of `parts`, as each has a key of its own. */
export async function countAll(asking: Asking, parts: RowParts, apart: Pick<SplitRows, 'single' | 'singleWithNull'>) {
  const [row = []] = await runQuery(asking, countDuplicates(parts));
  const [rows = 0, keys = 0, groups = 0, extra = 0, exact = 0, reloads = 0, versions = 0, versionKeys = 0, copyKeys = 0, nullKeys = 0] =
    row.map(Number);
  return {
    rows: rows + apart.single,
    distinct_keys: keys + apart.single,
    groups,
    extra_rows: extra,
    exact_copies: exact,
    reload_copies: reloads,
    versions,
    keys_with_copies: copyKeys,
    keys_with_versions: versionKeys,
    null_key_rows: nullKeys + apart.singleWithNull,
  };
}

/** Content that different keys share. Undefined where there is too little content to tell. */
export async function countAlike(asking: Asking, parts: RowParts) {
  if (parts.content.length < 2) return undefined;
  const { repeated, repeatedRows } = await splitRows({ ...asking, ...parts, columns: parts.content });
  if (repeatedRows === 0) return { contents: 0, rows: 0, samples: [] };
  const alike = { ...parts, from: repeated };
  const [row = []] = await runQuery(asking, countLookalikes(alike));
  const [contents = 0, rows = 0] = row.map(Number);
  const samples = rows === 0 ? [] : await runQuery(asking, sampleLookalikes(alike, SAMPLES));
  return {
    contents,
    rows,
    samples: samples.map(([first, last, count]) => ({ keys: [shorten(first), shorten(last)], count: Number(count) })),
  };
}

/** Which load (run, batch, try, time) the extra copies came with. */
export async function breakDown(asking: Asking, parts: RowParts) {
  if (parts.load.length === 0) return [];
  const rows = await runQuery(asking, breakDownByLoad(parts));
  const columns = parts.load.flatMap(({ info }, place) => {
    const all = rows.filter(([index]) => Number(index) === place);
    if (all.length === 0 || all.length > MOST_VALUES) return [];
    const values = all.map(([, value, kept, extra]) => ({ value: shorten(value), kept: Number(kept), extra: Number(extra) }));
    return [{ column: cutText(info.name, 60), values: values.slice(0, VALUES_SHOWN), values_total: all.length }];
  });
  return [...fitItems(columns, BREAKDOWN_CHARACTERS)];
}

/** What the extra copies add to the sums of numbers. */
export async function sumCopies(asking: Asking, all: RowParts, whole: string) {
  const parts = all.content.length > 0 ? all : withContent(all);
  const places = parts.content.flatMap(({ kind, info }, index) => (isNumeric(kind) && !isIdentifierName(info.name) ? [index] : []));
  const chosen = places.slice(0, MOST_SUMS);
  if (chosen.length === 0) return [];
  const rows = await runQuery(asking, sumExtraCopies(parts, chosen, whole));
  const byPart = new Map(rows.map(([part, ...sums]) => [Number(part), sums]));
  return chosen.map((index, place) => ({
    column: cutText(parts.content[index]?.info.name ?? '', 60),
    all_rows: byPart.get(1)?.[place] ?? null,
    extra_copies: byPart.get(0)?.[place] ?? null,
  }));
}

/** Where the whole row is the key: the same rows are copies when one column counts as key and the others as content. */
function withContent(parts: RowParts): RowParts {
  const head = parts.key.find(({ kind }) => !isNumeric(kind)) ?? parts.key[0];
  return head ? { ...parts, key: [head], content: parts.key.filter((column) => column !== head) } : parts;
}

/** In how many keys with several versions each column differs. */
export async function versionColumns(asking: Asking, parts: RowParts) {
  if (parts.content.length === 0) return [];
  const [row = []] = await runQuery(asking, countVersionColumns(parts));
  return parts.content
    .map(({ info }, index) => ({ column: cutText(info.name, 60), keys: Number(row[index] ?? 0) }))
    .filter(({ keys }) => keys > 0)
    .sort((left, right) => right.keys - left.keys)
    .slice(0, 8);
}

/** Keys with most rows that say the same. */
export async function copiesSample(asking: Asking, parts: RowParts) {
  const rows = await runQuery(asking, sampleCopies(parts, SAMPLES));
  return rows.map((row) => ({ key: keyOf(row, parts), rows: Number(row.at(-1)) }));
}

/** Keys with most different contents. */
export async function versionsSample(asking: Asking, parts: RowParts) {
  const rows = await runQuery(asking, sampleVersions(parts, SAMPLES));
  return rows.map((row) => ({ key: keyOf(row, parts), versions: Number(row.at(-1)) }));
}

function keyOf(row: readonly Cell[], parts: RowParts): Cell[] {
  return row.slice(0, Math.min(parts.key.length, MOST_KEY_CELLS)).map(shorten);
}

function shorten(cell: Cell | undefined): Cell {
  return cutCell(cell ?? null, CELL_CHARACTERS);
}
