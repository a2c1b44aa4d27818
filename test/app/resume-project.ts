import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RunReport } from '../../src/app/run-report.ts';
import type { Event } from '../../src/core/event.ts';
import { openEventLog } from '../../src/store/open-event-log.ts';

/**
 * A project whose rules count two tables alone, then three by children (two counts each, one child with a child of its
 * own in turn), then note the sum down. Each run of a tool leaves a line in `runs.txt`: the id of its result.
 */
const FILES: Readonly<Record<string, string>> = {
  'soloist.yaml': 'name: resume\nsources: {}\npermissions: { allow: [note_down] }\n',
  'agents/boss.yaml': `name: boss
description: Leads. Use it in tests.
instructions: Lead.
model: rules
tools: [count_rows, note_down]
subagents:
  - agent: worker
    justification: { buys: [parallelism], because: Tables are independent of one another. }
    concurrency: 2
limits: { depth: 2 }
`,
  'agents/worker.yaml': `name: worker
description: Counts one table. Use it for many tables.
instructions: Count.
model: rules
tools: [count_rows]
subagents:
  - agent: checker
    justification: { buys: [context_isolation], because: A check reads much. }
    concurrency: 2
`,
  'agents/checker.yaml': `name: checker
description: Checks one table. Use it when a count looks wrong.
instructions: Check.
model: rules
tools: [count_rows]
`,
  'agents/policies/boss.ts': `export default async (play) => {
  const [one, two] = await Promise.all([play.call('count_rows', { table: 't1' }), play.call('count_rows', { table: 't2' })]);
  const tasks = ['t3', 't4', 't5'].map((table) => ({ goal: 'Count table ' + table + ' twice.', inputs: { table } }));
  const { data } = await play.call('worker', { tasks, why: 'parallelism', because: 'independent tables' });
  const sums = data.conclusions.map(({ text }) => Number(/sum (\\d+)/.exec(text)?.[1]));
  const sum = one.data.rows + two.data.rows + sums.reduce((left, right) => left + right, 0);
  const noted = await play.call('note_down', { sum });
  return 'In all ' + sum + ' rows; noted: ' + noted.status;
};
`,
  'agents/policies/worker.ts': `export default async (play) => {
  const { table } = play.task.inputs;
  const first = await play.call('count_rows', { table });
  const second = await play.call('count_rows', { table: table + '0' });
  let sum = first.data.rows + second.data.rows;
  if (table === 't4' && play.tools.has('checker')) {
    const { data } = await play.call('checker', {
      tasks: [{ goal: 'Check table t9 by counting.', inputs: { table: 't9' } }], why: 'context_isolation', because: 'much to read',
    });
    sum += Number(/has (\\d+)/.exec(data.conclusions[0].text)[1]);
  }
  return table + ': sum ' + sum + ' [' + first.id + ', ' + second.id + ']';
};
`,
  'agents/policies/checker.ts': `export default async (play) => {
  const { table } = play.task.inputs;
  const counted = await play.call('count_rows', { table });
  return table + ' has ' + counted.data.rows + ' [' + counted.id + ']';
};
`,
  'tools/tools.ts': `import { appendFileSync } from 'node:fs';
import { complete, defineTool, z } from 'soloist';
const runs = new URL('../runs.txt', import.meta.url);
export const countRows = defineTool({
  name: 'count_rows',
  description: 'Counts the rows of a table.',
  input: z.object({ table: z.string() }),
  output: z.object({ rows: z.number(), sum: z.number() }),
  effect: 'read',
  run: async ({ table }, context) => {
    appendFileSync(runs, context.resultId + '\\n');
    const rows = 1000 + Number(table.slice(1));
    return complete({ rows, sum: 2 * rows + 9 * Number(table.slice(1)) });
  },
});
export const noteDown = defineTool({
  name: 'note_down',
  description: 'Writes a sum down.',
  input: z.object({ sum: z.number() }),
  output: z.object({ noted: z.boolean() }),
  effect: 'write',
  run: async (_input, context) => {
    appendFileSync(runs, context.resultId + '\\n');
    return complete({ noted: true });
  },
});
`,
};

const folders: string[] = [];

export function newProject(): string {
  const folder = mkdtempSync(join(tmpdir(), 'soloist-resume-'));
  folders.push(folder);
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

export function cleanUp(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

const SCRIPT = fileURLToPath(new URL('run-until-killed.ts', import.meta.url));

export interface Playing {
  readonly folder: string;
  /** The reference of a session to go on with; a new one unless set. */
  readonly resume?: string;
  /** Kills itself with SIGKILL as soon as this many events are on disk. */
  readonly killAt?: number;
}

/** Plays `boss` in a process of its own; answers its report, or nothing when it was killed. */
export async function playInProcess(playing: Playing): Promise<RunReport | undefined> {
  const child = startProcess(playing);
  let text = '';
  child.stdout?.on('data', (piece: Buffer) => {
    text += piece.toString('utf8');
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  if (signal === 'SIGKILL') return undefined;
  if (code !== 0) throw new Error(`the process ended with ${code}: ${text}`);
  return JSON.parse(text) as RunReport;
}

export function startProcess({ folder, resume = '', killAt = 0 }: Playing): ChildProcess {
  return spawn(process.execPath, ['--import', import.meta.resolve('tsx'), SCRIPT, folder, resume, String(killAt)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: '', OLLAMA_HOST: '127.0.0.1:9', SOLOIST_HOME: join(folder, 'home') },
  });
}

/** Ids of results in the order in which tools ran, over all processes. */
export function runsOf(folder: string): readonly string[] {
  const file = join(folder, 'runs.txt');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
}

/** The events of the latest session, read back from disk. */
export async function eventsOf(folder: string): Promise<readonly Event[]> {
  const log = await openEventLog({ folder: join(folder, 'home'), tenant: 'local' });
  try {
    return [...log.read(log.findSession('-1').session)];
  } finally {
    log.close();
  }
}

/** Ids of the results that the events hold. */
export function resultsIn(events: readonly Event[]): readonly string[] {
  return events.flatMap(({ body }) => (body.type === 'tool.finished' ? [body.resultId] : []));
}
