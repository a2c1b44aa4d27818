import type { Play } from '../../../../src/core/policy.ts';
import { askSql, nameOf, quoted } from '../tables/ask-sql.ts';
import type { LookedAt } from '../tables/look-at-tables.ts';
import { lostRows, type Reference } from './references.ts';

/** Ways to write one key differently, in SQL over `x`, and what it means when they bring a match. */
const FORMS: readonly (readonly [name: string, sql: string, says: string])[] = [
  ['case', 'LOWER(CAST(x AS VARCHAR))', 'when upper and lower case are taken as one'],
  ['blanks', 'TRIM(CAST(x AS VARCHAR))', 'when the blanks around them are left out'],
  ['zeros', "LTRIM(CAST(x AS VARCHAR), '0')", 'when leading zeros are left out, which one side has lost'],
  ['marks', "LOWER(REPLACE(REPLACE(REPLACE(CAST(x AS VARCHAR), '-', ''), '_', ''), ' ', ''))", 'when dashes, blanks and case are left out'],
  ['rounded', 'CAST(CAST(x AS DOUBLE) AS VARCHAR)', 'when both are rounded as a double rounds them and cannot hold numbers of such length'],
];

/** The way of writing in which most of the rows without a match have one. */
export async function matchInOtherForm(play: Play, { left, right, column, key }: Pick<Reference, 'left' | 'right' | 'column' | 'key'>) {
  const long = isLong(left, column) || isLong(right, key);
  const forms = FORMS.filter(([name]) => name !== 'rounded' || long);
  const answers = await Promise.all(
    forms.map(([name, sql]) => {
      const of = (value: string): string => sql.replaceAll(/\bx\b/g, value);
      return askSql(
        play,
        left.table.source,
        `SELECT COUNT(*) AS rows, SUM(CASE WHEN EXISTS (SELECT 1 FROM ${quoted(right.table.name)} q WHERE ${of(`q.${quoted(key)}`)} = ${of(`l.${quoted(column)}`)}) THEN 1 ELSE 0 END) AS ${quoted(`match_${name}`)} ${lostRows({ left, right, column, key })}`,
      );
    }),
  );
  const at = answers.findIndex((answer) => {
    const [[rows, matched] = []] = answer?.rows ?? [];
    return Number(rows ?? 0) > 0 && Number(matched ?? 0) * 2 > Number(rows);
  });
  const [answer, form] = [answers[at], forms[at]];
  if (!answer || !form) return undefined;
  const [[, matched] = []] = answer.rows;
  return { id: answer.id, says: `; ${String(matched)} of them do match ${form[2]} (match_${form[0]} ${String(matched)})` };
}

/** Whether a column holds numbers of more digits than a double does; others it does not round. */
function isLong({ profile }: LookedAt, name: string): boolean {
  const column = profile.columns.find((one) => nameOf(one) === name);
  return ['min', 'max'].some((end) => Math.abs(Number(column?.at(end).value ?? 0)) >= 1e15);
}
