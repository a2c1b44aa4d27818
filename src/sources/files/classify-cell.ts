/** Ways to write a number, one bit each; a column's way is the first that fits all its cells. */
export const NUMBER_STYLES = [
  { bit: 1, format: '1234.56', decimal: '.', group: '' },
  { bit: 2, format: '1234,56', decimal: ',', group: '' },
  { bit: 4, format: '1,234.56', decimal: '.', group: ',' },
  { bit: 8, format: '1.234,56', decimal: ',', group: '.' },
  { bit: 16, format: '1 234,56', decimal: ',', group: ' ' },
  { bit: 32, format: '1 234.56', decimal: '.', group: ' ' },
  { bit: 64, format: "1'234.56", decimal: '.', group: "'" },
] as const;

export type NumberStyle = (typeof NUMBER_STYLES)[number];

export const ALL_STYLES = 127;
const DOT_STYLES = 1 | 4 | 32 | 64;
const COMMA_STYLES = 2 | 8 | 16;

export type CellClass =
  | { readonly kind: 'integer'; readonly leadingZero: boolean }
  | { readonly kind: 'number'; readonly styles: number; readonly exponent: boolean }
  | { readonly kind: 'not_finite' }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'other' };

const INTEGER = /^[+-]?\d+$/;
const LEADING_ZERO = /^[+-]?0\d/;
const DOT_DECIMAL = /^[+-]?(\d+\.\d*|\.\d+)$/;
const COMMA_DECIMAL = /^[+-]?(\d+,\d+|,\d+)$/;
const COMMA_GROUPS = /^[+-]?\d{1,3}(,\d{2,3})*,\d{3}(\.\d*)?$/;
const DOT_GROUPS = /^[+-]?\d{1,3}(\.\d{3})+(,\d*)?$/;
const BLANK_GROUPS = /^[+-]?\d{1,3}([ \u00a0\u202f\u2009]\d{3})+([.,]\d*)?$/;
const QUOTE_GROUPS = /^[+-]?\d{1,3}(['’]\d{3})+(\.\d*)?$/;
const EXPONENT = /^[+-]?(\d+([.,]\d*)?|[.,]\d+)[eE][+-]?\d{1,3}$/;
const NOT_FINITE = /^([+-]?(nan|inf|infinity)|[+-]?1\.#(inf|ind|qnan))$/i;
const BOOLEAN = /^(true|false)$/i;

/** Words that people and programs write where a value is missing. */
export const NULL_WORDS: ReadonlySet<string> = new Set(
  [
    'null',
    'nil',
    'none',
    'na',
    'n/a',
    '#n/a',
    '#na',
    'n.a.',
    '<na>',
    '\\n',
    '-',
    '--',
    '?',
    'unknown',
    'missing',
    '(null)',
    'nat',
    '.',
  ].concat(['0000-00-00', '0000-00-00 00:00:00', '#null!', '#value!', '#div/0!']),
);

/** What a trimmed, non-empty cell can be as a number, truth value or neither. */
export function classifyCell(text: string): CellClass {
  const first = text.charCodeAt(0);
  if ((first >= 48 && first <= 57) || first === 43 || first === 45 || first === 46 || first === 44) return classifyNumber(text);
  if (text.length <= 9 && NOT_FINITE.test(text)) return { kind: 'not_finite' };
  if (text.length <= 5 && BOOLEAN.test(text)) return { kind: 'boolean' };
  return { kind: 'other' };
}

function classifyNumber(text: string): CellClass {
  if (text.length > 400) return { kind: 'other' };
  if (INTEGER.test(text)) return { kind: 'integer', leadingZero: LEADING_ZERO.test(text) };
  const styles = numberStyles(text);
  if (styles > 0) return { kind: 'number', styles, exponent: false };
  if (EXPONENT.test(text)) {
    const exponentStyles = text.includes(',') ? COMMA_STYLES : text.includes('.') ? DOT_STYLES : ALL_STYLES;
    return { kind: 'number', styles: exponentStyles, exponent: true };
  }
  return NOT_FINITE.test(text) ? { kind: 'not_finite' } : { kind: 'other' };
}

function numberStyles(text: string): number {
  let styles = 0;
  if (DOT_DECIMAL.test(text)) styles |= DOT_STYLES;
  if (COMMA_DECIMAL.test(text)) styles |= COMMA_STYLES;
  if (COMMA_GROUPS.test(text)) styles |= 4;
  if (DOT_GROUPS.test(text)) styles |= 8;
  if (BLANK_GROUPS.test(text)) styles |= text.includes(',') ? 16 : text.includes('.') ? 32 : 48;
  if (QUOTE_GROUPS.test(text)) styles |= 64;
  return styles;
}

/** The cell as engines read it: `-1234.56`; it must fit the style. */
export function plainNumber(text: string, style: NumberStyle): string {
  let plain = text;
  if (style.group === ' ') plain = plain.replace(/[ \u00a0\u202f\u2009]/g, '');
  else if (style.group === "'") plain = plain.replace(/['’]/g, '');
  else if (style.group) plain = plain.replaceAll(style.group, '');
  return style.decimal === ',' ? plain.replace(',', '.') : plain;
}
