import type { Play } from '../../../../src/core/policy.ts';
import { unreadableFiles } from '../files/unreadable-files.ts';
import { examineDuplicates } from '../keys/examine-duplicates.ts';
import { type Finding, mergeReports, NOTHING, notChecked, type PartReport, tell } from '../part-report.ts';
import type { Question } from '../question/read-question.ts';
import { enumerate, figure, type Reading } from '../read-data.ts';
import { nameOf } from './ask-sql.ts';
import type { ListedTable } from './choose-tables.ts';
import { ODDITIES } from './describe-profile.ts';
import { type LookedAt, lookAtTables, MOST_LOOKED } from './look-at-tables.ts';
import { MOST_CLOSE, type Overview, tellOthers } from './overview-tables.ts';

/** Whether the question asks what is wrong with the data, and not why one thing is. */
export function asksForFaults({ text, days }: Question): boolean {
  const asks =
    /\bwrong (with|in)\b|\b(any|which|what|are there|list|find|show)\b.*\b(problems?|issues?|faults?|anomal\w*)\b|\bdata quality\b|\bis (the|this|our|my) data (ok|okay|good|clean|sound|correct|right|healthy)\b|\bwhat('s| is) (off|broken|bad|wrong)\b/i;
  return days.length === 0 && asks.test(text) && !/\bwhy\b/i.test(text);
}

interface Faults {
  readonly question: Question;
  readonly tables: readonly ListedTable[];
  readonly all: readonly ListedTable[];
  /** All tables in one line each, where they are many. */
  readonly overview: Overview | undefined;
}

/** Files that cannot be read, rows that are copies, values that stand for none, empty columns: the heaviest first. */
export async function examineFaults(play: Play, { question, tables, all, overview }: Faults): Promise<PartReport> {
  const [unreadable, duplicates, looked] = await Promise.all([
    unreadableFiles(play, all),
    examineDuplicates(play, { question, chosen: overview?.keyless ?? tables.slice(0, 6), all }),
    lookAtTables(play, tables, overview?.close.length ?? MOST_CLOSE),
  ]);
  const copies = duplicates.findings.filter(({ kind }) => kind === 'cause');
  const others = overview ? tellOthers(overview, tables) : notLooked(tables, MOST_CLOSE);
  return mergeReports([unreadable, tell(...copies), oddValues(looked), emptyValues(looked), others]);
}

/** What stands where no fault was found. */
export function noFaults(tables: readonly ListedTable[], overview: Overview | undefined): PartReport {
  const looked = (overview?.close ?? tables.slice(0, MOST_CLOSE)).map(({ name }) => `\`${name}\``);
  const beside = overview ? ', and one line each of all others shows nothing odd' : '';
  const claim = `Nothing that fixed rules look for is wrong in ${enumerate(looked, looked.length)}: no reference without its row, no copies of rows, no empty values, no sentinels or placeholders, no break from day to day${beside}`;
  const finding: Finding = { kind: 'ruled_out', claim: `${claim}.`, evidence: [], confidence: 'medium' };
  return tell(finding);
}

function notLooked(tables: readonly ListedTable[], looked: number): PartReport {
  const rest = tables.slice(looked).map(({ name }) => `\`${name}\``);
  return rest.length > 0 ? notChecked(`Tables that were not looked at closely: ${enumerate(rest)}.`) : NOTHING;
}

/** What stands where a cause was looked for in all ways that there are, and none was found. */
export function nothingFound(tables: readonly ListedTable[]): PartReport {
  const looked = tables.slice(0, MOST_LOOKED).map(({ name }) => `\`${name}\``);
  const claim = `Fixed rules find nothing in ${enumerate(looked, MOST_LOOKED)} that explains it: no break from day to day, no group that ends, moves or stands still, no rows without their match, no outdated versions, nothing cut off`;
  const finding: Finding = { kind: 'ruled_out', claim: `${claim}.`, evidence: [], confidence: 'medium' };
  return mergeReports([tell(finding), notLooked(tables, MOST_LOOKED)]);
}

/** Values that are no values: texts among numbers, placeholder words, blanks, sentinel dates. */
function oddValues(looked: readonly LookedAt[]): PartReport {
  const found = looked.flatMap(({ profile }): Finding[] => {
    const said = profile.columns.flatMap((column) =>
      ODDITIES.flatMap(([key, what]) => {
        const count = key === 'leading_zeros' ? 0 : (column.number(key) ?? 0);
        return count > 0 ? [`\`${nameOf(column)}\` has ${count} ${what}`] : [];
      }),
    );
    if (said.length === 0) return [];
    const claim = `In \`${profile.table}\` (${figure(profile.rows)} rows) ${said.slice(0, 8).join(', ')}${said.length > 8 ? ', and others' : ''}.`;
    return [{ kind: 'observation', claim, evidence: [profile.result], confidence: 'high' }];
  });
  return tell(...found);
}

/** Columns that are empty in some rows: wholly empty ones first; whether the others should be filled only their owner knows. */
function emptyValues(looked: readonly LookedAt[]): PartReport {
  const told = looked.flatMap(({ profile }) => {
    const empty = profile.columns.filter((column) => (column.number('null') ?? 0) > 0);
    const wholly = empty.filter((column) => column.number('null') === profile.rows);
    const partly = empty.filter((column) => !wholly.includes(column));
    const name = (column: Reading): string => `\`${nameOf(column)}\` in ${String(column.number('null'))}`;
    const finding = (text: string): Finding => ({ kind: 'observation', claim: text, evidence: [profile.result], confidence: 'high' });
    const list = (columns: readonly Reading[]): string =>
      `${columns.slice(0, 6).map(name).join(', ')}${columns.length > 6 ? ', and others' : ''}`;
    const of = `of ${figure(profile.rows)} rows of \`${profile.table}\``;
    return [
      ...(wholly.length > 0 ? [{ weight: 1, finding: finding(`Wholly empty: ${list(wholly)} ${of}.`) }] : []),
      ...(partly.length > 0 ? [{ weight: 2, finding: finding(`Empty, which may be right: ${list(partly)} ${of}.`) }] : []),
    ];
  });
  return tell(...told.sort((left, right) => left.weight - right.weight).map(({ finding }) => finding));
}
