import type { Play } from '../../../../src/core/policy.ts';
import { callIfOffered, cite, type Finding, mergeReports, NOTHING, type PartReport, tell, usable } from '../part-report.ts';
import type { Question } from '../question/read-question.ts';
import { enumerate, figure, read } from '../read-data.ts';
import { askSql } from '../tables/ask-sql.ts';

interface DatedFile {
  readonly path: string;
  readonly bytes: number;
  readonly day: string;
}

/** Files that should be there and are not, or hold nothing: a day left out of a daily series, empty files, equal copies. */
export async function examineFileGaps(play: Play, question?: Question): Promise<PartReport> {
  const sources = play.sources.filter(({ kind }) => kind === 'files').map(({ name }) => name);
  const reports = await Promise.all(sources.slice(0, 3).map((source) => examineSource(play, source, question)));
  return mergeReports(reports);
}

async function examineSource(play: Play, source: string, question: Question | undefined): Promise<PartReport> {
  const listing = await callIfOffered(play, 'list_files', { source, limit: 200 });
  if (!usable(listing)) return NOTHING;
  const data = read(listing.data);
  const files = data.list('files').flatMap((file) => dated(file.text('path') ?? '', file.number('bytes') ?? 0));
  const findings: Finding[] = [];
  const empty = data.at('empty').texts('paths');
  if (empty.length > 0)
    findings.push({
      kind: 'cause',
      claim: `Files of zero bytes: ${enumerate(empty, 6)}.`,
      evidence: [listing.id],
      confidence: 'high',
      refuted_by: 'a file that was filled after it was listed',
    });
  for (const group of data.at('equal').list('groups').slice(0, 2)) {
    const paths = group.texts('paths');
    if (paths.length > 1 && paths.every((path) => dated(path, 0).length > 0))
      findings.push({
        kind: 'cause',
        claim: `Files of ${new Set(paths.map(dayInName)).size === 1 ? 'the same day' : 'different days'} hold the same bytes: ${enumerate(paths, 4)}.`,
        evidence: [listing.id],
        confidence: 'high',
        refuted_by: 'days on which the same things happened',
      });
  }
  const asksWhole = question !== undefined && / (complete\w*|whole|gaps?) /.test(question.plain);
  const gaps = await Promise.all(
    seriesOf(files).map(async (series) => {
      const gap = await missingDays(play, source, series);
      return asksWhole && gap.answer.length === 0 ? wholeSeries(play, source, series) : gap;
    }),
  );
  const told = findings.map(({ claim }) => `${claim.replace(/\.$/, '')}${cite(listing)}.`);
  return mergeReports([...gaps, { answer: told, detail: [], findings }]);
}

/** The day in a name. */
export const DAY = /(20\d\d)[-_]?(0[1-9]|1[0-2])[-_]?(0[1-9]|[12]\d|3[01])(?!\d)/;

/** The day that a name holds: `2026-03-04`, `20260304`, `2026_03_04`. */
export function dayInName(name: string): string | undefined {
  const found = DAY.exec(name);
  return found ? `${found[1]}-${found[2]}-${found[3]}` : undefined;
}

function dated(path: string, bytes: number): DatedFile[] {
  const day = dayInName(path);
  return day === undefined ? [] : [{ path, bytes, day }];
}

/** Files of the same name but for the day. */
function seriesOf(files: readonly DatedFile[]): readonly (readonly DatedFile[])[] {
  const groups = new Map<string, DatedFile[]>();
  for (const file of files) {
    const key = file.path.replace(DAY, '#');
    const group = groups.get(key);
    if (group) group.push(file);
    else groups.set(key, [file]);
  }
  return [...groups.values()].filter((group) => group.length >= 4).slice(0, 3);
}

/** Says that there is a file for each day, where that was asked. */
async function wholeSeries(play: Play, source: string, series: readonly DatedFile[]): Promise<PartReport> {
  const days = [...new Set(series.map(({ day }) => day))].sort();
  const [first, last] = [days[0] ?? '', days.at(-1) ?? ''];
  const answered = await askSql(
    play,
    source,
    `SELECT COUNT(*) AS days, CAST(CAST(MIN(d) AS DATE) AS VARCHAR) AS first_day, CAST(CAST(MAX(d) AS DATE) AS VARCHAR) AS last_day FROM generate_series(DATE '${first}', DATE '${last}', INTERVAL 1 DAY) AS s(d)`,
  );
  const [[count, from, to] = []] = answered?.rows ?? [];
  if (!answered || Number(count) !== days.length) return NOTHING;
  const name = (series[0]?.path ?? '').replace(DAY, '<day>');
  const claim = `The series ${name} has a file for each of the ${String(count)} days from ${String(from)} to ${String(to)}`;
  return tell({ kind: 'ruled_out', claim: `${claim}.`, evidence: [answered.id], confidence: 'high' });
}

/** Days between the first and the last of a series that no file is named after; asked of the engine, so that they stand in a result. */
async function missingDays(play: Play, source: string, series: readonly DatedFile[]): Promise<PartReport> {
  const days = [...new Set(series.map(({ day }) => day))].sort();
  const [first, last] = [days[0] ?? '', days.at(-1) ?? ''];
  const span = (Date.parse(last) - Date.parse(first)) / 86_400_000 + 1;
  // A series that leaves out most days is not a daily one.
  if (!Number.isInteger(span) || span === days.length || span > days.length * 1.34) return NOTHING;
  const there = days.map((day) => `DATE '${day}'`).join(', ');
  const answered = await askSql(
    play,
    source,
    `SELECT CAST(CAST(d AS DATE) AS VARCHAR), COUNT(*) OVER () FROM generate_series(DATE '${first}', DATE '${last}', INTERVAL 1 DAY) AS s(d) WHERE CAST(d AS DATE) NOT IN (${there}) ORDER BY 1 LIMIT 40`,
    40,
  );
  if (!answered || answered.rows.length === 0) return NOTHING;
  const missing = answered.rows.map(([day]) => String(day));
  const name = (series[0]?.path ?? '').replace(DAY, '<day>');
  const claim = `The series ${name} has no file for ${figure(String(answered.rows[0]?.[1]))} of the days between ${first} and ${last}: ${enumerate(missing, 10)}`;
  return {
    answer: [`${claim}${cite(answered)}.`],
    detail: [],
    findings: [
      { kind: 'cause', claim: `${claim}.`, evidence: [answered.id], confidence: 'high', refuted_by: 'a file of that day in another place' },
    ],
  };
}
