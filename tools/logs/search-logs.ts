import { z } from 'zod';
import { FileAccessError, SourceChoiceError } from '../../src/core/source.ts';
import { defineTool, type ToolContext } from '../../src/core/tool.ts';
import { complete, failed, noData, partial, refused, type ToolWarning } from '../../src/core/tool-result.ts';
import { chooseLogFiles, type LogFiles, resolveLogFile } from './choose-log-files.ts';
import { compilePattern, TESTED_CHARACTERS } from './compile-pattern.ts';
import { dropEmpty } from './drop-empty.ts';
import { clipText } from './log-record.ts';
import { packSections } from './pack-sections.ts';
import { type LineMatch, newSearchState, type SearchState, searchFile } from './search-file.ts';
import { readTimeWindow } from './time-window.ts';

const READING_BUDGET = 100_000;
/** The most characters of a whole result, with its warnings and what the loop adds to it. */
const CHARACTERS = 9_500;
const FRAME = 500;

const input = z.object({
  source: z.string().optional().describe('Name of the source; may be left out when only one has logs'),
  path: z.string().optional().describe('One file, or the beginning of paths; all files when left out'),
  text: z.string().min(1).max(500).optional().describe('Plain words to find; taken before pattern'),
  pattern: z.string().min(1).max(2000).optional().describe('Regular expression, at most 200 characters'),
  case_sensitive: z.boolean().default(false),
  level: z.enum(['debug', 'info', 'warning', 'error', 'critical']).optional().describe('At least this level'),
  since: z.string().optional().describe('ISO 8601 time or date; UTC unless it has a zone'),
  until: z.string().optional().describe('ISO 8601, exclusive; a date alone includes that day'),
  context: z.number().int().min(0).max(5).default(0).describe('Lines before and after each match'),
  order: z.enum(['earliest', 'latest']).default('earliest').describe('Which matches to return when there are more than limit'),
  limit: z.number().int().min(1).max(200).default(20),
});

const output = z.object({
  total_matches: z.number().describe('Lines that match in all that was read'),
  matches: z
    .array(
      z.object({
        file: z.string(),
        line: z.number(),
        time: z.string().nullable().describe('ISO 8601 UTC, of the record that the line belongs to'),
        after: z.string().optional().describe('For a record without a time: the time of the record before it'),
        clock: z.string().optional().describe('The time as written, where no date is known'),
        zone_given: z.boolean(),
        zone: z.string().optional(),
        level: z.string().optional(),
        task: z.string().optional(),
        attempt: z.number().optional(),
        text: z.string(),
        before: z.array(z.string()).optional(),
        following: z.array(z.string()).optional(),
      }),
    )
    .describe('In UTC order across files'),
  by_file: z.array(z.object({ file: z.string(), matches: z.number() })),
  files_searched: z.number(),
  bytes_read: z.number(),
  bytes: z.number(),
});

/** Finds lines in logs; the count is over everything, the matches are the earliest or latest. */
export const searchLogs = defineTool({
  name: 'search_logs',
  description:
    'Searches log files line by line for plain text or a regular expression, optionally at least of a level and within a time window. Returns matches with file, line, task, attempt and UTC time (and whether the zone was given), and the total over all files. Use summarize_log first for the overview.',
  input,
  output,
  effect: 'read',
  example: { source: 'logs', text: 'open slots', limit: 2 },
  timeoutSeconds: 120,
  async run(request, context) {
    try {
      return await search(request, context);
    } catch (error) {
      if (error instanceof SourceChoiceError) return refused('source_choice', error.message);
      if (error instanceof FileAccessError) return failed(`file_${error.reason}`, error.message);
      throw error;
    }
  },
});

async function search(request: z.output<typeof input>, context: ToolContext) {
  const { text, pattern, level, limit } = request;
  if (text === undefined && pattern === undefined && level === undefined) {
    return refused('nothing_to_search', 'give "text", "pattern" or "level"; for an overview use summarize_log');
  }
  const window = readTimeWindow(request.since, request.until);
  if ('wrong' in window) return refused('bad_time', `"${clipText(window.wrong, 60)}" is not an ISO 8601 time such as 2026-03-02T01:30:00Z`);
  const compiled = compilePattern({ pattern, text, caseSensitive: request.case_sensitive });
  if ('refusal' in compiled) return refused('unsafe_pattern', compiled.refusal);
  const source = await context.sources.pick('logs', request.source);
  const files = await chooseLogFiles(source, request.path);
  const started = performance.now();
  const state = newSearchState();
  const stop = (): boolean => state.tooSlow || context.scope.stopped || performance.now() - started > READING_BUDGET;
  const { match } = compiled;
  for (const entry of files.entries) {
    if (stop()) break;
    const absolutePath = await resolveLogFile(source, entry.path);
    if (absolutePath === undefined) continue;
    const headsOnly = text === undefined && pattern === undefined;
    const asked = { match, headsOnly, least: level, window, context: request.context, limit, latestFirst: request.order === 'latest' };
    await searchFile(state, { path: entry.path, absolutePath, bytes: entry.bytes }, { request: asked, stop });
  }
  return answer(state, files, { asOf: context.now(), path: request.path });
}

function answer(state: SearchState, files: LogFiles, { asOf, path }: { asOf: Date; path: string | undefined }) {
  const unread = files.entries.length - state.readings.filter(({ finished, parser }) => finished || parser.isDocument).length;
  const warnings = listWarnings(state, files, { unread, path });
  const byFile = [...state.byFile]
    .sort((left, right) => right[1] - left[1])
    .map(([file, matches]) => ({ file: clipText(file, 200), matches }));
  const matches = state.matches.map(renderMatch);
  const [matchCount = 0, fileCount = 0] = packSections(
    [
      { items: matches, share: 85, limit: matches.length },
      { items: byFile, share: 15, limit: 20 },
    ],
    CHARACTERS - FRAME - JSON.stringify(warnings).length,
  );
  const data = {
    total_matches: state.total,
    matches: matches.slice(0, matchCount),
    by_file: byFile.slice(0, fileCount),
    files_searched: state.readings.length,
    bytes_read: state.readings.reduce((sum, { lineReading }) => sum + lineReading.bytesRead, 0),
    bytes: files.entries.reduce((sum, entry) => sum + entry.bytes, 0),
  };
  const extra = { warnings, asOf, total: state.total, returned: data.matches.length };
  const readAll = unread === 0 && files.complete;
  if (readAll && state.total === 0) return noData(data, extra);
  return readAll && state.total === data.matches.length ? complete(data, extra) : partial(data, extra);
}

function renderMatch(match: LineMatch): z.output<typeof output>['matches'][number] {
  return dropEmpty({
    file: clipText(match.file, 200),
    line: match.line,
    time: match.time,
    after: match.time === null ? (match.after ?? undefined) : undefined,
    clock: match.time === null ? match.clock : undefined,
    zone_given: match.zoneGiven,
    zone: match.zone,
    level: match.level ?? undefined,
    task: match.task === null ? undefined : clipText(match.task, 120),
    attempt: match.attempt ?? undefined,
    text: match.text,
    before: match.before.length > 0 ? [...match.before] : undefined,
    following: match.following.length > 0 ? match.following : undefined,
  });
}

function listWarnings(state: SearchState, files: LogFiles, { unread, path }: { unread: number; path: string | undefined }): ToolWarning[] {
  const found: ToolWarning[] = files.warnings.slice(0, 3).map(({ code, message }) => ({ code, message: clipText(message, 160) }));
  const add = (condition: boolean | number, code: string, message: string): void => {
    if (condition) found.push({ code, message });
  };
  add(files.entries.length === 0, 'no_files', `no log file ${path ? `begins with "${clipText(path, 120)}"` : 'in the source'}`);
  add(state.tooSlow, 'pattern_too_slow', 'the pattern took too long on one part of a file and was stopped; use a simpler one or "text"');
  add(unread, 'not_all_read', `${unread} files were not searched to their end; totals count what was read`);
  add(
    state.longLines,
    'long_lines',
    `${state.longLines} lines are longer than ${TESTED_CHARACTERS} characters; a pattern looked at their beginnings only`,
  );
  add(
    state.withoutLevel,
    'level_unknown',
    `${state.withoutLevel} matching lines belong to records without a level and were left out by the level filter`,
  );
  const assumed = state.matches.filter((match) => match.time !== null && !match.zoneGiven).length;
  add(assumed, 'zone_assumed', `${assumed} of the matches give no zone; their times were read as UTC`);
  const inferred = state.matches.flatMap(({ yearFrom }) => yearFrom ?? []);
  const from = [...new Set(inferred)].slice(0, 3).join(', ');
  add(inferred.length, 'year_inferred', clipText(`${inferred.length} of the matches give no year; it was inferred from ${from}`, 240));
  return found;
}
