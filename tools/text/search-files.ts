import { z } from 'zod';
import type { Scope } from '../../src/core/scope.ts';
import type { FileEntry, FileListing, FileTree } from '../../src/core/source.ts';
import { defineTool, type ToolContext } from '../../src/core/tool.ts';
import { complete, noData, partial, refused, type ToolWarning } from '../../src/core/tool-result.ts';
import { takeItems } from '../files/take-items.ts';
import { compilePattern, type MatchLines } from '../logs/compile-pattern.ts';
import { newLineReading, readLineBatches } from '../logs/read-line-batches.ts';

const READING_MS = 50_000;
const MOST_TEXT = 400;
const MATCH_CHARACTERS = 6_500;
const FILE_CHARACTERS = 1_500;

const input = z.object({
  source: z.string().optional().describe('Name of the source; left out when only one has files'),
  path: z.string().default('').describe('One file, or the beginning of paths, e.g. models/'),
  text: z.string().min(1).max(500).optional().describe('Plain words to find; taken before pattern'),
  pattern: z.string().min(1).max(2000).optional().describe('Regular expression, at most 200 characters'),
  case_sensitive: z.boolean().default(false),
  limit: z.number().int().min(1).max(200).default(30).describe('Most matches listed'),
});

const output = z.object({
  total_matches: z.number().describe('Lines that match in all that was read'),
  matches: z.array(z.object({ file: z.string(), line: z.number(), text: z.string() })).describe('By path, then line'),
  by_file: z.array(z.object({ file: z.string(), matches: z.number() })),
  files_searched: z.number(),
  files: z.number(),
});

/** Finds lines in any text files; the count is over everything that was read. */
export const searchFiles = defineTool({
  name: 'search_files',
  description:
    'Searches the text files of a source (SQL, YAML, code, configuration, CSV) for plain text or a regular expression, line by line. Returns matches with file and line, and the total over all files. For logs use search_logs, which knows times and levels.',
  input,
  output,
  effect: 'read',
  example: { source: 'logs', text: 'warehouse', limit: 3 },
  run: (request, context) => search(request, context),
});

interface Found {
  total: number;
  searched: number;
  readonly matches: { readonly file: string; readonly line: number; readonly text: string }[];
  readonly byFile: Map<string, number>;
  readonly unread: string[];
  tooSlow: boolean;
}

async function search(request: z.output<typeof input>, context: ToolContext) {
  if (request.text === undefined && request.pattern === undefined) return refused('nothing_to_search', 'give "text" or "pattern"');
  const compiled = compilePattern({ pattern: request.pattern, text: request.text, caseSensitive: request.case_sensitive });
  if ('refusal' in compiled) return refused('unsafe_pattern', compiled.refusal);
  const { name, files } = await context.sources.pick('files', request.source);
  if (!files) return refused('no_files', `source "${name}" has no files`);
  const listing = await files.list(request.path.replace(/^\.\//, ''));
  const found: Found = { total: 0, searched: 0, matches: [], byFile: new Map(), unread: [], tooSlow: false };
  const deadline = performance.now() + READING_MS;
  const stopped = (scope: Scope): boolean => found.tooSlow || scope.stopped || performance.now() > deadline;
  for (const entry of listing.entries) {
    if (stopped(context.scope)) break;
    await searchOne(found, { files, entry, match: compiled.match, most: request.limit }, () => stopped(context.scope));
  }
  return answer(found, { listing, asOf: context.now(), warnings: warningsOf(found, listing.entries.length) });
}

interface OneFile {
  readonly files: FileTree;
  readonly entry: FileEntry;
  readonly match: MatchLines;
  readonly most: number;
}

async function searchOne(found: Found, { files, entry: { path }, match, most }: OneFile, stopped: () => boolean): Promise<void> {
  const reading = newLineReading();
  const file = await files.resolve(path).catch(() => undefined);
  if (file === undefined) {
    found.unread.push(path);
    return;
  }
  for await (const { lines, firstLine } of readLineBatches(file, reading)) {
    const hits = match(lines);
    if (hits === 'too_slow') {
      found.tooSlow = true;
      return;
    }
    if (hits.length > 0) found.byFile.set(path, (found.byFile.get(path) ?? 0) + hits.length);
    found.total += hits.length;
    for (const at of hits.slice(0, most - found.matches.length)) {
      found.matches.push({ file: path, line: firstLine + at, text: clip((lines[at] ?? '').trim()) });
    }
    if (stopped()) return;
  }
  if (reading.problem && reading.problem.code !== 'binary') found.unread.push(path);
  found.searched++;
}

function warningsOf({ tooSlow, unread, searched }: Found, files: number): ToolWarning[] {
  const rest = files - searched - unread.length;
  return [
    ...(tooSlow
      ? [{ code: 'pattern_too_slow', message: 'the pattern took too long on one of the files; use a simpler one or "text"' }]
      : []),
    ...(unread.length > 0
      ? [{ code: 'unreadable_file', message: `${unread.length} files could not be read to their end, e.g. ${unread[0]}` }]
      : []),
    ...(rest > 0 && !tooSlow
      ? [{ code: 'not_all_searched', message: `${rest} of ${files} files were not searched in time; narrow "path"` }]
      : []),
  ];
}

interface Searched {
  readonly listing: FileListing;
  readonly asOf: Date;
  readonly warnings: readonly ToolWarning[];
}

function answer(found: Found, { listing, asOf, warnings }: Searched) {
  const byFile = [...found.byFile].sort((left, right) => right[1] - left[1]).map(([file, matches]) => ({ file: clip(file), matches }));
  const data = {
    total_matches: found.total,
    matches: takeItems(found.matches, MATCH_CHARACTERS),
    by_file: takeItems(byFile, FILE_CHARACTERS),
    files_searched: found.searched,
    files: listing.entries.length,
  };
  const extra = { warnings: [...listing.warnings.slice(0, 5), ...warnings], asOf, total: found.total, returned: data.matches.length };
  const readAll = warnings.length === 0 && listing.complete;
  const isWhole = readAll && data.matches.length === found.total && data.by_file.length === byFile.length;
  if (found.total === 0 && readAll) return noData(data, extra);
  return isWhole ? complete(data, extra) : partial(data, extra);
}

function clip(text: string): string {
  return text.length <= MOST_TEXT ? text : `${text.slice(0, MOST_TEXT)}… [${text.length} characters in all]`;
}
