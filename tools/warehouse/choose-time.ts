import { findColumn, type OpenTable, QuestionError } from './ask-table.ts';
import { cutText } from './fit-items.ts';
import { isLoadColumn } from './load-columns.ts';
import type { ProfiledColumn } from './profile-sql.ts';
import { readTimeColumn, type TimeReading } from './time-sql.ts';

const TIME_NAME = /(^|_)(at|on|ts|time|timestamp|date|day|datetime|dt|utc)$|^(date|time|day|ts)(_|$)|(At|Date|Time|_dt)$/;

/** How much a column looks like the time that a row is about. Zero for none. */
function likeness({ kind, info }: ProfiledColumn): number {
  const named = TIME_NAME.test(info.name);
  if (kind === 'time') return isLoadColumn(info.name) ? 2 : named ? 4 : 3;
  return named && (kind === 'text' || kind === 'integer') ? 1 : 0;
}

/** Columns that may hold times, likeliest first. */
export function timeCandidates(table: OpenTable): readonly ProfiledColumn[] {
  const likely = table.columns.map((column) => ({ column, likeness: likeness(column) })).filter((item) => item.likeness > 0);
  return likely.sort((left, right) => right.likeness - left.likeness).map(({ column }) => column);
}

/**
 * The time column named, else the only one that a row can be about.
 *
 * @throws QuestionError when none is named and none or several fit, or the one named holds no times.
 */
export async function chooseTime(table: OpenTable, name: string | undefined): Promise<TimeReading> {
  if (name !== undefined) {
    const column = findColumn(table, name);
    const reading = await readTimeColumn(table, table.from, column);
    if (reading) return reading;
    throw new QuestionError(
      'not_a_time',
      `the values of "${cutText(column.info.name, 100)}" (${column.info.type}) cannot be read as times`,
    );
  }
  const candidates = timeCandidates(table);
  const best = candidates[0] && likeness(candidates[0]);
  const equal = candidates.filter((column) => likeness(column) === best);
  const list = (columns: readonly ProfiledColumn[]): string =>
    cutText(
      columns
        .slice(0, 12)
        .map(({ info }) => cutText(info.name, 60))
        .join(', '),
      700,
    );
  if (equal.length > 1) throw new QuestionError('which_time', `several columns hold times, say which is meant: ${list(equal)}`);
  for (const column of candidates.slice(0, 5)) {
    const reading = await readTimeColumn(table, table.from, column);
    if (reading) return reading;
  }
  const names = table.columns.length > 0 ? `columns: ${list(table.columns)}` : 'it has no columns';
  throw new QuestionError('no_time', `no column of ${cutText(table.description.name, 100)} looks like a time; ${names}`);
}
