import type { Play } from '../../../../src/core/policy.ts';
import { callIfOffered, mergeReports, NOTHING, type PartReport, usable } from '../part-report.ts';
import { dayUpTo } from '../question/read-days.ts';
import type { Question } from '../question/read-question.ts';
import { enumerate, read } from '../read-data.ts';
import { dayOf, nameOf } from '../tables/ask-sql.ts';
import type { ListedTable } from '../tables/choose-tables.ts';
import { type LookedAt, lookAtTables } from '../tables/look-at-tables.ts';
import { copiesIn, tellDuplicates } from './examine-duplicates.ts';

/** Fewer copies than this share of the rows move no level that anyone would ask about. */
const LEAST_SHARE = 0.01;

export interface SurplusRequest {
  readonly chosen: readonly ListedTable[];
  readonly all: readonly ListedTable[];
}

/** Copies that make a level too high: among the rows of the days that the question names, where it names any. */
export async function examineSurplus(play: Play, question: Question, { chosen, all }: SurplusRequest): Promise<PartReport> {
  const looked = await lookAtTables(play, chosen);
  return mergeReports(await Promise.all(looked.map((one) => examineTable(play, question, { one, all }))));
}

async function examineTable(
  play: Play,
  question: Question,
  { one, all }: { readonly one: LookedAt; readonly all: readonly ListedTable[] },
): Promise<PartReport> {
  const { table, happened } = one;
  const search = (where?: string) =>
    callIfOffered(play, 'find_duplicates', { table: table.name, source: table.source, ...(where === undefined ? {} : { where }) });
  const days = happened ? daysIn(question, one) : [];
  const ofDays =
    happened && days.length > 0 ? await search(`${dayOf(happened)} IN (${days.map((day) => `'${day}'`).join(', ')})`) : undefined;
  // A day may be that of a load or a run, which no row bears.
  const holds = usable(ofDays) && (read(ofDays.data).number('rows') ?? 0) > 0;
  const result = holds ? ofDays : await search();
  if (!usable(result)) return NOTHING;
  const copies = copiesIn(result);
  if (copies === 0 || copies < LEAST_SHARE * (read(result.data).number('rows') ?? 0)) return NOTHING;
  const within = holds && happened ? ` with \`${nameOf(happened)}\` ${enumerate(days)}` : '';
  return tellDuplicates(play, { question, table, all, result, within });
}

/** The days named, up to that of the newest row where the question leaves out the year. */
function daysIn({ days }: Question, { happened }: LookedAt): readonly string[] {
  return days.map((day) => dayUpTo(day, happened?.text('max')?.slice(0, 10) ?? ''));
}
