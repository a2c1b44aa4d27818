/** A number without what people and programs write around it. */
export interface UndressedNumber {
  /** The number with its sign in front. */
  readonly plain: string;
  /** The currency or the sign of percent; empty where there is none. */
  readonly unit: string;
  /** How it was marked as negative, where not by a sign in front. */
  readonly negative: 'parentheses' | 'sign_behind' | 'long_sign' | null;
}

const CURRENCY = String.raw`(?:[A-Z]{0,3}[$€£¥₹₽₩₺₴₪฿]|USD|EUR|GBP|CHF|JPY|CNY|INR|SEK|NOK|DKK|PLN|CZK|HUF|CAD|AUD|NZD|BRL|MXN|ZAR|SGD|HKD|KRW|TRY|kr\.?|zł|Kč|Fr\.?|円|元|원)`;
const DRESSED = new RegExp(
  String.raw`^(\()?([+\-−])?\s?(${CURRENCY})?\s?([+\-−])?(\d[\d.,'’ \u00a0\u202f]*(?<=\d)|[.,]\d+)\s?(${CURRENCY}|%)?\s?([-−])?(\))?$`,
  'u',
);

/** `$ (5.00)`: the currency stands before the parentheses. */
const OUTSIDE = new RegExp(String.raw`^(${CURRENCY})\s*\(`, 'u');
/** `$ -`, as spreadsheets show zero among amounts. */
const NOTHING = new RegExp(String.raw`^(${CURRENCY})\s*[-–—]$`, 'u');

/** Reads `$1,234.50`, `12 %`, `(15.00)`, `15.00-`, `−15`; undefined for anything else, plain numbers included. */
export function undressNumber(text: string): UndressedNumber | undefined {
  if (text.length > 40) return undefined;
  const nothing = NOTHING.exec(text);
  if (nothing) return { plain: '0', unit: nothing[1] ?? '', negative: null };
  const found = DRESSED.exec(text.replace(OUTSIDE, '($1'));
  if (!found) return undefined;
  const [, open, before, front, after, digits = '', back, behind, close] = found;
  const signs = [before, after, behind].filter((sign) => sign !== undefined);
  const enclosed = open !== undefined && close !== undefined;
  if ((open === undefined) !== (close === undefined) || (front !== undefined && back !== undefined)) return undefined;
  if (signs.length > 1 || (enclosed && signs.length > 0)) return undefined;
  const sign = signs[0] ?? '';
  const isLong = sign === '−';
  if (front === undefined && back === undefined && !enclosed && behind === undefined && !isLong) return undefined;
  const negative = enclosed ? 'parentheses' : behind !== undefined ? 'sign_behind' : isLong ? 'long_sign' : null;
  return { plain: `${negative !== null || sign === '-' ? '-' : ''}${digits}`, unit: front ?? back ?? '', negative };
}
