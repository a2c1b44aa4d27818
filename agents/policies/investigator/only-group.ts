import type { Play } from '../../../src/core/policy.ts';
import { askSql, literal, nameOf, quoted } from './ask-sql.ts';
import type { Reading } from './read-data.ts';

interface Selection {
  readonly source: string;
  /** The rows in SQL: `FROM … WHERE …`. */
  readonly rows: string;
  /** Columns whose few values part the rows of the table. */
  readonly columns: readonly Reading[];
}

/** The one value of a column that all of some rows have, where there is one: a host, a sensor, a shop. */
export async function onlyGroup(play: Play, { source, rows, columns }: Selection) {
  const answers = await Promise.all(
    columns.map((column) => askSql(play, source, `SELECT ${quoted(nameOf(column))}, COUNT(*) AS rows ${rows} GROUP BY 1 ORDER BY 2 DESC`)),
  );
  const at = answers.findIndex((answer) => answer?.rows.length === 1);
  const [answer, column] = [answers[at], columns[at]];
  const value = answer?.rows[0]?.[0];
  if (!answer || !column || value === null || value === undefined) return undefined;
  return {
    id: answer.id,
    says: `\`${nameOf(column)}\` ${String(value)}`,
    where: `CAST(${quoted(nameOf(column))} AS VARCHAR) = ${literal(String(value))}`,
  };
}
