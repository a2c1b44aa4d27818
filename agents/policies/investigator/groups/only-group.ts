import type { Play } from '../../../../src/core/policy.ts';
import type { Reading } from '../read-data.ts';
import { askSql, literal, nameOf, quoted } from '../tables/ask-sql.ts';

interface Selection {
  readonly source: string;
  /** The rows in SQL: `FROM … WHERE …`. */
  readonly rows: string;
  /** Columns whose few values part the rows of the table. */
  readonly columns: readonly Reading[];
}

/** The values that all of some rows have in columns that part the rows of the table, where there are any: a host, a shop, a version. */
export async function onlyGroup(play: Play, { source, rows, columns }: Selection) {
  const answers = await Promise.all(
    columns.map((column) =>
      askSql(
        play,
        source,
        `SELECT CAST(${quoted(nameOf(column))} AS VARCHAR) AS ${quoted(nameOf(column))}, COUNT(*) AS rows ${rows} GROUP BY 1 ORDER BY 2 DESC`,
      ),
    ),
  );
  const single = answers.flatMap((answer, at) => {
    const [name, value] = [nameOf(columns[at] as Reading), answer?.rows[0]?.[0]];
    return answer?.rows.length === 1 && value !== null && value !== undefined ? [{ id: answer.id, name, value: String(value) }] : [];
  });
  if (single.length === 0) return undefined;
  return {
    results: single.map(({ id }) => ({ id })),
    says: single.map(({ name, value }) => `\`${name}\` ${value}`).join(' and '),
    where: single.map(({ name, value }) => `CAST(${quoted(name)} AS VARCHAR) = ${literal(value)}`).join(' AND '),
  };
}
