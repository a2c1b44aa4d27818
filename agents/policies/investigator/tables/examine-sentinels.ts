import type { Play } from '../../../../src/core/policy.ts';
import { onlyGroup } from '../groups/only-group.ts';
import { type Finding, idsOf, mergeReports, NOTHING, type PartReport, tell } from '../part-report.ts';
import type { Reading } from '../read-data.ts';
import { askSql, dayOf, isGrouping, isKey, isNumber, nameOf, quoted } from './ask-sql.ts';
import type { LookedAt } from './look-at-tables.ts';

const MOST_TABLES = 6;
const MOST_COLUMNS = 4;
/** Numbers that people and machines write for "no value". */
const SENTINEL =
  /^-?(9{3,}|9{2,}\.9+|99|88{2,})(\.0+)?$|^-1(\.0+)?$|^-?(2147483647|2147483648|32767|32768|9223372036854775807|9223372036854775808)$/;
/** A number that stands for none lies so many spans of the others beyond them. */
const BEYOND = 2;

/** Whether a number is one of those that are written for "no value". */
export function isSentinel(text: string): boolean {
  return SENTINEL.test(text) && !/^-?1(\.0+)?$/.test(text);
}

/** Values that stand for "no value" and are no measurement, as far as a profile shows them: the least or the greatest of a column. */
export function sentinelsOf(column: Reading): readonly string[] {
  if (!isNumber(column) || isKey(column)) return [];
  const quantiles = column.at('quantiles').value;
  const [low, high] = Array.isArray(quantiles) ? [Number(quantiles[1]), Number(quantiles[3])] : [Number.NaN, Number.NaN];
  const span = Math.max(high - low, Math.abs(high) * 0.1);
  return ['min', 'max'].flatMap((end) => {
    const { value } = column.at(end);
    const text = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
    const number = Number(text);
    if (!SENTINEL.test(text)) return [];
    // Without quantiles only what nobody measures is one; minus one needs a column that holds nothing else below zero.
    if (Number.isNaN(low)) return Math.abs(number) >= 999 && number < 0 ? [text] : [];
    if (number === -1) return low >= 0 ? [text] : [];
    return number < low - BEYOND * span || number > high + BEYOND * span ? [text] : [];
  });
}

/** The column's values in SQL, those that stand for "no value" left out. */
export function measuredValue(column: Reading): string {
  const name = quoted(nameOf(column));
  const sentinels = sentinelsOf(column);
  return sentinels.length === 0 ? name : `CASE WHEN ${name} NOT IN (${sentinels.join(', ')}) THEN ${name} END`;
}

/** Rows with a value that stands for "no value": how many, since when, of which group, and what the average is without them. */
export async function examineSentinels(play: Play, looked: readonly LookedAt[]): Promise<PartReport> {
  const found = looked
    .slice(0, MOST_TABLES)
    .flatMap((one) => one.profile.columns.flatMap((column) => sentinelsOf(column).map((value) => ({ one, column, value }))));
  const numbers = await Promise.all(found.slice(0, MOST_COLUMNS).map((place) => examineOne(play, place)));
  return mergeReports([...numbers, ...looked.slice(0, MOST_TABLES).map(wordsAndDates)]);
}

interface Place {
  readonly one: LookedAt;
  readonly column: Reading;
  readonly value: string;
}

async function examineOne(play: Play, { one, column, value }: Place): Promise<PartReport> {
  const { table, happened } = one;
  const name = quoted(nameOf(column));
  const days = happened ? `, MIN(${dayOf(happened)}) AS first_day, MAX(${dayOf(happened)}) AS last_day` : '';
  const groups = one.profile.columns.filter((other) => isGrouping(other, 30) && other !== column && !isNumber(other)).slice(0, 3);
  const rowsWith = `FROM ${quoted(table.name)} WHERE ${name} = ${value}`;
  const [counted, below, averages, lone] = await Promise.all([
    askSql(play, table.source, `SELECT COUNT(*) AS rows${days} ${rowsWith}`),
    askSql(play, table.source, `SELECT COUNT(*) AS others_below_zero FROM ${quoted(table.name)} WHERE ${name} < 0 AND ${name} <> ${value}`),
    askSql(
      play,
      table.source,
      `SELECT ROUND(CAST(AVG(${name}) AS DECIMAL(28, 6)), 4) AS average_with, ROUND(CAST(AVG(${measuredValue(column)}) AS DECIMAL(28, 6)), 4) AS average_without FROM ${quoted(table.name)}`,
    ),
    onlyGroup(play, { source: table.source, rows: rowsWith, columns: groups }),
  ]);
  const [[rows, first, last] = []] = counted?.rows ?? [];
  if (!counted || Number(rows ?? 0) === 0) return NOTHING;
  // One row may be measured so by chance, and where other numbers lie below zero so may minus one.
  const isTelling = Math.abs(Number(value)) >= 999;
  if (!isTelling && (Number(rows) < 2 || Number(below?.rows[0]?.[0] ?? 0) > 0)) return NOTHING;
  const when = first === undefined || first === null ? '' : `, first on ${String(first)} and last on ${String(last)}`;
  const whose = lone ? `, all with ${lone.says}` : '';
  const [[withThem, without] = []] = averages?.rows ?? [];
  const effect =
    averages && without !== null
      ? `; the average of \`${nameOf(column)}\` is, with them / without them, ${String(withThem)} / ${String(without)}`
      : '';
  const claim = `\`${nameOf(column)}\` of \`${table.name}\` holds ${value} in ${String(rows)} rows${when}${whose}: likely a sentinel that stands for "no value", not a measurement and not another unit${effect}`;
  const finding: Finding = {
    kind: 'cause',
    claim: `${claim}.`,
    evidence: [...idsOf(counted, averages, ...(lone?.results ?? [])), one.profile.result],
    confidence: 'high',
    refuted_by: `a source that says that ${value} was measured`,
  };
  return tell(finding);
}

/** Dates and words that stand for "no value", as the profile counts them. */
function wordsAndDates({ table, profile }: LookedAt): PartReport {
  const said = profile.columns.flatMap((column) => {
    const dates = column.number('sentinel_dates') ?? 0;
    const words = column.number('placeholder_words') ?? 0;
    return [
      ...(dates > 0 ? [`\`${nameOf(column)}\` in ${dates} rows by a sentinel date`] : []),
      ...(words > 0 ? [`\`${nameOf(column)}\` in ${words} rows by a placeholder word`] : []),
    ];
  });
  if (said.length === 0) return NOTHING;
  const claim = `In \`${table.name}\` a sentinel stands for "no value": ${said.join('; ')}.`;
  return { ...NOTHING, findings: [{ kind: 'observation', claim, evidence: [profile.result], confidence: 'high' }] };
}
