import type { Cell } from '../../src/core/source.ts';
import type { ColumnClass } from './column-class.ts';

/** Seconds since 1970 of 1990-01-01 and 2100-01-01: what is outside is hardly a time of business. */
const EARLIEST = 631_152_000n;
const LATEST = 4_102_444_800n;

const EPOCHS: readonly (readonly [string, bigint])[] = [
  ['epoch seconds', 1n],
  ['epoch milliseconds', 1_000n],
  ['epoch microseconds', 1_000_000n],
  ['epoch nanoseconds', 1_000_000_000n],
];

const TIME_NAME = /(^|_)(ts|time|timestamp|date|epoch|at|on|created|updated|modified|since|until|expires?)(_|$|ms$|s$)|time(stamp)?$/i;
const MONEY_NAME = /(amount|price|total|fee|cost|revenue|balance|paid|tax|discount|salary)/i;

interface Numbers {
  readonly name: string;
  readonly kind: ColumnClass;
  readonly min: Cell | undefined;
  readonly max: Cell | undefined;
}

/** What unit whole numbers are likely in, with the reason; a guess, to be checked against another column or the producer. */
export function guessUnit({ name, kind, min, max }: Numbers): { readonly unit: string; readonly because: string } | undefined {
  if (kind !== 'integer') return undefined;
  const [low, high] = [toInteger(min), toInteger(max)];
  if (low === undefined || high === undefined) return undefined;
  for (const [unit, factor] of EPOCHS) {
    const fits = low >= EARLIEST * factor && high <= LATEST * factor;
    if (fits && (factor > 1n || TIME_NAME.test(name)))
      return { unit, because: `every value is a time from ${day(low / factor)} to ${day(high / factor)} in this unit` };
  }
  if (/(^|_)cents?($|_)/i.test(name)) return { unit: 'cents', because: 'the name says so' };
  if (MONEY_NAME.test(name) && low >= 0n && high >= 1_000n) return { unit: 'cents or whole units', because: 'money in whole numbers' };
  return undefined;
}

function toInteger(cell: Cell | undefined): bigint | undefined {
  return /^-?\d+$/.test(String(cell)) ? BigInt(String(cell)) : undefined;
}

function day(seconds: bigint): string {
  return new Date(Number(seconds) * 1000).toISOString().slice(0, 10);
}
