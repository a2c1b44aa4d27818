import type { Play } from '../../../../src/core/policy.ts';
import type { ToolResult } from '../../../../src/core/tool-result.ts';
import { LOGS_OF_THAT_TIME } from '../join-reasons.ts';
import { callIfOffered, cite, type Finding, mergeReports, NOTHING, type PartReport, usable } from '../part-report.ts';
import { enumerate, figure, read } from '../read-data.ts';
import type { ListedRun } from '../runs/choose-run.ts';
import { heldUp } from './held-up.ts';
import { attempts } from './log-attempts.ts';
import { describeEvent, type LogEvent, type LogFacts, readLogFacts } from './log-facts.ts';
import { changedBefore, originOf, warnedBefore } from './log-origin.ts';
import { restarts } from './log-restarts.ts';
import { silences } from './log-silence.ts';
import { writtenRows } from './written-rows.ts';

export interface LogRequest {
  /** Whether the logs answer the question, or stand beside what the runs say. */
  readonly lead: boolean;
  /** The run in question, whose time alone is looked at. */
  readonly run?: ListedRun;
  readonly source?: string;
  /** Whether the question is why rows are there more than once. */
  readonly explainCopies?: boolean;
  /** Whether the run failed, so that its first error belongs into the answer. */
  readonly explainFailure?: boolean;
  /** A pool that the run waited for. */
  readonly pool?: string;
  /** How many files of the source are event logs of Spark, which are read as such. */
  readonly artifacts?: number;
  /** Whether what the run wrote is to be looked at, and so the lines that say where it wrote. */
  readonly findTables?: boolean;
  /** Tasks of the run that took longer: what their logs warn of belongs into the answer. */
  readonly slower?: readonly string[];
  /** Tasks of the run that were tried again: why their first tries ended belongs into the answer. */
  readonly retried?: readonly string[];
}

export interface LogReport extends PartReport {
  /** What the logs say, for finding the tables that they name. */
  readonly texts?: readonly string[];
}

const MOST_EVENTS = 20;
const MOST_WARNINGS = 3;

/** Reads the logs: first cause, what followed, attempts and outcomes, what could not be read. */
export async function examineLogs(play: Play, request: LogRequest): Promise<LogReport> {
  const window = request.run?.startedAt ? windowOf(request.run) : {};
  const result = await callIfOffered(play, 'summarize_log', { ...(request.source ? { source: request.source } : {}), ...window });
  if (!result) return NOTHING;
  if (result.status === 'no_data' && request.run)
    return {
      ...NOTHING,
      findings: [{ kind: 'not_checked', claim: 'The logs hold nothing of the time of the run.', evidence: [result.id], confidence: 'low' }],
    };
  if (!usable(result)) {
    const why = read(result.data).text('message') ?? result.warnings[0]?.message ?? result.status;
    return { ...NOTHING, findings: [{ kind: 'not_checked', claim: `The logs: ${why}`, evidence: [result.id], confidence: 'low' }] };
  }
  const facts = readLogFacts(result.data);
  // What is told of with its artifacts is not told of again, line by line.
  if (facts.files !== null && facts.files <= (request.artifacts ?? 0)) return NOTHING;
  const [waiting, mentions] = await Promise.all([waitingLines(play, request, window), tableLines(play, request, window)]);
  const warned = slowWarnings(facts, result, request);
  const held =
    warned === NOTHING
      ? await heldUp(play, facts, result, {
          slower: request.slower ?? [],
          ...(request.source ? { source: request.source } : {}),
          ...(request.run?.startedAt ? { since: request.run.startedAt } : {}),
        })
      : NOTHING;
  const told = mergeReports([
    waiting,
    warned,
    held,
    ...(originOf(facts).error === null
      ? [restarts(facts, result, request), silences(result, request), firstCause(facts, result, request)]
      : [firstCause(facts, result, request), silences(result, request)]),
    attempts(facts, result, request),
    order(facts, result, request),
    writtenRows(facts, result, { explain: request.explainCopies ?? false }),
    quality(facts, result, request),
  ]);
  return { ...told, texts: [...mentions, ...facts.timeline.map((event) => event.text)] };
}

/** Lines that speak of the slots of the pool, as Airflow's scheduler writes them. */
async function waitingLines(play: Play, { pool, source }: LogRequest, window: Readonly<Record<string, string>>): Promise<PartReport> {
  if (pool === undefined || pool.length > 100) return NOTHING;
  const pattern = `slots?\\b.{0,30}\\bpool\\b.{0,4}${pool.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`;
  const found = await callIfOffered(play, 'search_logs', { ...(source ? { source } : {}), ...window, pattern, limit: 1 });
  const data = read(found?.data);
  const [first] = data.list('matches');
  if (!usable(found) || !first) return NOTHING;
  const claim = `${LOGS_OF_THAT_TIME} hold ${figure(data.number('total_matches'))} lines about slots of pool \`${pool}\`, the first at ${figure(first.text('time'))}: ${first.text('text')?.slice(0, 300) ?? ''}`;
  return { ...NOTHING, findings: [{ kind: 'observation', claim, evidence: [found.id], confidence: 'high' }] };
}

/** What the logs of a slower task warn of, in this run alone. */
function slowWarnings({ timeline }: LogFacts, result: ToolResult, { slower = [] }: LogRequest): PartReport {
  const warned = timeline.filter(({ kind, task }) => kind === 'warning' && task !== null && slower.includes(task)).slice(0, MOST_WARNINGS);
  if (warned.length === 0) return NOTHING;
  const claim = `The log of what took longer warns: ${enumerate(warned.map(describeEvent))}`;
  return {
    answer: [`${claim}${cite(result)}.`],
    detail: [],
    findings: [
      {
        kind: 'observation',
        claim: `${claim}.`,
        evidence: [result.id],
        confidence: 'medium',
        refuted_by: 'the same warning in the logs of usual runs',
      },
    ],
  };
}

/** Lines of the run that say into which table something went. */
async function tableLines(
  play: Play,
  { findTables, source }: LogRequest,
  window: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  if (!findTables) return [];
  const pattern = '\\b(into|table|view)\\s+[`"]?[A-Za-z_]\\w*[._]\\w';
  const found = await callIfOffered(play, 'search_logs', { ...(source ? { source } : {}), ...window, pattern, limit: 10 });
  return read(found?.data)
    .list('matches')
    .map((match) => match.text('text') ?? '');
}

/** The logs of the run's time, from when it was due. */
export function windowOf(run: ListedRun): Record<string, string> {
  return { ...(run.startedAt ? { since: run.startedAt } : {}), ...(run.endedAt ? { until: run.endedAt } : {}) };
}

function firstCause(facts: LogFacts, result: ToolResult, request: LogRequest): PartReport {
  const { lead } = request;
  const { error, origin } = originOf(facts);
  if (!error || !origin) {
    const claim = `Errors in the logs: none in ${figure(facts.files)} files with ${figure(facts.lines)} lines.`;
    const warned = withoutRepeats(facts.timeline.filter(({ kind }) => kind === 'warning')).slice(0, MOST_WARNINGS);
    const warnings = warned.length === 0 ? '' : `; they warn: ${enumerate(warned.map(describeEvent))}`;
    return {
      answer: lead ? [`The logs hold no error${warnings}${cite(result)}.`] : [],
      detail: [],
      findings: [{ kind: 'ruled_out', claim, evidence: [result.id], confidence: result.complete ? 'high' : 'medium' }],
    };
  }
  const from = origin === error ? '' : `The first error follows from it: ${describeEvent(error)}.`;
  const recovered =
    request.run !== undefined && facts.tasks.some((task) => task.text('task') === error.task && task.text('final_state') === 'success');
  const outcome = recovered ? `The final state of its task is success.` : '';
  const head = `${lead && !recovered ? 'The first cause in the logs' : request.run ? 'The first error in the logs of that time' : 'The first error in the logs'}: ${describeEvent(origin)}.`;
  const sentences = [head, warnedBefore(error, origin, facts), changedBefore(origin, facts), from, outcome].filter(
    (sentence) => sentence !== '',
  );
  const claim = sentences.join(' ');
  const isRetried = error.task !== null && (request.retried ?? []).includes(error.task);
  const told = lead || isRetried || (request.explainFailure === true && !recovered);
  const kind = told && (isRetried || !recovered) ? 'cause' : 'observation';
  return {
    answer: told ? sentences.map((sentence) => `${sentence.replace(/\.$/, '')}${cite(result)}.`) : [],
    detail: [],
    findings: [
      {
        kind,
        claim,
        evidence: [result.id],
        confidence: origin === error ? 'medium' : 'high',
        refuted_by: 'an earlier event that the logs do not hold',
      },
      ...consequences(facts, result),
    ],
  };
}

function consequences(facts: LogFacts, result: ToolResult): Finding[] {
  const first = facts.firstError;
  const after = facts.timeline
    .filter((event) => event.consequence && (event.time !== first?.time || event.line !== first?.line))
    .slice(0, 4);
  if (after.length === 0) return [];
  const told = after.map((event) => describeEvent(event));
  return [{ kind: 'observation', claim: `Only consequences: ${enumerate(told)}.`, evidence: [result.id], confidence: 'medium' }];
}

function order(facts: LogFacts, result: ToolResult, { lead }: LogRequest): PartReport {
  if (!lead || facts.timeline.length === 0) return NOTHING;
  const events = withoutRepeats(facts.timeline);
  const shown = events.slice(0, MOST_EVENTS);
  const left = events.length - shown.length;
  const more = left > 0 ? ['- … and others'] : [];
  return {
    answer: [],
    detail: [`In this order, UTC${cite(result)}:`, ...shown.map((event) => `- ${describeEvent(event)}`), ...more],
    findings: [],
  };
}

/** Events without those that say the same at the same time as the one before. */
function withoutRepeats(events: readonly LogEvent[]): readonly LogEvent[] {
  return events.filter((event, place) => {
    const before = events[place - 1];
    return before?.text !== event.text || before.time !== event.time || before.task !== event.task;
  });
}

function quality(facts: LogFacts, result: ToolResult, { lead }: LogRequest): PartReport {
  const found: string[] = [];
  if (facts.unparsable > 0) found.push(`${facts.unparsable} lines could not be parsed`);
  if (facts.withoutZone > 0) found.push(`${facts.withoutZone} records give no time zone and were read as UTC`);
  if (facts.withoutTime > 0) found.push(`${facts.withoutTime} records give no time`);
  const findings: Finding[] = [];
  if (found.length > 0)
    findings.push({ kind: 'observation', claim: `In the logs ${enumerate(found)}.`, evidence: [result.id], confidence: 'high' });
  if (!result.complete)
    findings.push({
      kind: 'not_checked',
      claim: 'The rest of the logs: the summary does not show every event.',
      evidence: [result.id],
      confidence: 'low',
    });
  return { answer: lead && found.length > 0 ? [`In the logs ${enumerate(found)}${cite(result)}.`] : [], detail: [], findings };
}
