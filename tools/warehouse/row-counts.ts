import { z } from 'zod';
import { defineTool, type ToolContext } from '../../src/core/tool.ts';
import { complete, noData, partial, type ToolWarning } from '../../src/core/tool-result.ts';
import { answerTable, type OpenTable, openTable } from './ask-table.ts';
import { chooseTime } from './choose-time.ts';
import { type Bucket, findGaps, GRAINS, labelBucket, oddDays, readBuckets } from './count-buckets.ts';
import { cutText, DATA_CHARACTERS, fitItems } from './fit-items.ts';
import { readFrame, type TimeFrame } from './time-frame.ts';

const SECONDS = 110;

const inputShape = z.object({
  table: z.string().min(1).describe('Name as list_tables gives it'),
  source: z.string().optional(),
  time_column: z.string().optional().describe('The time that rows are counted by; may be left out where only one fits'),
  grain: z.enum(GRAINS).default('day').describe('Weeks begin on Monday'),
  zone: z.string().max(60).default('UTC').describe('Zone whose hours and days are counted, e.g. Europe/Berlin'),
  column_zone: z.string().max(60).optional().describe('Zone of the clock that times without a zone were written by; UTC when left out'),
  from: z.string().max(40).optional().describe('First moment counted: a date or ISO time, by the clock of "zone" unless it names its own'),
  to: z.string().max(40).optional().describe('First moment no longer counted'),
  where: z.string().max(2_000).optional().describe('A predicate over the table'),
});
type Input = z.output<typeof inputShape>;

const bucketShape = z.object({ at: z.string(), rows: z.number() });
const outputShape = z.object({
  source: z.string(),
  table: z.string(),
  time_column: z.string(),
  reading: z.string(),
  grain: z.string(),
  zone: z.string(),
  column_zone: z.string(),
  rows: z.number(),
  without_time: z.number(),
  sentinel_rows: z.number(),
  future_rows: z.number(),
  outside_window: z.number(),
  counted: z.number(),
  first: z.string().nullable(),
  last: z.string().nullable(),
  buckets: z.array(bucketShape),
  missing: z.object({ buckets: z.number(), gaps: z.array(z.object({ from: z.string(), to: z.string(), buckets: z.number() })) }),
  median: z.number().nullable(),
  lowest: z.array(bucketShape),
  highest: z.array(bucketShape),
  odd_days: z.array(z.object({ day: z.string(), hours: z.number(), change: z.string() })),
});

/** Rows per hour, day, week or month of a zone, with what is missing between them. */
export const rowCounts = defineTool({
  name: 'row_counts',
  description:
    'Counts rows per hour, day, week or month by a time column, in a time zone. Names buckets without rows between the first and the last (or in the window from/to), the lowest and highest buckets, and days of 23 or 25 hours. Rows without a time, with sentinel dates (9999-12-31, 1970-01-01 …) or in the future are counted apart. Use to find lost or doubled loads.',
  input: inputShape,
  output: outputShape,
  effect: 'read',
  timeoutSeconds: SECONDS + 10,
  example: { table: 'orders', time_column: 'placed_at', from: '2026-03-01' },
  run: (input, context) =>
    answerTable(async () => {
      const table = await openTable(context, input, performance.now() + SECONDS * 1000);
      return count(input, table, context);
    }),
});

async function count(input: Input, table: OpenTable, context: ToolContext) {
  const { grain, zone, from, to } = input;
  const choice = { grain, zone, columnZone: input.column_zone ?? 'UTC', from, to, now: context.now() };
  const frame = await readFrame(table, await chooseTime(table, input.time_column), choice);
  const { buckets, totals } = await readBuckets(table, frame);
  const shown = {
    source: table.source,
    table: cutText(table.description.name, 200),
    time_column: cutText(frame.time.column.info.name, 120),
    reading: cutText(frame.time.reading, 120),
    grain: input.grain,
    zone: input.zone,
    column_zone: frame.time.zoned ? 'its own' : frame.columnZone,
    ...totals,
  };
  const toShown = (bucket: Bucket): z.output<typeof bucketShape> => ({ at: labelBucket(frame, bucket), rows: bucket.rows });
  const gaps = findGaps(frame, buckets);
  const ranked = [...buckets].sort((left, right) => left.rows - right.rows || left.wall - right.wall);
  const latest = fitItems(buckets.map(toShown).reverse(), DATA_CHARACTERS - 3_800);
  const data = {
    ...shown,
    buckets: [...latest].reverse(),
    missing: { buckets: gaps.reduce((sum, gap) => sum + gap.buckets, 0), gaps: gaps.slice(0, 10) },
    median: ranked.length === 0 ? null : median(ranked.map(({ rows }) => rows)),
    lowest: ranked.slice(0, 3).map(toShown),
    highest: ranked.slice(-3).reverse().map(toShown),
    odd_days: oddDays(frame, buckets).slice(0, 10),
  };
  const warnings = collectWarnings(frame, { left: buckets.length - latest.length, gaps: gaps.length, future: totals.future_rows });
  const counts = { total: buckets.length, returned: latest.length, warnings, asOf: context.now() };
  if (buckets.length === 0) return noData(data, counts);
  return latest.length < buckets.length ? partial(data, counts) : complete(data, counts);
}

function median(sorted: readonly number[]): number {
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2;
}

function collectWarnings(frame: TimeFrame, seen: { left: number; gaps: number; future: number }): ToolWarning[] {
  const warnings: ToolWarning[] = [];
  if (!frame.time.zoned)
    warnings.push({
      code: 'zone_assumed',
      message: `the times name no zone; they are read by the clock of ${cutText(frame.columnZone, 60)}`,
    });
  if (frame.sameClock && frame.segments.length > 1)
    warnings.push({ code: 'hour_twice', message: 'hours that the clock shows twice in autumn cannot be told apart without a zone' });
  if (seen.left > 0)
    warnings.push({
      code: 'buckets_left_out',
      message: `the ${seen.left} oldest buckets with rows are not shown; give "to", or a coarser grain, to see them`,
    });
  if (seen.gaps > 10) warnings.push({ code: 'gaps_left_out', message: `${seen.gaps} gaps, the first 10 are shown` });
  if (seen.future > 0) warnings.push({ code: 'future_rows', message: `${seen.future} of the rows counted have a time in the future` });
  return warnings;
}
