import type { Play } from '../../../../src/core/policy.ts';
import { callIfOffered, type Finding, NOTHING, type PartReport, tell, usable } from '../part-report.ts';
import { enumerate, read } from '../read-data.ts';
import { askSql, isKey, literal, nameOf, quoted } from '../tables/ask-sql.ts';
import { bareName, type ListedTable } from '../tables/choose-tables.ts';
import { readProfile } from '../tables/describe-profile.ts';
import { seriesOf } from './series-of.ts';

const MOST_FILES = 31;
const LONG = 4;

/** Rows of one file of a series that another brings again: delivered twice under two names. */
export async function examineRedelivery(play: Play, tables: readonly ListedTable[]): Promise<PartReport> {
  const series = seriesOf(tables, 2).slice(0, MOST_FILES);
  const [first] = series;
  const profiled = first && (await callIfOffered(play, 'profile_table', { table: first.name, source: first.source }));
  if (!first || !usable(profiled)) return NOTHING;
  const profile = readProfile(profiled);
  const key = profile.columns.find((column) => isKey(column) && column.number('distinct') === profile.rows);
  if (!key) return NOTHING;
  const column = quoted(nameOf(key));
  // Folders of days hold files of one name.
  const isBareOnce = new Set(series.map(({ name }) => bareName(name))).size === series.length;
  const title = (name: string): string => (isBareOnce ? bareName(name) : name);
  const held = series.map(({ name }) => `SELECT ${literal(title(name))} AS file, CAST(${column} AS VARCHAR) AS k FROM ${quoted(name)}`);
  const answered = await askSql(
    play,
    first.source,
    `WITH held AS (${held.join(' UNION ALL ')}), twice AS (SELECT k FROM held GROUP BY 1 HAVING COUNT(DISTINCT file) > 1)
SELECT file, COUNT(DISTINCT k) AS keys_in_others_too, (SELECT COUNT(*) FROM twice) AS keys_in_several_files, (SELECT COUNT(*) FROM held) AS all_rows, (SELECT COUNT(*) FROM (SELECT DISTINCT file, k FROM held) AS single) AS all_keys FROM held WHERE k IN (SELECT k FROM twice) GROUP BY 1 ORDER BY 1`,
  );
  if (!answered) return NOTHING;
  const [row] = answered.rows;
  if (!row) {
    const claim = `Values of \`${nameOf(key)}\` that stand in more than one of the files from \`${title(first.name)}\` on: none.`;
    return { ...NOTHING, findings: [{ kind: 'ruled_out', claim, evidence: [answered.id], confidence: 'high' }] };
  }
  // What is not single within the files is no key of theirs: it tells the rows of the first apart by chance.
  if (Number(row[4]) < Number(row[3]) * 0.95) return NOTHING;
  // What most files of a longer series tell of are things that each day has something to say of.
  if (series.length >= LONG && answered.rows.length * 2 > series.length) return NOTHING;
  const same = await sameBytes(play, series);
  const told = answered.rows.map(([file, keys]) => `${String(keys)} in \`${String(file)}\``);
  const claim = `${String(row[2])} values of \`${nameOf(key)}\` stand in several files (${enumerate(told, 8)})${same.text}, so their rows are counted more than once over the files`;
  const finding: Finding = {
    kind: 'cause',
    claim: `${claim}.`,
    evidence: [answered.id, ...same.ids],
    confidence: 'high',
    refuted_by: 'a later file that brings new versions of the rows by design',
  };
  return tell(finding);
}

/** Files of the series that are byte for byte the same. */
async function sameBytes(play: Play, series: readonly ListedTable[]): Promise<{ readonly text: string; readonly ids: readonly string[] }> {
  const listing = await callIfOffered(play, 'list_files', { source: series[0]?.source, limit: 200 });
  const groups = usable(listing) ? read(listing.data).at('equal').list('groups') : [];
  const known = new Set(series.map(({ name }) => bareName(name)));
  const told = groups
    .map((group) => group.texts('paths').map((path) => bareName(path).replace(/(?:\.[A-Za-z0-9]+){1,2}$/, '')))
    .filter((names) => names.length > 1 && names.every((name) => known.has(name)))
    .map((names) => enumerate(names.map((name) => `\`${name}\``)));
  return told.length === 0 || !listing ? { text: '', ids: [] } : { text: `; ${told.join('; ')} hold the same bytes`, ids: [listing.id] };
}
