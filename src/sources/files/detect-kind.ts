import type { FileReading } from '../../core/file-reading.ts';

export interface MagicKind {
  readonly kind: 'parquet' | 'sqlite' | 'duckdb' | 'binary' | null;
  readonly compression: FileReading['compression'];
  readonly evidence: string;
}

/** xlsx, ods and xls. */
export const WORKBOOK = 'is a workbook of a spreadsheet or another Office file';

const SIGNATURES: readonly { readonly at: number; readonly bytes: string; readonly found: MagicKind }[] = [
  { at: 0, bytes: '1f8b', found: { kind: null, compression: 'gzip', evidence: 'starts with the gzip signature' } },
  { at: 0, bytes: '28b52ffd', found: { kind: 'binary', compression: 'zstd', evidence: 'starts with the Zstandard signature' } },
  { at: 0, bytes: '425a68', found: { kind: 'binary', compression: 'bzip2', evidence: 'starts with the bzip2 signature' } },
  { at: 0, bytes: 'fd377a585a00', found: { kind: 'binary', compression: 'xz', evidence: 'starts with the xz signature' } },
  { at: 30, bytes: Buffer.from('[Content_Types].xml').toString('hex'), found: { kind: 'binary', compression: null, evidence: WORKBOOK } },
  { at: 30, bytes: Buffer.from('xl/').toString('hex'), found: { kind: 'binary', compression: null, evidence: WORKBOOK } },
  {
    at: 30,
    bytes: Buffer.from('mimetypeapplication/vnd.oasis').toString('hex'),
    found: { kind: 'binary', compression: null, evidence: WORKBOOK },
  },
  { at: 0, bytes: 'd0cf11e0a1b11ae1', found: { kind: 'binary', compression: null, evidence: WORKBOOK } },
  { at: 0, bytes: '504b0304', found: { kind: 'binary', compression: 'zip', evidence: 'starts with the zip signature (zip, xlsx, jar)' } },
  { at: 0, bytes: 'fffe0000', found: { kind: 'binary', compression: null, evidence: 'starts with the byte order mark of UTF-32' } },
  { at: 0, bytes: '0000feff', found: { kind: 'binary', compression: null, evidence: 'starts with the byte order mark of UTF-32' } },
  { at: 0, bytes: '50415231', found: { kind: 'parquet', compression: null, evidence: 'starts with PAR1' } },
  {
    at: 0,
    bytes: Buffer.from('SQLite format 3\0').toString('hex'),
    found: { kind: 'sqlite', compression: null, evidence: 'starts with the SQLite header' },
  },
  { at: 8, bytes: '4455434b', found: { kind: 'duckdb', compression: null, evidence: 'has DUCK at byte 8' } },
  { at: 0, bytes: '4f626a01', found: { kind: 'binary', compression: null, evidence: 'starts with the Avro signature' } },
  { at: 0, bytes: '4f5243', found: { kind: 'binary', compression: null, evidence: 'starts with the ORC signature' } },
  { at: 0, bytes: '4152524f5731', found: { kind: 'binary', compression: null, evidence: 'starts with the Arrow signature' } },
  { at: 0, bytes: '25504446', found: { kind: 'binary', compression: null, evidence: 'starts with the PDF signature' } },
  { at: 0, bytes: '89504e47', found: { kind: 'binary', compression: null, evidence: 'starts with the PNG signature' } },
  { at: 0, bytes: '7f454c46', found: { kind: 'binary', compression: null, evidence: 'is an ELF program' } },
];

/** What the first bytes say, whatever the file is called; null kind and compression when they say nothing. */
export function detectMagic(head: Buffer): MagicKind {
  for (const { at, bytes, found } of SIGNATURES) {
    if (head.subarray(at, at + bytes.length / 2).toString('hex') === bytes) return found;
  }
  return { kind: null, compression: null, evidence: '' };
}

/** True when bytes that are no text stand among the first ones. Zero bytes alone come from a crash or a file made in advance. */
export function looksBinary(head: Buffer): boolean {
  let control = 0;
  let zeros = 0;
  const length = Math.min(head.length, 65_536);
  for (let index = 0; index < length; index++) {
    const byte = head[index] ?? 0;
    if (byte === 0) zeros++;
    else if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 13 && byte !== 12 && byte !== 27 && (byte < 28 || byte > 31) && byte !== 1)
      control++;
  }
  return zeros === length || control > Math.max(4, (length - zeros) * 0.03);
}
