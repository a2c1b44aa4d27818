import { setImmediate as pause } from 'node:timers/promises';
import type { AuditThresholds } from '../core/audit-thresholds.ts';
import type { Conclusion, ConclusionStatus } from '../core/conclusion.ts';
import type { Event, RecordedSource } from '../core/event.ts';
import type { PositionedEvent } from '../core/log-reader.ts';
import { renderTask } from '../core/task.ts';
import type { StoredEventLog } from '../store/open-event-log.ts';
import { keepResults } from './ground-results.ts';
import { type CheckedFinding, checkFinding, withConclusions } from './ground-review.ts';
import { type ReportInProgress, type RunReport, startReport } from './run-report.ts';
import { conclusionSince } from './since-before.ts';

/** A question of a session that is not its last, with what came of it. */
export interface EarlierRound {
  readonly round: number;
  readonly question: string;
  readonly status?: ConclusionStatus;
  readonly answer?: string;
}

/** What is known of a session so far, read from its events. */
export interface SessionReading {
  /** The report on the session's last question; its answer and figures are empty before it concluded. */
  readonly report: RunReport;
  readonly concluded: boolean;
  readonly question: string;
  readonly rounds: readonly EarlierRound[];
  readonly sources: readonly RecordedSource[];
  /** Positions of the events of a call by the id of its result. */
  readonly calls: ReadonlyMap<string, CallPlaces>;
  /** Position of the last conclusion by its id. */
  readonly conclusions: ReadonlyMap<string, number>;
  /** Positions of all events that tell of answers, figures and delegations. */
  readonly telling: readonly number[];
}

export interface CallPlaces {
  readonly called?: number;
  readonly finished?: number;
  /** Set where the tool is a subagent. */
  readonly delegates?: true;
}

/** Reads a session once, and then only what was added to it. */
export interface FollowedSession {
  read(): Promise<SessionReading>;
}

/** How many events are read before others get their turn: a long session must not hold up the rest of the viewer. */
const SLICE = 256;

export function followSession(log: StoredEventLog, session: string, thresholds: AuditThresholds): FollowedSession {
  let fold: Fold | undefined;
  let position = 0;
  let reading: Promise<SessionReading> | undefined;
  const catchUp = async (): Promise<SessionReading> => {
    const wanted = log.pages.positions(session, position);
    const last = wanted.at(-1);
    const round = last === undefined ? (fold?.round ?? 1) : (log.pages.at([last])[0]?.event.round ?? 1);
    if (fold === undefined || fold.round !== round) {
      // The report is about the last question, and its audit needs what went before.
      fold = startFold(session, round, thresholds);
      const all = position === 0 ? wanted : log.pages.positions(session, 0);
      position = await takeAll(log, fold, all);
    } else if (wanted.length > 0) position = await takeAll(log, fold, wanted);
    return finish(fold, log);
  };
  return {
    read: () => {
      reading ??= catchUp()
        .catch((error: unknown) => {
          // What was taken in part must not be taken twice.
          fold = undefined;
          position = 0;
          throw error;
        })
        .finally(() => {
          reading = undefined;
        });
      return reading;
    },
  };
}

async function takeAll(log: StoredEventLog, fold: Fold, positions: readonly number[]): Promise<number> {
  await readSlices(log, positions, ({ position, event }) => take(fold, event, position));
  return positions.at(-1) ?? 0;
}

async function readSlices(log: StoredEventLog, positions: readonly number[], taker: (event: PositionedEvent) => void): Promise<void> {
  for (let from = 0; from < positions.length; from += SLICE) {
    log.pages.at(positions.slice(from, from + SLICE)).forEach(taker);
    if (from + SLICE < positions.length) await pause();
  }
}

interface Fold {
  readonly session: string;
  readonly round: number;
  readonly thresholds: AuditThresholds;
  report: ReportInProgress;
  agent: string;
  model: string;
  sources: readonly RecordedSource[];
  conclusion: Conclusion | undefined;
  /** The conclusion on the question before, which the last one's counts and findings hold too. */
  before: Conclusion | undefined;
  /** Whether figures were looked up in this session. */
  grounds: boolean;
  /** The findings of the conclusion, once they were checked. */
  checked: { readonly of: Conclusion; readonly findings: readonly CheckedFinding[] } | undefined;
  readonly rounds: Map<number, EarlierRound>;
  readonly calls: Map<string, CallPlaces>;
  readonly conclusions: Map<string, number>;
  readonly telling: number[];
}

function startFold(session: string, round: number, thresholds: AuditThresholds): Fold {
  return {
    ...{ session, round, thresholds, agent: '', model: '', sources: [] },
    ...{ conclusion: undefined, before: undefined, checked: undefined, grounds: false },
    report: startReport({ sources: [], thresholds, round }),
    ...{ rounds: new Map(), calls: new Map(), conclusions: new Map(), telling: [] },
  };
}

const TELLING: ReadonlySet<string> = new Set(['session.opened', 'delegation.started', 'agent.concluded', 'answer.grounded']);

function take(fold: Fold, event: Event, position: number): void {
  const { body, agent } = event;
  if (TELLING.has(body.type)) fold.telling.push(position);
  if (body.type === 'session.opened') {
    const { sources, model } = body;
    Object.assign(fold, { agent: body.agent, model, sources });
    fold.report = startReport({ sources, thresholds: fold.thresholds, round: fold.round });
    fold.rounds.set(1, { round: 1, question: body.question });
  } else if (body.type === 'tool.called') fold.calls.set(body.resultId, { ...fold.calls.get(body.resultId), called: position });
  else if (body.type === 'tool.finished') fold.calls.set(body.resultId, { ...fold.calls.get(body.resultId), finished: position });
  else if (body.type === 'delegation.started') fold.calls.set(body.resultId, { ...fold.calls.get(body.resultId), delegates: true });
  else if (body.type === 'child.concluded') fold.conclusions.set(body.conclusion.id, position);
  else if (agent === 'main') takeMain(fold, event);
  fold.report.take(event);
}

function takeMain(fold: Fold, { body, round }: Event): void {
  const known = fold.rounds.get(round) ?? { round, question: '' };
  if (body.type === 'user.said' && body.why === 'follow_up') fold.rounds.set(round, { ...known, question: body.content });
  else if (body.type === 'agent.concluded') {
    const { status, text } = body.conclusion;
    fold.rounds.set(round, { ...known, status, answer: text });
    if (round === fold.round) fold.conclusion = body.conclusion;
    else fold.before = body.conclusion;
  } else if (body.type === 'agent.resumed' && round === fold.round) fold.conclusion = undefined;
  else if (body.type === 'answer.grounded') fold.grounds = true;
}

const NO_USAGE = { modelCalls: 0, toolCalls: 0, inputTokens: 0, outputTokens: 0, peakContextTokens: 0, wallMs: 0 };

async function finish(fold: Fold, log: StoredEventLog): Promise<SessionReading> {
  const { session, agent, model, report, round, rounds, sources, calls, conclusions, telling } = fold;
  const pending: Conclusion = { status: 'aborted', text: '', evidence: [], findings: [], usage: NO_USAGE, model };
  const conclusion = fold.conclusion === undefined ? pending : await asReported(fold, fold.conclusion, log);
  return {
    report: report.finish({ session, agent, conclusion, modelChoice: undefined, written: [] }),
    concluded: fold.conclusion !== undefined,
    question: rounds.get(round)?.question ?? '',
    rounds: [...rounds.values()]
      .filter((one) => one.round !== round)
      .map((one) => (one.answer === undefined ? one : { ...one, answer: withConclusions(one.answer, textsIn(fold, log)) })),
    ...{ sources, calls, conclusions, telling },
  };
}

/** As the run reported it: of this question alone, with what children concluded in its place. */
async function asReported(fold: Fold, whole: Conclusion, log: StoredEventLog): Promise<Conclusion> {
  const { before } = fold;
  const own = before ? conclusionSince(whole, { findings: before.findings.length, used: before.usage }) : whole;
  if (fold.checked?.of !== whole) fold.checked = { of: whole, findings: await checkFindings(fold, own.findings, log) };
  return { ...own, text: withConclusions(own.text, textsIn(fold, log)), findings: fold.checked.findings };
}

/** The log does not say which figures of a claim no result holds: they are looked up again. */
async function checkFindings(fold: Fold, findings: Conclusion['findings'], log: StoredEventLog): Promise<readonly CheckedFinding[]> {
  if (!fold.grounds || findings.length === 0) return findings;
  const results = keepResults(log);
  await readSlices(log, log.pages.positions(fold.session, 0), ({ event }) => results.take(event));
  const on = { question: renderTask({ goal: fold.rounds.get(fold.round)?.question ?? '' }), results: results.of('main'), marks: false };
  return findings.map((finding) => checkFinding(finding, on));
}

function textsIn({ conclusions }: Fold, log: StoredEventLog) {
  return {
    get: (id: string) => {
      const position = conclusions.get(id);
      const body = position === undefined ? undefined : log.pages.at([position])[0]?.event.body;
      return body?.type === 'child.concluded' ? body.conclusion : undefined;
    },
  };
}
