import { type OpenTable, QuestionError } from './ask-table.ts';
import { runQuery } from './run-query.ts';
import type { TimeFrame } from './time-frame.ts';
import { divide, isSentinel, sqlToWall, timedRows } from './time-sql.ts';
import { instantToWall, offsetText, wallText, type ZoneSegment } from './time-zone.ts';

export const GRAINS = ['hour', 'day', 'week', 'month'] as const;
export type Grain = (typeof GRAINS)[number];

export interface Bucket {
  /** Its first moment by the zone's clock. */
  readonly wall: number;
  /** Offset from UTC; tells the hours apart that a clock shows twice. */
  readonly offset: number;
  readonly rows: number;
}

export interface Totals {
  readonly rows: number;
  readonly without_time: number;
  readonly sentinel_rows: number;
  readonly future_rows: number;
  readonly outside_window: number;
  readonly counted: number;
  readonly first: string | null;
  readonly last: string | null;
}

const HOUR = 3600;
const DAY = 86_400;
const MOST_BUCKETS = 19_000;

/** Counts per bucket in the order of time, and what was not counted. @throws QuestionError for too many buckets. */
export async function readBuckets(table: OpenTable, frame: TimeFrame): Promise<{ buckets: readonly Bucket[]; totals: Totals }> {
  const { dialect } = table.engine;
  const sentinel = isSentinel('s', dialect);
  const rows = `(SELECT s, x, ${frame.instant} AS i FROM ${timedRows(table.from, frame.time, table)}) AS placed`;
  const within = [`s IS NOT NULL`, `NOT (${sentinel})`, ...window(frame)].join(' AND ');
  const now = Math.floor(frame.now.getTime() / 1000);
  const when = (condition: string): string => `COUNT(CASE WHEN ${condition} THEN 1 END)`;
  const totalsSql = `SELECT COUNT(*), ${when('s IS NULL')}, ${when(sentinel)}, ${when(`${within} AND i > ${now}`)}, ${when(within)},
    MIN(CASE WHEN ${within} THEN x END), MAX(CASE WHEN ${within} THEN x END) FROM ${rows}`;
  const [row = []] = await runQuery(table, totalsSql);
  const [all = 0, withoutTime = 0, sentinels = 0, future = 0, counted = 0] = row.slice(0, 5).map(Number);
  const unit = frame.grain === 'hour' ? HOUR : DAY;
  const wall = frame.sameClock ? 's' : sqlToWall('i', frame.segments);
  const segment = frame.sameClock || frame.grain !== 'hour' ? '0' : segmentOf('i', frame.segments);
  const sql = `SELECT b, g, COUNT(*) FROM (SELECT ${divide(wall, String(unit), dialect)} AS b, ${segment} AS g FROM ${rows} WHERE ${within}) AS c GROUP BY b, g ORDER BY g, b LIMIT ${MOST_BUCKETS + 1}`;
  const found = counted === 0 ? [] : await runQuery(table, sql);
  if (found.length > MOST_BUCKETS)
    throw new QuestionError(
      'too_many_buckets',
      `more than ${MOST_BUCKETS} ${unit === HOUR ? 'hours' : 'days'} hold rows; narrow the window with "from" and "to"`,
    );
  const buckets = found.map(([bucket, index, count]) => ({
    wall: Number(bucket) * unit,
    offset: frame.segments[Number(index)]?.offset ?? 0,
    rows: Number(count),
  }));
  const text = (cell: unknown): string | null => (cell === null || cell === undefined ? null : String(cell));
  return {
    buckets: frame.grain === 'week' || frame.grain === 'month' ? fold(buckets, frame.grain) : buckets,
    totals: {
      rows: all,
      without_time: withoutTime,
      sentinel_rows: sentinels,
      future_rows: future,
      outside_window: all - withoutTime - sentinels - counted,
      counted,
      first: text(row[5]),
      last: text(row[6]),
    },
  };
}

function window({ from, to }: TimeFrame): string[] {
  return [...(from === undefined ? [] : [`i >= ${from}`]), ...(to === undefined ? [] : [`i < ${to}`])];
}

function segmentOf(x: string, segments: readonly ZoneSegment[]): string {
  if (segments.length === 1) return '0';
  return `CASE ${segments
    .slice(0, -1)
    .map(({ until }, index) => `WHEN ${x} < ${until} THEN ${index}`)
    .join(' ')} ELSE ${segments.length - 1} END`;
}

/** Days to weeks or months. */
function fold(days: readonly Bucket[], grain: 'week' | 'month'): readonly Bucket[] {
  const folded = new Map<number, number>();
  for (const { wall, rows } of days) {
    const start = grain === 'week' ? weekStart(wall) : monthStart(monthIndex(wall));
    folded.set(start, (folded.get(start) ?? 0) + rows);
  }
  return [...folded].map(([wall, rows]) => ({ wall, offset: 0, rows }));
}

/** 1970-01-01 was a Thursday, three days after a Monday. */
function weekStart(wall: number): number {
  return (Math.floor((wall / DAY + 3) / 7) * 7 - 3) * DAY;
}

function monthIndex(wall: number): number {
  const date = new Date(wall * 1000);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

function monthStart(index: number): number {
  return new Date(Date.UTC(2000, 0, 1)).setUTCFullYear(Math.floor(index / 12), ((index % 12) + 12) % 12, 1) / 1000;
}

export function labelBucket({ grain, sameClock }: TimeFrame, { wall, offset }: Bucket): string {
  const text = wallText(wall);
  if (grain === 'hour') return `${text.slice(0, -3)}${sameClock ? '' : offsetText(offset)}`;
  return grain === 'month' ? text.slice(0, -12) : text.slice(0, -9);
}

interface Gap {
  readonly from: string;
  readonly to: string;
  readonly buckets: number;
}

/** Runs of buckets without rows, first and last bucket named. Hours that the clock leaves out are not missing. */
export function findGaps(frame: TimeFrame, buckets: readonly Bucket[]): Gap[] {
  const gaps: Gap[] = [];
  const { before, after } = edges(frame, buckets);
  let previous = before;
  for (const bucket of [...buckets.map((item) => placeOf(frame, item)), ...(after === undefined ? [] : [after])]) {
    if (previous !== undefined && bucket > previous + 1) {
      gaps.push({ from: labelPlace(frame, previous + 1), to: labelPlace(frame, bucket - 1), buckets: bucket - previous - 1 });
    }
    previous = bucket;
  }
  return gaps.flatMap((gap) => withoutSkippedHours(frame, gap));
}

/** A bucket's number in the row of all buckets. Hours are counted in UTC, so that those of a long day differ. */
function placeOf(frame: TimeFrame, { wall, offset }: Bucket): number {
  if (frame.grain === 'month') return monthIndex(wall);
  if (frame.grain === 'week') return Math.round((wall / DAY + 3) / 7);
  if (frame.grain === 'day') return Math.round(wall / DAY);
  // Offsets of half an hour: rounded up, the hour's number still names its own hour in `labelPlace`.
  return Math.ceil((frame.sameClock ? wall : wall - offset) / HOUR);
}

function labelPlace(frame: TimeFrame, place: number): string {
  if (frame.grain === 'month') return labelBucket(frame, { wall: monthStart(place), offset: 0, rows: 0 });
  if (frame.grain === 'week') return labelBucket(frame, { wall: (place * 7 - 3) * DAY, offset: 0, rows: 0 });
  if (frame.grain === 'day') return labelBucket(frame, { wall: place * DAY, offset: 0, rows: 0 });
  if (frame.sameClock) return labelBucket(frame, { wall: place * HOUR, offset: 0, rows: 0 });
  const wall = instantToWall(place * HOUR, frame.segments);
  return labelBucket(frame, { wall: Math.floor(wall / HOUR) * HOUR, offset: wall - place * HOUR, rows: 0 });
}

/** The window's ends as places before its first and after its last bucket. */
function edges(frame: TimeFrame, buckets: readonly Bucket[]): { before: number | undefined; after: number | undefined } {
  if (buckets.length === 0 && (frame.from === undefined || frame.to === undefined)) return { before: undefined, after: undefined };
  const place = (instant: number): number => {
    const wall = instantToWall(instant, frame.segments);
    const start =
      frame.grain === 'week' ? weekStart(wall) : frame.grain === 'hour' ? Math.floor(wall / HOUR) * HOUR : Math.floor(wall / DAY) * DAY;
    return placeOf(frame, { wall: start, offset: wall - instant, rows: 0 });
  };
  return {
    before: frame.from === undefined ? undefined : place(frame.from) - 1,
    after: frame.to === undefined ? undefined : place(frame.to - 1) + 1,
  };
}

/** An hour that the clock skips in spring is no gap where times are kept by that clock. */
function withoutSkippedHours(frame: TimeFrame, gap: Gap): Gap[] {
  if (frame.grain !== 'hour' || !frame.sameClock) return [gap];
  const from = Date.parse(`${gap.from}Z`) / 1000;
  const until = from + gap.buckets * HOUR;
  const skipped = changes(frame.segments).reduce((sum, { at, before, by }) => {
    const start = at + before;
    return by > 0 ? sum + Math.max(0, Math.min(until, start + by) - Math.max(from, start)) / HOUR : sum;
  }, 0);
  const left = gap.buckets - Math.round(skipped);
  return left > 0 ? [{ ...gap, buckets: left }] : [];
}

function changes(segments: readonly ZoneSegment[]): readonly { at: number; before: number; by: number }[] {
  return segments
    .slice(1)
    .map(({ from, offset }, index) => ({ at: from, before: segments[index]?.offset ?? 0, by: offset - (segments[index]?.offset ?? 0) }));
}

/** Days between the first and last bucket on which the zone's clock is changed. */
export function oddDays(frame: TimeFrame, buckets: readonly Bucket[]): { day: string; hours: number; change: string }[] {
  const [first, last] = [
    buckets[0]?.wall ?? 0,
    (buckets.at(-1)?.wall ?? -1) + (frame.grain === 'month' ? 31 : frame.grain === 'week' ? 7 : 1) * DAY,
  ];
  return changes(frame.segments).flatMap(({ at, before, by }) => {
    const wall = at + before;
    const day = Math.floor(wall / DAY) * DAY;
    if (by === 0 || day + DAY <= first || day >= last) return [];
    const change = `${wallText(wall).slice(11, 16)}${offsetText(before)} becomes ${wallText(wall + by).slice(11, 16)}${offsetText(before + by)}`;
    return [{ day: wallText(day).slice(0, -9), hours: 24 - by / HOUR, change }];
  });
}
