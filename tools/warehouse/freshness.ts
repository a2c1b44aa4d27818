import { z } from 'zod';
import { defineTool, type ToolContext } from '../../src/core/tool.ts';
import { complete, noData, partial, type ToolWarning } from '../../src/core/tool-result.ts';
import { answerTable, findColumn, type OpenTable, openTable, QuestionError, shownName } from './ask-table.ts';
import { timeCandidates } from './choose-time.ts';
import { cutCell, cutText, DATA_CHARACTERS, fitItems } from './fit-items.ts';
import { runQuery } from './run-query.ts';
import { isSentinel, readTimeColumn, sqlToInstant, type TimeReading, timedRows } from './time-sql.ts';
import { isZone, readInstant, zoneSegments } from './time-zone.ts';

const SECONDS = 110;
const MOST_COLUMNS = 12;
const HOUR = 3600;

const inputShape = z.object({
  table: z.string().min(1).describe('Name as list_tables gives it'),
  source: z.string().optional(),
  column: z.string().optional().describe('The time column; all that hold times when left out'),
  as_of: z.string().max(40).optional().describe('The moment that age is counted to, ISO; now when left out'),
  zone: z.string().max(60).default('UTC').describe('Zone of the clock that times without a zone were written by'),
  max_age_hours: z.number().positive().optional().describe('Say whether the newest value is younger than that'),
  where: z.string().max(2_000).optional().describe('A predicate over the table'),
});
type Input = z.output<typeof inputShape>;

const cell = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const columnShape = z.object({
  column: z.string(),
  reading: z.string(),
  zone: z.string(),
  /** The newest value that is neither in the future nor a sentinel, as it stands. */
  newest: cell,
  newest_utc: z.string().nullable(),
  age_seconds: z.number().nullable(),
  age: z.string().nullable(),
  fresh: z.boolean().optional(),
  oldest: cell,
  without_time: z.number(),
  future: z.object({ rows: z.number(), newest: cell }).optional(),
  sentinels: z.object({ rows: z.number(), newest: cell }).optional(),
});
type Freshness = z.output<typeof columnShape>;

/** How old the newest plausible value of a table's time columns is. */
export const freshness = defineTool({
  name: 'freshness',
  description:
    'Says how old a table is: the newest plausible value of its time column (or of each), its age, and apart from it rows with times in the future and sentinel dates such as 9999-12-31, which would make a stale table look fresh. Names the zone assumed. Also the last change of a file.',
  input: inputShape,
  output: z.object({
    source: z.string(),
    table: z.string(),
    rows: z.number(),
    as_of: z.string(),
    columns: z.array(columnShape),
    file_modified: z.string().nullable(),
  }),
  effect: 'read',
  timeoutSeconds: SECONDS + 10,
  example: { table: 'orders', column: 'loaded_at', as_of: '2026-03-17T08:00:00Z', max_age_hours: 24 },
  run: (input, context) =>
    answerTable(async () => {
      const table = await openTable(context, input, performance.now() + SECONDS * 1000);
      return measure(input, table, context);
    }),
});

async function measure(input: Input, table: OpenTable, context: ToolContext) {
  if (!isZone(input.zone))
    throw new QuestionError('unknown_zone', `"${cutText(input.zone, 60)}" is no time zone; give one such as Europe/Berlin`);
  const asOf = input.as_of === undefined ? Math.floor(context.now().getTime() / 1000) : readInstant(input.as_of, 'UTC');
  if (asOf === undefined) throw new QuestionError('bad_time', `"${cutText(input.as_of ?? '', 40)}" is no date or ISO time`);
  const candidates = input.column === undefined ? timeCandidates(table) : [findColumn(table, input.column)];
  const columns: Freshness[] = [];
  const warnings: ToolWarning[] = [];
  for (const candidate of candidates.slice(0, MOST_COLUMNS)) {
    const time = await readTimeColumn(table, table.from, candidate);
    if (time) columns.push(await measureFreshness(table, time, { zone: input.zone, asOf, maxAgeHours: input.max_age_hours }));
    else if (input.column !== undefined)
      throw new QuestionError(
        'not_a_time',
        `the values of "${shownName(candidate)}" (${cutText(candidate.info.type, 80)}) cannot be read as times`,
      );
  }
  const [[rows = 0] = []] = await runQuery(table, `SELECT COUNT(*) FROM ${table.from}`);
  const shown = fitItems(columns, DATA_CHARACTERS - 600);
  const modified = await lastChange(table, context);
  const data = {
    source: table.source,
    table: cutText(table.description.name, 200),
    rows: Number(rows),
    as_of: new Date(asOf * 1000).toISOString(),
    columns: [...shown],
    file_modified: modified?.toISOString() ?? null,
  };
  if (columns.some(({ zone }) => zone !== 'its own'))
    warnings.push({
      code: 'zone_assumed',
      message: `times without a zone are read by the clock of ${cutText(input.zone, 60)}; another zone shifts the age by its offset`,
    });
  for (const { column, future } of shown)
    if (future)
      warnings.push({
        code: 'future_rows',
        message: `${cutText(column, 60)}: ${future.rows} rows are in the future, up to ${cutText(String(future.newest), 40)}`,
      });
  const left = candidates.length - shown.length;
  if (candidates.length > MOST_COLUMNS)
    warnings.push({ code: 'columns_left_out', message: `${left} more columns may hold times; name one in "column"` });
  if (columns.length === 0)
    warnings.push({
      code: 'no_time',
      message: 'no column holds times; only the last change of the file, where there is one, says how old it is',
    });
  const counts = {
    total: Math.max(columns.length, candidates.length > MOST_COLUMNS ? candidates.length : 0),
    returned: shown.length,
    warnings: warnings.slice(0, 6),
    asOf: context.now(),
  };
  if (Number(rows) === 0 || (columns.length === 0 && modified === undefined)) return noData(data, counts);
  return shown.length < counts.total ? partial(data, counts) : complete(data, counts);
}

export interface Clock {
  readonly zone: string;
  readonly asOf: number;
  readonly maxAgeHours: number | undefined;
}

/** One time column under a clock. */
export async function measureFreshness(table: OpenTable, time: TimeReading, { zone, asOf, maxAgeHours }: Clock): Promise<Freshness> {
  const { dialect } = table.engine;
  const segments = zoneSegments(time.zoned ? 'UTC' : zone, asOf - 50 * 366 * 86_400, asOf + 366 * 86_400);
  const rows = `(SELECT s, x, ${time.zoned ? 's' : sqlToInstant('s', segments)} AS i FROM ${timedRows(table.from, time, table)}) AS placed`;
  const sentinel = isSentinel('s', dialect);
  const plausible = `s IS NOT NULL AND NOT (${sentinel}) AND i <= ${asOf}`;
  const future = `s IS NOT NULL AND NOT (${sentinel}) AND i > ${asOf}`;
  const when = (condition: string, value: string): string => `CASE WHEN ${condition} THEN ${value} END`;
  const sql = `SELECT COUNT(CASE WHEN s IS NULL THEN 1 END), MAX(${when(plausible, 'x')}), MAX(${when(plausible, 'i')}), MIN(${when(plausible, 'x')}),
    COUNT(${when(future, '1')}), MAX(${when(future, 'x')}), COUNT(${when(sentinel, '1')}), MAX(${when(sentinel, 'x')}) FROM ${rows}`;
  const [[without, newest, newestInstant, oldest, futureRows, futureNewest, sentinels, sentinelNewest] = []] = await runQuery(table, sql);
  const age = newestInstant === null || newestInstant === undefined ? null : asOf - Number(newestInstant);
  return {
    column: shownName(time.column),
    reading: cutText(time.reading, 120),
    zone: time.zoned ? 'its own' : zone,
    newest: cutCell(newest ?? null, 60),
    newest_utc: age === null ? null : new Date((asOf - age) * 1000).toISOString().replace('.000Z', 'Z'),
    age_seconds: age,
    age: age === null ? null : ageText(age),
    ...(maxAgeHours === undefined ? {} : { fresh: age !== null && age <= maxAgeHours * HOUR }),
    oldest: cutCell(oldest ?? null, 60),
    without_time: Number(without ?? 0),
    ...(Number(futureRows) > 0 ? { future: { rows: Number(futureRows), newest: cutCell(futureNewest ?? null, 60) } } : {}),
    ...(Number(sentinels) > 0 ? { sentinels: { rows: Number(sentinels), newest: cutCell(sentinelNewest ?? null, 60) } } : {}),
  };
}

function ageText(seconds: number): string {
  const [days, hours, minutes] = [Math.floor(seconds / 86_400), Math.floor((seconds % 86_400) / HOUR), Math.floor((seconds % HOUR) / 60)];
  return [days > 0 ? `${days} d` : '', days > 0 || hours > 0 ? `${hours} h` : '', `${minutes} min`].filter(Boolean).join(' ');
}

async function lastChange(table: OpenTable, context: ToolContext): Promise<Date | undefined> {
  const { tables } = await table.engine.listTables(context.scope);
  return tables.find(({ name }) => name === table.description.name)?.modified;
}
