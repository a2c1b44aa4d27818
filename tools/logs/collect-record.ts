import { classifyMessage, isWrapperMessage, readRowCount, wasKilled } from './classify-message.ts';
import { errorText, exceptionsOf, isLikelyConsequence } from './collect-exceptions.ts';
import { clipText, compareTimes, keepText, type LogException, type LogRecord, levelRank } from './log-record.ts';
import { maskMessage } from './mask-message.ts';
import type { PlacedRecord } from './read-log-records.ts';
import type { FileFacts, MessageGroup, Notable, SummaryState, TimelineKind } from './summary-state.ts';

const MOST_GROUPS = 5_000;
const MOST_NOTABLES = 5_000;
const MOST_EXCEPTIONS = 500;
const MOST_OCCURRENCES = 11;
const MOST_TEXT = 240;

/** Adds what a record tells of its file's times, whatever the filters. */
export function collectTimes(facts: FileFacts, record: LogRecord): void {
  facts.records++;
  countKey(facts.formats, record.format);
  if (record.time === null) {
    facts.withoutTime++;
    if (record.clock !== undefined) facts.dateUnknown++;
    return;
  }
  if (record.yearInferred) facts.yearInferred++;
  if (!record.zoneGiven) facts.withoutZone++;
  else if (record.zoneText !== undefined) countKey(facts.zones, record.zoneText);
  compareWithBefore(facts, record.time);
  if (facts.first === null || compareTimes(record.time, facts.first) < 0) facts.first = record.time;
  if (facts.last === null || compareTimes(record.time, facts.last) > 0) facts.last = record.time;
}

const MINUTE = 'yyyy-mm-ddThh:mm'.length;
/** Several writers of one file are not in order to the second. */
const OUT_OF_ORDER = 60;

/** The longest silence of a file, and where its clock goes back; within one minute there is neither. */
function compareWithBefore(facts: FileFacts, time: string): void {
  const { before } = facts;
  facts.before = time;
  if (before === null || before.slice(0, MINUTE) === time.slice(0, MINUTE)) return;
  const seconds = (Date.parse(time) - Date.parse(before)) / 1000;
  if (seconds > (facts.silence?.seconds ?? 0)) {
    facts.secondSilence = facts.silence?.seconds ?? 0;
    facts.silence = { from: before, to: time, seconds };
  } else facts.secondSilence = Math.max(facts.secondSilence, seconds);
  if (seconds >= -OUT_OF_ORDER) return;
  if (facts.wentBack) facts.wentBack.times++;
  else facts.wentBack = { times: 1, from: before, to: time };
}

function countKey(counts: Map<string, { count: number }>, key: string): void {
  const known = counts.get(key);
  if (known) known.count++;
  else counts.set(key, { count: 1 });
}

/** Adds a record to the summary: its message group, its exceptions and, where it is notable, its place in the timeline. */
export function collectRecord(state: SummaryState, placed: PlacedRecord, file: string): void {
  const { record } = placed;
  const text = record.message.trim();
  state.records++;
  state.levels[record.level ?? 'unknown']++;
  const group = collectGroup(state, record, { text, file });
  const chain = exceptionsOf(record);
  const rank = levelRank(record.level);
  const told = group ? group.kind : classifyMessage(text);
  // Messages of one template may end in different codes.
  const killed = told === 'state' && wasKilled(text);
  const kind = rank >= 3 ? 'error' : rank === 2 ? 'warning' : killed ? 'error_text' : quieten(told, record, text);
  if (chain) collectException(state, { placed, chain, file });
  if (kind === undefined && !chain) return;
  const wrapper = killed ? false : chain ? isLikelyConsequence(text, chain) : (group?.wrapper ?? isWrapperMessage(text));
  const shown = chain ? withError(text, errorText(text, chain)) : withRest(record, { text, kind });
  const wrapsOnly = wrapper && (kind === 'error' || kind === 'error_text' || kind === undefined);
  addNotable(state, {
    placed,
    file,
    kind: kind ?? 'error_text',
    text: shown,
    template: chain ? maskMessage(shown) : (group?.template ?? maskMessage(text)),
    consequence: wrapsOnly,
  });
}

/** What an error says, once. */
function withError(text: string, error: string): string {
  return text.endsWith(error) ? text : `${text}: ${error}`;
}

/** Every statement of a debug log commits; only those that name a number of rows tell something. */
function quieten(kind: TimelineKind | undefined, record: LogRecord, text: string): TimelineKind | undefined {
  return kind === 'rows' && record.level === 'debug' && readRowCount(text) === undefined ? undefined : kind;
}

/** dbt and databases write what went wrong in the lines below an error's head. */
function withRest({ rest }: LogRecord, { text, kind }: { text: string; kind: TimelineKind | undefined }): string {
  if (!rest || (kind !== 'error' && kind !== 'error_text' && kind !== 'warning')) return text;
  const more = rest
    .slice(0, 6)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return [text, ...more].join(' | ');
}

function collectGroup(state: SummaryState, record: LogRecord, { text, file }: { text: string; file: string }): MessageGroup | undefined {
  if (text === '') return undefined;
  const template = maskMessage(text);
  const known = state.groups.get(template);
  if (known) {
    known.count++;
    if (record.time !== null) {
      if (known.first === null || compareTimes(record.time, known.first) < 0) known.first = record.time;
      if (known.last === null || compareTimes(record.time, known.last) > 0) known.last = record.time;
    }
    if (known.level !== record.level && levelRank(record.level) > levelRank(known.level)) known.level = record.level;
    return known;
  }
  if (state.groups.size >= MOST_GROUPS) {
    state.ungrouped++;
    return undefined;
  }
  const group: MessageGroup = {
    template: keepText(template),
    level: record.level,
    kind: classifyMessage(text),
    wrapper: isWrapperMessage(text),
    example: keepText(clipText(text, MOST_TEXT)),
    file,
    line: record.line,
    count: 1,
    first: record.time,
    last: record.time,
  };
  state.groups.set(group.template, group);
  return group;
}

interface Chained {
  readonly placed: PlacedRecord;
  readonly chain: readonly LogException[];
  readonly file: string;
}

/** Adds a chain of exceptions, whether one record carried it or several did. */
export function collectException(state: SummaryState, { placed: { record, execution }, chain, file }: Chained): void {
  const key = chain.map((exception) => `${exception.type} ${maskMessage(exception.message)}`).join('\0');
  const known = state.exceptions.get(key);
  if (known) {
    known.times++;
    if (compareTimes(record.time, known.last) > 0 && record.time !== null) known.last = record.time;
    return;
  }
  if (state.exceptions.size >= MOST_EXCEPTIONS) return;
  state.exceptions.set(key, {
    chain,
    file,
    line: record.line,
    task: record.task ?? execution?.task ?? null,
    attempt: execution?.attempt ?? null,
    consequence: isLikelyConsequence(record.message, chain),
    first: record.time ?? record.after,
    last: record.time ?? record.after,
    times: 1,
  });
}

interface NewNotable {
  readonly placed: PlacedRecord;
  readonly file: string;
  readonly kind: TimelineKind;
  readonly text: string;
  readonly template: string;
  readonly consequence: boolean;
}

/** Adds an item to the timeline, or counts it with those alike of the same execution; keeps the earliest of each kind. */
export function addNotable(state: SummaryState, { placed, file, kind, text, template, consequence }: NewNotable): void {
  const { record, execution } = placed;
  const rows = kind === 'rows' ? (readRowCount(text) ?? null) : null;
  const key = `${kind}\0${file}\0${execution?.line ?? ''}\0${record.task ?? ''}\0${template}`;
  const known = state.notables.get(key);
  if (known) {
    known.times++;
    if (rows !== null) known.rows = (known.rows ?? 0n) + rows;
    if (record.time !== null) known.last = record.time;
    if (known.more.length < MOST_OCCURRENCES) {
      known.lastText = keepText(clipText(text, MOST_TEXT));
      known.more.push({ time: record.time, after: record.after, line: record.line, text: known.lastText, rows });
    } else if (kind === 'rows') known.lastText = keepText(clipText(text, MOST_TEXT));
    if (compareTimes(record.time ?? record.after, known.time ?? known.after) >= 0) return;
  }
  const notable: Notable = {
    kind,
    level: record.level,
    file,
    line: record.line,
    task: record.task ?? execution?.task ?? null,
    attempt: execution?.attempt ?? null,
    text: keepText(clipText(text, MOST_TEXT)),
    time: record.time,
    after: record.after,
    consequence,
    times: 1,
    last: record.time,
    lastText: '',
    rows,
    more: [],
  };
  keepEarliest(state, notable);
  if (known) return;
  if (state.notables.size < MOST_NOTABLES) state.notables.set(keepText(key), notable);
  else state.droppedNotables++;
}

function isEarlier(left: Notable, right: Notable | undefined): boolean {
  return right === undefined || compareTimes(left.time ?? left.after, right.time ?? right.after) < 0;
}

function keepEarliest(state: SummaryState, notable: Notable): void {
  if (notable.kind === 'warning' && isEarlier(notable, state.firstWarning)) state.firstWarning = notable;
  if (notable.kind === 'error') {
    if (notable.consequence) {
      if (isEarlier(notable, state.firstConsequence)) state.firstConsequence = notable;
    } else if (isEarlier(notable, state.firstError)) state.firstError = notable;
  }
  if (
    (notable.kind === 'error_text' || notable.kind === 'connection') &&
    !notable.consequence &&
    isEarlier(notable, state.firstErrorText)
  ) {
    state.firstErrorText = notable;
  }
}
