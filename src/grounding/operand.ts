import { secondsOf } from './make-index.ts';
import { epochOf } from './read-moment.ts';
import type { Entry } from './result-index.ts';
import { secondsIn } from './units.ts';

/** A value that a figure may be derived from; `value` is in seconds for spans and moments. */
export interface Operand {
  readonly value: number;
  readonly text: string;
  readonly dimension: 'count' | 'time' | 'moment' | 'percent' | 'ratio' | 'bytes';
  readonly entry: Entry;
  /** Where it stands in the answer; -1 where it does not. */
  readonly at: number;
}

/** The value of an entry as an operand; `undefined` for moments without a date. */
export function operandOf(entry: Entry, at = -1): Operand | undefined {
  if (entry.kind === 'moment') {
    const epoch = entry.moment && epochOf({ ...entry.moment, zone: 0 });
    if (epoch === undefined || entry.moment?.time === undefined) return dayOperand(entry, at);
    return { value: epoch / 1000, text: `${entry.moment.date} ${entry.moment.time}`, dimension: 'moment', entry, at };
  }
  const isTime = entry.kind === 'span' || secondsIn(entry.unit) !== undefined;
  const sign = entry.negative ? -1 : 1;
  return {
    value: sign * (isTime ? secondsOf(entry) : entry.value),
    text: `${entry.negative ? '-' : ''}${entry.exact || entry.value}`,
    dimension: dimensionOf(entry, isTime),
    entry,
    at,
  };
}

function dayOperand(entry: Entry, at: number): Operand | undefined {
  if (entry.moment?.date?.length !== 10) return undefined;
  return { value: (epochOf({ date: entry.moment.date }) ?? 0) / 1000, text: entry.moment.date, dimension: 'moment', entry, at };
}

function dimensionOf(entry: Entry, isTime: boolean): Operand['dimension'] {
  if (isTime) return 'time';
  if (entry.unit === '%') return 'percent';
  if (entry.unit === 'ratio') return 'ratio';
  return entry.unit === 'bytes' ? 'bytes' : 'count';
}

const TOTALS: ReadonlySet<string> = new Set(['row', 'count', 'sum', 'run', 'task', 'key', 'record', 'slot', 'file', 'whole']);

const STATISTICS: ReadonlySet<string> = new Set(['median', 'baseline', 'max', 'min', 'mean', 'sum', 'first', 'count', 'star']);

/** The words that say what is measured; of a field that only names a statistic, those of what it stands in. */
function measureOf({ label }: Entry): readonly string[] {
  const own = label.key.filter((word) => !STATISTICS.has(word));
  return own.length > 0 ? own : label.parent;
}

/** True where two values are of the same kind of field: they share a word that says what is measured. */
export function sameField(left: Entry, right: Entry): boolean {
  if (left.label.list === right.label.list) return true;
  const measured = measureOf(right);
  return measureOf(left).some((word) => measured.includes(word));
}

/** True where one value can be a part of the other: of the same item, or of the same kind of field. */
export function partOf(part: Entry, whole: Entry): boolean {
  return part.label.item === whole.label.item || sameField(part, whole) || (part.result === whole.result && isTotal(whole));
}

export function isTotal(entry: Entry): boolean {
  return entry.label.key.some((word) => TOTALS.has(word));
}
