import { z } from 'zod';
import { defineTool, type ToolContext } from '../../src/core/tool.ts';
import { complete, noData, partial, type ToolWarning } from '../../src/core/tool-result.ts';
import { answerTable, findColumn, type OpenTable, openBeside, openTable, QuestionError } from './ask-table.ts';
import { chooseTime, timeCandidates } from './choose-time.ts';
import { cutText, fitItems } from './fit-items.ts';
import {
  type Arrivals,
  behindByDay,
  countArrivals,
  countBehind,
  LATENESS_QUANTILES,
  latenessQuantiles,
  lostWithLookback,
} from './lateness-sql.ts';
import { isLoadColumn } from './load-columns.ts';
import { runQuery } from './run-query.ts';
import type { TimeReading } from './time-sql.ts';

const SECONDS = 110;
const MOST_RUNS = 5_000;
const LOOKBACKS = [1, 3, 6, 12, 24, 48, 72, 168, 336, 720];

const inputShape = z.object({
  table: z.string().min(1).describe('Name as list_tables gives it'),
  source: z.string().optional(),
  event_time: z.string().optional().describe('When it happened; may be left out where only one column fits'),
  load_time: z.string().optional().describe('When the row arrived; may be left out where only one column fits'),
  runs_table: z.string().optional().describe('Table that lists the incremental runs, of any source'),
  runs_source: z.string().optional(),
  runs_time: z.string().optional().describe('Its column with the time of each run'),
  daily_run_at: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/)
    .optional()
    .describe('Instead: one run a day at this time, HH:MM by the clock of load_time'),
  where: z.string().max(2_000).optional().describe('A predicate over the table'),
});
type Input = z.output<typeof inputShape>;

const outputShape = z.object({
  source: z.string(),
  table: z.string(),
  event_time: z.string(),
  load_time: z.string(),
  rows: z.number(),
  without_event_time: z.number(),
  without_load_time: z.number(),
  measured: z.number(),
  before_event: z.number(),
  lateness_seconds: z.record(z.string(), z.number()).nullable(),
  runs: z.object({ from: z.string(), count: z.number() }),
  not_yet_seen: z.number(),
  behind_watermark: z.object({
    rows: z.number(),
    most_seconds_behind: z.number(),
    days: z.number(),
    by_day: z.array(z.object({ day: z.string(), rows: z.number(), most_seconds_behind: z.number() })),
  }),
  lookback: z.object({
    smallest_hours_that_lose_nothing: z.number(),
    steps: z.array(z.object({ hours: z.number(), rows_still_lost: z.number() })),
  }),
});

/** How late rows arrive, and which of them an incremental load by event time never sees. */
export const lateness = defineTool({
  name: 'lateness',
  description:
    'Measures how late rows arrive (load time minus event time: exact quantiles) and which rows an incremental load with the filter "event_time > highest event_time loaded so far" never loads: rows behind the watermark by event day, and which lookback would have caught them. The runs are taken from a table (runs_table, runs_time), from daily_run_at, or each distinct load time counts as one.',
  input: inputShape,
  output: outputShape,
  effect: 'read',
  timeoutSeconds: SECONDS + 10,
  example: { table: 'orders', event_time: 'placed_at', load_time: 'loaded_at' },
  run: (input, context) =>
    answerTable(async () => measure(input, await openTable(context, input, performance.now() + SECONDS * 1000), context)),
});

async function measure(input: Input, table: OpenTable, context: ToolContext) {
  const load = await chooseLoadTime(table, input.load_time);
  const event = await chooseEventTime(table, input.event_time, load);
  const plain: Arrivals = { table, event, load, runs: undefined };
  const { first, last, ...counts } = await countArrivals(plain);
  const runs = await chooseRuns(input, { table, context, first, last });
  const arrivals: Arrivals = { ...plain, runs: runs.times };
  const shown = {
    source: table.source,
    table: cutText(table.description.name, 200),
    event_time: cutText(event.column.info.name, 120),
    load_time: cutText(load.column.info.name, 120),
    ...counts,
  };
  const warnings: ToolWarning[] = [];
  if (event.zoned !== load.zoned)
    warnings.push({
      code: 'zones_differ',
      message: 'one of the two times names its zone, the other does not and is read as UTC: lateness is off by its offset if it is not',
    });
  const quantiles = counts.measured === 0 ? [] : await latenessQuantiles(arrivals, counts.measured);
  const found = counts.measured === 0 ? { rows: 0, most: 0, batches: 0, seen: 0 } : await countBehind(arrivals);
  const days = found.rows === 0 ? [] : await behindByDay(arrivals);
  const steps = found.rows === 0 ? [] : await lostWithLookback(arrivals, LOOKBACKS);
  const byDay = fitItems(days, 4_500);
  if (byDay.length < days.length)
    warnings.push({ code: 'days_left_out', message: `${days.length - byDay.length} days with rows behind the watermark are not shown` });
  const data = {
    ...shown,
    lateness_seconds:
      quantiles.length === 0
        ? null
        : Object.fromEntries(LATENESS_QUANTILES.map((q, index) => [q === 1 ? 'max' : `p${q * 100}`, quantiles[index] ?? 0])),
    runs: { from: runs.from, count: runs.times?.length ?? found.batches },
    not_yet_seen: counts.measured - found.seen,
    behind_watermark: { rows: found.rows, most_seconds_behind: found.rows === 0 ? 0 : found.most, days: days.length, by_day: [...byDay] },
    lookback: {
      // A row exactly at the edge is not later than it, so it needs a little more.
      smallest_hours_that_lose_nothing: found.rows === 0 ? 0 : Math.floor(found.most / 3600) + 1,
      steps: steps.slice(0, steps.findIndex(({ rows_still_lost: lost }) => lost === 0) + 1 || steps.length),
    },
  };
  const answer = { total: days.length, returned: byDay.length, warnings, asOf: context.now() };
  if (counts.measured === 0) return noData(data, answer);
  return byDay.length < days.length ? partial(data, answer) : complete(data, answer);
}

async function chooseLoadTime(table: OpenTable, name: string | undefined): Promise<TimeReading> {
  if (name !== undefined) return chooseTime(table, name);
  const loads = timeCandidates(table).filter(({ info }) => isLoadColumn(info.name));
  const [only] = loads;
  if (only && loads.length === 1) return chooseTime(table, only.info.name);
  const others = timeCandidates(table).map(({ info }) => cutText(info.name, 60));
  throw new QuestionError(
    'which_load_time',
    `say in "load_time" which column says when a row arrived; columns with times: ${cutText(others.slice(0, 12).join(', ') || 'none', 700)}`,
  );
}

async function chooseEventTime(table: OpenTable, name: string | undefined, load: TimeReading): Promise<TimeReading> {
  if (name !== undefined) return chooseTime(table, findColumn(table, name).info.name);
  const columns = table.columns.filter((column) => column !== load.column);
  return chooseTime({ ...table, columns }, undefined);
}

interface RunChoice {
  readonly table: OpenTable;
  readonly context: ToolContext;
  readonly first: number;
  readonly last: number;
}

async function chooseRuns(
  input: Input,
  { table, context, first, last }: RunChoice,
): Promise<{ from: string; times: readonly number[] | undefined }> {
  if (input.runs_table !== undefined) {
    const choice = { table: input.runs_table, source: input.runs_source ?? input.source, beside: table.source };
    const runsTable = await openBeside(context, choice, table.deadline);
    const time = await chooseTime(runsTable, input.runs_time);
    const sql = `SELECT DISTINCT ${time.seconds} AS s FROM ${runsTable.from} ORDER BY s LIMIT ${MOST_RUNS + 2}`;
    const times = (await runQuery(runsTable, sql)).filter(([second]) => second !== null).map(([second]) => Number(second));
    if (times.length > MOST_RUNS)
      throw new QuestionError('too_many_runs', `"${cutText(input.runs_table, 100)}" lists more than ${MOST_RUNS} runs`);
    if (times.length === 0) throw new QuestionError('no_runs', `"${cutText(input.runs_table, 100)}" lists no runs`);
    return { from: `the ${times.length} times of ${cutText(input.runs_table, 100)}.${cutText(time.column.info.name, 60)}`, times };
  }
  if (input.daily_run_at === undefined) return { from: 'each distinct load time counts as a run', times: undefined };
  const [hours = 0, minutes = 0] = input.daily_run_at.split(':').map(Number);
  const clock = hours * 3600 + minutes * 60;
  const times: number[] = [];
  for (let day = Math.floor(first / 86_400); times.length < MOST_RUNS; day++) {
    const at = day * 86_400 + clock;
    if (at >= first) times.push(at);
    if (at >= last) break;
  }
  if (times.length >= MOST_RUNS)
    throw new QuestionError('too_many_runs', `the rows arrived over more than ${MOST_RUNS} days; narrow them with "where"`);
  return { from: `a run every day at ${input.daily_run_at}`, times };
}
