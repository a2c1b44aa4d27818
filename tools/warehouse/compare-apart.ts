import type { Cell } from '../../src/core/source.ts';
import { type OpenTable, QuestionError } from './ask-table.ts';
import { type ComparedPair, type Comparison, type ComparisonQuestion, comparedSql, normaliseCell } from './comparison.ts';
import { absoluteExact, compareExact, parseExact, subtractExact } from './exact-number.ts';
import type { Sides } from './open-sides.ts';
import { readAllRows, runQuery } from './run-query.ts';

/** Rows of one side held at a time. */
const SLICE = { maxRows: 100_000, maxBytes: 128_000_000 };
const ROWS_PER_SLICE = 40_000;
const MOST_SLICES = 500;

/**
 * Compares tables of two engines: both are read slice by slice, each the same range of the first key, and put together here.
 *
 * @throws QuestionError where the tables are large and the first key is not a whole number, so that they cannot be sliced.
 */
export async function compareApart(sides: Sides, question: ComparisonQuestion): Promise<Comparison> {
  const tally = new Tally(question);
  for (const slice of await cutSlices(sides, question)) {
    const groups = new Map<string, Group>();
    for (const side of ['left', 'right'] as const) {
      for (const row of await readSlice(sides[side], side, { question, slice })) addRow(groups, side, row, question);
    }
    for (const group of groups.values()) tally.add(group);
  }
  return tally.end();
}

/** A range of the first key as SQL over it. */
type Slice = (key: string) => string;

async function cutSlices({ left, right }: Sides, { key }: ComparisonQuestion): Promise<readonly Slice[]> {
  const first = key[0] as ComparedPair;
  const edges = async (table: OpenTable, column: string, whole: boolean) => {
    const range = whole ? `MIN(${column}), MAX(${column})` : 'NULL, NULL';
    const [[count, low, high] = []] = await runQuery(table, `SELECT COUNT(*), ${range} FROM ${table.from}`);
    return { rows: Number(count ?? 0), low, high };
  };
  const whole = first.left.kind === 'integer' && first.right.kind === 'integer';
  const both = [await edges(left, first.left.sql, whole), await edges(right, first.right.sql, whole)];
  const rows = Math.max(...both.map((side) => side.rows));
  if (rows <= SLICE.maxRows) return [() => '1 = 1'];
  const isWhole = (cell: Cell | undefined): boolean => cell === null || cell === undefined || /^-?\d+$/.test(String(cell));
  if (!whole || !both.every(({ low, high }) => isWhole(low) && isWhole(high)))
    throw new QuestionError(
      'too_many_rows',
      `tables of different sources with more than ${SLICE.maxRows} rows are compared by ranges of a whole-number key; name such a column first in "key", or narrow both with left_where and right_where`,
    );
  const known = both.flatMap(({ low, high }) => [low, high]).filter((cell) => cell !== null && cell !== undefined);
  const sorted = known.map((cell) => BigInt(String(cell))).sort((a, b) => (a < b ? -1 : 1));
  const [low, high] = [sorted[0] ?? 0n, sorted.at(-1) ?? 0n];
  const count = BigInt(Math.min(MOST_SLICES, Math.ceil(rows / ROWS_PER_SLICE)));
  const step = (high - low) / count + 1n;
  const ranges = Array.from({ length: Number(count) }, (_, index): Slice => {
    const from = low + BigInt(index) * step;
    return (column) => `${column} >= ${from} AND ${column} < ${from + step}`;
  });
  return [...ranges, (column) => `${column} IS NULL`];
}

async function readSlice(
  table: OpenTable,
  side: 'left' | 'right',
  { question, slice }: { readonly question: ComparisonQuestion; readonly slice: Slice },
) {
  const pairs = [...question.key, ...question.content];
  const columns = pairs.map((pair) => comparedSql(pair[side], pair.as, table.engine.dialect));
  const first = question.key[0]?.[side].sql ?? '';
  return readAllRows(table, `SELECT ${columns.join(', ')} FROM ${table.from} WHERE ${slice(first)}`, SLICE);
}

interface Group {
  readonly key: readonly Cell[];
  left: number;
  right: number;
  leftValues: readonly Cell[];
  rightValues: readonly Cell[];
}

function addRow(groups: Map<string, Group>, side: 'left' | 'right', row: readonly Cell[], { key }: ComparisonQuestion): void {
  const cells = row.slice(0, key.length);
  const name = JSON.stringify(cells.map((cell, index) => normaliseCell(cell, key[index]?.as ?? 'text')));
  const group = groups.get(name) ?? { key: cells, left: 0, right: 0, leftValues: [], rightValues: [] };
  groups.set(name, group);
  group[side] += 1;
  group[side === 'left' ? 'leftValues' : 'rightValues'] = row.slice(key.length);
}

function differ(
  left: Cell,
  right: Cell,
  { pair, tolerance }: { readonly pair: ComparedPair; readonly tolerance: ComparisonQuestion['tolerance'] },
): boolean {
  const [a, b] = [normaliseCell(left, pair.as), normaliseCell(right, pair.as)];
  if (a === b) return false;
  if (tolerance === undefined || pair.as !== 'number') return true;
  const [x, y] = [parseExact(left), parseExact(right)];
  return !x || !y || compareExact(absoluteExact(subtractExact(x, y)), tolerance) > 0;
}

/** Adds up groups, of which each key is in one slice only. */
class Tally {
  private readonly question: ComparisonQuestion;
  private readonly counts = { keys: 0, leftRows: 0, rightRows: 0, compared: 0, changed: 0, nullLeft: 0, nullRight: 0 };
  private readonly pairs = {
    onlyLeft: { keys: 0, rows: 0 },
    onlyRight: { keys: 0, rows: 0 },
    doubleLeft: { keys: 0, rows: 0 },
    doubleRight: { keys: 0, rows: 0 },
  };
  private readonly changedBy: number[];
  private readonly samples = {
    onlyLeft: [] as (readonly Cell[])[],
    onlyRight: [] as (readonly Cell[])[],
    double: [] as { key: readonly Cell[]; left: number; right: number }[],
    changed: [] as { key: readonly Cell[]; left: readonly Cell[]; right: readonly Cell[]; columns: readonly number[] }[],
  };

  constructor(question: ComparisonQuestion) {
    this.question = question;
    this.changedBy = question.content.map(() => 0);
  }

  add(group: Group): void {
    const { key, left, right } = group;
    this.counts.keys += 1;
    this.counts.leftRows += left;
    this.counts.rightRows += right;
    if (key.includes(null)) {
      this.counts.nullLeft += left;
      this.counts.nullRight += right;
    }
    if (right === 0) this.note('onlyLeft', left, key);
    if (left === 0) this.note('onlyRight', right, key);
    if (left > 1) this.note('doubleLeft', left);
    if (right > 1) this.note('doubleRight', right);
    if (left > 1 || right > 1) this.keep(this.samples.double, { key, left, right });
    if (left === 1 && right === 1) this.compare(group);
  }

  end(): Comparison {
    return { ...this.counts, ...this.pairs, changedBy: this.changedBy, samples: this.samples };
  }

  private note(kind: keyof typeof this.pairs, rows: number, key?: readonly Cell[]): void {
    this.pairs[kind].keys += 1;
    this.pairs[kind].rows += rows;
    if (key && (kind === 'onlyLeft' || kind === 'onlyRight')) this.keep(this.samples[kind], key);
  }

  private keep<Item>(list: Item[], item: Item): void {
    if (list.length < this.question.samples) list.push(item);
  }

  private compare({ key, leftValues, rightValues }: Group): void {
    const { content, tolerance } = this.question;
    const columns = content.flatMap((pair, index) =>
      differ(leftValues[index] ?? null, rightValues[index] ?? null, { pair, tolerance }) ? [index] : [],
    );
    this.counts.compared += 1;
    if (columns.length === 0) return;
    this.counts.changed += 1;
    for (const index of columns) this.changedBy[index] = (this.changedBy[index] ?? 0) + 1;
    const pick = (values: readonly Cell[]): Cell[] => columns.map((index) => values[index] ?? null);
    this.keep(this.samples.changed, { key, columns, left: pick(leftValues), right: pick(rightValues) });
  }
}
