import type { Cell } from '../../src/core/source.ts';

/** A decimal number without loss: `digits` divided by ten to the power of `scale`. */
export interface ExactNumber {
  readonly digits: bigint;
  readonly scale: number;
}

const MOST_EXPONENT = 400;

/** A number as an engine writes it; undefined for what is none or not finite. */
export function parseExact(cell: Cell | undefined): ExactNumber | undefined {
  if (cell === null || cell === undefined || typeof cell === 'boolean') return undefined;
  const match = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,4}))?$/i.exec(String(cell).trim());
  if (!match) return undefined;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  if (whole === '' && fraction === '') return undefined;
  const power = Number(exponent);
  if (Math.abs(power) > MOST_EXPONENT) return undefined;
  const digits = BigInt(`${whole}${fraction}`) * (sign === '-' ? -1n : 1n);
  const scale = fraction.length - power;
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 };
}

function align(left: ExactNumber, right: ExactNumber): { readonly left: bigint; readonly right: bigint; readonly scale: number } {
  const scale = Math.max(left.scale, right.scale);
  const raise = ({ digits, scale: own }: ExactNumber): bigint => digits * 10n ** BigInt(scale - own);
  return { left: raise(left), right: raise(right), scale };
}

export function addExact(left: ExactNumber, right: ExactNumber): ExactNumber {
  const both = align(left, right);
  return { digits: both.left + both.right, scale: both.scale };
}

export function subtractExact(left: ExactNumber, right: ExactNumber): ExactNumber {
  const both = align(left, right);
  return { digits: both.left - both.right, scale: both.scale };
}

export function absoluteExact({ digits, scale }: ExactNumber): ExactNumber {
  return { digits: digits < 0n ? -digits : digits, scale };
}

/** Below, at or above zero as `left` is less than, equal to or greater than `right`. */
export function compareExact(left: ExactNumber, right: ExactNumber): number {
  const both = align(left, right);
  return both.left === both.right ? 0 : both.left < both.right ? -1 : 1;
}

/** Plain digits without zeros at the end of the fraction. */
export function exactText({ digits, scale }: ExactNumber): string {
  const text = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0');
  const whole = text.slice(0, text.length - scale);
  const fraction = text.slice(text.length - scale).replace(/0+$/, '');
  return `${digits < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}
