import { z } from 'zod';
import type { ColumnReading, FileReading } from '../../src/core/file-reading.ts';
import { FileAccessError, type Source, type SourceCatalog, SourceChoiceError } from '../../src/core/source.ts';
import { defineTool } from '../../src/core/tool.ts';
import { complete, partial, refused } from '../../src/core/tool-result.ts';
import { shorten, takeItems } from './take-items.ts';

const line = z.object({ line: z.number(), text: z.string() });

const output = z.object({
  path: z.string(),
  bytes: z.number(),
  bytes_read: z.number(),
  kind: z.enum(['empty', 'delimited', 'json', 'json_lines', 'parquet', 'sqlite', 'duckdb', 'text', 'binary']),
  kind_evidence: z.string(),
  compression: z.string().nullable(),
  encoding: z
    .object({
      name: z.string(),
      byte_order_mark: z.boolean(),
      evidence: z.string(),
      invalid: z.object({ first_offset: z.number(), count: z.number() }).optional(),
      zero_bytes: z.number(),
    })
    .nullable(),
  line_endings: z
    .object({
      crlf: z.number(),
      lf: z.number(),
      cr: z.number(),
      mixed: z.boolean(),
      first_change_line: z.number().optional(),
      ends_with_newline: z.boolean(),
    })
    .nullable(),
  delimited: z
    .object({
      delimiter: z.string(),
      quote: z.string().nullable(),
      escape: z.string().nullable(),
      comment: z.string().nullable(),
      preamble_lines: z.number(),
      header_records: z.number(),
      table_starts_at_line: z.number(),
      footer: z.array(line),
      comment_lines: z.number(),
      blank_lines: z.number(),
      ragged: z.object({ short: z.number(), long: z.number(), lines: z.array(z.number()) }),
      repeated_headers: z.array(z.number()),
      cut_last_line: z.object({ line: z.number(), because: z.string() }).nullable(),
      decimal_mark: z.string().nullable(),
    })
    .nullable(),
  json: z
    .object({
      shape: z.enum(['array', 'object', 'values']),
      top_level_values: z.number(),
      max_depth: z.number(),
      duplicate_keys: z.array(z.string()),
      non_finite: z.number(),
      several_values_on_a_line: z.boolean(),
      bad: z.array(line),
      bad_count: z.number(),
    })
    .nullable(),
  rows: z.object({ count: z.number(), exact: z.boolean() }).nullable(),
  width: z.number().nullable(),
  columns_by_type: z.record(z.string(), z.number()),
  columns: z.array(
    z.object({
      name: z.string(),
      position: z.number(),
      type: z.string(),
      format: z.string().optional(),
      evidence: z.string(),
      empty: z.number(),
      empty_quoted: z.number(),
      null_words: z.record(z.string(), z.number()).optional(),
      misfits: z.object({ type: z.string(), count: z.number(), samples: z.array(line) }).optional(),
    }),
  ),
  alternatives: z.array(z.object({ about: z.string(), reading: z.string(), evidence: z.string() })),
  alternatives_total: z.number(),
});

/** Says what one file is and how it has to be read. */
export const sniffFile = defineTool({
  name: 'sniff_file',
  description:
    'Looks into one file and says what it is whatever its name: kind, compression, encoding and byte order mark, line endings and where they mix, delimiter and quotes, lines that are not data (preamble, headers, totals, cut last line), ragged rows with line numbers, rows, and for every column its type with the evidence (date order, decimal comma, leading zeros). Lists other readings that also fit.',
  input: z.object({
    path: z.string().min(1).describe('Path of the file inside the source, as list_files shows it'),
    source: z.string().optional().describe('Name of the source; left out when only one has files'),
  }),
  output,
  effect: 'read',
  example: { source: 'landing', path: 'orders_2026-03-16.csv' },
  async run(input, context) {
    const source = await pickSniffable(context.sources, input.source);
    if (source instanceof SourceChoiceError) return refused('no_source', source.message);
    if (source.readings === undefined) {
      return refused(
        'not_sniffable',
        `the files of source "${source.name}" (${source.kind}) are not sniffed; open the folder as a source of kind "files"`,
      );
    }
    try {
      const reading = await source.readings.sniff(input.path, context.scope);
      const data = summarise(reading);
      const warnings = takeItems(
        reading.warnings.map(({ code, message }) => ({ code, message: shorten(message, 300) })),
        2000,
      );
      const hidden = reading.warnings.length - warnings.length;
      if (hidden > 0) warnings.push({ code: 'more_warnings', message: `${hidden} more warnings` });
      const total = reading.width ?? 0;
      const extra = { warnings, total, returned: data.columns.length, asOf: context.now() };
      return reading.complete && data.columns.length >= total ? complete(data, extra) : partial(data, extra);
    } catch (error) {
      if (error instanceof FileAccessError) return refused(`file_${error.reason}`, error.message);
      throw error;
    }
  },
});

/** The source named, or the only one whose files can be sniffed. */
async function pickSniffable(sources: SourceCatalog, name: string | undefined): Promise<Source | SourceChoiceError> {
  try {
    if (name === undefined) {
      const sniffable = (await sources.withCapability('files')).filter((source) => source.readings !== undefined);
      if (sniffable.length === 1 && sniffable[0]) return sniffable[0];
    }
    return await sources.pick('files', name);
  } catch (error) {
    if (error instanceof SourceChoiceError) return error;
    throw error;
  }
}

/** The reading with whole items left out at the end of long lists. */
function summarise(reading: FileReading): z.output<typeof output> {
  const { delimited, json, warnings: _, complete: __, columns, alternatives, ...rest } = reading;
  const types = new Map<string, number>();
  for (const { type } of columns) types.set(type, (types.get(type) ?? 0) + 1);
  const shown = alternatives.map(({ about, reading: other, evidence }) => ({
    about: shorten(about, 100),
    reading: shorten(other, 100),
    evidence: shorten(evidence, 150),
  }));
  return {
    ...rest,
    delimited: delimited && {
      ...delimited,
      footer: delimited.footer.slice(0, 3),
      ragged: { ...delimited.ragged, lines: delimited.ragged.lines.slice(0, 20) },
      repeated_headers: delimited.repeated_headers.slice(0, 10),
    },
    json: json && {
      ...json,
      duplicate_keys: takeItems(json.duplicate_keys, 300),
      bad: json.bad.slice(0, 3),
    },
    columns_by_type: Object.fromEntries([...types].sort((left, right) => right[1] - left[1]).slice(0, 20)),
    columns: takeItems(columns.map(shortColumn), 3500),
    alternatives: takeItems(shown, 1000),
    alternatives_total: alternatives.length,
  } as z.output<typeof output>;
}

function shortColumn(column: ColumnReading): ColumnReading {
  const { null_words: words, misfits } = column;
  return {
    ...column,
    name: shorten(column.name, 80),
    type: shorten(column.type, 80),
    evidence: shorten(column.evidence, 140),
    ...(words === undefined ? {} : { null_words: Object.fromEntries(Object.entries(words).slice(0, 4)) }),
    ...(misfits === undefined ? {} : { misfits: { ...misfits, samples: misfits.samples.slice(0, 2) } }),
  };
}
