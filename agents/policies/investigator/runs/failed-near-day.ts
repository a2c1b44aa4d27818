import type { Play } from '../../../../src/core/policy.ts';
import { callIfOffered, NOTHING, type PartReport, usable } from '../part-report.ts';
import { asksFor, type Question } from '../question/read-question.ts';
import { tellingWords } from '../question/telling-words.ts';
import { type ListedRun, listingOf, readRunList } from './choose-run.ts';
import { explainFailures } from './explain-failures.ts';

const LISTED = 100;
const LEAST_LETTERS = 4;
const DAY = 86_400_000;

/**
 * Where rows of a day are missing: the run of that day, or of the night after it, that failed; of the newest day where none is
 * named. It has to bear a word of the question in its name or in that of what failed in it.
 */
export async function failedNearDay(play: Play, question: Question): Promise<PartReport> {
  const [named] = question.days;
  const latest = question.newest || question.plain.includes(' yesterday ');
  if ((named === undefined && !latest) || !asksFor(question, 'missing')) return NOTHING;
  const listed = await callIfOffered(play, 'list_runs', { limit: LISTED });
  if (!usable(listed)) return NOTHING;
  const list = readRunList(listed.data);
  const newest = list.runs.map(({ startedAt }) => startedAt?.slice(0, 10) ?? '').sort();
  const day = named ?? newest.at(-1) ?? '';
  for (const run of list.runs.filter((one) => one.state === 'failed' && isNear(one, day)).slice(0, 3)) {
    const chosen = {
      run,
      source: listingOf(list, run)?.source ?? '',
      because: `it is of the ${named === undefined ? 'newest day' : 'day that the question names'}, and failed`,
    };
    const report = await explainFailures(play, { chosen, list, listed });
    if (sharesWord(question, report)) return report;
  }
  return NOTHING;
}

function isNear({ startedAt, logicalDate }: ListedRun, day: string): boolean {
  const started = Date.parse(startedAt ?? '');
  const before = Number.isNaN(started) ? null : new Date(started - DAY).toISOString();
  return [startedAt, logicalDate, before].some((time) => time?.slice(0, 10).endsWith(day) === true);
}

function sharesWord(question: Question, { answer }: PartReport): boolean {
  const names = [...(answer[0] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name.toLowerCase());
  const words = tellingWords(question).filter((word) => word.length >= LEAST_LETTERS && /\p{L}/u.test(word));
  return words.some((word) => names.some((name) => name.includes(word)));
}
