import type { Play } from '../../../../src/core/policy.ts';
import { callIfOffered, idsOf, mergeReports, NOTHING, type PartReport, tellCause, usable } from '../part-report.ts';
import { clock, enumerate, momentOf } from '../read-data.ts';
import { readRunList } from '../runs/choose-run.ts';
import { RUN_KINDS } from '../source-kinds.ts';
import { askSql, dayOf, LOADED, measuresOf, nameOf, quoted } from '../tables/ask-sql.ts';
import { measuredValue } from '../tables/examine-sentinels.ts';
import type { LookedAt } from '../tables/look-at-tables.ts';

const MOST_TABLES = 3;
const LEAST_DAYS = 5;
/** So many days later than is usual, rows were not loaded with their day. */
const LATER = 2;
const MOST_LATER = 3 * 366;
const WRITTEN = /built|refresh|comput|generated|written|calculat|process/i;
/** Names of times at which a program wrote; others, as `arrived`, may be of the thing itself, and a few rows of a day are late by chance. */
const BY_PROGRAM = /load|ingest|insert|import|updat|sync|etl/i;
const LEAST_ROWS = 3;
const LISTED = 100;
const DAY = 86_400_000;

/** Days of which all rows were written again, long after their day, and what ran then. */
export async function examineRewritten(play: Play, looked: readonly LookedAt[]): Promise<PartReport> {
  return mergeReports(await Promise.all(looked.slice(0, MOST_TABLES).map((one) => examineTable(play, one))));
}

interface Written {
  readonly day: string;
  readonly first: string;
  readonly level: string;
  readonly lag: number;
  readonly rows: number;
}

async function examineTable(play: Play, { table, profile, happened, loaded }: LookedAt): Promise<PartReport> {
  const isDated = (text: string | null): boolean => /^\d{4}-\d\d-\d\d/.test(text ?? '');
  const written =
    loaded ?? profile.columns.find((column) => column !== happened && WRITTEN.test(nameOf(column)) && isDated(column.text('min')));
  if (!happened || !written || written === happened || LOADED.test(nameOf(happened))) return NOTHING;
  const time = quoted(nameOf(written));
  const [amount] = measuresOf(profile);
  const level = amount ? `ROUND(CAST(AVG(${measuredValue(amount)}) AS DECIMAL(28, 6)), 2)` : '0';
  const answered = await askSql(
    play,
    table.source,
    `SELECT ${dayOf(happened)} AS day, CAST(MIN(${time}) AS VARCHAR) AS first_written, CAST(MAX(${time}) AS VARCHAR) AS last_written, ${level} AS level, COUNT(*) AS row_count FROM ${quoted(table.name)} WHERE ${quoted(nameOf(happened))} IS NOT NULL AND ${time} IS NOT NULL GROUP BY 1 ORDER BY 1`,
  );
  const days = (answered?.rows ?? []).map(([day, first, , average, rows]): Written => {
    const lag = Math.round((Date.parse(String(first).slice(0, 10)) - Date.parse(String(day))) / DAY);
    return { day: String(day), first: String(first), level: String(average), lag, rows: Number(rows) };
  });
  const lags = days.map(({ lag }) => lag).sort((left, right) => left - right);
  const usual = lags[Math.floor(lags.length / 2)] ?? 0;
  // A day that lies years before all others is none that was loaded then.
  const late = days.filter(({ lag }) => lag >= usual + LATER && lag < usual + MOST_LATER);
  const [first, last] = [late[0], late.at(-1)];
  if (!answered || days.length < LEAST_DAYS || !first || !last || late.length * 2 > days.length) return NOTHING;
  // Days that came in late one after the other were caught up with, not written over: what is before and after them is older.
  const after = days[days.indexOf(last) + 1];
  const isTogether = days.indexOf(last) - days.indexOf(first) + 1 === late.length;
  if (!isTogether || !after || after.first >= first.first) return NOTHING;
  const byProgram = WRITTEN.test(nameOf(written)) || BY_PROGRAM.test(nameOf(written));
  if (!byProgram && late.some(({ rows }) => rows < LEAST_ROWS)) return NOTHING;
  const [ran, other] = [await runsAt(play, first.first), days[days.indexOf(first) - 1] ?? after];
  const levels = amount
    ? `, and the average of \`${nameOf(amount)}\` is ${first.level} on ${first.day} and ${other.level} on ${other.day}`
    : '';
  const which = late.length === 1 ? first.day : `${first.day} to ${last.day}`;
  return tellCause(
    `The rows of ${which} in \`${table.name}\` were written again later: by \`${nameOf(written)}\` the first of them at ${clock(first.first)}, after those of ${after.day} (${clock(after.first)})${levels}${ran.says}`,
    idsOf(answered, ...ran.results),
    'rows of these days that came in for the first time then',
  );
}

/** Runs that were under way at a time. */
async function runsAt(play: Play, time: string) {
  if (!play.sources.some(({ kind }) => RUN_KINDS.has(kind))) return { says: '', results: [] };
  const listed = await callIfOffered(play, 'list_runs', { limit: LISTED });
  if (!usable(listed)) return { says: '', results: [] };
  const list = readRunList(listed.data);
  const at = momentOf(time);
  const ran = list.runs.filter(
    ({ startedAt, endedAt }) => Date.parse(startedAt ?? '') <= at && at <= Date.parse(endedAt ?? '') && startedAt !== null,
  );
  const types = [...new Set(ran.map(({ pipeline, type }) => `\`${pipeline}\` (${type})`))];
  if (ran.length === 0) return { says: '', results: [] };
  const shown = ran.slice(0, 3).map(({ runId }) => `\`${runId}\``);
  return {
    says: `; at that time ran ${enumerate(types, 3)}, run ${shown.join(', ')}${ran.length > shown.length ? ' and others' : ''}`,
    results: [listed],
  };
}
