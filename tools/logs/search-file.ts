import type { LogFile } from './collect-summary.ts';
import { type MatchLines, TESTED_CHARACTERS } from './compile-pattern.ts';
import { clipText, compareTimes, keepText, type LogLevel, type LogRecord, levelRank } from './log-record.ts';
import { readLogLines } from './read-log-lines.ts';
import { type LogReading, newLogReading } from './read-log-records.ts';
import { stripColours } from './strip-colours.ts';
import { isInWindow, isOpen, type TimeWindow } from './time-window.ts';

const MOST_TEXT = 500;
const MOST_CONTEXT = 200;

/** A line that matches. */
export interface LineMatch {
  readonly file: string;
  readonly line: number;
  readonly time: string | null;
  readonly after: string | null;
  readonly clock: string | undefined;
  readonly zone: string | undefined;
  readonly zoneGiven: boolean;
  /** What told the year, where the line gives none. */
  readonly yearFrom: string | undefined;
  readonly level: LogLevel | null;
  readonly task: string | null;
  readonly attempt: number | null;
  readonly text: string;
  readonly before: readonly string[];
  readonly following: string[];
}

export interface SearchRequest {
  readonly match: MatchLines;
  readonly least: LogLevel | undefined;
  readonly window: TimeWindow;
  /** True where only the first line of a record is a match: a search by level alone. */
  readonly headsOnly: boolean;
  readonly context: number;
  readonly limit: number;
  readonly latestFirst: boolean;
}

export interface SearchState {
  /** The best `limit` so far, in order of time. */
  readonly matches: LineMatch[];
  readonly byFile: Map<string, number>;
  readonly readings: LogReading[];
  total: number;
  longLines: number;
  withoutLevel: number;
  tooSlow: boolean;
}

export function newSearchState(): SearchState {
  return { matches: [], byFile: new Map(), readings: [], total: 0, longLines: 0, withoutLevel: 0, tooSlow: false };
}

/** Counts every match of one file and keeps the earliest (or latest) of all files. */
export async function searchFile(
  state: SearchState,
  file: LogFile,
  { request, stop }: { request: SearchRequest; stop: () => boolean },
): Promise<void> {
  const reading = newLogReading(file.path);
  state.readings.push(reading);
  const window = newContextWindow(request.context);
  for await (const { lines, firstLine, unended, counted } of readLogLines(file.absolutePath, reading.lineReading)) {
    const found = request.match(lines.map(searchable));
    if (found === 'too_slow') {
      state.tooSlow = true;
      return;
    }
    let next = 0;
    for (let at = 0; at < lines.length; at++) {
      const line = lines[at] as string;
      const opened = reading.parser.push(line, firstLine + at, unended && at === lines.length - 1);
      if (reading.parser.isDocument) return;
      if (opened) reading.execution = reading.tracker.see(opened);
      if (line.length > TESTED_CHARACTERS) state.longLines++;
      window.offer(line);
      if (found[next] === at) {
        next++;
        const record = reading.parser.current;
        if (record && (opened || !request.headsOnly) && passes(state, record, request))
          window.follow(keep(state, { reading, record, line, number: firstLine + at, before: window.before() }, request));
      }
      window.push(line);
    }
    reading.lines += counted ?? lines.length;
    if (stop()) return;
  }
  reading.finished = reading.lineReading.problem === null;
}

/** JSON hides quotes and colours behind escapes; the rest of a line is tested as it is. */
function searchable(line: string): string {
  if (line.charCodeAt(0) !== 0x7b || !line.includes('\\')) return stripColours(line);
  return line.replace(/\\u001b\[[0-9;]*m/gi, '').replace(/\\(["/])/g, '$1');
}

function passes(state: SearchState, record: LogRecord, { least, window }: SearchRequest): boolean {
  if (!isOpen(window) && !isInWindow(record, window)) return false;
  if (least === undefined) return true;
  if (record.level === null) state.withoutLevel++;
  return levelRank(record.level) >= levelRank(least);
}

interface Hit {
  readonly reading: LogReading;
  readonly record: LogRecord;
  readonly line: string;
  readonly number: number;
  readonly before: readonly string[];
}

function keep(
  state: SearchState,
  { reading, record, line, number, before }: Hit,
  { limit, latestFirst }: SearchRequest,
): LineMatch | undefined {
  state.total++;
  state.byFile.set(reading.path, (state.byFile.get(reading.path) ?? 0) + 1);
  const { matches } = state;
  const place = record.time ?? record.after;
  const worst = latestFirst ? matches[0] : matches.at(-1);
  const order = worst ? compareTimes(place, worst.time ?? worst.after) : 0;
  // Where none of both has a time, the file's order stands.
  if (matches.length >= limit && worst && (latestFirst ? order < 0 || place === null : order >= 0)) return undefined;
  const match: LineMatch = {
    file: reading.path,
    line: number,
    time: record.time,
    after: record.after,
    clock: record.clock,
    zone: record.zoneText,
    zoneGiven: record.zoneGiven,
    yearFrom: record.yearInferred ? reading.lineReading.years?.from : undefined,
    level: record.level,
    task: record.task ?? reading.execution?.task ?? null,
    attempt: reading.execution?.attempt ?? null,
    text: keepText(clipText(stripColours(line), MOST_TEXT)),
    before,
    following: [],
  };
  let at = matches.length;
  while (at > 0 && compareTimes(placeOf(matches[at - 1]), place) > 0) at--;
  matches.splice(at, 0, match);
  if (matches.length > limit) matches.splice(latestFirst ? 0 : limit, 1);
  return match;
}

function placeOf(match: LineMatch | undefined): string | null {
  return match?.time ?? match?.after ?? null;
}

/** The lines around matches. */
function newContextWindow(size: number) {
  const last: string[] = [];
  const following: LineMatch[] = [];
  return {
    offer(line: string): void {
      if (following.length === 0) return;
      for (const match of following) match.following.push(keepText(clipText(stripColours(line), MOST_CONTEXT)));
      while (following[0] && following[0].following.length >= size) following.shift();
    },
    before: (): string[] => last.map((line) => keepText(clipText(stripColours(line), MOST_CONTEXT))),
    follow(match: LineMatch | undefined): void {
      if (match && size > 0) following.push(match);
    },
    push(line: string): void {
      if (size === 0) return;
      last.push(line);
      if (last.length > size) last.shift();
    },
  };
}
