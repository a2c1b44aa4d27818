import type { Play } from '../../../src/core/policy.ts';
import { callIfOffered, usable } from '../investigator/part-report.ts';
import { read } from '../investigator/read-data.ts';
import { literal, quoted } from '../investigator/tables/ask-sql.ts';
import { bareName, type ListedTable } from '../investigator/tables/choose-tables.ts';
import { type LookedAt, lookAtTables } from '../investigator/tables/look-at-tables.ts';

const MOST_FILES = 40;
/** Name of the column that says of which file a row is. */
export const FILE_COLUMN = 'file';

/** The files that make one series (same name but for digits), where these tables are nothing else; in order of their names. */
export function oneSeries(tables: readonly ListedTable[]): readonly ListedTable[] {
  const names = new Set(tables.map(({ source, name }) => `${source} ${bareName(name).replace(/\d+/g, '#')}`));
  const isSeries = tables.length > 1 && names.size === 1 && tables.every(({ kind, name }) => kind === 'file' && /\d/.test(bareName(name)));
  return isSeries ? [...tables].sort((left, right) => (bareName(left.name) < bareName(right.name) ? -1 : 1)).slice(0, MOST_FILES) : [];
}

/** The files of a series as one table: the largest is profiled, and of the columns those that all have stand for all. */
export async function lookAtSeries(play: Play, series: readonly ListedTable[]): Promise<LookedAt | undefined> {
  const [largest] = [...series].sort((left, right) => Number(right.rows ?? 0) - Number(left.rows ?? 0));
  const [[looked] = [], ...described] = await Promise.all([
    lookAtTables(play, largest ? [largest] : []),
    ...series.map((table) => callIfOffered(play, 'describe_table', { table: table.name, source: table.source })),
  ]);
  if (!looked || !described.every(usable)) return undefined;
  const layouts = described.map((result) => read(result?.data).list('columns'));
  const columns = looked.profile.columns.filter((column) => {
    const types = layouts.map((layout) => layout.find((one) => one.text('name') === column.text('name'))?.text('type'));
    return types.every((type) => type !== undefined) && new Set(types.map((type) => kindOf(type ?? ''))).size === 1;
  });
  if (columns.length === 0) return undefined;
  const names = columns.map((column) => quoted(column.text('name') ?? '')).join(', ');
  const union = (label: (name: string) => string): string =>
    `(${series.map(({ name }) => `SELECT ${label(name)}${names} FROM ${quoted(name)}`).join(' UNION ALL ')}) AS series`;
  const title = `the files \`${bareName(series[0]?.name ?? '')}\` to \`${bareName(series.at(-1)?.name ?? '')}\``;
  return {
    ...looked,
    profile: { ...looked.profile, columns },
    together: { from: union((name) => `${literal(name)} AS ${quoted(FILE_COLUMN)}, `), rows: union(() => ''), title },
  };
}

/** Numbers of any width are of one kind, and so are times. */
function kindOf(type: string): string {
  if (/date|time/i.test(type)) return 'time';
  return /int|decimal|numeric|double|float|real/i.test(type) ? 'number' : type.toLowerCase();
}

/** What stands for a table in SQL. */
export function fromOf({ table, together }: LookedAt): string {
  return together?.from ?? quoted(table.name);
}

/** The same without the column of file names, where no figure is told by file. */
export function rowsOf(looked: LookedAt): string {
  return looked.together?.rows ?? fromOf(looked);
}

/** What a table is called in a sentence. */
export function titleOf({ table, together }: LookedAt): string {
  return together?.title ?? `\`${table.name}\``;
}
