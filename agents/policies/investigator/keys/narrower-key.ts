import type { Play } from '../../../../src/core/policy.ts';
import { combinations } from '../combinations.ts';
import { NOTHING, type PartReport, tellCause } from '../part-report.ts';
import { enumerate } from '../read-data.ts';
import { askSql, nameOf, quoted } from '../tables/ask-sql.ts';
import type { LookedAt } from '../tables/look-at-tables.ts';

const MOST_COLUMNS = 6;
const MOST_TOGETHER = 3;
const LEAST_LOST = 3;

/**
 * Rows that one table lacks because it holds one row for each value of columns that are no key: each of its rows has other values of them, and
 * the larger one has exactly as many of these.
 */
export async function narrowerKey(
  play: Play,
  { whole, part, key }: { readonly whole: LookedAt; readonly part: LookedAt; readonly key: string },
): Promise<PartReport> {
  const kept = part.profile.rows ?? 0;
  const lost = (whole.profile.rows ?? 0) - kept;
  if (lost < LEAST_LOST || whole.table.source !== part.table.source) return NOTHING;
  const inPart = new Set(part.profile.columns.map(nameOf));
  const columns = whole.profile.columns
    .filter((column) => inPart.has(nameOf(column)) && nameOf(column) !== key && (column.number('distinct') ?? 0) > 1)
    .slice(0, MOST_COLUMNS)
    .map(nameOf);
  const sets = combinations(columns, MOST_TOGETHER);
  if (sets.length === 0) return NOTHING;
  const distinct = ({ table }: LookedAt, set: readonly string[]): string =>
    `(SELECT COUNT(*) FROM (SELECT DISTINCT ${set.map(quoted).join(', ')} FROM ${quoted(table.name)}) AS d)`;
  const counts = sets.map((set, at) => `${distinct(whole, set)} AS c${at}, ${distinct(part, set)} AS kept${at}`);
  const answered = await askSql(play, whole.table.source, `SELECT ${counts.join(', ')}`);
  const [row = []] = answered?.rows ?? [];
  const found = sets.find((_, at) => Number(row[2 * at]) === kept && Number(row[2 * at + 1]) === kept);
  if (!answered || !found) return NOTHING;
  const names = enumerate(found.map((name) => `\`${name}\``));
  return tellCause(
    `\`${part.table.name}\` holds one row for each ${names}: \`${whole.table.name}\` has exactly as many distinct values of them, ${String(kept)}, and ${String(lost)} rows more; these have a \`${key}\` of their own and were taken for duplicates by ${names}`,
    [answered.id, whole.profile.result, part.profile.result],
    `rows without a twin by ${names} that are missing too`,
  );
}
