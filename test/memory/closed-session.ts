import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConclusionStatus } from '../../src/core/conclusion.ts';
import type { Event, EventBody } from '../../src/core/event.ts';
import type { MemoryEventBody } from '../../src/core/memory-event.ts';
import type { ChatModel } from '../../src/core/model.ts';
import { Scope } from '../../src/core/scope.ts';
import type { Finding } from '../../src/core/tool.ts';
import { type Projection, type ProjectorOptions, project } from '../../src/memory/projector.ts';
import { openEventLog, type StoredEventLog } from '../../src/store/open-event-log.ts';
import { type MemoryStore, openMemory } from '../../src/store/open-memory.ts';

type Proposal = Omit<Extract<MemoryEventBody, { type: 'note.proposed' }>, 'type'>;

export interface ClosedSession {
  readonly session: string;
  readonly at?: number;
  readonly question?: string;
  readonly agent?: string;
  readonly answer?: string;
  readonly status?: ConclusionStatus;
  /** Findings without an id: each is recorded by a call of its own, r11, r12, ... */
  readonly findings?: readonly Omit<Finding, 'id'>[];
  readonly proposals?: readonly Partial<Proposal>[];
  readonly recalled?: readonly string[];
  /** Tools of the results r1, r2, ... */
  readonly tools?: readonly string[];
}

export const DAY = 86_400_000;
export const BEGIN = Date.UTC(2026, 4, 4, 6, 0, 0);
const USAGE = { modelCalls: 1, toolCalls: 1, inputTokens: 1, outputTokens: 1, peakContextTokens: 1, wallMs: 1 };

/** The events of a session as the loop writes them, from opening to closing. */
export function closedSession(given: ClosedSession): readonly Event[] {
  const { session, at = BEGIN, agent = 'investigator', tools = ['query_sql'], status = 'ok', proposals = [], recalled = [] } = given;
  const findings = (given.findings ?? []).map((finding, index): Finding => ({ id: `r${11 + index}`, ...finding }));
  const question = given.question ?? 'why is the total too high?';
  const bodies: EventBody[] = [
    { type: 'session.opened', project: 'shop', agent, question, model: 'rules', version: '0.1.0', sources: [] },
    ...(recalled.length > 0 ? [recalledBody(recalled)] : []),
    { type: 'agent.started', agent, model: 'rules', task: { goal: question }, tools },
    ...tools.map((tool, index): EventBody => finished(`r${index + 1}`, tool, { rows: 3 })),
    ...findings.map((finding): EventBody => finished(finding.id, 'record_finding', { finding: { ...finding, id: undefined } })),
    ...proposals.map(
      (proposal, index): EventBody => ({
        ...{
          type: 'note.proposed',
          id: `p${index + 1}`,
          key: 'ingest.retry_policy',
          kind: 'decision',
          text: '',
          multiValued: false,
          evidence: ['r1'],
          agent,
        },
        ...proposal,
      }),
    ),
    {
      type: 'agent.concluded',
      conclusion: { status, text: given.answer ?? 'It was the retry.', evidence: [], findings, usage: USAGE, model: 'rules' },
    },
    { type: 'session.closed', status },
  ];
  return bodies.map((body, index) => ({ session, round: 1, step: index, agent: 'main', sequence: index, at: at + index, body }));
}

function finished(resultId: string, tool: string, data: unknown): EventBody {
  const content = JSON.stringify({ id: resultId, tool, status: 'ok', complete: true, as_of: '', warnings: [], data });
  return { type: 'tool.finished', callId: `call_${resultId}`, resultId, tool, status: 'ok', complete: true, content, elapsedMs: 1 };
}

function recalledBody(texts: readonly string[]): EventBody {
  const hits = texts.map((text, index) => ({ source: 'note' as const, id: `n-${index}`, key: 'a.b', text, age: 'today', why: 'words' }));
  return { type: 'memory.recalled', mode: 'lexical', hits, skills: [], notices: [], tokens: 1, milliseconds: 1, embeddingTokens: 0 };
}

export interface Desk {
  readonly folder: string;
  readonly log: StoredEventLog;
  readonly memory: MemoryStore;
  project(more?: Partial<ProjectorOptions>): Promise<Projection>;
}

const desks: Desk[] = [];

/** A log and a memory in a temporary folder, with a projector over both. */
export async function openDesk(more: { readonly folder?: string; readonly critic?: ChatModel } = {}): Promise<Desk> {
  const folder = more.folder ?? mkdtempSync(join(tmpdir(), 'soloist-memory-'));
  const log = await openEventLog({ folder, tenant: 'local' });
  const memory = await openMemory({ folder, tenant: 'local' });
  let time = BEGIN + 1000;
  const desk: Desk = {
    folder,
    log,
    memory,
    project: (options = {}) =>
      project({
        notes: memory.notes,
        triples: memory.triples,
        cursor: memory.cursor('projector'),
        sessions: memory.cursor('sessions'),
        verdicts: memory.cursor('verdicts'),
        think: true,
        reader: memory.reader,
        readSession: (session) => log.read(session),
        append: (events) => log.append(events),
        mayWrite: () => true,
        retention: {},
        critic: more.critic,
        scope: new Scope(),
        now: () => new Date(time++),
        ...options,
      }),
  };
  desks.push(desk);
  return desk;
}

export function closeDesks(): void {
  for (const { log, memory } of desks) {
    log.close();
    memory.close();
  }
  for (const { folder } of desks.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** A finding with data behind it. */
export function cause(claim: string, more: Partial<Finding> = {}): Omit<Finding, 'id'> {
  return { kind: 'cause', claim, evidence: ['r1'], confidence: 'high', ...more };
}
