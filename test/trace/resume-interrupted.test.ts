import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readPastSession } from '../../src/app/past-session.ts';
import { replaySession } from '../../src/app/replay-session.ts';
import type { RunReport } from '../../src/app/run-report.ts';
import { runSession } from '../../src/app/run-session.ts';
import { renderTrace, traceSession } from '../../src/app/trace-show.ts';
import type { AgentSpec } from '../../src/core/agent-spec.ts';
import type { Approve } from '../../src/core/approval.ts';
import { Scope } from '../../src/core/scope.ts';
import { type Script, scriptedModel } from '../../src/models/scripted.ts';
import { blameSession } from '../../src/trace/blame-session.ts';
import { callsOf } from '../../src/trace/session-calls.ts';
import { call, openTraceProject, type TraceProject } from './trace-project.ts';

/** `wait_for` and `write_slowly` leave a line in `begun.txt` and go on only once there is a file `go`. */
const TOOLS = `import { appendFileSync, existsSync } from 'node:fs';
import { complete, defineTool, z } from 'soloist';
const at = (name) => new URL('../' + name, import.meta.url);
const slow = (name, effect) => defineTool({
  name,
  description: 'Takes its time.',
  input: z.object({ what: z.string() }),
  output: z.object({ length: z.number() }),
  effect,
  run: async ({ what }) => {
    appendFileSync(at('begun.txt'), what + '\\n');
    while (!existsSync(at('go'))) await new Promise((resolve) => setTimeout(resolve, 5));
    return complete({ length: 7000 + what.length });
  },
});
export const waitFor = slow('wait_for', 'read');
export const writeSlowly = slow('write_slowly', 'write');
`;
const AGENT = (name: string, more: string) => `name: ${name}
description: Leads. Use it in tests.
instructions: Lead with care.
tools: [count_rows, wait_for, write_slowly]
permissions: { allow: [write_slowly] }
${more}`;

let project: TraceProject;
beforeAll(async () => {
  project = await openTraceProject({
    'tools/slow.ts': TOOLS,
    'agents/boss.yaml': AGENT(
      'boss',
      `subagents:
  - agent: worker
    justification: { buys: [parallelism], because: Tables are independent of one another. }
    concurrency: 4
`,
    ),
    'agents/worker.yaml': AGENT('worker', ''),
  });
});
beforeEach(() => rmSync(join(project.folder, 'go'), { force: true }));
afterEach(() => rmSync(join(project.folder, 'begun.txt'), { force: true }));
afterAll(() => project.close());

const begun = (): string[] => {
  const file = join(project.folder, 'begun.txt');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').sort() : [];
};

interface Playing {
  readonly script: Script;
  readonly worker?: Script;
  readonly change?: (agent: AgentSpec) => AgentSpec;
  readonly approve?: Approve;
  /** Goes on with this session; else a new one. */
  readonly resume?: string;
  /** Interrupts once so many slow calls have begun; one that goes on without it gets to the end of them. */
  readonly interruptAt?: number;
}

async function play({ script, worker = [], change = (agent) => agent, approve, resume, interruptAt }: Playing): Promise<RunReport> {
  const scope = new Scope();
  const work = new Scope(scope);
  const child = scriptedModel(worker);
  if (resume !== undefined && interruptAt === undefined) writeFileSync(join(project.folder, 'go'), '');
  const timer = setInterval(() => {
    if (interruptAt !== undefined && begun().length >= interruptAt) work.stop({ kind: 'interrupted' });
  }, 2);
  try {
    return await runSession({
      workspace: project.workspace,
      agent: change(project.workspace.agent('boss')),
      question: 'How long is it?',
      model: scriptedModel(script),
      modelFor: async () => child,
      ...{ scope, work, withoutMemory: true },
      ...(approve ? { approve } : {}),
      ...(resume === undefined ? {} : { past: readPastSession(project.log, resume) }),
    });
  } finally {
    clearInterval(timer);
  }
}

/** Makes the calls, then says which results it has; at the end it can only say that it was stopped. */
const asking =
  (...calls: readonly { readonly tool: string; readonly input: Readonly<Record<string, unknown>> }[]): Script =>
  (messages) => {
    const results = messages.flatMap((message) => (message.role === 'tool' ? [JSON.parse(message.content)] : []));
    const last = messages.at(-1);
    if (last?.role === 'user' && last.content.includes('limit')) return { text: `stopped with ${results.length} results` };
    if (results.length === 0) return { calls: [...calls] };
    const told = messages.filter(({ role }) => role === 'user').length;
    return {
      text: `${results.map(({ id, status, data }) => `${id} ${status} ${data.length ?? data.rows ?? ''}`.trim()).join('; ')} (${told === 1 ? 'told once' : 'told more'})`,
    };
  };

const resultsOf = (session: string) => callsOf(project.events(session)).map(({ resultId, status }) => `${resultId} ${status}`);

describe('a run that goes on after an interruption', () => {
  const one = { tool: 'count_rows', input: { table: 'orders' } };
  const slow = { tool: 'wait_for', input: { what: 'abc' } };

  it('makes the call again that was cut off, under the same id, and no other', async () => {
    const script = asking(one, slow);
    const first = await play({ script, interruptAt: 1 });
    expect([first.status, first.answer]).toEqual(['aborted', 'stopped with 2 results']);
    expect(resultsOf(first.session)).toEqual(['r1 ok', 'r2 error']);
    const second = await play({ script, resume: first.session });
    expect([second.status, second.answer]).toEqual(['ok', 'r1 ok 1234; r2 ok 7003 (told once)']);
    expect(resultsOf(first.session)).toEqual(['r1 ok', 'r2 ok']);
    expect(begun()).toEqual(['abc', 'abc']);
    const events = project.events(first.session);
    expect(events.filter(({ body }) => body.type === 'tool.finished').map(({ body }) => 'resultId' in body && body.resultId)).toEqual([
      'r1',
      'r2',
      'r2',
    ]);
    expect(blameSession(events).filter(({ weight }) => weight !== 'note')).toEqual([]);
    const shown = renderTrace(traceSession(project.log, first.session), {});
    expect(shown).toContain('r2 wait_for {"what":"abc"} → ok');
    expect(shown).toContain('concluded ok: r1 ok');
    const replayed = await replaySession({ workspace: project.workspace, session: first.session, events, tools: 'live' });
    expect(replayed).toMatchObject({ same: true, results: { total: 2, same: 2 } });
  });

  it('makes it again where the time of the run was over', async () => {
    const script = asking(slow);
    const change = (agent: AgentSpec): AgentSpec => ({ ...agent, limits: { ...agent.limits, seconds: 0.2 } });
    const first = await play({ script, change });
    expect([first.status, first.answer]).toEqual(['timeout', 'stopped with 1 results']);
    expect((await play({ script, resume: first.session })).answer).toBe('r1 ok 7003 (told once)');
  });

  it('makes it again after a second interruption, too', async () => {
    const script = asking(slow);
    const first = await play({ script, interruptAt: 1 });
    const second = await play({ script, resume: first.session, interruptAt: 2 });
    expect(second.status).toBe('aborted');
    expect((await play({ script, resume: first.session })).answer).toBe('r1 ok 7003 (told once)');
  });

  it('asks before a call that writes, and runs one that had not begun without asking', async () => {
    const change = (agent: AgentSpec): AgentSpec => ({ ...agent, limits: { ...agent.limits, parallelCalls: 1 } });
    const writes = asking({ tool: 'write_slowly', input: { what: 'abc' } }, { tool: 'write_slowly', input: { what: 'abcd' } });
    const first = await play({ script: writes, change, interruptAt: 1 });
    const asked: unknown[] = [];
    const approve: Approve = async ({ arguments: input, interrupted }) => asked.push([input, interrupted]) > 0;
    const second = await play({ script: writes, change, approve, resume: first.session });
    expect(asked).toEqual([[{ what: 'abc' }, true]]);
    expect(second.answer).toBe('r1 ok 7003; r2 ok 7004 (told once)');
  });

  it('refuses a call that writes where nobody can be asked', async () => {
    const writes = asking({ tool: 'write_slowly', input: { what: 'abc' } });
    const first = await play({ script: writes, interruptAt: 1 });
    expect((await play({ script: writes, resume: first.session })).answer).toBe('r1 refused (told once)');
    expect(begun()).toEqual(['abc']);
  });

  it('lets a child go on that was stopped, and leaves one alone that had concluded', async () => {
    const tasks = ['orders', 'slow'].map((what) => ({ goal: `Look into ${what} well.`, inputs: { what } }));
    const delegating: Script = (messages) => {
      const result = messages.find(({ role }) => role === 'tool');
      if (!result) return call('worker', { tasks, why: 'parallelism', because: 'they are independent' });
      const { data } = JSON.parse(result.content) as { data: { conclusions: { status: string; text: string }[] } };
      return { text: data.conclusions.map(({ status, text }) => `${status} ${text}`).join('; ') };
    };
    const worker: Script = (messages, opening) => {
      const result = messages.find(({ role }) => role === 'tool');
      const what = String(opening.task.inputs?.what);
      if (!result) return what === 'slow' ? call('wait_for', { what }) : call('count_rows', { table: what });
      const { id, data } = JSON.parse(result.content) as { id: string; data: { rows?: number; length?: number } };
      return { text: `${data.rows ?? data.length} [${id}]` };
    };
    const first = await play({ script: delegating, worker, interruptAt: 1 });
    expect(first.status).toBe('aborted');
    const second = await play({ script: delegating, worker, resume: first.session });
    expect([second.status, second.answer]).toEqual(['ok', 'ok 1234 [c1.r1]; ok 7004 [c2.r1]']);
    expect(begun()).toEqual(['slow', 'slow']);
    const calls = project.events(first.session).filter(({ body }) => body.type === 'tool.called' && body.tool === 'count_rows');
    expect(calls).toHaveLength(1);
    expect(blameSession(project.events(first.session)).filter(({ weight }) => weight !== 'note')).toEqual([]);
    expect(second.delegations).toHaveLength(1);
  });
});
