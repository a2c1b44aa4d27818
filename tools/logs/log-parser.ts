import { keepText, type LogRecord, readLevel } from './log-record.ts';
import { type Head, parseJsonLine } from './parse-json-line.ts';
import { type ClockState, parseTextHead } from './parse-text-head.ts';
import { startsCrash } from './read-crash.ts';
import { isExceptionLine, readLink, startsTraceback } from './read-exceptions.ts';
import { newStamp, type Stamp } from './read-timestamp.ts';
import { refineHead } from './refine-head.ts';
import { stripColours } from './strip-colours.ts';
import { untimed } from './timed-head.ts';
import { isoOfYearless, readYearless, YearCounter, type YearGuess } from './yearless-time.ts';

const MOST_REST_LINES = 400;
const MOST_EXAMPLES = 3;
/** Begins an entry though a blank stands in front. */
const TERADATA_MARK = ' *** ';
/** A line of a JSON file that is no JSON. */
interface BadLine {
  readonly line: number;
  readonly text: string;
  /** True for a line that ends in the middle of an object. */
  readonly cut: boolean;
}

interface UnparsableLines {
  count: number;
  /** True when the line read last is such a one and ends in the middle: the file was cut off. */
  cut: boolean;
  /** The first few. */
  readonly examples: BadLine[];
}

/** Turns the lines of one file into records, in order. */
export interface LogParser {
  /** The record that the line pushed last belongs to. */
  readonly current: LogRecord | undefined;
  readonly unparsable: UnparsableLines;
  /** True when the file is one JSON document over many lines, and so no log. */
  readonly isDocument: boolean;
  /** Answers the record that the line begins; undefined when it belongs to the one before. */
  push(line: string, number: number, cut: boolean): LogRecord | undefined;
}

interface ParserState {
  current: LogRecord | undefined;
  isDocument: boolean;
  /** What the lines so far say the file is made of. */
  kind: 'unknown' | 'json' | 'text';
  lastTime: string | null;
  traceback: 'none' | 'open' | 'closed' | 'crash';
  /** True once a line was seen that a supervisor put the name of its program in front of. */
  wrapped: boolean;
  readonly early: BadLine[];
  earlyCount: number;
  readonly unparsable: UnparsableLines;
  readonly clocks: ClockState;
  readonly years: () => YearGuess | null;
  yearCounter: YearCounter | undefined;
}

/** `years` answers the year of the first time that has none, once it is known. */
export function createLogParser(years: () => YearGuess | null = () => null): LogParser {
  const stamp = newStamp();
  const state: ParserState = {
    current: undefined,
    isDocument: false,
    kind: 'unknown',
    lastTime: null,
    traceback: 'none',
    wrapped: false,
    early: [],
    earlyCount: 0,
    unparsable: { count: 0, cut: false, examples: [] },
    clocks: { date: null, clock: '', dayFirst: null, timeFirst: false },
    years,
    yearCounter: undefined,
  };
  return {
    get current() {
      return state.current;
    },
    get isDocument() {
      return state.isDocument;
    },
    unparsable: state.unparsable,
    push(raw, number, cut) {
      const line = unwrap(state, stripColours(raw), stamp);
      state.unparsable.cut = false;
      const first = line.charCodeAt(0);
      if (first === 0x7b) return pushJson(state, line, { number, cut, head: refined(state, parseJsonLine(line, stamp), stamp) });
      if (Number.isNaN(first) || (first === 0x20 && !line.startsWith(TERADATA_MARK)) || first === 0x09)
        return pushIndented(state, line, number);
      const head = state.kind === 'json' ? undefined : refined(state, parseTextHead(line, stamp, state.clocks), stamp);
      if (head) {
        if (head.time !== null || head.clock !== undefined) state.kind = 'text';
        return begin(state, head, number);
      }
      return pushBare(state, line, { number, cut });
    },
  };
}

function refined(state: ParserState, head: Head | undefined, stamp: Stamp): Head | undefined {
  return (
    head &&
    withYear(
      state,
      refineHead(head, (line) => parseTextHead(line, stamp, state.clocks), stamp),
    )
  );
}

/** A time without a year is placed in the year that the file, and the lines before it, speak for. */
function withYear(state: ParserState, head: Head): Head {
  const guess = head.time === null && head.clock !== undefined ? state.years() : null;
  const time = guess && readYearless(head.clock ?? '');
  if (!guess || !time) return head;
  state.yearCounter ??= new YearCounter(guess.year);
  const year = state.yearCounter.next(time);
  return year === undefined ? head : { ...head, time: isoOfYearless(year, time), clock: undefined, yearInferred: true };
}

/** `[pod/name/container] `, `service-1  | `. */
const WRAPPER = /^(?:\[pod\/[^\]]{1,200}\] |([A-Za-z0-9][\w.-]{0,60}) +\| )/;

/** The line without what a supervisor of several programs puts in front, once such a line has a head of its own behind it. */
function unwrap(state: ParserState, line: string, stamp: Stamp): string {
  if (!state.wrapped && state.kind !== 'unknown') return line;
  const found = WRAPPER.exec(line);
  if (!found || (found[1] !== undefined && readLevel(found[1]) !== null)) return line;
  const rest = line.slice(found[0].length);
  const head = state.wrapped || rest.startsWith('{') ? undefined : parseTextHead(rest, stamp, state.clocks);
  if (head && (head.time !== null || head.level !== null)) state.wrapped = true;
  return state.wrapped || (rest.startsWith('{') && parseJsonLine(rest, stamp)) ? rest : line;
}

function begin(state: ParserState, head: Head, number: number): LogRecord {
  const record = head as LogRecord;
  record.line = number;
  record.after = state.lastTime;
  if (head.time !== null) state.lastTime = head.time;
  state.current = record;
  state.traceback = startsTraceback(head.message) ? 'open' : 'none';
  return record;
}

function append(state: ParserState, line: string): undefined {
  const { current } = state;
  if (!current) return;
  // A time or a level alone on its line, as some servers write them: the message stands below.
  if (current.message === '' && current.rest === undefined && line.trim() !== '') current.message = line.trim();
  else keepRest(current, line);
}

function keepRest(current: LogRecord, line: string): void {
  current.rest ??= [];
  if (current.rest.length < MOST_REST_LINES) current.rest.push(line);
}

interface Place {
  readonly number: number;
  readonly cut: boolean;
}

function pushJson(state: ParserState, line: string, { number, cut, head }: Place & { head: Head | undefined }): LogRecord | undefined {
  if (state.kind === 'text') {
    return head && head.time !== null && head.level !== null ? begin(state, head, number) : append(state, line);
  }
  if (head) {
    if (state.kind === 'unknown') settleJson(state);
    return begin(state, head, number);
  }
  if (state.kind === 'unknown' && state.current === undefined && /^\{\s*$/.test(line)) {
    state.isDocument = true;
    return undefined;
  }
  countBad(state, line, { number, cut });
  return begin(state, plain(line), number);
}

/** Lines before the first JSON one were no JSON either. */
function settleJson(state: ParserState): void {
  state.kind = 'json';
  state.unparsable.count += state.earlyCount;
  state.unparsable.examples.push(...state.early.slice(0, MOST_EXAMPLES));
}

function countBad(state: ParserState, line: string, { number, cut }: Place): void {
  const bad: BadLine = { line: number, text: keepText(line.slice(0, 160)), cut: cut || isBrokenOff(line) };
  if (state.kind === 'unknown') {
    state.earlyCount++;
    if (state.early.length < MOST_EXAMPLES) state.early.push(bad);
    return;
  }
  state.unparsable.count++;
  state.unparsable.cut = bad.cut;
  if (state.unparsable.examples.length < MOST_EXAMPLES) state.unparsable.examples.push(bad);
}

/** An object that was begun and not ended. */
function isBrokenOff(line: string): boolean {
  return line.startsWith('{') && !line.trimEnd().endsWith('}');
}

function pushIndented(state: ParserState, line: string, number: number): LogRecord | undefined {
  if (state.current && (state.kind !== 'json' || state.traceback === 'crash')) return append(state, line);
  if (line.trim() === '') return undefined;
  if (state.kind === 'json') countBad(state, line, { number, cut: false });
  return begin(state, plain(line.trim()), number);
}

/** A line that starts no record of a known layout. */
function pushBare(state: ParserState, line: string, place: Place): LogRecord | undefined {
  if (startsCrash(line)) {
    if (state.kind === 'json') countBad(state, line, place);
    const crash = begin(state, untimed('plain_text', { level: 'critical', message: line }), place.number);
    state.traceback = 'crash';
    return crash;
  }
  if (state.traceback === 'crash') return append(state, line);
  if (state.kind === 'text') return append(state, line);
  if (state.kind === 'json') {
    countBad(state, line, place);
    return begin(state, plain(line), place.number);
  }
  if (state.current === undefined && /^\[\s*(?:\{.*)?$/.test(line)) {
    state.isDocument = true;
    return undefined;
  }
  if (belongsToTraceback(state, line)) return append(state, line);
  countBad(state, line, place);
  return begin(state, plain(line), place.number);
}

function belongsToTraceback(state: ParserState, line: string): boolean {
  if (state.traceback === 'none') return line.startsWith('Caused by: ') && state.current !== undefined;
  if (state.traceback === 'open') {
    if (isExceptionLine(line)) state.traceback = 'closed';
    return true;
  }
  if (startsTraceback(line)) state.traceback = 'open';
  return startsTraceback(line) || readLink(line) !== undefined;
}

function plain(message: string): Head {
  return untimed('plain_text', { level: null, message });
}
