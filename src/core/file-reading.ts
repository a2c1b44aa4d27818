import type { Scope } from './scope.ts';
import type { ToolWarning } from './tool-result.ts';

export type FileKind = 'empty' | 'delimited' | 'json' | 'json_lines' | 'parquet' | 'sqlite' | 'duckdb' | 'text' | 'binary';

/** What a file is and how it has to be read, with what decided it. Names are those of the tool results. */
export interface FileReading {
  readonly path: string;
  readonly bytes: number;
  readonly kind: FileKind;
  /** Why the kind was chosen, in a few words. */
  readonly kind_evidence: string;
  readonly compression: 'gzip' | 'zstd' | 'bzip2' | 'xz' | 'zip' | null;
  /** True when every byte was looked at; false when only the head, samples and the tail were. */
  readonly complete: boolean;
  /** Bytes looked at, after decompression. */
  readonly bytes_read: number;
  readonly encoding: EncodingReading | null;
  readonly line_endings: LineEndingReading | null;
  readonly delimited: DelimitedReading | null;
  readonly json: JsonReading | null;
  /** Columns that a row has. */
  readonly width: number | null;
  readonly columns: readonly ColumnReading[];
  readonly rows: { readonly count: number; readonly exact: boolean } | null;
  /** Other readings that also fit, and what would decide between them. */
  readonly alternatives: readonly AlternativeReading[];
  readonly warnings: readonly ToolWarning[];
}

export type TextEncodingName = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

export interface EncodingReading {
  readonly name: TextEncodingName;
  readonly byte_order_mark: boolean;
  readonly evidence: string;
  /** Byte offset of the first sequence that is not valid in the encoding, and how many there are. */
  readonly invalid?: { readonly first_offset: number; readonly count: number };
  readonly zero_bytes: number;
}

export interface LineEndingReading {
  readonly crlf: number;
  readonly lf: number;
  readonly cr: number;
  readonly mixed: boolean;
  /** First line that ends differently from the first one. */
  readonly first_change_line?: number;
  readonly ends_with_newline: boolean;
}

export interface DelimitedReading {
  readonly delimiter: string;
  readonly quote: string | null;
  readonly escape: 'doubled' | 'backslash' | null;
  readonly comment: string | null;
  /** Lines before the table that are not part of it. */
  readonly preamble_lines: number;
  /** Records that name the columns; 0 when there is no header. */
  readonly header_records: number;
  /** Line of the first header record (or of the first row). */
  readonly table_starts_at_line: number;
  readonly footer: readonly LineSample[];
  readonly comment_lines: number;
  readonly blank_lines: number;
  /** Records with another width than the table's, inside it. */
  readonly ragged: { readonly short: number; readonly long: number; readonly lines: readonly number[] };
  /** Headers that come again inside the file: files joined end to end, or several tables. */
  readonly repeated_headers: readonly number[];
  /** Set when the last record is cut. */
  readonly cut_last_line: { readonly line: number; readonly because: string } | null;
  readonly decimal_mark: ',' | '.' | null;
}

export interface LineSample {
  readonly line: number;
  readonly text: string;
}

export interface JsonReading {
  readonly shape: 'array' | 'object' | 'values';
  readonly top_level_values: number;
  readonly max_depth: number;
  readonly duplicate_keys: readonly string[];
  readonly non_finite: number;
  readonly several_values_on_a_line: boolean;
  readonly bad: readonly LineSample[];
  readonly bad_count: number;
}

export interface ColumnReading {
  readonly name: string;
  readonly position: number;
  /** `integer`, `decimal(p,s)`, `double`, `boolean`, `date`, `timestamp`, `timestamp_ns`, `timestamptz`, `time`, `json`, `text`, `empty`. */
  readonly type: string;
  /** Format of dates (`dd/mm/yyyy`) and numbers (`1.234,56`), where it is not the plain one. */
  readonly format?: string;
  readonly evidence: string;
  /** Cells without anything between the delimiters. */
  readonly empty: number;
  /** Cells that are empty in quotes or hold blanks only: text, where the column is text. */
  readonly empty_quoted: number;
  /** Words that stand for a missing value, with counts. They are NULL unless the column is text. */
  readonly null_words?: Readonly<Record<string, number>>;
  /** Cells that kept the column from having the type that nearly all others have. */
  readonly misfits?: { readonly type: string; readonly count: number; readonly samples: readonly LineSample[] };
}

export interface AlternativeReading {
  readonly about: string;
  readonly reading: string;
  readonly evidence: string;
}

/** Reads what a file is. */
export interface FileReader {
  /**
   * @param path relative to the source's folder.
   * @throws FileAccessError when the path is outside the folder, missing or not a file.
   */
  sniff(path: string, scope: Scope): Promise<FileReading>;
}
