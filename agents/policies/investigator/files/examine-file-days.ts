import type { Play } from '../../../../src/core/policy.ts';
import { type Finding, NOTHING, type PartReport, tell } from '../part-report.ts';
import { askSql, dayOf, literal, nameOf, quoted } from '../tables/ask-sql.ts';
import { bareName, type ListedTable } from '../tables/choose-tables.ts';
import { lookAtTables } from '../tables/look-at-tables.ts';
import { dayInName } from './examine-file-gaps.ts';
import { seriesOf } from './series-of.ts';

const LEAST_FILES = 4;
const MOST_FILES = 60;
/** So many of the files hold rows of one and the same distance from the day in their name. */
const MOST_ALIKE = 0.7;

interface FileDays {
  readonly name: string;
  readonly rows: string;
  readonly first: string;
  readonly last: string;
  /** Days between the name and the first and the last row. */
  readonly apart: string;
}

/** Files of a daily series whose rows are of another day than the one that they are named after. */
export async function examineFileDays(play: Play, tables: readonly ListedTable[]): Promise<PartReport> {
  const series = seriesOf(
    tables.filter(({ kind, name }) => kind === 'file' && dayInName(name) !== undefined),
    LEAST_FILES,
  ).slice(0, MOST_FILES);
  const [looked] = await lookAtTables(play, series.slice(0, 1));
  if (!looked?.happened) return NOTHING;
  const day = dayOf(looked.happened);
  const answered = await askSql(
    play,
    looked.table.source,
    series
      .map(
        ({ name }) =>
          `SELECT ${literal(bareName(name))} AS file, COUNT(*) AS rows, MIN(${day}) AS first_day, MAX(${day}) AS last_day FROM ${quoted(name)}`,
      )
      .join(' UNION ALL '),
  );
  const files = (answered?.rows ?? []).map(([name, rows, first, last]): FileDays => {
    const named = Date.parse(dayInName(String(name)) ?? '');
    const apart = [first, last].map((end) => Math.round((Date.parse(String(end)) - named) / 86_400_000)).join(' ');
    return { name: String(name), rows: String(rows), first: String(first), last: String(last), apart };
  });
  const usual = files.find((one) => files.filter(({ apart }) => apart === one.apart).length >= files.length * MOST_ALIKE);
  const other = usual ? files.filter(({ apart, rows }) => apart !== usual.apart && rows !== '0' && isOtherDay(apart, usual.apart)) : [];
  if (!answered || !usual || other.length === 0) return NOTHING;
  const told = other.slice(0, 4).map(({ name, rows, first, last }) => `${name} / ${rows} / ${first} / ${last}`);
  const claim = `Files that hold the rows of another day than the one they are named after, by \`${nameOf(looked.happened)}\` as file / rows / first day / last day: ${told.join(', ')}, where the others hold those of their own, as ${usual.name} / ${usual.rows} / ${usual.first} / ${usual.last}: loaded under the wrong date, so that one day has no rows and another too many`;
  const finding: Finding = {
    kind: 'cause',
    claim: `${claim}.`,
    evidence: [answered.id],
    confidence: 'high',
    refuted_by: 'a file of that day that holds its rows',
  };
  return tell(finding);
}

/** Whether both ends are of another day; a few late or early rows at one end are not. */
function isOtherDay(apart: string, usual: string): boolean {
  const [own, like] = [apart.split(' '), usual.split(' ')];
  return own.every((end, place) => end !== like[place]);
}
