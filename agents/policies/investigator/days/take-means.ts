import { isGrouping, isKey, isNumber, isText, measuresOf, nameOf, quoted, typeOf } from '../tables/ask-sql.ts';
import type { LookedAt } from '../tables/look-at-tables.ts';

const MOST_GROUPS = 4;
const MOST_VALUES = 200;
const MOST_AMOUNTS = 2;

/** Names of columns that hold means. */
export const MEAN_NAME = /(^|[_ -])(avg|average|mean|aov|rate|ratio|share|pct|percent|per)([_ -]|$)|^(avg|mean)/i;

/** Two means of the same rows in SQL: each row counts the same, or each group does. */
export interface Means {
  readonly of: LookedAt;
  /** Over all rows; weighted by a column of counts where a row stands for several. */
  readonly weighted: string;
  /** Each group once. */
  readonly plain: string;
  /** The rows as `FROM …` of which `plain` is the mean, parted by `p`. */
  readonly groups: (period: string) => string;
  readonly says: string;
  /** The column that parts the rows into groups; none where a row is one. */
  readonly group?: string;
  /** What is counted the same whatever its size. */
  readonly unit: string;
}

/** The ways to take a mean of a table: of an amount by a group, or of averages with the counts that they stand for. */
export function meansOf(of: LookedAt): readonly Means[] {
  const { table, profile } = of;
  const counts = profile.columns.filter((one) => isNumber(one) && !isKey(one) && /int/i.test(typeOf(one)));
  const amounts = measuresOf(profile).filter((one) => !counts.includes(one) || MEAN_NAME.test(nameOf(one)) || counts.length === 1);
  const averages = measuresOf(profile).filter((one) => MEAN_NAME.test(nameOf(one)) && !/int/i.test(typeOf(one)));
  if (averages.length > 0)
    return averages.slice(0, MOST_AMOUNTS).flatMap((average) =>
      counts.slice(0, MOST_AMOUNTS).map((count): Means => {
        const [value, weight] = [quoted(nameOf(average)), quoted(nameOf(count))];
        return {
          of,
          weighted: `SUM(${value} * ${weight}) * 1.0 / SUM(CASE WHEN ${value} IS NULL THEN 0 ELSE ${weight} END)`,
          plain: `AVG(${value})`,
          groups: (period) => `(SELECT ${period} AS p, ${value} AS v FROM ${quoted(table.name)}) AS g`,
          says: `\`${nameOf(average)}\` of \`${table.name}\``,
          unit: `row, whatever its \`${nameOf(count)}\``,
        };
      }),
    );
  const parts = profile.columns.filter((one) => isGrouping(one, MOST_VALUES) && (isText(one) || isKey(one))).slice(0, MOST_GROUPS);
  return amounts.slice(0, MOST_AMOUNTS).flatMap((amount) =>
    parts.map((part): Means => {
      const [value, group] = [quoted(nameOf(amount)), quoted(nameOf(part))];
      return {
        of,
        weighted: `AVG(${value})`,
        plain: `AVG(v)`,
        groups: (period) =>
          `(SELECT ${period} AS p, ${group} AS k, AVG(${value}) AS v FROM ${quoted(table.name)} WHERE ${group} IS NOT NULL GROUP BY 1, 2) AS g`,
        group: nameOf(part),
        says: `\`${nameOf(amount)}\` of \`${table.name}\` by \`${nameOf(part)}\``,
        unit: `\`${nameOf(part)}\`, however many rows it has`,
      };
    }),
  );
}

/** With four places at most. */
export const rounded = (value: string): string => `CAST(ROUND(CAST(${value} AS DECIMAL(28, 6)), 4) AS DOUBLE PRECISION)`;

/** Both means by a period: `p`, `w` over all rows and `u` over groups. */
export function bothBy(mean: Means, period: string): string {
  const over = `(SELECT ${period} AS p, ${mean.weighted} AS w FROM ${quoted(mean.of.table.name)} GROUP BY 1) AS a`;
  return `(SELECT a.p AS p, a.w AS w, b.u AS u FROM ${over} JOIN (SELECT p, AVG(v) AS u FROM ${mean.groups(period)} GROUP BY 1) AS b ON a.p = b.p) AS m`;
}
