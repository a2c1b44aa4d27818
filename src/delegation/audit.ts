import { type AuditThresholds, DEFAULT_THRESHOLDS } from '../core/audit-thresholds.ts';
import type { Event, EventBody } from '../core/event.ts';
import { estimateTokens } from '../core/usage.ts';
import { addNested, type ChildAccount, type DelegationAccount, openChild, takeReply, takeResult } from './audit-account.ts';
import { type DelegationAudit, judgeDelegation } from './audit-claims.ts';
import { createValueTrail } from './audit-values.ts';

/** A fold over the events of one session, in the order of the log; it keeps counts, not contents. */
export interface SessionAudit {
  take(event: Event): void;
  /** One verdict for each delegation so far, in the order they started. */
  finish(): readonly DelegationAudit[];
}

interface AgentTrack {
  tools: ReadonlySet<string>;
  lastWindow: number;
  peak: number;
  readonly delegations: DelegationAccount[];
}

interface Books {
  readonly tracks: Map<string, AgentTrack>;
  /** The account that an agent's events count for now. */
  readonly children: Map<string, ChildAccount>;
  readonly delegations: DelegationAccount[];
  sources: readonly string[];
}

export function startAudit(thresholds: AuditThresholds = DEFAULT_THRESHOLDS): SessionAudit {
  const books: Books = { tracks: new Map(), children: new Map(), delegations: [], sources: [] };
  return {
    take: (event) => takeEvent(books, event),
    finish: () =>
      books.delegations.map((account) => judgeDelegation(account, { thresholds, callerPeak: trackOf(books, account.caller).peak })),
  };
}

/** The audit of one session from its events alone. */
export function auditEvents(events: Iterable<Event>, thresholds: AuditThresholds = DEFAULT_THRESHOLDS): readonly DelegationAudit[] {
  const audit = startAudit(thresholds);
  for (const event of events) audit.take(event);
  return audit.finish();
}

function takeEvent(books: Books, event: Event): void {
  const { body, agent, at } = event;
  const child = books.children.get(agent);
  if (child?.status === 'open') {
    child.startedAt ??= at;
    child.endedAt = at;
  }
  switch (body.type) {
    case 'session.opened':
      books.sources = body.sources.map(({ name }) => name);
      break;
    case 'agent.started':
      trackOf(books, agent).tools = new Set(body.tools);
      break;
    case 'model.replied':
      replied(trackOf(books, agent), body);
      if (child) takeReply(child, body, event.step);
      break;
    case 'model.failed':
      if (child) child.modelCalls++;
      break;
    case 'tool.finished':
      finished(books, event, body);
      break;
    case 'delegation.started':
      delegated(books, event, body);
      break;
    case 'child.concluded':
      concluded(books, event, body);
      break;
    default:
  }
}

function trackOf(books: Books, agent: string): AgentTrack {
  const known = books.tracks.get(agent);
  if (known) return known;
  const track: AgentTrack = { tools: new Set(), lastWindow: 0, peak: 0, delegations: [] };
  books.tracks.set(agent, track);
  return track;
}

function replied(track: AgentTrack, { usage }: Extract<EventBody, { type: 'model.replied' }>): void {
  track.lastWindow = (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0);
  track.peak = Math.max(track.peak, track.lastWindow);
  for (const delegation of track.delegations) {
    delegation.laterTurns++;
    delegation.laterPeak = Math.max(delegation.laterPeak, track.lastWindow);
  }
}

function finished(books: Books, { agent }: Event, body: Extract<EventBody, { type: 'tool.finished' }>): void {
  const track = trackOf(books, agent);
  const delegation = track.delegations.find((one) => one.resultId === body.resultId);
  if (delegation) delegation.returnedTokens = estimateTokens(body.content);
  const child = books.children.get(agent);
  if (!child) return;
  takeResult(child, body.content);
  const used = body.status === 'ok' || body.status === 'partial';
  if (used && track.tools.has(body.tool) && !child.callerTools.has(body.tool)) child.foreignTools.add(body.tool);
}

function delegated(books: Books, { agent, at }: Event, body: Extract<EventBody, { type: 'delegation.started' }>): void {
  const track = trackOf(books, agent);
  const traced = body.buys.includes('multi_step_reasoning');
  const children = body.children.map(({ id, path, task }) => {
    const trail = traced ? (books.children.get(path)?.trail ?? createValueTrail()) : undefined;
    const child = openChild({ id, path, callerTools: track.tools, trail });
    trail?.know([task.goal, task.inputs, task.expect, books.sources]);
    books.children.set(path, child);
    return child;
  });
  const { resultId, agent: name, buys, why, because, concurrency } = body;
  const account: DelegationAccount = {
    ...{ resultId, caller: agent, agent: name, buys, why, because, concurrency, children, startedAt: at },
    windowBefore: track.lastWindow,
    peakBefore: track.peak,
    returnedTokens: undefined,
    laterTurns: 0,
    laterPeak: 0,
  };
  track.delegations.push(account);
  books.delegations.push(account);
}

function concluded(books: Books, { agent, at }: Event, { conclusion }: Extract<EventBody, { type: 'child.concluded' }>): void {
  const child = books.children.get(conclusion.path);
  if (child?.id !== conclusion.id) return;
  child.status = conclusion.status;
  child.startedAt ??= at;
  child.endedAt = at;
  child.textTokens = estimateTokens(conclusion.text);
  const caller = books.children.get(agent);
  if (caller) addNested(caller, child);
}
