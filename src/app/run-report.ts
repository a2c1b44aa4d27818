import type { AuditThresholds } from '../core/audit-thresholds.ts';
import type { Conclusion } from '../core/conclusion.ts';
import type { Event, EventBody } from '../core/event.ts';
import type { AbsenceClaim, Figure } from '../core/figure.ts';
import type { RecalledLine } from '../core/memory-event.ts';
import { addEmbeddings, type EmbeddingUsage, embeddingUsageOf, modelUsageOf } from '../core/spending.ts';
import type { CallUsage } from '../core/usage.ts';
import { startAudit } from '../delegation/audit.ts';
import type { DelegationAudit } from '../delegation/audit-claims.ts';
import type { WrittenNote } from '../memory/projector.ts';

/** What `soloist run --json` prints; a public shape. Times are milliseconds, tokens as the model counted or as estimated. */
export interface RunReport {
  readonly session: string;
  readonly agent: string;
  readonly model: string;
  readonly status: Conclusion['status'];
  readonly answer: string;
  readonly findings: readonly ReportedFinding[];
  /** Each figure of the answer, with where it comes from. */
  readonly figures: readonly Figure[];
  /** Statements of the answer that something is not there. */
  readonly absences: readonly AbsenceClaim[];
  /** `cost` holds all that had a price: calls of agents, critics and plans, and `embeddings`. */
  readonly usage: Conclusion['usage'];
  /** What memory asked of an embedding model; absent where it asked none. */
  readonly embeddings?: EmbeddingUsage;
  readonly warnings: readonly string[];
  /** Which model `auto` took, and why. */
  readonly modelChoice?: string;
  /** The audit of each delegation; empty when nothing was delegated. */
  readonly delegations: readonly DelegationAudit[];
  /** What memory brought in before the first turn, as background, and what it keeps of this session. */
  readonly notes: ReportedNotes;
  readonly reason?: string;
}

export interface ReportedNotes {
  readonly recalled: readonly RecalledLine[];
  readonly written: readonly {
    readonly id: string;
    readonly key: string;
    readonly text: string;
    readonly verdict: string;
    readonly judged: boolean;
  }[];
}

export interface ReportedFinding {
  readonly id: string;
  readonly kind: string;
  readonly claim: string;
  readonly evidence: readonly string[];
  readonly confidence: string;
  readonly refutedBy?: string;
  /** Figures of the claim that no tool result supports. */
  readonly unsupported?: readonly string[];
}

export interface ReportOn {
  readonly sources: readonly { readonly name: string; readonly kind: string }[];
  readonly thresholds: AuditThresholds;
  /** The question of the session that is reported on, from 1. */
  readonly round: number;
}

export interface ReportEnd {
  readonly session: string;
  readonly agent: string;
  readonly conclusion: Conclusion;
  readonly modelChoice: string | undefined;
  readonly written: readonly WrittenNote[];
}

/**
 * The report of a run, from the events of its session in the order of the log: as they come, so that none has to be read again. They are as the
 * answer is, before the log takes secrets out.
 */
export interface ReportInProgress {
  take(event: Event): void;
  finish(end: ReportEnd): RunReport;
}

/** Begins a report; it keeps of the events only what it says, and tells in the end what was never looked at. */
export function startReport(on: ReportOn): ReportInProgress {
  const facts: LogFacts = {
    notices: [],
    touched: new Set(),
    recalled: [],
    figures: [],
    absences: [],
    delegations: new Set(),
    cost: undefined,
    embeddings: undefined,
    unpriced: 0,
  };
  const audit = startAudit(on.thresholds);
  return {
    take: (event) => {
      audit.take(event);
      if (event.round === on.round) takeFacts(facts, event, on.sources);
    },
    finish: (end) => makeReport(facts, on, { ...end, audited: audit.finish() }),
  };
}

interface Audited {
  /** All delegations of the session, those of earlier questions too. */
  readonly audited: readonly DelegationAudit[];
}

function makeReport(
  facts: LogFacts,
  { sources }: ReportOn,
  { session, agent, conclusion, modelChoice, written, audited }: ReportEnd & Audited,
): RunReport {
  const left = `the cost leaves out ${facts.unpriced} calls of models without a price`;
  return {
    session,
    agent,
    model: conclusion.model,
    status: conclusion.status,
    answer: conclusion.text,
    findings: [...conclusion.findings, ...untouchedSources(facts, sources)],
    figures: facts.figures,
    absences: facts.absences,
    usage: facts.cost === undefined ? conclusion.usage : { ...conclusion.usage, cost: Number(facts.cost.toFixed(9)) },
    ...(facts.embeddings === undefined ? {} : { embeddings: facts.embeddings }),
    warnings: facts.cost !== undefined && facts.unpriced > 0 ? [...facts.notices, left] : facts.notices,
    ...(modelChoice === undefined ? {} : { modelChoice }),
    delegations: audited.filter(({ caller, id }) => facts.delegations.has(`${caller} ${id}`)),
    notes: { recalled: facts.recalled, written: written.map(({ session: _, ...note }) => note) },
    ...(conclusion.reason === undefined ? {} : { reason: conclusion.reason }),
  };
}

interface LogFacts {
  readonly notices: string[];
  /** Names of the sources that a call or a result names. */
  readonly touched: Set<string>;
  readonly recalled: RecalledLine[];
  figures: readonly Figure[];
  absences: readonly AbsenceClaim[];
  /** Callers and ids of those that this question began. */
  readonly delegations: Set<string>;
  /** What all that had a price cost; absent when nothing had one. */
  cost: number | undefined;
  embeddings: EmbeddingUsage | undefined;
  /** Calls of models without a price, beside others that have one. */
  unpriced: number;
}

function takeFacts(facts: LogFacts, { agent, body }: Event, sources: ReportOn['sources']): void {
  takeSpending(facts, body);
  if (body.type === 'delegation.started') facts.delegations.add(`${agent} ${body.resultId}`);
  else if (body.type === 'tool.called') touch(facts, sources, JSON.stringify(body.arguments));
  else if (body.type === 'tool.finished') touch(facts, sources, body.content);
  else if (body.type === 'memory.recalled') facts.recalled.push(...body.hits);
  else if (body.type === 'answer.grounded') takeGrounding(facts, agent, body);
  else if (body.type === 'model.noticed') facts.notices.push(body.notice.message);
  else if (body.type === 'limit.reached') facts.notices.push(`limit reached: ${body.detail}`);
  else if (body.type === 'loop.blocked') facts.notices.push(`a loop: ${body.tool} gave the same result ${body.times} times`);
}

function takeSpending(facts: LogFacts, body: EventBody): void {
  const usage = modelUsageOf(body);
  if (usage) addCost(facts, usage);
  const embeddings = embeddingUsageOf(body);
  facts.embeddings = addEmbeddings(facts.embeddings, embeddings);
  if (embeddings?.cost !== undefined) facts.cost = (facts.cost ?? 0) + embeddings.cost;
}

/** The last check of the agent that answers; those of its children stand in the log. */
function takeGrounding(facts: LogFacts, agent: string, { figures, absences }: Pick<LogFacts, 'figures' | 'absences'>): void {
  if (agent !== 'main') return;
  facts.figures = figures;
  facts.absences = absences;
}

function addCost(facts: LogFacts, { cost, estimated, inputTokens, outputTokens }: CallUsage): void {
  if (cost !== undefined) facts.cost = (facts.cost ?? 0) + cost;
  // A policy costs nothing, and a call that counted no tokens is no bill.
  else if (!estimated && (inputTokens !== undefined || outputTokens !== undefined)) facts.unpriced++;
}

function touch({ touched }: LogFacts, sources: ReportOn['sources'], text: string): void {
  for (const { name } of sources) if (!touched.has(name) && text.includes(`"source":"${name}"`)) touched.add(name);
}

/** With a single source every call is taken to be about it. */
function untouchedSources(facts: LogFacts, sources: ReportOn['sources']): ReportedFinding[] {
  if (sources.length < 2) return [];
  return sources
    .filter((source) => !facts.touched.has(source.name))
    .map((source) => ({
      id: `source:${source.name}`,
      kind: 'not_checked',
      claim: `Source ${source.name} (${source.kind}) was not looked at.`,
      evidence: [],
      confidence: 'high',
    }));
}
