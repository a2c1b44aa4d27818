import type { Play } from '../../../../src/core/policy.ts';
import { examineCeilings } from '../days/examine-ceilings.ts';
import { examineDays } from '../days/examine-days.ts';
import { asksForAge, examineFreshness } from '../days/examine-freshness.ts';
import { examineHourLevels, isClockBack } from '../days/examine-hour-levels.ts';
import { examineHours } from '../days/examine-hours.ts';
import { examineLags } from '../days/examine-lags.ts';
import { examineLimits } from '../days/examine-limits.ts';
import { examineNamedDay } from '../days/examine-named-day.ts';
import { examineOpenEnd } from '../days/examine-open-end.ts';
import { examineRewritten } from '../days/examine-rewritten.ts';
import { examineShifted } from '../days/examine-shifted.ts';
import { examineStrayDates } from '../days/examine-stray-dates.ts';
import { examineTimeGap } from '../days/examine-time-gap.ts';
import { examineFileDays } from '../files/examine-file-days.ts';
import { examineFileGaps } from '../files/examine-file-gaps.ts';
import { examineGroups } from '../groups/examine-groups.ts';
import { examineCopies } from '../keys/examine-copies.ts';
import { examineDifferences } from '../keys/examine-differences.ts';
import { examineFanOut } from '../keys/examine-fan-out.ts';
import { examineKeyReuse } from '../keys/examine-key-reuse.ts';
import { examineKeys } from '../keys/examine-keys.ts';
import { examineNullKeys } from '../keys/examine-null-keys.ts';
import { asObservations, mergeReports, NOTHING, type PartReport } from '../part-report.ts';
import { type Aim, asksFor, type Question } from '../question/read-question.ts';
import type { ListedTable } from './choose-tables.ts';
import { examineAggregates } from './examine-aggregates.ts';
import { examineEmpties } from './examine-empties.ts';
import { examineSentinels } from './examine-sentinels.ts';
import { examineSpellings } from './examine-spellings.ts';
import { lookAtTables } from './look-at-tables.ts';

const LONG_BEFORE = 3 * 86_400_000;

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
    where(asked('missing', 'wrong', 'hours'), () => examineStrayDates(play, looked)),
    examineSentinels(play, looked),
    where(asked('duplicates', 'wrong'), () => examineKeyReuse(play, looked)),
    where(asked('duplicates', 'wrong'), () => examineCopies(play, looked)),
    where(asked('duplicates', 'wrong'), () => examineFanOut(play, question, looked)),
    where(asked('missing', 'wrong'), () => examineAggregates(play, looked)),
    where(asked('missing', 'wrong') && !isUp, () => examineNullKeys(play, looked)),
    where(asked('missing', 'wrong', 'drift'), () => examineRewritten(play, looked)),
    examineShifted(play, tables),
    examineFileDays(play, tables),
    examineLimits(play, looked),
    examineGroups(play, looked),
    where(asked('missing', 'drift', 'wrong', 'duplicates'), () => examineFileGaps(play, question)),
    isUp ? NOTHING : orphans.then((part) => ofItsDay(part, question)),
    where(asked('duplicates', 'wrong'), () => examineSpellings(play, looked).then((part) => ofItsDay(part, question))),
    examineEmpties(play, question, looked),
    where(asked('missing', 'wrong', 'drift', 'duplicates'), () => examineCeilings(play, looked)),
    where(asked('missing', 'wrong'), () => examineNamedDay(play, question, looked)),
    where(asked('missing', 'wrong'), () => examineOpenEnd(play, question, looked)),
    where(asked('hours', 'wrong', 'order') || question.aims.size === 0, () => examineLags(play, looked)),
    where(asked('missing', 'wrong', 'duplicates'), () => examineDifferences(play, looked)),
    where(asked('hours', 'wrong'), () => examineHours(play, looked)),
    where(asked('hours', 'wrong', 'missing') || question.days.some(isClockBack), () => examineHourLevels(play, looked)),
    where(asked('hours', 'wrong', 'missing'), () => examineTimeGap(play, looked)),
    examineDays(play, question, looked),
    isUp ? orphans.then(asObservations) : NOTHING,
  ]);
  return mergeReports(causesFirst(parts, question));
}

/** What was there long before the day that the question names, and after it too, explains nothing that began on it. */
function ofItsDay(part: PartReport, { days, text }: Question): PartReport {
  const [day] = days;
  if (day === undefined || !/\b(since|from|on)\b/i.test(text)) return part;
  const began = (claim: string): boolean => {
    const dates = [...claim.matchAll(/\b\d{4}-\d\d-\d\d\b/g)].map(([date]) => date).sort();
    const [first, last] = [dates[0], dates.at(-1)];
    if (first === undefined || last === undefined || dates.some((date) => date.endsWith(day))) return true;
    const named = day.startsWith('-') ? `${first.slice(0, first.length - day.length)}${day}` : day;
    return !(Date.parse(first) < Date.parse(named) - LONG_BEFORE && last > named);
  };
  const causes = part.findings.filter(({ kind }) => kind === 'cause');
  return causes.length > 0 && causes.every(({ claim }) => !began(claim)) ? asObservations(part) : part;
}

/** What explains stands before what only rules out, and before all what tells of the day that the question names. */
export function causesFirst(parts: readonly PartReport[], { days, weekday }: Question): readonly PartReport[] {
  const dates = (part: PartReport): string[] =>
    part.findings.flatMap(({ kind, claim }) => (kind === 'cause' ? [...claim.matchAll(/\b\d{4}-\d\d-\d\d\b/g)].map(([date]) => date) : []));
  const rank = (part: PartReport): number => {
    if (dates(part).some((date) => days.some((day) => date.endsWith(day)))) return 0;
    if (days.length === 0 && weekday !== null && dates(part).some((date) => new Date(`${date}T00:00:00Z`).getUTCDay() === weekday))
      return 0;
    return part.findings.some(({ kind }) => kind === 'cause') ? 1 : 2;
  };
  return parts
    .map((part) => ({ part, at: rank(part) }))
    .sort((left, right) => left.at - right.at)
    .map(({ part }) => part);
}
