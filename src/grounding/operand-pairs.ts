import type { Mention } from './mention.ts';
import { isTotal, type Operand, operandOf, sameField } from './operand.ts';
import type { Context } from './read-context.ts';
import type { Entry, ResultIndex } from './result-index.ts';
import { saysNear, scoreLabel } from './score-label.ts';

export interface DeriveInput {
  readonly mention: Mention;
  readonly context: Context;
  /** Stated figures near by, the nearest first, each with the values that it may be read from. */
  readonly near: readonly { readonly operand: Operand; readonly isAdjacent: boolean; readonly isSameSentence: boolean }[];
  readonly index: ResultIndex;
}

/** Two values that may be reckoned with one another, in this order. */
export interface Pair {
  readonly left: Operand;
  readonly right: Operand;
}

const MOST_PAIRS = 120;

/** Both figures near by; one near by and a neighbour of its own item; two fields of one item that the words name. */
export function pairsFor(input: DeriveInput, fits: (left: Operand, right: Operand) => boolean): Pair[] {
  const pairs: Pair[] = [];
  const add = (left: Operand, right: Operand): void => {
    if (left.entry === right.entry || pairs.length >= MOST_PAIRS) return;
    if (fits(left, right)) pairs.push({ left, right });
    if (fits(right, left)) pairs.push({ left: right, right: left });
  };
  const near = input.near.slice(0, 24);
  for (const [at, one] of near.entries())
    for (const other of near.slice(at + 1))
      if ((one.isSameSentence || other.isSameSentence) && one.operand.at !== other.operand.at) add(one.operand, other.operand);
  for (const { operand, isAdjacent } of near) if (isAdjacent) for (const beside of besides(operand, input)) add(operand, beside);
  for (const { operand, isAdjacent } of near) if (isAdjacent) for (const whole of wholesOf(operand, input)) add(operand, whole);
  for (const [left, right] of namedPairs(input)) add(left, right);
  return pairs;
}

/** Values beside one that the answer states: of the same item, said near by, or its total, or what it was before. */
function besides({ entry }: Operand, { index, context, mention }: DeriveInput): Operand[] {
  const found: Operand[] = [];
  for (const other of (index.items.get(entry.label.item) ?? []).slice(0, 60)) {
    if (other === entry || other.origin !== 'field') continue;
    const isSpan = entry.kind === 'moment' && other.kind === 'moment' && mention.kind !== 'moment';
    if (!isSpan && !sameField(entry, other) && !isTotal(other) && !saysNear({ ...other.label, names: [] }, context, 1)) continue;
    const operand = operandOf(other);
    if (operand) found.push(operand);
  }
  return found.slice(0, 8);
}

const OF_ALL = /^\s+(?:of\s+(?:the|all|its)\s+(?:\p{L}+\s+)?(?:table|rows|records|file|total|lines)|der\s+(?:tabelle|zeilen))\b/iu;
const ROWS = /^(?:rows?|records?|lines?|zeilen?)$/i;

/** "3 dates, 0.5 % of the table", "8.6 rows each": the rows of the table that a figure near by is told of. */
function wholesOf({ entry }: Operand, { index, context, mention }: DeriveInput): Operand[] {
  if (mention.kind !== 'number') return [];
  const isShare = mention.unit === '%' && OF_ALL.test(context.behind);
  const isOfRows = mention.unit === undefined && mention.noun !== undefined && ROWS.test(mention.noun);
  if (!isShare && !isOfRows) return [];
  const rows = [...index.called('row').values()].flatMap((list) => list.slice(0, 200)).filter(({ path }) => WHOLE_TABLE.test(path));
  const wholes = rows.filter((other) => other.result === entry.result || (isShare && isOfTable(entry, other, index)));
  return wholes.slice(0, 4).flatMap((whole) => operandOf(whole) ?? []);
}

const WHOLE_TABLE = /^data\.(?:rows|totals\.\w+)$/;

/** All rows of a table that another result is told of: its call names the table. */
export function isOfTable(part: Entry, whole: Entry, { results }: ResultIndex): boolean {
  const table = results[whole.result]?.arguments.table;
  if (typeof table !== 'string' || !WHOLE_TABLE.test(whole.path)) return false;
  const call = JSON.stringify(results[part.result]?.arguments ?? {}).toLowerCase();
  return call.split(/[^\p{L}\p{N}_.]+/u).includes(table.toLowerCase());
}

const MOST_SCANNED = 6000;

/** Fields that the words around name, of one and the same item. */
function namedPairs({ index, context }: DeriveInput): [Operand, Operand][] {
  if (index.sorted.length > MOST_SCANNED) return [];
  const pairs: [Operand, Operand][] = [];
  const scored: { readonly entry: Entry; readonly score: number }[] = [];
  for (const entries of index.items.values())
    for (const entry of entries)
      if (saysNear({ ...entry.label, names: [] }, context, 0.9)) scored.push({ entry, score: scoreLabel(entry.label, context, index) });
  scored.sort((left, right) => right.score - left.score);
  const best = scored.slice(0, 12);
  for (const [at, { entry }] of best.entries())
    for (const { entry: other } of best.slice(at + 1)) {
      const left = operandOf(entry);
      const right = operandOf(other);
      if (left && right && entry.label.item === other.label.item) pairs.push([left, right]);
    }
  return pairs.slice(0, 12);
}
