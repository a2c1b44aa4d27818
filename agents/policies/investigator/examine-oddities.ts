import type { Play } from '../../../src/core/policy.ts';
import type { ListedTable } from './choose-tables.ts';
import { examineAggregates } from './examine-aggregates.ts';
import { examineCopies } from './examine-copies.ts';
import { examineDays } from './examine-days.ts';
import { examineDifferences } from './examine-differences.ts';
import { examineEmpties } from './examine-empties.ts';
import { examineFanOut } from './examine-fan-out.ts';
import { examineFileDays } from './examine-file-days.ts';
import { examineFileGaps } from './examine-file-gaps.ts';
import { asksForAge, examineFreshness } from './examine-freshness.ts';
import { examineGroups } from './examine-groups.ts';
import { examineHourLevels } from './examine-hour-levels.ts';
import { examineHours } from './examine-hours.ts';
import { examineKeyReuse } from './examine-key-reuse.ts';
import { examineKeys } from './examine-keys.ts';
import { examineLags } from './examine-lags.ts';
import { examineLimits } from './examine-limits.ts';
import { examineOpenEnd } from './examine-open-end.ts';
import { examineSentinels } from './examine-sentinels.ts';
import { examineShifted } from './examine-shifted.ts';
import { examineSpellings } from './examine-spellings.ts';
import { lookAtTables } from './look-at-tables.ts';
import { asObservations, mergeReports, NOTHING, type PartReport } from './part-report.ts';
import { type Aim, asksFor, type Question } from './read-question.ts';

/** Where figures are wrong: what is not there, what breaks from day to day, what a join multiplies, times that moved. */
export async function examineOddities(
  play: Play,
  question: Question,
  { tables, most }: { readonly tables: readonly ListedTable[]; readonly most?: number },
): Promise<PartReport> {
  const looked = await lookAtTables(play, tables, most);
  const where = (asks: boolean, examine: () => Promise<PartReport>): Promise<PartReport> => (asks ? examine() : Promise.resolve(NOTHING));
  const asked = (...aims: readonly Aim[]): boolean => asksFor(question, ...aims);
  const orphans = where(asked('missing', 'wrong'), () => examineKeys(play, looked));
  // What a join leaves out makes nothing too high.
  const isUp = question.direction === 'up';
  const parts = await Promise.all([
    where(asksForAge(question), () => examineFreshness(play, looked)),
    examineSentinels(play, looked),
    where(asked('duplicates', 'wrong'), () => examineKeyReuse(play, looked)),
    where(asked('duplicates', 'wrong'), () => examineCopies(play, looked)),
    where(asked('duplicates', 'wrong'), () => examineFanOut(play, question, looked)),
    where(asked('missing', 'wrong'), () => examineAggregates(play, looked)),
    examineShifted(play, tables),
    examineFileDays(play, tables),
    examineLimits(play, looked),
    examineGroups(play, looked),
    where(asked('missing', 'drift', 'wrong'), () => examineFileGaps(play)),
    isUp ? NOTHING : orphans,
    where(asked('duplicates', 'wrong'), () => examineSpellings(play, looked)),
    examineEmpties(play, looked),
    where(asked('missing', 'wrong'), () => examineOpenEnd(play, question, looked)),
    where(asked('hours', 'wrong', 'order') || question.aims.size === 0, () => examineLags(play, looked)),
    where(asked('missing', 'wrong', 'duplicates'), () => examineDifferences(play, looked)),
    where(asked('hours', 'wrong'), () => examineHours(play, looked)),
    where(asked('hours', 'wrong', 'missing'), () => examineHourLevels(play, looked)),
    examineDays(play, question, looked),
    isUp ? orphans.then(asObservations) : NOTHING,
  ]);
  return mergeReports(causesFirst(parts));
}

/** What explains stands before what only rules out. */
export function causesFirst(parts: readonly PartReport[]): readonly PartReport[] {
  const explains = (part: PartReport): boolean => part.findings.some(({ kind }) => kind === 'cause');
  return [...parts.filter(explains), ...parts.filter((part) => !explains(part))];
}
