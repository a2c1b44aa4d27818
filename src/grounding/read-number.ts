/** One way to read the digits of a number; `exact` is the decimal without sign, grouping and idle zeros. */
export interface NumberReading {
  readonly value: number;
  readonly exact: string;
  /** Digits after the decimal mark, as written. */
  readonly decimals: number;
}

/** Which mark parts the decimals where a number could be read either way. */
export type NumberStyle = 'point' | 'comma' | 'unknown';

/** A number as it is written: grouped by threes, with decimals, or in scientific notation. */
export const NUMBER_PATTERN =
  "\\d{1,3}(?:(?<mark>[,.'’_\u00a0\u202f])\\d{3})(?:\\k<mark>\\d{3})*(?:[.,]\\d+)?(?!\\d)|\\d+(?:[.,]\\d+)?(?:[eE][+-]?\\d{1,3})?";

/** All ways to read `text`, the likelier first; `1.234` is 1234 or 1.234. */
export function readNumber(text: string, style: NumberStyle): NumberReading[] {
  const bare = text.replace(/[\s'’_\u00a0\u202f]/g, '');
  if (/[eE]/.test(bare)) return [readingOf(scientific(bare.replace(',', '.')))];
  const marks = bare.replace(/\d/g, '');
  if (marks === '') return [readingOf(bare)];
  const last = marks.at(-1) ?? '';
  const asDecimal = (): NumberReading => {
    const at = bare.lastIndexOf(last);
    return readingOf(`${bare.slice(0, at).replace(/[.,]/g, '')}.${bare.slice(at + 1)}`);
  };
  const asGroups = (): NumberReading => readingOf(bare.replace(/[.,]/g, ''));
  if (new Set(marks).size > 1) return [asDecimal()];
  const grouped = /^[1-9]\d{0,2}([.,]\d{3})+$/.test(bare);
  if (marks.length > 1) return [asGroups()];
  if (!grouped) return [asDecimal()];
  if (style === 'unknown') return last === '.' ? [asDecimal(), asGroups()] : [asGroups(), asDecimal()];
  return [(last === '.') === (style === 'point') ? asDecimal() : asGroups()];
}

/** The style that the numbers of a text are written in, told by those that can be read one way only. */
export function numberStyle(given: string): NumberStyle {
  // `decimal(7,3)` is a type with two numbers.
  const text = given.replace(/(?<=\p{L})\(\d+,\s?\d+\)/gu, ' ');
  const comma = (
    text.match(/(?<![\d.,])\d{1,3}(?:\.\d{3})+,\d+(?![\d.,]\d)|(?<![\d.,])(?:\d+,(?:\d{1,2}|\d{4,})|0,\d+)(?![\d.,]?\d)/g) ?? []
  ).length;
  const point = (
    text.match(/(?<![\d.,])\d{1,3}(?:,\d{3})+\.\d+(?![\d.,]\d)|(?<![\d.,])(?:\d+\.(?:\d{1,2}|\d{4,})|0\.\d+)(?![\d.,]?\d)/g) ?? []
  ).length;
  if (comma === point) return 'unknown';
  return comma > point ? 'comma' : 'point';
}

function readingOf(decimal: string): NumberReading {
  const [whole = '', fraction = ''] = decimal.split('.');
  return { value: Number(decimal), exact: canonical(whole, fraction), decimals: fraction.length };
}

function scientific(text: string): string {
  const value = Number(text);
  return Number.isFinite(value) && Math.abs(value) < 1e21 && Math.abs(value) >= 1e-6 ? String(value) : '0';
}

function canonical(whole: string, fraction: string): string {
  const front = whole.replace(/^0+(?=\d)/, '') || '0';
  const back = fraction.replace(/0+$/, '');
  return back === '' ? front : `${front}.${back}`;
}

/** The decimal of a JSON number or of the text of one, without its sign; `undefined` for what is no number. */
export function exactOf(value: number | string): string | undefined {
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) return undefined;
    const text = String(Math.abs(value));
    return text.includes('e') ? exactOf(Math.abs(value).toFixed(Math.abs(value) < 1 ? 12 : 0)) : exactOf(text);
  }
  const found = /^\s*[+-]?(\d+)(?:\.(\d+))?\s*$/.exec(value);
  return found ? canonical(found[1] ?? '', found[2] ?? '') : undefined;
}

/** What the arithmetic of a computer may add or lose; never a whole step of what is shown. */
export function noiseOf(value: number, half: number): number {
  return Math.min(Math.abs(value) * 1e-12, half * 1e-3);
}

/** True where `shown`, exact to `half` on either side, is `value` rounded; at just half both ways of rounding count. */
export function isRounded(shown: number, value: number, half: number): boolean {
  const distance = Math.abs(value - shown);
  const slack = half * 1e-9 + noiseOf(value, half);
  if (distance > half + slack) return false;
  if (distance < half - slack) return true;
  return shown > value || Math.round(shown / (half * 2)) % 2 === 0;
}

/** Digits that carry the number: 6494.8 has five, 67200 three, 0.05 one. */
export function significantDigits(exact: string): number {
  const digits = exact.replace('.', '').replace(/^0+/, '');
  return (exact.includes('.') ? digits : digits.replace(/0+$/, '')).length;
}
