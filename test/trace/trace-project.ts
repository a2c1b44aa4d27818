import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunReport } from '../../src/app/run-report.ts';
import { runSession } from '../../src/app/run-session.ts';
import { openWorkspace, type Workspace } from '../../src/app/workspace.ts';
import type { AgentSpec } from '../../src/core/agent-spec.ts';
import type { Event } from '../../src/core/event.ts';
import type { ChatModel } from '../../src/core/model.ts';
import { Scope } from '../../src/core/scope.ts';
import { type Script, scriptedModel } from '../../src/models/scripted.ts';
import type { StoredEventLog } from '../../src/store/open-event-log.ts';

/** `boss` and `worker` read counts from `counts.json`; `note_down` writes a line to `notes.txt`. */
const FILES: Readonly<Record<string, string>> = {
  'soloist.yaml': 'name: traced\nsources: {}\npermissions: { allow: [note_down] }\n',
  'counts.json': '{"orders": 1234, "items": 5678, "users": 42}',
  'agents/boss.yaml': `name: boss
description: Leads. Use it in tests.
instructions: Lead with care.
tools: [count_rows, list_lines, note_down]
subagents:
  - agent: worker
    justification: { buys: [parallelism, context_isolation], because: Tables are independent of one another. }
    concurrency: 4
`,
  'agents/worker.yaml': `name: worker
description: Counts one table. Use it for many tables.
instructions: Count one.
tools: [count_rows]
`,
  'tools/tools.ts': `import { appendFileSync, readFileSync } from 'node:fs';
import { complete, defineTool, z } from 'soloist';
const inProject = (name) => new URL('../' + name, import.meta.url);
export const countRows = defineTool({
  name: 'count_rows',
  description: 'Counts the rows of a table.',
  input: z.object({ table: z.string() }),
  output: z.object({ table: z.string(), rows: z.number() }),
  effect: 'read',
  run: async ({ table }) => {
    const rows = JSON.parse(readFileSync(inProject('counts.json'), 'utf8'))[table];
    if (rows === undefined) throw new Error('there is no table ' + table);
    return complete({ table, rows });
  },
});
export const listLines = defineTool({
  name: 'list_lines',
  description: 'Lists many lines.',
  input: z.object({ lines: z.number() }),
  output: z.object({ lines: z.array(z.string()) }),
  effect: 'read',
  run: async ({ lines }) => complete({ lines: Array.from({ length: lines }, (_, at) => 'line ' + at + ' of a long list') }),
});
export const noteDown = defineTool({
  name: 'note_down',
  description: 'Writes a text down.',
  input: z.object({ text: z.string() }),
  output: z.object({ noted: z.boolean() }),
  effect: 'write',
  run: async ({ text }) => {
    appendFileSync(inProject('notes.txt'), text + '\\n');
    return complete({ noted: true });
  },
});
`,
};

export interface TraceProject {
  readonly folder: string;
  readonly home: string;
  readonly workspace: Workspace;
  readonly log: StoredEventLog;
  /** Runs `boss` on a script, its children on another. */
  play(boss: Script | ChatModel, worker?: Script | ChatModel, change?: (agent: AgentSpec) => AgentSpec): Promise<RunReport>;
  events(session: string): readonly Event[];
  close(): Promise<void>;
}

export async function openTraceProject(files: Readonly<Record<string, string>> = {}): Promise<TraceProject> {
  const folder = mkdtempSync(join(tmpdir(), 'soloist-trace-'));
  for (const [path, text] of Object.entries({ ...FILES, ...files })) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const home = join(folder, 'home');
  const workspace = await openWorkspace({ folder, sourceFlags: [], environment: { SOLOIST_HOME: home } });
  const log = await workspace.openLog();
  return {
    folder,
    home,
    workspace,
    log,
    play: async (boss, worker = [], change = (agent) => agent) => {
      const scope = new Scope();
      const [model, child] = [modelOf(boss), modelOf(worker)];
      return runSession({
        workspace,
        agent: change(workspace.agent('boss')),
        question: 'How many rows?',
        model,
        modelFor: async () => child,
        scope,
        work: new Scope(scope),
        withoutMemory: true,
      });
    },
    events: (session) => [...log.read(session)],
    close: async () => {
      await workspace.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function modelOf(script: Script | ChatModel): ChatModel {
  return typeof script === 'object' && 'startConversation' in script ? script : scriptedModel(script);
}

export const call = (tool: string, input: Readonly<Record<string, unknown>>) => ({ calls: [{ tool, input }] });

/** Counts orders, then has two tables counted by children, then answers with all three. */
export const BOSS: Script = [
  call('count_rows', { table: 'orders' }),
  call('worker', {
    tasks: [
      { goal: 'Count the table items.', inputs: { table: 'items' } },
      { goal: 'Count the table users.', inputs: { table: 'users' } },
    ],
    why: 'parallelism',
    because: 'the tables are independent',
  }),
  { text: 'There are 1,234 orders [r1], 5,678 items and 42 users.' },
];

export const WORKER: Script = (messages, opening) => {
  const table = String(opening.task.inputs?.table);
  const result = messages.find(({ role }) => role === 'tool');
  if (!result) return call('count_rows', { table });
  const { id, data } = JSON.parse(result.content) as { id: string; data: { rows: number } };
  return { text: `${table} has ${data.rows} rows [${id}]` };
};
