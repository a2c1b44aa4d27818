import { z } from 'zod';
import { defineTool, type ToolContext } from '../../src/core/tool.ts';
import { complete, failed, noData, partial, refused, type ToolWarning } from '../../src/core/tool-result.ts';
import { newLineReading, readLineBatches } from '../logs/read-line-batches.ts';
import { type LineSlice, newSlice } from './slice-lines.ts';

const input = z.object({
  source: z.string().optional().describe('Name of the source; left out when only one has files'),
  path: z.string().min(1).describe('The file, relative to the source'),
  from_line: z.number().int().min(1).default(1).describe('First line, counted from 1'),
  last: z.number().int().min(1).max(500).optional().describe('The last lines of the file, in place of from_line'),
  lines: z.number().int().min(1).max(500).default(100).describe('Most lines'),
});

const output = z.object({
  path: z.string(),
  from_line: z.number(),
  lines: z.array(z.string()).describe('Whole lines; one over 2,000 characters is cut, and says so'),
  total_lines: z.number().nullable().describe('null where the file was not read to its end'),
  next_line: z.number().nullable().describe('from_line for what follows; null at the end of the file'),
  encoding: z.string(),
});

/** Reads lines of a text file as they stand. */
export const readFile = defineTool({
  name: 'read_file',
  description:
    'Reads lines of a text file (SQL, YAML, code, configuration, notes, gzip too) as they stand, from a line on or the last ones. For data use sniff_file and query_sql, for logs summarize_log: they count, this one only shows.',
  input,
  output,
  effect: 'read',
  example: { source: 'logs', path: 'scheduler/2026-03-17.log', lines: 3 },
  run: (request, context) => read(request, context),
});

async function read(request: z.output<typeof input>, context: ToolContext) {
  const { name, files } = await context.sources.pick('files', request.source);
  if (!files) return refused('no_files', `source "${name}" has no files`);
  const { path } = request;
  const file = await files.resolve(path);
  const reading = newLineReading();
  const slice = newSlice(request.last === undefined ? { from: request.from_line, most: request.lines } : { last: request.last });
  for await (const batch of readLineBatches(file, reading)) {
    if (slice.take(batch) || context.scope.stopped) break;
  }
  const { problem } = reading;
  if (problem && slice.lines.length === 0) return failed(`file_${problem.code}`, `${path} ${problem.message}`);
  return answer(request, slice, { encoding: reading.encoding, asOf: context.now(), warnings: problem ? [describe(path, problem)] : [] });
}

interface Read {
  readonly encoding: string;
  readonly asOf: Date;
  readonly warnings: readonly ToolWarning[];
}

function answer(request: z.output<typeof input>, slice: LineSlice, { encoding, asOf, warnings }: Read) {
  const shown = slice.fitted();
  const end = shown.from + shown.lines.length;
  const total = slice.atEnd && warnings.length === 0 ? slice.seen : undefined;
  const isLast = total !== undefined && end > total;
  const data = {
    path: request.path,
    from_line: shown.from,
    lines: shown.lines,
    total_lines: total ?? null,
    next_line: isLast ? null : end,
    encoding,
  };
  const extra = { warnings, asOf, returned: shown.lines.length, ...(total === undefined ? {} : { total }) };
  if (shown.lines.length > 0) return isLast && shown.from === 1 ? complete(data, extra) : partial(data, extra);
  const past = request.from_line > 1 ? [{ code: 'past_the_end', message: `the file has ${slice.seen} lines` }] : [];
  return noData(data, { ...extra, warnings: [...warnings, ...past], total: slice.seen });
}

function describe(path: string, { code, message }: { readonly code: string; readonly message: string }): ToolWarning {
  return { code: `file_${code}`, message: `${path} ${message}` };
}
