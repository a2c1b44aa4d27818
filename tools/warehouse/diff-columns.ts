import { type ColumnClass, classifyType, isNumeric } from './column-class.ts';
import { diffJson } from './json-shape.ts';

/** What is known of a column when two versions of a table are held against one another. */
export interface ColumnFacts {
  readonly name: string;
  readonly type: string;
  readonly position: number;
  /** The values at 25, 50 and 75 per cent of a numeric column, roughly: evidence, not results. */
  readonly quartiles?: readonly number[];
  /** Distinct values of a column, roughly, and how many are filled. */
  readonly distinct?: number;
  readonly filled?: number;
  /** What the filled values are, written as JSON: objects, lists, plain values; and the keys of the objects where they are known. */
  readonly json?: { readonly objects: number; readonly lists: number; readonly keys?: readonly string[] };
  /** What unit whole numbers are likely in. */
  readonly unit?: string;
}

export type ChangeKind = 'added' | 'removed' | 'respelled' | 'likely_rename' | 'retyped' | 'reordered' | 'unit_change';

export interface ColumnChange {
  readonly kind: ChangeKind;
  readonly from?: string;
  readonly to?: string;
  readonly evidence: string;
  /** Tells changes apart that are of one kind, where tables with the same changes stand together. */
  readonly detail?: string;
}

interface Pair {
  readonly a: ColumnFacts;
  readonly b: ColumnFacts;
}

/** How the columns of b differ from those of a. `declared` false where types are inferred: then only their sort counts. */
export function diffColumns(a: readonly ColumnFacts[], b: readonly ColumnFacts[], declared: boolean): readonly ColumnChange[] {
  const same = pairBy(a, b, (column) => column.name);
  const respelled = pairBy(without(a, same, 'a'), without(b, same, 'b'), (column) => plainName(column.name));
  const known = [...same, ...respelled];
  const renamed = findRenames(without(a, known, 'a'), without(b, known, 'b'));
  const pairs = [...known, ...renamed.map(({ pair }) => pair)];
  return [
    ...without(a, pairs, 'a').map(
      (column): ColumnChange => ({ kind: 'removed', from: column.name, evidence: `was ${column.type} at place ${column.position}` }),
    ),
    ...without(b, pairs, 'b').map(
      (column): ColumnChange => ({ kind: 'added', to: column.name, evidence: `${column.type} at place ${column.position}` }),
    ),
    ...respelled.map(
      (pair): ColumnChange => ({
        kind: 'respelled',
        from: pair.a.name,
        to: pair.b.name,
        evidence: 'the same but for case, blanks or signs',
      }),
    ),
    ...renamed.map(({ pair, evidence }): ColumnChange => ({ kind: 'likely_rename', from: pair.a.name, to: pair.b.name, evidence })),
    ...pairs.flatMap((pair) => diffJson(pair.a, pair.b) ?? retyped(pair, declared)),
    ...pairs.flatMap(unitChange),
    ...reordered(known),
  ];
}

function pairBy(a: readonly ColumnFacts[], b: readonly ColumnFacts[], nameOf: (column: ColumnFacts) => string): Pair[] {
  const left = new Map(b.map((column) => [nameOf(column), column]));
  return a.flatMap((column) => {
    const other = left.get(nameOf(column));
    if (other === undefined) return [];
    left.delete(nameOf(column));
    return [{ a: column, b: other }];
  });
}

function without(columns: readonly ColumnFacts[], pairs: readonly Pair[], side: 'a' | 'b'): readonly ColumnFacts[] {
  const taken = new Set(pairs.map((pair) => pair[side]));
  return columns.filter((column) => !taken.has(column));
}

/** Letters and digits alone, in lower case. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

const MOST_CANDIDATES = 60;
const ENOUGH = 3;

/** Columns gone and come that have enough in common, the likeliest first; each taken once. */
function findRenames(
  gone: readonly ColumnFacts[],
  come: readonly ColumnFacts[],
): readonly { readonly pair: Pair; readonly evidence: string }[] {
  const candidates = gone.slice(0, MOST_CANDIDATES).flatMap((a) =>
    come.slice(0, MOST_CANDIDATES).flatMap((b) => {
      const likeness = judgeLikeness(a, b);
      return likeness.score >= ENOUGH ? [{ pair: { a, b }, ...likeness }] : [];
    }),
  );
  const chosen: { pair: Pair; evidence: string }[] = [];
  for (const { pair, evidence } of candidates.sort((left, right) => right.score - left.score)) {
    if (!chosen.some(({ pair: other }) => other.a === pair.a || other.b === pair.b)) chosen.push({ pair, evidence });
  }
  return chosen;
}

function judgeLikeness(a: ColumnFacts, b: ColumnFacts): { readonly score: number; readonly evidence: string } {
  const [kindA, kindB] = [classifyType(a.type), classifyType(b.type)];
  if (!isSameSort(kindA, kindB)) return { score: 0, evidence: '' };
  const because = [kindA === kindB ? `both ${kindA}` : 'both numbers'];
  let score = 1;
  if (a.position === b.position) {
    score += 1;
    because.push('same place');
  }
  const words = (name: string): string[] =>
    name
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word.length > 1);
  const shared = words(a.name).filter((word) => words(b.name).includes(word));
  if (shared.length > 0 || plainName(a.name).includes(plainName(b.name)) || plainName(b.name).includes(plainName(a.name))) {
    score += 1;
    because.push(shared.length > 0 ? `both names have "${shared[0]}"` : 'one name holds the other');
  }
  const factor = sameFactor(a.quartiles, b.quartiles);
  if (factor === 1) {
    score += 2;
    because.push(`quartiles alike (median ${a.quartiles?.[1]} and ${b.quartiles?.[1]})`);
  } else if (factor !== undefined) {
    score += 1;
    because.push(`quartiles alike but for a factor of ${factor}`);
  } else if (isAlikeFilled(a, b)) {
    score += 1;
    because.push('about as many distinct values');
  }
  return { score, evidence: because.join(', ') };
}

function isSameSort(a: ColumnClass, b: ColumnClass): boolean {
  return a === b || (isNumeric(a) && isNumeric(b));
}

function isAlikeFilled(a: ColumnFacts, b: ColumnFacts): boolean {
  if (!a.filled || !b.filled || a.distinct === undefined || b.distinct === undefined) return false;
  const ratio = a.distinct / a.filled / (b.distinct / b.filled);
  return ratio > 0.67 && ratio < 1.5;
}

function retyped({ a, b }: Pair, declared: boolean): ColumnChange[] {
  if (a.type === b.type) return [];
  const [kindA, kindB] = [classifyType(a.type), classifyType(b.type)];
  if (!declared && kindA === kindB) return [];
  return [{ kind: 'retyped', from: a.name, to: b.name, evidence: `${a.type} becomes ${b.type}` }];
}

/** Factors between units that are in use: per cent and cents, thousands, minutes, hours, days. */
const FACTORS = [100, 1_000, 1_000_000, 1_000_000_000, 60, 3_600, 86_400];

/** The factor from a to b that all three quartiles agree on within a half; 1 for none; undefined when they do not agree. */
function sameFactor(a: readonly number[] | undefined, b: readonly number[] | undefined): number | undefined {
  if (a === undefined || b === undefined || a.length < 3 || b.length < 3) return undefined;
  const ratios = a.map((value, index) => (b[index] ?? Number.NaN) / value);
  if (!ratios.every((ratio) => Number.isFinite(ratio) && ratio > 0)) return undefined;
  const choices = [1, ...FACTORS, ...FACTORS.map((factor) => 1 / factor)];
  return choices.find((factor) => ratios.every((ratio) => ratio / factor > 0.67 && ratio / factor < 1.5));
}

function unitChange({ a, b }: Pair): ColumnChange[] {
  if (!isNumeric(classifyType(a.type)) || !isNumeric(classifyType(b.type))) return [];
  const factor = sameFactor(a.quartiles, b.quartiles);
  const medians = `median ${a.quartiles?.[1]} before, ${b.quartiles?.[1]} after`;
  if (a.unit !== undefined && b.unit !== undefined && a.unit !== b.unit && a.unit.startsWith('epoch') && b.unit.startsWith('epoch'))
    return [{ kind: 'unit_change', from: a.name, to: b.name, evidence: `${a.unit} become ${b.unit}; ${medians}` }];
  if (factor === undefined || factor === 1) return [];
  const times = factor > 1 ? `${factor} times larger` : `${Math.round(1 / factor)} times smaller`;
  return [{ kind: 'unit_change', from: a.name, to: b.name, evidence: `values are about ${times}: ${medians}` }];
}

/** Columns that both have, where their order among themselves is another. */
function reordered(pairs: readonly Pair[]): ColumnChange[] {
  const rank = (side: 'a' | 'b'): Map<Pair, number> =>
    new Map([...pairs].sort((left, right) => left[side].position - right[side].position).map((pair, index) => [pair, index]));
  const [before, after] = [rank('a'), rank('b')];
  const moved = pairs.filter((pair) => before.get(pair) !== after.get(pair));
  const byPlace = new Map(pairs.map((pair) => [after.get(pair), pair.b.name]));
  return moved.map((pair): ColumnChange => {
    const instead = byPlace.get(before.get(pair)) ?? '';
    return {
      kind: 'reordered',
      from: pair.a.name,
      to: pair.b.name,
      evidence: `place ${pair.a.position} becomes ${pair.b.position}; read by position, "${instead}" would be taken for it`,
    };
  });
}
