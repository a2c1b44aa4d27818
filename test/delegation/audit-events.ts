import type { Buys } from '../../src/core/agent-spec.ts';
import type { ConclusionStatus } from '../../src/core/conclusion.ts';
import type { Event, EventBody } from '../../src/core/event.ts';

const USAGE = { modelCalls: 0, toolCalls: 0, inputTokens: 0, outputTokens: 0, peakContextTokens: 0, wallMs: 0 };

/** Events of a session written by hand: each call adds one at the given time of the given agent. */
export function sessionOf(session = 's-hand') {
  const events: Event[] = [];
  const counts = new Map<string, { step: number; sequence: number }>();
  const add = (agent: string, at: number, body: EventBody): void => {
    const count = counts.get(agent) ?? { step: 0, sequence: 0 };
    counts.set(agent, count);
    if (body.type === 'model.replied') count.step++;
    events.push({ session, round: 1, step: count.step, agent, sequence: count.sequence++, at, body });
  };
  let calls = 0;
  return {
    events,
    open: (at = 0) =>
      add('main', at, {
        ...{ type: 'session.opened', project: 'hand', agent: 'boss', question: 'Why?', model: 'scripted', version: '0' },
        sources: [],
      }),
    start: (agent: string, at: number, tools: readonly string[]) =>
      add(agent, at, { type: 'agent.started', agent, model: 'scripted', task: { goal: 'Find out.' }, tools }),
    reply: (agent: string, at: number, inputTokens: number, outputTokens: number, calls: readonly object[] = [], queueMs = 0) =>
      add(agent, at, {
        type: 'model.replied',
        finish: 'stop',
        message: {
          role: 'assistant',
          content: calls.length > 0 ? '' : 'An answer.',
          toolCalls: calls.map((given, index) => ({ id: `call${index}`, name: 'tool', arguments: { ...given } })),
        },
        usage: { inputTokens, outputTokens, queueMs, totalMs: 1 },
      }),
    result: (agent: string, at: number, tool: string, data: unknown, status: 'ok' | 'error' = 'ok') =>
      add(agent, at, {
        ...{ type: 'tool.finished', callId: 'call0', resultId: `${agent}.r${++calls}`, tool, status, complete: true, elapsedMs: 1 },
        content: JSON.stringify({ id: 'r1', status, data }),
      }),
    back: (agent: string, at: number, resultId: string, characters: number) =>
      add(agent, at, {
        ...{ type: 'tool.finished', callId: 'call0', resultId, tool: 'worker', status: 'ok', complete: true, elapsedMs: 1 },
        content: 'x'.repeat(characters),
      }),
    delegate: (at: number, children: readonly { id: string; path?: string; inputs?: Record<string, unknown> }[], options: Delegated = {}) =>
      add(options.caller ?? 'main', at, {
        type: 'delegation.started',
        resultId: options.resultId ?? 'r1',
        agent: 'worker',
        buys: options.buys ?? ['parallelism', 'context_isolation'],
        why: options.why ?? 'parallelism',
        because: 'They are independent.',
        concurrency: options.concurrency ?? 8,
        children: children.map(({ id, path, inputs }) => ({
          id,
          path: path ?? id,
          task: { goal: 'Look.', ...(inputs ? { inputs } : {}) },
        })),
      }),
    conclude: (id: string, at: number, options: { status?: ConclusionStatus; caller?: string; path?: string } = {}) =>
      add(options.caller ?? 'main', at, {
        type: 'child.concluded',
        conclusion: {
          ...{ id, path: options.path ?? id, agent: 'worker', goal: 'Look.', model: 'scripted', status: options.status ?? 'ok' },
          ...{ text: 'Found.', evidence: [], findings: [], usage: USAGE },
        },
      }),
    close: (at: number) => add('main', at, { type: 'session.closed', status: 'ok' }),
  };
}

interface Delegated {
  readonly caller?: string;
  readonly resultId?: string;
  readonly buys?: readonly Buys[];
  readonly why?: Buys;
  readonly concurrency?: number;
}

/** The example of docs/audit.md. */
export function workedExample(session?: string): Event[] {
  const log = sessionOf(session);
  log.open();
  log.start('main', 0, ['list_tables', 'worker']);
  log.reply('main', 100, 1000, 100, [{ tasks: 2 }]);
  log.delegate(100, [{ id: 'c1' }, { id: 'c2' }]);
  log.start('c1', 110, ['count_rows']);
  log.start('c2', 110, ['count_rows']);
  log.reply('c1', 200, 500, 20, [{ table: 'a' }]);
  log.result('c1', 210, 'count_rows', { rows: 1 });
  log.reply('c1', 300, 900, 20, [{ table: 'b' }]);
  log.result('c1', 310, 'count_rows', { rows: 2 });
  log.reply('c2', 400, 500, 20, [{ table: 'c' }]);
  log.result('c2', 410, 'count_rows', { rows: 3 });
  log.reply('c2', 900, 1300, 60);
  log.conclude('c2', 910);
  log.reply('c1', 1100, 1500, 60);
  log.conclude('c1', 1110);
  log.back('main', 1110, 'r1', 400);
  log.reply('main', 1300, 1200, 50);
  log.close(1300);
  return log.events;
}
