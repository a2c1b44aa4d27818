import type { Play } from '../../../../src/core/policy.ts';
import { type Finding, mergeReports, NOTHING, type PartReport, tell } from '../part-report.ts';
import { askSql, isNumber, isText, nameOf, quoted } from '../tables/ask-sql.ts';
import type { Pair } from './examine-differences.ts';

const MOST_COLUMNS = 3;

/** How the values of two tables differ, where one rule tells all of them: cut off, damaged letters, case, blanks, a factor, zeros. */
export async function examineChangedValues(play: Play, pair: Pair, columns: readonly string[]): Promise<PartReport> {
  if (pair.left.table.source !== pair.right.table.source) return NOTHING;
  return mergeReports(await Promise.all(columns.slice(0, MOST_COLUMNS).map((column) => examineColumn(play, pair, column))));
}

type Rule = readonly [name: string, test: string, says: string];

/** Whether one text is the other without its end. */
const isCut = (short: string, long: string): string =>
  `(${short} <> '' AND LENGTH(${short}) < LENGTH(${long}) AND SUBSTR(${long}, 1, LENGTH(${short})) = ${short})`;

/** What UTF-8 looks like when it was read as another encoding; asked by LIKE, as not every engine has regular expressions. */
const DAMAGED = ['Ã', 'Â', 'â€', '\uFFFD'];
const isDamaged = (one: string, other: string): string => {
  const holds = (side: string): string => `(${DAMAGED.map((letters) => `${side} LIKE '%${letters}%'`).join(' OR ')})`;
  return `(${holds(one)} AND NOT ${holds(other)})`;
};

const TEXT_RULES: readonly Rule[] = [
  ['cut', isCut('b', 'a'), 'is cut off at the end'],
  ['cut_left', isCut('a', 'b'), 'is cut off at the end on the left side'],
  ['damaged', isDamaged('b', 'a'), 'has damaged letters: UTF-8 that was read as another encoding'],
  ['damaged_left', isDamaged('a', 'b'), 'has damaged letters on the left side: UTF-8 that was read as another encoding'],
  ['case', '(LOWER(a) = LOWER(b))', 'differs in upper and lower case only'],
  ['blanks', '(TRIM(a) = TRIM(b))', 'differs in blanks around it only'],
  ['zeros', "(LTRIM(a, '0') = LTRIM(b, '0'))", 'has lost or gained leading zeros'],
];

const NUMBER_RULES: readonly Rule[] = [
  ['hundredth', '(ABS(a - b * 100) <= ABS(a) * 0.001 + 0.011)', 'is a hundredth on the right: cents against whole units'],
  ['hundredfold', '(ABS(b - a * 100) <= ABS(b) * 0.001 + 0.011)', 'is a hundredfold on the right: whole units against cents'],
  ['sign', '(a = -b)', 'has the other sign'],
  ['rounded', '(ABS(a - b) <= 0.5)', 'is rounded'],
];

async function examineColumn(play: Play, { left, right, key }: Pair, column: string): Promise<PartReport> {
  const own = left.profile.columns.find((one) => nameOf(one) === column);
  if (!own) return NOTHING;
  const isOfText = isText(own);
  const rules = isOfText ? TEXT_RULES : isNumber(own) ? NUMBER_RULES : [];
  if (rules.length === 0) return NOTHING;
  const sums = rules.map(([name, test]) => `SUM(CASE WHEN ${test} THEN 1 ELSE 0 END) AS ${quoted(name)}`).join(', ');
  const longest = isOfText ? ', MAX(LENGTH(a)) AS longest_left, MAX(LENGTH(b)) AS longest_right' : '';
  const answered = await askSql(
    play,
    left.table.source,
    `SELECT COUNT(*) AS rows, ${sums}${longest} FROM (SELECT l.${quoted(column)} AS a, r.${quoted(column)} AS b FROM ${quoted(left.table.name)} l JOIN ${quoted(right.table.name)} r ON r.${quoted(key)} = l.${quoted(key)} WHERE l.${quoted(column)} <> r.${quoted(column)}) AS changed`,
  );
  const [row = []] = answered?.rows ?? [];
  const rows = Number(row[0] ?? 0);
  const at = rules.findIndex((_, place) => Number(row[1 + place] ?? 0) >= rows * 0.9 && rows > 0);
  const rule = rules[at];
  if (!answered || !rule) return NOTHING;
  const [longestLeft, longestRight] = row.slice(1 + rules.length).map(String);
  const length = isOfText && /^cut/.test(rule[0]) ? ` (longest_left ${longestLeft}, longest_right ${longestRight})` : '';
  const claim = `Of the ${String(row[0])} rows in which \`${column}\` differs between \`${left.table.name}\` (left) and \`${right.table.name}\` (right), in ${String(row[1 + at])} it ${rule[2]}${length}`;
  const finding: Finding = {
    kind: 'cause',
    claim: `${claim}.`,
    evidence: [answered.id],
    confidence: 'high',
    refuted_by: 'rows that differ in another way',
  };
  return tell(finding);
}
