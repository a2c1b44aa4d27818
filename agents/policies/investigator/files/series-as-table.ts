import type { Play } from '../../../../src/core/policy.ts';
import { examineCeilings } from '../days/examine-ceilings.ts';
import { examineDays } from '../days/examine-days.ts';
import { examineLimits } from '../days/examine-limits.ts';
import { examineGroups } from '../groups/examine-groups.ts';
import { examineSilentGroups } from '../groups/examine-silent-groups.ts';
import { mergeReports, NOTHING, type PartReport } from '../part-report.ts';
import type { Question } from '../question/read-question.ts';
import { type Reading, read } from '../read-data.ts';
import { askSql, isNumber, isTime, literal, nameOf, quoted, typeOf } from '../tables/ask-sql.ts';
import { bareName, type ListedTable } from '../tables/choose-tables.ts';
import { examineSpellings } from '../tables/examine-spellings.ts';
import { describeTables, type LookedAt } from '../tables/look-at-tables.ts';
import { DAY, dayInName } from './examine-file-gaps.ts';
import { examineRedelivery } from './examine-redelivery.ts';
import { seriesOf } from './series-of.ts';

const LEAST_FILES = 4;
const MOST_FILES = 62;
const MOST_COLUMNS = 16;
/** What the day in a file's name is called as a column of its rows. */
const NAME_DAY = 'file_day';

interface SeriesRequest {
  readonly tables: readonly ListedTable[];
  /** Whether the files as such have told already why something is missing or wrong. */
  readonly explained: boolean;
  /** Whether files whose rows bear a time are looked at together too. */
  readonly timed: boolean;
}

/** What breaks from day to day, or in one group of rows, over all files of a series: each file for itself shows one day only. */
export async function examineSeries(play: Play, question: Question, { tables, explained, timed }: SeriesRequest): Promise<PartReport> {
  const series = seriesOf(
    tables.filter(({ kind }) => kind === 'file'),
    LEAST_FILES,
  ).slice(0, MOST_FILES);
  // What a folder is called (`dt=2026-03-14`) is a column of the rows in it too.
  const columns = (series.length === 0 ? [] : await commonColumns(play, series)).filter(
    (column) => !(series[0]?.name ?? '').includes(`${nameOf(column)}=`),
  );
  if (columns.length === 0) return NOTHING;
  const isTimed = columns.some(isTime);
  const isNamed = !isTimed && series.every(({ name }) => dayInName(name) !== undefined);
  if (isTimed ? !timed : !isNamed) return NOTHING;
  const name = isNamed
    ? (series[0]?.name ?? '').replace(DAY, '<day>')
    : `${bareName(series[0]?.name ?? '')} to ${bareName(series.at(-1)?.name ?? '')}`;
  const names = columns.map((column) => quoted(nameOf(column))).join(', ');
  const rows = series.map((table) => {
    const day = isNamed ? `${literal(dayInName(table.name) ?? '')} AS ${quoted(NAME_DAY)}, ` : '';
    return `SELECT ${day}${names} FROM ${quoted(table.name)}`;
  });
  const together = withTable(play, name, `(${rows.join(' UNION ALL ')}) AS all_files`);
  const day = isNamed ? [read({ name: NAME_DAY, type: 'VARCHAR' })] : [];
  const looked = await lookAtAll(together, { source: series[0]?.source ?? '', name, columns: [...day, ...columns] });
  if (!looked?.happened) return NOTHING;
  // What a file has too few or too many of is told of it as a file.
  const days = () => (explained ? examineSilentGroups(together, looked, series.length) : examineDays(together, question, [looked]));
  const parts = [examineGroups(together, [looked]), days()];
  if (!isNamed) return mergeReports(await Promise.all(parts));
  const isUp = question.direction === 'up';
  return mergeReports(
    await Promise.all([
      examineRedelivery(play, series),
      examineSpellings(together, [looked]),
      ...parts,
      isUp ? NOTHING : examineLimits(together, [looked]),
      examineCeilings(together, [looked]),
    ]),
  );
}

/** Columns that all files have, of one type but for the width of numbers. */
async function commonColumns(play: Play, series: readonly ListedTable[]): Promise<readonly Reading[]> {
  const described = await describeTables(play, series);
  const [first] = described;
  if (!first || described.length < series.length) return [];
  const kind = (column: Reading | undefined): string => (column && isNumber(column) ? 'number' : column ? typeOf(column) : '');
  return first.columns
    .filter((column) =>
      described.every(({ columns }) => kind(columns.find((one) => nameOf(one) === nameOf(column))) === kind(column) && kind(column) !== ''),
    )
    .slice(0, MOST_COLUMNS);
}

/** The same play, on which SQL may name one table that is made of several, and nothing but SQL is asked of it. */
function withTable(play: Play, name: string, union: string): Play {
  return {
    ...play,
    tools: new Set(['query_sql'].filter((tool) => play.tools.has(tool))),
    call: (tool, input) => play.call(tool, { ...input, sql: String(input.sql).replaceAll(quoted(name), union) }),
  };
}

/** What a profile says of each column, asked in one query over all files. */
async function lookAtAll(
  play: Play,
  { source, name, columns }: { readonly source: string; readonly name: string; readonly columns: readonly Reading[] },
): Promise<LookedAt | undefined> {
  const asked = columns.map((column) => {
    const own = quoted(nameOf(column));
    return `COUNT(DISTINCT ${own}), CAST(MIN(${own}) AS VARCHAR), CAST(MAX(${own}) AS VARCHAR), COUNT(*) - COUNT(${own})`;
  });
  const answered = await askSql(play, source, `SELECT COUNT(*), ${asked.join(', ')} FROM ${quoted(name)}`);
  const [row] = answered?.rows ?? [];
  if (!answered || !row) return undefined;
  const profiled = columns.map((column, at) => {
    const [distinct, min, max, empty] = row.slice(1 + at * 4, 5 + at * 4);
    return read({ name: nameOf(column), type: typeOf(column), distinct: Number(distinct), min, max, null: Number(empty) });
  });
  return {
    table: { source, name, kind: 'file', rows: String(row[0]), bytes: null },
    profile: { result: answered.id, complete: true, table: name, rows: Number(row[0]), columns: profiled },
    happened: profiled.find((column) => nameOf(column) === NAME_DAY) ?? profiled.find(isTime),
    loaded: undefined,
  };
}
