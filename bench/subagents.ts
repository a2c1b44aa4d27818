/**
 * Wall time and memory of children on a model that answers after 20 ms: `npx tsx bench/subagents.ts [rounds]`.
 * Real sessions on a project in a temporary folder, each with its log on disk. The first run of a kind is cold.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { runSession } from '../src/app/run-session.ts';
import { openWorkspace, type Workspace } from '../src/app/workspace.ts';
import type { Event } from '../src/core/event.ts';
import type { ChatModel } from '../src/core/model.ts';
import { Scope } from '../src/core/scope.ts';
import { scriptedModel } from '../src/models/scripted.ts';

const ANSWER_MS = 20;
const STEPS = 5;
/** Before and after the children: the caller's own two replies. */
const CALLER_REPLIES = 2;

interface Workload {
  readonly children: number;
  readonly concurrency: number;
  /** The most times the ideal wall time. */
  readonly bar: number;
}

const WORKLOADS: readonly Workload[] = [
  { children: 20, concurrency: 20, bar: 1.15 },
  { children: 200, concurrency: 16, bar: 1.2 },
];

const PROJECT: Readonly<Record<string, string>> = {
  'soloist.yaml': 'name: bench\nsources: {}\n',
  'agents/worker.yaml':
    'name: worker\ndescription: Takes steps. Use it for long work.\ninstructions: Take every step.\ntools: [take_step]\nlimits: { turns: 20, tool_calls: 20, tokens: 200000 }\n',
  'tools/take-step.ts': `import { complete, defineTool, z } from 'soloist';
export const takeStep = defineTool({
  name: 'take_step', description: 'Takes one step.', input: z.object({ step: z.int() }), output: z.object({ done: z.boolean() }), effect: 'read',
  run: async () => complete({ done: true }),
});
`,
  ...Object.fromEntries(WORKLOADS.map(({ concurrency }) => [`agents/boss-${concurrency}.yaml`, bossFile(concurrency)])),
};

function bossFile(concurrency: number): string {
  return `name: boss-${concurrency}
description: Leads. Use it to lead.
instructions: Lead.
tools: []
subagents:
  - agent: worker
    justification: { buys: [parallelism], because: The parts are independent. }
    concurrency: ${concurrency}
limits: { turns: 4000, tool_calls: 4000, tokens: 40000000, context: 128000 }
`;
}

/** Plays caller and children; counts how many replies are under way. */
function benchModel(children: number, seen: { now: number; peak: number; replies: number }): ChatModel {
  const tasks = Array.from({ length: children }, (_, index) => ({ goal: `Take all steps of part ${index + 1}.` }));
  const model = scriptedModel((messages, opening) => {
    const results = messages.filter((message) => message.role === 'tool').length;
    if (opening.agent !== 'worker') {
      if (results > 0) return { delayMs: ANSWER_MS, text: 'Done.' };
      return { delayMs: ANSWER_MS, calls: [{ tool: 'worker', input: { why: 'parallelism', because: 'independent parts', tasks } }] };
    }
    if (results < STEPS) return { delayMs: ANSWER_MS, calls: [{ tool: 'take_step', input: { step: results + 1 } }] };
    return { delayMs: ANSWER_MS, text: 'Every step was taken.' };
  });
  return {
    ...model,
    startConversation: (opening) => {
      const conversation = model.startConversation(opening);
      const reply: typeof conversation.reply = async (request) => {
        seen.replies++;
        seen.peak = Math.max(seen.peak, ++seen.now);
        try {
          return await conversation.reply(request);
        } finally {
          seen.now--;
        }
      };
      return { ...conversation, reply };
    },
  };
}

async function measure(workspace: Workspace, { children, concurrency, bar }: Workload): Promise<void> {
  const seen = { now: 0, peak: 0, replies: 0 };
  const model = benchModel(children, seen);
  const scope = new Scope();
  const idle = process.memoryUsage.rss();
  let most = idle;
  const sampler = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 20);
  const cpu = process.cpuUsage();
  const started = performance.now();
  const agent = workspace.agent(`boss-${concurrency}`);
  const delegated = { from: 0, to: 0 };
  const onEvent = ({ body }: Event): void => {
    if (body.type === 'delegation.started') delegated.from = performance.now();
    if (body.type === 'child.concluded') delegated.to = performance.now();
  };
  const report = await runSession({ workspace, agent, question: 'Do it all.', model, scope, work: new Scope(scope), onEvent });
  const wall = performance.now() - started;
  const { user, system } = process.cpuUsage(cpu);
  clearInterval(sampler);
  most = Math.max(most, process.memoryUsage.rss());
  const expected = CALLER_REPLIES + children * (STEPS + 1);
  if (report.status !== 'ok' || seen.replies !== expected) throw new Error(`${report.status}, ${seen.replies} replies, not ${expected}`);
  const ideal = ANSWER_MS * Math.ceil(children / concurrency) * (STEPS + 1);
  const took = delegated.to - delegated.from;
  const whole = ideal + ANSWER_MS * CALLER_REPLIES;
  const figures = [
    `${children} children at ${concurrency}`,
    `the children ${took.toFixed(0)} ms = ${(took / ideal).toFixed(2)} x ideal ${ideal} ms (bar ${bar})`,
    `the session ${wall.toFixed(0)} ms = ${(wall / whole).toFixed(2)} x ideal ${whole} ms`,
    `CPU ${((user + system) / 1000).toFixed(0)} ms`,
    `${((most - idle) / 2 ** 20).toFixed(0)} MB above ${(idle / 2 ** 20).toFixed(0)} MB`,
    `replies at once ${seen.peak}`,
    `load ${loadavg()[0]?.toFixed(1)}`,
  ];
  process.stdout.write(`${figures.join(' | ')}\n`);
}

const folder = mkdtempSync(join(tmpdir(), 'soloist-bench-'));
try {
  for (const [path, text] of Object.entries(PROJECT)) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const workspace = await openWorkspace({ folder, sourceFlags: [], environment: { SOLOIST_HOME: join(folder, 'home') } });
  await workspace.openLog();
  for (const workload of WORKLOADS) {
    for (let round = 0; round < Number(process.argv[2] ?? 3); round++) await measure(workspace, workload);
  }
  await workspace.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
