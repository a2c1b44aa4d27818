import { type OpenTable, QuestionError } from './ask-table.ts';
import type { Grain } from './count-buckets.ts';
import { cutText } from './fit-items.ts';
import { runQuery } from './run-query.ts';
import { isSentinel, sqlToInstant, type TimeReading, timedRows } from './time-sql.ts';
import { isZone, readInstant, type ZoneSegment, zoneSegments } from './time-zone.ts';

/** By which clock and in which window rows are counted; moments in whole seconds since 1970 UTC. */
export interface TimeFrame {
  readonly time: TimeReading;
  readonly grain: Grain;
  /** SQL over `s`: the moment in UTC. */
  readonly instant: string;
  /** True where times without a zone are counted by the very clock they were written by. */
  readonly sameClock: boolean;
  readonly segments: readonly ZoneSegment[];
  readonly columnZone: string;
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly now: Date;
}

export interface FrameChoice {
  readonly grain: Grain;
  readonly zone: string;
  readonly columnZone: string;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly now: Date;
}

/**
 * The window and the offsets of its zones; the data's own range where no window is given.
 *
 * @throws QuestionError for a zone or a time that is none, and a window that is empty.
 */
export async function readFrame(table: OpenTable, time: TimeReading, choice: FrameChoice): Promise<TimeFrame> {
  const { grain, zone, columnZone, now } = choice;
  for (const name of [zone, columnZone])
    if (!isZone(name))
      throw new QuestionError('unknown_zone', `"${cutText(name, 60)}" is no time zone; give one such as UTC, Europe/Berlin or +02:00`);
  const [from, to] = [readBound(choice.from, zone), readBound(choice.to, zone)];
  if (from !== undefined && to !== undefined && from >= to) throw new QuestionError('empty_window', '"from" must be before "to"');
  const rows = timedRows(table.from, time, table);
  const edges = `SELECT MIN(s), MAX(s) FROM ${rows} WHERE NOT (${isSentinel('s', table.engine.dialect)})`;
  const [[low, high] = []] = await runQuery(table, edges);
  const [least, most] = [Number(low ?? 0), Number(high ?? 0)];
  // The clocks of all zones lie within a day of UTC.
  const range = [Math.max(from ?? least, least) - 86_400, Math.min(to ?? most, most) + 86_400] as const;
  const sameClock = !time.zoned && columnZone === zone;
  const instant = time.zoned ? 's' : sqlToInstant('s', zoneSegments(columnZone, ...range));
  return { time, grain, instant, sameClock, segments: zoneSegments(zone, ...range), columnZone, from, to, now };
}

function readBound(text: string | undefined, zone: string): number | undefined {
  if (text === undefined) return undefined;
  const instant = readInstant(text, zone);
  if (instant === undefined) throw new QuestionError('bad_time', `"${cutText(text, 40)}" is no date or ISO time`);
  return instant;
}
