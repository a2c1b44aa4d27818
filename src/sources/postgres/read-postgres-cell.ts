import type { Cell } from '../../core/source.ts';

const BLOB_BYTES_SHOWN = 16;

/** Type numbers of PostgreSQL that JSON can hold as other than text. */
const BOOLEAN = 16;
const BYTES = 17;
const INTEGERS = new Set([20, 21, 23, 26]);
const FLOATS = new Set([700, 701]);

/** A cell from the server's own text of a value, by its type number; whatever is not surely exact stays text. */
export function readPostgresCell(text: string | null, typeNumber: number): Cell {
  if (text === null) return null;
  if (typeNumber === BOOLEAN) return text === 't';
  if (typeNumber === BYTES) return bytesText(text);
  if (INTEGERS.has(typeNumber)) return Number.isSafeInteger(Number(text)) ? Number(text) : text;
  if (FLOATS.has(typeNumber)) return Number.isFinite(Number(text)) ? Number(text) : text;
  return text;
}

function bytesText(text: string): string {
  const hex = text.replace(/^\\x/, '');
  const bytes = hex.length / 2;
  return `0x${hex.slice(0, BLOB_BYTES_SHOWN * 2)}${bytes > BLOB_BYTES_SHOWN ? '…' : ''} (${bytes} bytes)`;
}
