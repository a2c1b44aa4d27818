import { dropEmpty } from './drop-empty.ts';
import { clipText, compareTimes } from './log-record.ts';
import type { TimelineEvent } from './summary-schema.ts';
import type { Notable, TimelineKind } from './summary-state.ts';

const PRIORITY: Readonly<Record<TimelineKind, number>> = {
  error: 0,
  schema: 0,
  connection: 0,
  state: 1,
  attempt: 1,
  warning: 2,
  error_text: 2,
  unparsable: 2,
  rows: 3,
  wait: 3,
};

/** The events by what they tell, most first; when there are few, those alike one by one, else each kind once with its count. */
export function renderTimeline(notables: readonly Notable[], limit: number): TimelineEvent[] {
  const each = notables.reduce((sum, notable) => sum + notable.times, 0);
  const apart = each <= limit && notables.every((notable) => notable.more.length === notable.times - 1);
  const rank = (notable: Notable): number => PRIORITY[notable.kind] + (notable.consequence ? 2 : 0);
  return [...notables]
    .sort((left, right) => rank(left) - rank(right) || byTime(left, right))
    .flatMap((notable) => (apart ? unfold(notable) : [renderNotable(notable)]));
}

function byTime(left: Notable, right: Notable): number {
  return compareTimes(left.time ?? left.after, right.time ?? right.after) || (left.file === right.file ? left.line - right.line : 0);
}

/** Puts chosen events in order of time. */
export function sortEvents(events: readonly TimelineEvent[]): TimelineEvent[] {
  const place = (event: TimelineEvent): string | null => event.time ?? event.after ?? null;
  return [...events].sort(
    (left, right) => compareTimes(place(left), place(right)) || (left.file === right.file ? left.line - right.line : 0),
  );
}

function unfold(notable: Notable): TimelineEvent[] {
  const alone = { ...notable, times: 1, last: notable.time, lastText: '' };
  const own = notable.more.reduce((rest, one) => (rest === null ? null : rest - (one.rows ?? 0n)), notable.rows);
  return [{ ...alone, rows: own }, ...notable.more.map((one) => ({ ...alone, ...one }))].map(renderNotable);
}

/** The fields that follow a state are shown elsewhere. */
function shortenState({ kind, text }: Notable): string {
  const end = kind === 'state' ? text.search(/[.,] (?:dag_id|task_id)=/) : -1;
  return end < 0 ? text : text.slice(0, end);
}

/** One event as it is shown. */
export function renderNotable(notable: Notable): TimelineEvent {
  const repeated = notable.times > 1;
  return dropEmpty({
    time: notable.time,
    after: notable.time === null ? (notable.after ?? undefined) : undefined,
    kind: notable.kind,
    level: notable.level === null || notable.level === 'info' ? undefined : notable.level,
    file: clipText(notable.file, 200),
    line: notable.line,
    task: notable.task === null ? undefined : clipText(notable.task, 120),
    attempt: notable.attempt ?? undefined,
    text: shortenState(notable),
    likely_consequence: notable.consequence || undefined,
    times: repeated ? notable.times : undefined,
    last: repeated ? (notable.last ?? undefined) : undefined,
    last_text: repeated && notable.lastText !== '' && notable.lastText !== notable.text ? notable.lastText : undefined,
    rows: notable.rows === null ? undefined : String(notable.rows),
  });
}
