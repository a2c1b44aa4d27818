import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import type { EncodingReading, FileReading, LineEndingReading } from '../../core/file-reading.ts';
import type { Scope } from '../../core/scope.ts';
import type { ToolWarning } from '../../core/tool-result.ts';
import { ALIGNED, isAligned } from './aligned-text.ts';
import { encodingWarnings, nameWarnings } from './byte-warnings.ts';
import { scanLineEndings } from './count-line-endings.ts';
import { decodeBytes } from './decode-text.ts';
import { scanEncoding } from './detect-encoding.ts';
import { detectMagic, looksBinary } from './detect-kind.ts';
import { describePlain, examineDelimited } from './examine-delimited.ts';
import { examineJson } from './examine-json.ts';
import { examinePlain } from './examine-plain.ts';
import { binaryFile, damaged, emptyReading, notData, plainText } from './no-table.ts';
import { readChunks, readHead, UnreadableFileError } from './read-chunks.ts';
import { findRivalEncodings } from './rival-encodings.ts';
import type { TablePlan } from './table-plan.ts';

export interface Examination {
  readonly reading: FileReading;
  /** Absent where the file is no table that we can read. */
  readonly plan?: TablePlan;
  /** Why a file that looks like data is not made into a table. */
  readonly noTable?: string;
}

export interface ExamineOptions {
  /** How the reading calls the file. */
  readonly name: string;
  readonly scope: Scope;
  /** Look at no more than this many decompressed bytes, plus the tail; everything when left out. */
  readonly limit?: number;
  /** Absolute paths of files beside it that may settle what this one leaves open. */
  readonly sisters?: readonly string[];
  /** Every record goes through our own reader, even where the engine's would do. */
  readonly careful?: boolean;
  /** A plain file of this size is left to the engine; LARGE_FILE_BYTES when left out. */
  readonly largeBytes?: number;
}

/** What the parts of an examination share. */
export interface TextFile {
  readonly path: string;
  readonly gzip: boolean;
  readonly extension: string;
  readonly head: string;
  /** True when `head` is all of it. */
  readonly whole: boolean;
  readonly encoding: EncodingReading;
  readonly lineEndings: LineEndingReading;
  /** Set when only so many bytes are looked at. */
  readonly limit: number | undefined;
  readonly base: FileReading;
  readonly options: ExamineOptions;
}

/** From here on a plain file is left to the engine. */
export const LARGE_FILE_BYTES = 16 * 1024 * 1024;
const HEAD_BYTES = 4 * 1024 * 1024;
const JSON_EXTENSIONS = new Set(['.json', '.jsonl', '.ndjson', '.geojson']);
const TEXT_EXTENSIONS = new Set([
  '.log',
  '.md',
  '.sql',
  '.py',
  '.yml',
  '.yaml',
  '.xml',
  '.html',
  '.toml',
  '.ini',
  '.sh',
  '.js',
  '.ts',
  '.out',
  '.err',
]);

/** Looks into a file and says what it is and how it has to be read. Never trusts its name. */
export async function examineFile(path: string, options: ExamineOptions): Promise<Examination> {
  const { size } = await stat(path);
  const base = emptyReading(options.name, size);
  if (size === 0) return { reading: { ...base, kind: 'empty', kind_evidence: 'no bytes' }, noTable: 'the file is empty' };
  const raw = await readHead({ path, gzip: false, scope: options.scope, limit: 64 });
  const magic = detectMagic(raw.bytes);
  if (magic.kind !== null) return binaryFile({ ...base, kind: magic.kind, kind_evidence: magic.evidence, compression: magic.compression });
  const gzip = magic.compression === 'gzip';
  const { bytes, damage } = await readHead({ path, gzip, scope: options.scope, limit: HEAD_BYTES });
  const reading: FileReading = { ...base, compression: magic.compression };
  if (damage) return damaged(reading, damage, bytes.length);
  if (bytes.length === 0) return { reading: { ...reading, kind: 'empty', kind_evidence: 'nothing inside' }, noTable: 'the file is empty' };
  const inner = gzip ? detectMagic(bytes) : magic;
  if (inner.kind !== null || inner.compression === 'gzip') {
    const kind_evidence = gzip ? `${magic.evidence}; inside it ${inner.evidence}` : inner.evidence;
    return binaryFile({ ...reading, kind: inner.kind ?? 'binary', kind_evidence, bytes_read: bytes.length });
  }
  try {
    return await examineText(path, gzip, bytes, { reading, options });
  } catch (error) {
    if (error instanceof UnreadableFileError && error.code !== 'stopped') return damaged(reading, error.message, bytes.length);
    throw error;
  }
}

async function examineText(
  path: string,
  gzip: boolean,
  head: Buffer,
  { reading, options }: { readonly reading: FileReading; readonly options: ExamineOptions },
): Promise<Examination> {
  const plain =
    !gzip && options.limit === undefined && !options.careful ? await examineAsPlain(path, head, { reading, options }) : undefined;
  if (plain) return plain;
  const scanned = await scanBytes(path, gzip, options);
  if (scanned instanceof UnreadableFileError) return damaged(reading, scanned.message, head.length);
  const { encoding, lineEndings, bytes, cutShort } = scanned;
  const text = decodeBytes(head, encoding.name, bytes <= head.length);
  const warnings: ToolWarning[] = [...nameWarnings(options.name, reading), ...encodingWarnings(encoding, lineEndings)];
  const alternatives = findRivalEncodings(head, encoding);
  if (alternatives.length > 0) {
    const others = alternatives.map((other) => other.reading).join(', ');
    warnings.push({
      code: 'encoding_unsure',
      message: `read as windows-1252, but ${others} fit better: texts may come out as wrong letters`,
    });
  }
  const base = { ...reading, encoding, line_endings: lineEndings, complete: !cutShort, bytes_read: bytes, alternatives, warnings };
  if (!encoding.name.startsWith('utf-16') && looksBinary(head)) {
    return {
      reading: { ...base, kind: 'binary', kind_evidence: 'holds bytes that no text has', encoding: null },
      noTable: 'the file is binary',
    };
  }
  if (text.trim() === '')
    return {
      reading: { ...base, kind: 'empty', kind_evidence: 'only blanks', rows: { count: 0, exact: true } },
      noTable: 'the file holds only blanks',
    };
  const extension = extname(options.name.replace(/\.gz$/i, '')).toLowerCase();
  const limit = cutShort ? options.limit : undefined;
  const file: TextFile = { path, gzip, extension, head: text, whole: bytes <= head.length, encoding, lineEndings, limit, base, options };
  const start = text.trimStart()[0];
  if (JSON_EXTENSIONS.has(extension) || start === '{' || start === '[') {
    const found = await examineJson(file, JSON_EXTENSIONS.has(extension));
    if (found) return found;
  }
  const other = notData(text);
  if (other !== undefined) return plainText(base, other, other);
  if (TEXT_EXTENSIONS.has(extension)) return plainText(base, `a text file by its name (${extension})`);
  const delimited = await examineDelimited(file);
  if (delimited) return delimited;
  return isAligned(text) ? plainText(base, ALIGNED, ALIGNED) : plainText(base, 'text without a delimiter that cuts its lines evenly');
}

/** A large file that the engine can read by itself, since nothing about it is odd. */
async function examineAsPlain(
  path: string,
  bytes: Buffer,
  { reading, options }: { readonly reading: FileReading; readonly options: ExamineOptions },
): Promise<Examination | undefined> {
  const extension = extname(options.name).toLowerCase();
  const start = bytes.subarray(0, 1024).toString('latin1').trimStart()[0] ?? '';
  if (
    reading.bytes < (options.largeBytes ?? LARGE_FILE_BYTES) ||
    JSON_EXTENSIONS.has(extension) ||
    TEXT_EXTENSIONS.has(extension) ||
    '{[<'.includes(start)
  )
    return undefined;
  const head = decodeBytes(bytes, 'utf-8', false);
  const found = await examinePlain(path, { head, bytes: reading.bytes, scope: options.scope });
  if (found === undefined) return undefined;
  const { file } = found;
  const evidence = file.hasMultibyte ? 'valid UTF-8 with multi-byte characters' : 'ASCII only: every encoding but UTF-16 fits';
  const encoding: EncodingReading = { name: 'utf-8', byte_order_mark: bytes[0] === 0xef, evidence, zero_bytes: 0 };
  const ends = file.records - (file.endsWithNewline ? 0 : 1);
  const counts = file.newline === '\n' ? { lf: ends, crlf: 0 } : { lf: 0, crlf: ends };
  const lineEndings: LineEndingReading = { ...counts, cr: 0, mixed: false, ends_with_newline: file.endsWithNewline };
  const warnings = nameWarnings(options.name, reading);
  const base: FileReading = { ...reading, encoding, line_endings: lineEndings, bytes_read: file.bytes, warnings };
  return describePlain({ path, gzip: false, extension, head, whole: false, encoding, lineEndings, limit: undefined, base, options }, found);
}

interface ByteScan {
  readonly encoding: EncodingReading;
  readonly lineEndings: LineEndingReading;
  readonly bytes: number;
  readonly cutShort: boolean;
}

/** One pass over the bytes for encoding and line endings; both need every byte. */
async function scanBytes(path: string, gzip: boolean, { scope, limit }: ExamineOptions): Promise<ByteScan | UnreadableFileError> {
  const encodings = scanEncoding();
  const endings = scanLineEndings();
  let bytes = 0;
  let wide: 'utf-16le' | 'utf-16be' | undefined;
  try {
    for await (const chunk of readChunks({ path, gzip, scope, ...(limit === undefined ? {} : { limit: limit + 1 }) })) {
      encodings.feed(chunk);
      if (bytes === 0) wide = wideEncoding(chunk);
      bytes += chunk.length;
      endings.feed(wide ? decodeBytes(chunk, wide, true) : chunk.toString('latin1'));
    }
  } catch (error) {
    if (error instanceof UnreadableFileError && error.code !== 'stopped') return error;
    throw error;
  }
  const cutShort = limit !== undefined && bytes > limit;
  return { encoding: encodings.end(), lineEndings: endings.end(), bytes: cutShort ? limit : bytes, cutShort };
}

function wideEncoding(chunk: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  const scan = scanEncoding();
  scan.feed(chunk.subarray(0, chunk.length - (chunk.length % 2)));
  const { name } = scan.end();
  return name === 'utf-16le' || name === 'utf-16be' ? name : undefined;
}
