/** What may be asked of a column, whatever its engine calls its type. */
export type ColumnClass = 'integer' | 'decimal' | 'float' | 'time' | 'text' | 'boolean' | 'other';

const CLASSES: readonly (readonly [ColumnClass, RegExp])[] = [
  ['other', /\[\d*\]$|^(STRUCT|MAP|UNION|LIST|JSON|VARIANT|BLOB|BYTEA|BIT|XML|GEOMETRY|POINT|INTERVAL|TIME\b(?!STAMP)|TIMETZ|UUID)/i],
  ['boolean', /^BOOL/i],
  ['time', /^(DATE|TIMESTAMP|SMALLDATETIME)/i],
  ['integer', /^U?(TINY|SMALL|MEDIUM|BIG|HUGE|UNSIGNED ?BIG ?)?INT(EGER|\d)?\b|^U?(TINY|SMALL|BIG|HUGE)INT|^(SMALL|BIG)?SERIAL|^OID$/i],
  ['decimal', /^(DECIMAL|NUMERIC|BIGNUM|MONEY)/i],
  ['float', /^(DOUBLE|FLOAT|REAL)/i],
  ['text', /CHAR|TEXT|CLOB|STRING|^ENUM|^NAME$|^CITEXT/i],
];

export function classifyType(type: string): ColumnClass {
  return CLASSES.find(([, pattern]) => pattern.test(type))?.[0] ?? 'other';
}

export function isNumeric(kind: ColumnClass): boolean {
  return kind === 'integer' || kind === 'decimal' || kind === 'float';
}
