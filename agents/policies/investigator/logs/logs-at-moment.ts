import type { Play } from '../../../../src/core/policy.ts';
import { LOGS_OF_THAT_TIME } from '../join-reasons.ts';
import { callIfOffered, type Finding, mergeReports, NOTHING, type PartReport, tell, usable } from '../part-report.ts';
import type { Question } from '../question/read-question.ts';
import { clock, enumerate, figure, type Reading } from '../read-data.ts';
import { describeEvent, type LogFacts, readLogFacts } from './log-facts.ts';
import { CHANGED, saidBy } from './log-messages.ts';
import { originOf } from './log-origin.ts';
import { refusedSince } from './refused-since.ts';

const MOST_SHOWN = 3;
/** What is of a day is often loaded in the night after it. */
const NIGHT = 12 * 3_600_000;
/** A message of every day is no news. */
const FEW_TIMES = 3;
const MOST_MESSAGES = 80;
/** What is logged within the first part of all that is logged is not new. */
const BEGINNING = 0.02;
/** What programs say of trouble, also where they do not call it a warning. */
const TROUBLE =
  /\b(evict\w*|(?:oom-?)?kill(?:ed|ing)|out of memory|no space left|low on|refused|denied|unauthori[sz]ed|forbidden|expired|timed out|unreachable|unavailable|quota|throttl\w*|rate.?limit\w*)\b/i;
/** What programs say when there was nothing to do. */
const NOTHING_DONE =
  /\b(no (?:new )?(?:files?|data|rows?|records?|objects?|messages?|partitions?)\b|nothing (?:to|new|found)|0 (?:rows?|records?|files?|objects?|messages?)\b|empty|skipp\w*|not found|cached?|stale|fall(?:ing)? ?back)/i;

/**
 * What the logs hold of the days on which data break and of no other time: errors and warnings that are new then, and single lines
 * that tell of a change or of nothing to do.
 */
export async function logsAtMoment(
  play: Play,
  sources: readonly string[],
  { days, text }: { readonly days: readonly string[]; readonly text: string },
): Promise<PartReport> {
  const reports = await Promise.all(
    sources.map(async (source) => {
      const result = await callIfOffered(play, 'summarize_log', { source, limit: MOST_MESSAGES });
      if (!usable(result)) return NOTHING;
      const facts = readLogFacts(result.data);
      const fresh = newThen(facts.messages, days, text)
        .slice(0, MOST_SHOWN)
        .map((one) => saidOnce(one, facts));
      // Lines that differ in a number only count as one message, though the number may say that a request failed.
      const refused = fresh.length > 0 ? NOTHING : await refusedSince(play, source, days);
      if (refused.answer.length > 0) return refused;
      const told = fresh.length > 0 ? { head: OF_THAT_TIME, lines: fresh } : firstError(facts, days);
      if (!told) return NOTHING;
      const finding: Finding = {
        kind: 'observation',
        claim: `${told.head}: ${enumerate(told.lines, MOST_SHOWN)}.`,
        evidence: [result.id],
        confidence: 'medium',
        refuted_by: 'the same lines at times when the data are whole',
      };
      return tell(finding);
    }),
  );
  return mergeReports(reports);
}

const OF_THAT_TIME = `${LOGS_OF_THAT_TIME}, and of no time before it, hold`;
const OF_NO_TIME = 'The logs, which do not say of which time they are, hold';

/**
 * The first error, where nothing but numbers is new in the lines of these days: where it is of them, where it may be since no line says of which
 * time it is, or where no day is meant.
 */
function firstError(facts: LogFacts, days: readonly string[]): { readonly head: string; readonly lines: readonly string[] } | undefined {
  const { error } = originOf(facts);
  if (!error) return undefined;
  const lines = [describeEvent(error)];
  if (error.time !== null && isOn(Date.parse(error.time), days)) return { head: OF_THAT_TIME, lines };
  const isUntimed = error.time === null;
  if (days.length === 0) return { head: isUntimed ? OF_NO_TIME : 'The first error in the logs', lines };
  return isUntimed && facts.messages.every((one) => one.text('first') === null) ? { head: OF_NO_TIME, lines } : undefined;
}

/** The messages that are new on one of the days: the gravest first, then those that share a word with what broke. */
function newThen(messages: readonly Reading[], days: readonly string[], text: string): readonly Reading[] {
  const timed = messages.filter((one) => one.text('first') !== null);
  const times = timed.flatMap((one) => ['first', 'last'].map((end) => Date.parse(one.text(end) ?? '')));
  const begin = Math.min(...times) + (Math.max(...times) - Math.min(...times)) * BEGINNING;
  const words = new Set(wordsOf(text));
  const shared = (one: Reading): number => wordsOf(saidBy(one)).filter((word) => words.has(word)).length;
  return timed
    .filter((one) => {
      const first = Date.parse(one.text('first') ?? '');
      return first > begin && isOn(first, days) && isTelling(one);
    })
    .sort((left, right) => rank(left) - rank(right) || shared(right) - shared(left));
}

/** Whether a time is on one of the days, whatever year or month they leave out, or in the night after it. */
function isOn(time: number, days: readonly string[]): boolean {
  return [time, time - NIGHT].some((at) => days.some((day) => new Date(at).toISOString().slice(0, 10).endsWith(day)));
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/\p{L}{4,}/gu) ?? [];
const rank = (one: Reading): number => ['critical', 'fatal', 'error', 'warning'].indexOf(one.text('level') ?? '') + 1 || 5;

function isTelling(one: Reading): boolean {
  const [said, count] = [saidBy(one), one.number('count') ?? 0];
  if (rank(one) < 5 || TROUBLE.test(said)) return true;
  return count <= FEW_TIMES && (CHANGED.test(said) || NOTHING_DONE.test(said));
}

function saidOnce(one: Reading, { timeline }: LogFacts): string {
  const count = one.number('count') ?? 1;
  const times = count > 1 ? ` (${figure(count)} times, until ${clock(one.text('last'))})` : '';
  const said = saidBy(one);
  // What a message was caused by stands in the lines behind it.
  const whole = timeline.find(({ time, text }) => time === one.text('first') && text.startsWith(said.slice(0, 60)))?.text ?? said;
  return `${clock(one.text('first'))} "${whole.replaceAll('\n', ' ').slice(0, 240)}"${times}`;
}

/** The days that the question names; else those that what was found in tables speaks of. */
export function daysOf(report: PartReport, { days }: Question): readonly string[] {
  if (days.length > 0) return days;
  const causes = report.findings.filter(({ kind }) => kind === 'cause');
  const told = causes.flatMap(({ claim }) => claim.match(/\b\d{4}-\d\d-\d\d(?!\d)/g) ?? []);
  return [...new Set(told)].slice(0, 4);
}
