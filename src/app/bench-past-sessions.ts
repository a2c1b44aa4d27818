import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SoloistError } from '../core/errors.ts';
import type { Event, EventBody, EventLog } from '../core/event.ts';
import type { OpenBlock } from './bench-blocks.ts';
import { openProjectMemory } from './memory-project.ts';
import type { Workspace } from './workspace.ts';

const DAY_MS = 86_400_000;
const TENANT = 'local';
const EVENTS_AT_ONCE = 10_000;

/** A session that a generator says was there before, as memory is to know it. */
interface PastSession {
  readonly question: string;
  readonly answer: string;
  readonly daysAgo: number;
  /** What a tool returned in it. */
  readonly result: string;
}

/** A workspace on the same data whose log holds the history of the case and nothing else. */
export interface PastWorkspace {
  readonly workspace: Workspace;
  /** Copies a session to the log that outlives this one. */
  keep(session: string, log: EventLog): Promise<void>;
  close(): Promise<void>;
}

/** @throws SoloistError `configuration` when the generator answers no history. */
export async function openPast({ data, workspace: block }: OpenBlock): Promise<PastWorkspace> {
  const history = readHistory(data.facts.history);
  const home = mkdtempSync(join(tmpdir(), 'soloist-past-'));
  const { openEventLog } = await import('../store/open-event-log.ts');
  const { openMemory } = await import('../store/open-memory.ts');
  const log = await openEventLog({ folder: home, tenant: TENANT });
  const memory = await openMemory({ folder: home, tenant: TENANT });
  const workspace: Workspace = { ...block, home, openLog: async () => log, openMemory: async () => memory };
  const now = Date.now();
  log.append(history.flatMap((past, place) => eventsOf(past, place, now)));
  const projected = await openProjectMemory(workspace);
  await projected.catchUp({ think: true });
  await projected.close();
  // As it would be had the sessions run one after the other: each makes the ones before it searchable.
  for (let lag = 1; lag > 0; ) ({ lag } = memory.indexer.fill(EVENTS_AT_ONCE));
  return {
    workspace,
    keep: async (session, kept) => kept.append([...log.read(session)]),
    close: async () => {
      memory.close();
      log.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function readHistory(value: unknown): readonly PastSession[] {
  const whole = (one: unknown): one is PastSession => {
    const { question, answer, daysAgo, result } = (one ?? {}) as Partial<Record<keyof PastSession, unknown>>;
    return typeof question === 'string' && typeof answer === 'string' && typeof daysAgo === 'number' && typeof result === 'string';
  };
  if (Array.isArray(value) && value.every(whole)) return value;
  throw new SoloistError('configuration', 'a design with memory needs a history, and the generator answers none', {
    fix: 'let `generate` answer `history`, a list of {question, answer, daysAgo, result}',
  });
}

/** The session as the loop writes it: asked, one result looked at, answered, closed. */
function eventsOf({ question, answer, daysAgo, result }: PastSession, place: number, now: number): readonly Event[] {
  const session = `s-${String(place).padStart(9, '0')}-past`;
  const at = now - daysAgo * DAY_MS;
  const usage = { modelCalls: 2, toolCalls: 1, inputTokens: 0, outputTokens: 0, peakContextTokens: 0, wallMs: 0 };
  const conclusion = { status: 'ok', text: answer, evidence: ['r1'], findings: [], usage, model: 'rules' } as const;
  const call = { callId: 'call_1', resultId: 'r1', tool: 'query_sql' } as const;
  const bodies: EventBody[] = [
    { type: 'session.opened', project: 'suites', agent: 'past', question, model: 'rules', version: '0.0.0', sources: [] },
    { type: 'agent.started', agent: 'past', model: 'rules', task: { goal: question }, tools: ['query_sql'] },
    { type: 'tool.called', ...call, arguments: {} },
    { type: 'tool.finished', ...call, status: 'ok', complete: true, content: result, elapsedMs: 1 },
    { type: 'model.replied', message: { role: 'assistant', content: answer }, finish: 'stop', usage: { totalMs: 1 } },
    { type: 'agent.concluded', conclusion },
    { type: 'session.closed', status: 'ok' },
  ];
  return bodies.map((body, sequence) => ({ session, round: 1, step: 1, agent: 'main', sequence, at: at + sequence, body }));
}
