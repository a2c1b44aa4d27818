import type { Event, SessionSummary } from '../core/event.ts';
import type { StoredEventLog } from '../store/open-event-log.ts';
import type { Blame } from '../trace/blame.ts';
import { blameSession } from '../trace/blame-session.ts';
import { type DiffLine, diffSessions } from '../trace/diff-sessions.ts';
import { type Paint, PLAIN } from '../trace/paint.ts';
import { firstText } from '../trace/render-diff.ts';

/** What `soloist trace blame --json` prints; a public shape. */
export interface BlameReport {
  readonly session: string;
  readonly agent: string;
  readonly question: string;
  readonly status: string;
  /** What most likely went wrong first; absent when nothing stands out. */
  readonly first?: Blame;
  readonly found: readonly Blame[];
  /** A run of the same task that concluded `ok`, and where this one parts from it. */
  readonly good?: { readonly session: string; readonly divergence?: DiffLine };
}

/** How many sessions are looked through for a good run of the same task. */
const LOOKED_THROUGH = 2_000;

/**
 * What may have gone wrong in a session.
 *
 * @param good another session to compare with; else the latest one of the same agent and question that concluded `ok`
 * @throws SoloistError `not_found` or `usage` for either session
 */
export function blameTrace(log: StoredEventLog, reference: string, good: string | undefined): BlameReport {
  const summary = log.findSession(reference);
  const { session, agent, question, status } = summary;
  const events = [...log.read(session)];
  const found = blameSession(events);
  const first = found.find(({ weight }) => weight === 'wrong') ?? found.find(({ weight }) => weight === 'suspicious');
  const other = good === undefined ? findGood(log, summary) : log.findSession(good).session;
  return {
    ...{ session, agent, question, status, found },
    ...(first ? { first } : {}),
    ...(other === undefined ? {} : { good: { session: other, ...divergence(log, other, events) } }),
  };
}

function findGood(log: StoredEventLog, { session, agent, question }: SessionSummary): string | undefined {
  return log
    .listSessions(LOOKED_THROUGH)
    .find((one) => one.session !== session && one.agent === agent && one.question === question && one.status === 'ok')?.session;
}

function divergence(log: StoredEventLog, good: string, events: readonly Event[]): { readonly divergence?: DiffLine } {
  const { first } = diffSessions(events, [...log.read(good)]);
  return first ? { divergence: first } : {};
}

export function renderBlame(report: BlameReport, paint: Paint = PLAIN): string {
  const { session, agent, status, first, found, good } = report;
  const head = `Session ${session} of ${agent} (${status})`;
  const verdict = first
    ? `${paint.bold('First to look at')}: ${first.agent} step ${first.step}: ${first.text}`
    : paint.good('Nothing stands out.');
  const colours = { wrong: paint.bad, suspicious: paint.warn, note: paint.dim };
  const lines = found.map(
    ({ weight, agent: who, step, kind, text }) => `${colours[weight](weight.padEnd(10))} ${who} step ${step}  ${kind}: ${text}`,
  );
  return `${[head, verdict, ...(lines.length > 0 ? [lines.join('\n')] : []), ...(good ? [goodText(good)] : [])].join('\n\n')}\n`;
}

function goodText({ session, divergence: line }: NonNullable<BlameReport['good']>): string {
  if (!line) return `A good run of the same task, ${session}, made the same calls with the same results.`;
  return `A good run of the same task, ${session}: this one parts from it at ${firstText(line)}.`;
}
