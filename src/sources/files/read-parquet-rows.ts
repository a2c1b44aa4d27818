import { stat } from 'node:fs/promises';
import { readAt } from './read-chunks.ts';

const MOST_FOOTER_BYTES = 1024 * 1024;

/**
 * The number of rows that the footer of a Parquet file states; undefined where it cannot be read here. The footer is a Thrift
 * structure in compact form: version (1, i32), schema (2, list), num_rows (3, i64).
 */
export async function readParquetRows(path: string): Promise<string | undefined> {
  const size = await stat(path).then(
    (info) => info.size,
    () => 0,
  );
  if (size < 12) return undefined;
  const end = await readAt(path, size - 8, 8);
  if (end.toString('latin1', 4) !== 'PAR1') return undefined;
  const length = end.readUInt32LE(0);
  if (length === 0 || length > Math.min(MOST_FOOTER_BYTES, size - 8)) return undefined;
  try {
    return readRowCount(new CompactReader(await readAt(path, size - 8 - length, length)));
  } catch {
    return undefined;
  }
}

const I64 = 6;

function readRowCount(reader: CompactReader): string | undefined {
  let id = 0;
  for (let field = reader.byte(); field !== 0; field = reader.byte()) {
    id = field >> 4 === 0 ? Number(reader.signed()) : id + (field >> 4);
    if (id === 3) return (field & 15) === I64 ? String(reader.signed()) : undefined;
    if (id > 3) return undefined;
    reader.skip(field & 15, 0);
  }
  return undefined;
}

const DEEPEST = 32;

/** Reads values of Thrift's compact protocol. @throws RangeError beyond the end, or for what is nested too deep. */
class CompactReader {
  private readonly bytes: Buffer;
  private at = 0;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  byte(): number {
    return this.bytes.readUInt8(this.at++);
  }

  signed(): bigint {
    const value = this.unsigned();
    return (value >> 1n) ^ -(value & 1n);
  }

  skip(type: number, depth: number): void {
    if (depth > DEEPEST) throw new RangeError('nested too deep');
    if (type === 3) this.at += 1;
    else if (type >= 4 && type <= 6) this.unsigned();
    else if (type === 7) this.at += 8;
    else if (type === 8) this.skipBytes();
    else if (type === 9 || type === 10) this.skipList(depth);
    else if (type === 12) this.skipStruct(depth);
    else if (type !== 1 && type !== 2) throw new RangeError('a type that no footer has');
  }

  private skipBytes(): void {
    const length = Number(this.unsigned());
    this.at += length;
  }

  private unsigned(): bigint {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.byte();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
      if (shift > 63n) throw new RangeError('a number that is too long');
    }
  }

  private skipList(depth: number): void {
    const head = this.byte();
    const count = head >> 4 === 15 ? Number(this.unsigned()) : head >> 4;
    // In a list truth values take a byte each, in a structure none.
    for (let index = 0; index < count; index++) {
      if ((head & 15) <= 2) this.at += 1;
      else this.skip(head & 15, depth + 1);
    }
  }

  private skipStruct(depth: number): void {
    for (let field = this.byte(); field !== 0; field = this.byte()) {
      if (field >> 4 === 0) this.unsigned();
      this.skip(field & 15, depth + 1);
    }
  }
}
