import type { Play } from '../../../../src/core/policy.ts';
import { onlyGroup } from '../groups/only-group.ts';
import { idsOf, NOTHING, type PartReport, tellCause } from '../part-report.ts';
import { enumerate, figure } from '../read-data.ts';
import { askSql, isGrouping, nameOf, quoted } from '../tables/ask-sql.ts';
import type { Layout } from './file-layout.ts';

const MOST_GROUPS = 40;

/** Values that are no numbers in a column that is one in other files: how many, whose, and what is about them. */
export async function examineTexts(play: Play, layouts: readonly Layout[], column: string): Promise<PartReport> {
  const [first] = layouts;
  const name = quoted(column);
  const groups = (first?.profile?.columns ?? []).filter((one) => isGrouping(one, MOST_GROUPS) && nameOf(one) !== column).slice(0, 3);
  if (!first) return NOTHING;
  const names = [name, ...groups.map((one) => quoted(nameOf(one)))].join(', ');
  const rows = `FROM (${layouts.map(({ table }) => `SELECT ${names} FROM ${quoted(table.name)}`).join(' UNION ALL ')}) AS files WHERE ${name} IS NOT NULL AND TRY_CAST(${name} AS DOUBLE) IS NULL`;
  const withComma = `REGEXP_MATCHES(${name}, '^-?[0-9.]*,[0-9]{1,3}$')`;
  const [counted, lone] = await Promise.all([
    askSql(
      play,
      first.table.source,
      `SELECT COUNT(*) AS rows_no_number, SUM(CASE WHEN ${withComma} THEN 1 ELSE 0 END) AS rows_with_comma, MIN(${name}) AS example ${rows}`,
    ),
    onlyGroup(play, { source: first.table.source, rows, columns: groups }),
  ]);
  const [[count, commas, example] = []] = counted?.rows ?? [];
  if (!counted || Number(count ?? 0) === 0) return NOTHING;
  const why = Number(commas) === Number(count) ? ', all of them written with a decimal comma' : '';
  const whose = lone ? `, all of ${lone.says}` : '';
  const where = layouts.map(({ title }) => `\`${title}\``);
  return tellCause(
    `Values of \`${column}\` in ${enumerate(where, 3)} are no numbers (rows_no_number ${figure(Number(count))}, for example "${String(example)}")${whose}${why}: sums and averages of \`${column}\` fail, or leave them out`,
    idsOf(counted, ...(lone?.results ?? [])),
    'the same values in the source of these files',
  );
}
