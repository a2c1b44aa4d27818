import { dropEmpty } from './drop-empty.ts';
import { clipText, compareTimes, levelRank } from './log-record.ts';
import { packSections } from './pack-sections.ts';
import { renderExecutions, renderTasks } from './render-executions.ts';
import { renderNotable, renderTimeline, sortEvents } from './render-timeline.ts';
import type { FileSummary, LogSummary } from './summary-schema.ts';
import type { ExceptionGroup, FileFacts, MessageGroup, SummaryState } from './summary-state.ts';
import { isAmbiguousZone } from './zone-offsets.ts';

/** The most characters of a whole result, with its warnings and what the loop adds to it. */
const CHARACTERS = 9_500;
const FRAME = 350;

/** The summary within a fixed number of characters: whole items of each list, with totals. */
export function renderSummary(
  state: SummaryState,
  { limit, skipped, reserved }: { limit: number; skipped: number; reserved: number },
): LogSummary {
  const firstError = state.firstError ?? state.firstConsequence;
  const fixed = {
    totals: renderTotals(state, skipped),
    first_error: firstError ? renderNotable(alone(firstError)) : null,
    first_warning: state.firstWarning ? renderNotable(alone(state.firstWarning)) : null,
    first_error_below_error_level: state.firstErrorText ? renderNotable(alone(state.firstErrorText)) : null,
  };
  const lists = {
    tasks: renderTasks(state.executions),
    executions: renderExecutions(state.executions),
    exceptions: [...state.exceptions.values()].sort(byConsequence).map(renderException),
    timeline: renderTimeline([...state.notables.values()], limit),
    messages: [...state.groups.values()].sort(byWeight).map(renderGroup),
    files: [...state.files].sort(byTrouble).map(renderFile),
  };
  const shares = { tasks: 8, executions: 16, exceptions: 16, timeline: 30, messages: 14, files: 16 };
  const names = Object.keys(lists) as (keyof typeof lists)[];
  const counts = packSections(
    names.map((name) => ({ items: lists[name], share: shares[name], limit })),
    CHARACTERS - FRAME - reserved - JSON.stringify(fixed).length - 300,
  );
  const take = <Item>(name: keyof typeof lists, items: readonly Item[]) => {
    const chosen = items.slice(0, counts[names.indexOf(name)]);
    return { total: items.length, returned: chosen.length, items: chosen };
  };
  const executions = take('executions', lists.executions);
  const timeline = take('timeline', lists.timeline);
  return {
    ...fixed,
    tasks: take('tasks', lists.tasks),
    executions: { ...executions, items: [...executions.items].sort((left, right) => compareTimes(left.start, right.start)) },
    exceptions: take('exceptions', lists.exceptions),
    timeline: { ...timeline, items: sortEvents(timeline.items) },
    messages: take('messages', lists.messages),
    files: take('files', lists.files),
  };
}

function alone<Shape extends { readonly times: number }>(notable: Shape): Shape {
  return { ...notable, times: 1 };
}

function renderTotals(state: SummaryState, skipped: number): LogSummary['totals'] {
  const sum = (figure: (facts: FileFacts) => number): number => state.files.reduce((total, facts) => total + figure(facts), 0);
  return {
    files: state.files.length,
    files_skipped: skipped,
    bytes: sum((facts) => facts.bytes),
    bytes_read: sum((facts) => facts.reading.lineReading.bytesRead),
    lines: sum((facts) => facts.reading.lines),
    records: state.records,
    by_level: Object.fromEntries(Object.entries(state.levels).filter(([, count]) => count > 0)),
    records_without_zone: sum((facts) => facts.withoutZone),
    records_without_time: sum((facts) => facts.withoutTime),
    unparsable_lines: sum((facts) => facts.reading.parser.unparsable.count),
  };
}

function byConsequence(left: ExceptionGroup, right: ExceptionGroup): number {
  return Number(left.consequence) - Number(right.consequence) || compareTimes(left.first, right.first);
}

/** Errors and warnings first, then error texts at lower levels, then by count. */
function byWeight(left: MessageGroup, right: MessageGroup): number {
  const rank = (group: MessageGroup): number => Math.max(levelRank(group.level), group.kind === 'error_text' ? 2 : 1);
  return rank(right) - rank(left) || right.count - left.count;
}

/** Files that were not read whole or hold bad lines come first when not all fit. */
function byTrouble(left: FileFacts, right: FileFacts): number {
  const trouble = ({ reading }: FileFacts): number =>
    (reading.finished || reading.parser.isDocument ? 0 : 2) + (reading.parser.unparsable.count > 0 ? 1 : 0);
  return trouble(right) - trouble(left) || (left.reading.path < right.reading.path ? -1 : 1);
}

function renderException(group: ExceptionGroup): LogSummary['exceptions']['items'][number] {
  const [root] = group.chain;
  const shown = group.chain.length > 4 ? [...group.chain.slice(0, 3), ...group.chain.slice(-1)] : group.chain;
  return dropEmpty({
    root: clipText(`${root?.type ?? ''}${root?.message ? `: ${root.message}` : ''}`, 240),
    at: root?.at === undefined ? undefined : clipText(root.at, 120),
    chain: shown.map(({ type, message, link }) => dropEmpty({ type: clipText(type, 100), message: clipText(message, 160), link })),
    times: group.times,
    first: group.first,
    last: group.last,
    file: clipText(group.file, 200),
    line: group.line,
    task: group.task === null ? undefined : clipText(group.task, 120),
    attempt: group.attempt ?? undefined,
    likely_consequence: group.consequence || undefined,
  });
}

function renderGroup(group: MessageGroup): LogSummary['messages']['items'][number] {
  return dropEmpty({
    template: clipText(group.count === 1 ? group.example : group.template, 200),
    level: group.level ?? undefined,
    count: group.count,
    first: group.first,
    last: group.last,
    example: group.count === 1 || group.template === group.example ? undefined : clipText(group.example, 160),
    file: clipText(group.file, 200),
    line: group.line,
  });
}

function byCount(counts: ReadonlyMap<string, { readonly count: number }>): [string, number][] {
  return [...counts].map(([key, { count }]): [string, number] => [key, count]).sort((left, right) => right[1] - left[1]);
}

const SILENT_SECONDS = 300;
const SILENT_TIMES = 5;
/** From so many records on, what is usual in a file is known. */
const ENOUGH_RECORDS = 20;

/** The longest silence where it is far longer than any other: between two runs of one file there are many alike. */
function silenceOf({ silence, secondSilence, records }: FileFacts): FileSummary['silence'] {
  if (silence === null || records < ENOUGH_RECORDS || silence.seconds < SILENT_SECONDS) return undefined;
  return silence.seconds >= SILENT_TIMES * secondSilence ? { ...silence, next_longest_s: secondSilence } : undefined;
}

function renderFile(facts: FileFacts): FileSummary {
  const { reading } = facts;
  const { lineReading, parser } = reading;
  const zones = byCount(facts.zones).slice(0, 6);
  const ambiguous = zones.map(([zone]) => zone).filter(isAmbiguousZone);
  const formats = parser.isDocument ? ['json_document'] : byCount(facts.formats).map(([format]) => format);
  const { unparsable } = parser;
  return dropEmpty({
    file: clipText(reading.path, 200),
    formats,
    lines: reading.lines,
    records: facts.records,
    bytes: facts.bytes,
    bytes_read: reading.finished ? undefined : lineReading.bytesRead,
    encoding: lineReading.encoding === 'utf-8' ? undefined : lineReading.encoding,
    compression: lineReading.compression ?? undefined,
    first_time: facts.first,
    last_time: facts.last,
    zones: zones.length > 0 ? Object.fromEntries(zones) : undefined,
    ambiguous_zones: ambiguous.length > 0 ? ambiguous : undefined,
    records_without_zone: facts.withoutZone || undefined,
    records_without_date: facts.dateUnknown || undefined,
    records_without_year: facts.yearInferred || undefined,
    year_from: facts.yearInferred > 0 ? reading.lineReading.years?.from : undefined,
    records_without_time: facts.withoutTime || undefined,
    unparsable_lines: unparsable.count || undefined,
    cut_last_line: unparsable.cut || undefined,
    unparsable_examples:
      unparsable.count > 0 ? unparsable.examples.map(({ line, text }) => ({ line, text: clipText(text, 100) })) : undefined,
    silence: silenceOf(facts),
    clock_went_back: facts.wentBack ?? undefined,
    problem: parser.isDocument ? 'one JSON document, not a log: not read' : (lineReading.problem?.message ?? undefined),
  });
}
