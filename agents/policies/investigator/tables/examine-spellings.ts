import type { Play } from '../../../../src/core/policy.ts';
import { damagedLetters } from '../files/damaged-letters.ts';
import { type Finding, idsOf, mergeReports, NOTHING, type PartReport, tell } from '../part-report.ts';
import type { Reading } from '../read-data.ts';
import { askSql, dayOf, isKey, isText, isWrittenTime, listRows, nameOf, quoted } from './ask-sql.ts';
import type { LookedAt } from './look-at-tables.ts';

const MOST_TABLES = 4;
const MOST_COLUMNS = 4;
const MOST_VALUES = 200;
const SHOWN = 6;

/** Texts that are not written as they should be: damaged letters, and one thing in several ways that differ in case or blanks only. */
export async function examineSpellings(play: Play, looked: readonly LookedAt[]): Promise<PartReport> {
  const reports = looked.slice(0, MOST_TABLES).flatMap((one) => {
    const texts = one.profile.columns.filter((column) => isText(column) && !isWrittenTime(column)).slice(0, MOST_COLUMNS);
    const words = texts.filter((column) => {
      const distinct = column.number('distinct') ?? 0;
      return !isKey(column) && distinct > 1 && distinct <= MOST_VALUES && distinct * 2 < (one.profile.rows ?? 0);
    });
    return [...texts.map((column) => damagedLetters(play, one, column)), ...words.map((column) => examineColumn(play, one, column))];
  });
  return mergeReports(await Promise.all(reports));
}

async function examineColumn(play: Play, { table, happened }: LookedAt, column: Reading): Promise<PartReport> {
  const value = quoted(nameOf(column));
  const plain = `LOWER(TRIM(${value}))`;
  const several = `SELECT ${plain} FROM ${quoted(table.name)} WHERE LENGTH(TRIM(${value})) > 1 GROUP BY 1 HAVING COUNT(DISTINCT ${value}) > 1`;
  const days = happened ? `, MIN(${dayOf(happened)}) AS first_day, MAX(${dayOf(happened)}) AS last_day` : '';
  const [counted, shown] = await Promise.all([
    askSql(
      play,
      table.source,
      `SELECT COUNT(DISTINCT ${plain}) AS things, COUNT(DISTINCT ${value}) AS spellings, COUNT(*) AS rows FROM ${quoted(table.name)} WHERE ${plain} IN (${several})`,
    ),
    askSql(
      play,
      table.source,
      `SELECT '"' || ${value} || '"' AS spelling, COUNT(*) AS rows${days} FROM ${quoted(table.name)} WHERE ${plain} IN (${several}) GROUP BY 1 ORDER BY LOWER(TRIM(MIN(${value}))), 2 DESC LIMIT ${SHOWN}`,
    ),
  ]);
  const [[things, spellings] = []] = counted?.rows ?? [];
  if (!counted || !shown || Number(things ?? 0) === 0) return NOTHING;
  const claim = `\`${nameOf(column)}\` of \`${table.name}\` writes ${String(things)} values in ${String(spellings)} ways that differ in case or blanks only (things ${String(things)}, spellings ${String(spellings)}), so that a grouping or a join takes them for different ones; as spelling / rows${happened ? ' / first day / last day' : ''}: ${listRows(shown.rows)}`;
  const finding: Finding = {
    kind: 'cause',
    claim: `${claim}.`,
    evidence: idsOf(counted, shown),
    confidence: 'high',
    refuted_by: 'values that mean different things and are written alike',
  };
  return tell(finding);
}
