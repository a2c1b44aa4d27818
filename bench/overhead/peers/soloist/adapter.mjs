// The project itself: its own loop, its own Ollama model, streaming on, every step in the SQLite log before the next.
// SOLOIST_LOOP names another folder that `build-loop.mjs` wrote; the repository's own unless set.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, exec, shape, sub } from '../../harness/common.mjs';

const built = resolve(process.env.SOLOIST_LOOP ?? join(import.meta.dirname, '../../built'));
const { runAgent, Recorder, openEventLog, createOllamaModel, defineTool, complete, Scope, DEFAULT_LIMITS, z, loadSession } = await import(
  pathToFileURL(join(built, 'bench/overhead/loop.js')).href
);
const team = process.argv[3] === 'W3' || process.argv[3] === 'W4' ? await loadSession() : undefined;

export const note = 'streams, log on (SQLite, WAL, two commits a step), limits, permissions, typed results';

// The scripted server knows no /api/show and repeats its words, so the model is neither inspected nor watched for loops.
const settings = { inspect: false, detectLoops: false };
const limits = { ...DEFAULT_LIMITS, turns: 1e6, tokens: 1e12, toolCalls: 1e6, contextTokens: 1e7, outputTokens: 4096, parallelCalls: 64 };
const catalog = { all: [], pick: async () => { throw new Error('no source'); }, withCapability: async () => [] };

const toolNamed = (name) => defineTool({
  name, description: describe[name], effect: 'read',
  input: shape(z), output: z.string(), run: async (input) => complete(await exec[name](input)),
});

async function openLog() {
  if (process.env.NOLOG) return { append() {}, putBlob: () => '', getBlob: () => undefined, read: () => [] };
  const folder = mkdtempSync(join(tmpdir(), 'soloist-overhead-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return openEventLog({ folder, tenant: 'local' });
}

/** One run from the opening of its session to its closing; `start` makes the recorder and the rest of the agent's run. */
async function runOnce({ session, prompt, model, start }) {
  const scope = new Scope();
  const { recorder, ...rest } = start(session);
  recorder.record({ type: 'session.opened', project: 'bench', agent: 'bench', question: prompt, model: model.id, version: '0', sources: [] });
  const conclusion = await runAgent({ task: { goal: prompt }, system: '', model, recorder, sources: [], scope, work: new Scope(scope), ...rest });
  recorder.record({ type: 'session.closed', status: conclusion.status });
  recorder.flush();
  if (conclusion.status !== 'ok') throw new Error(`${conclusion.status}: ${conclusion.reason}`);
  return { conclusion, recorder };
}

export async function setup({ origin, w }) {
  if (w.kind === 'sub') return setupTeam({ origin, w });
  const tool = toolNamed(w.tool);
  const model = createOllamaModel({ name: w.model(), host: origin, settings });
  const log = await openLog();
  let deltas = 0, runs = 0;
  const start = (session) => {
    const recorder = new Recorder({ log, session, round: 1, agent: 'main', now: () => new Date(), listeners: [] });
    const dispatcher = {
      agent: 'main', agentName: 'bench', tools: new Map([[tool.name, tool]]), permissions: [{ allow: [], ask: [], deny: [] }], sources: catalog,
      approve: undefined, now: () => new Date(), resultIds: () => recorder.state.resultIds, readReference: () => undefined,
    };
    return { spec: { name: 'bench', limits }, recorder, dispatcher, onDelta: () => { deltas++; } };
  };
  return async () => (await runOnce({ session: `s-bench-${runs++}`, prompt: w.prompt, model, start })).conclusion.text;
}

/** A project as a user has it: a caller, a worker with one tool, no memory. */
function projectFiles(w) {
  const agent = (name, description, rest) => `name: ${name}
description: ${description}
instructions: ${JSON.stringify(sub.prompt)}
memory: { recall: false, write: false }
grounding: "off"
limits: { turns: 10000, tokens: 1000000000, tool_calls: 100000, context: 10000000, output: 4096, parallel: ${Math.min(64, w.conc)} }
${rest}`;
  const reason = 'justification: { buys: [context_isolation], because: The work of a task is longer than its result. }';
  return {
    'soloist.yaml': 'name: bench\nsources: {}\nmemory: { recall: false, write: false }\n',
    'agents/bench.yaml': agent('bench', 'Leads.', `subagents:\n  - agent: ${sub.name}\n    ${reason}\n    concurrency: ${w.conc}\n`),
    'agents/worker.yaml': agent(sub.name, JSON.stringify(sub.description), 'tools: [step]\n'),
    'tools/step.mjs': `import { complete, defineTool, z } from 'soloist';
import { describe, exec, shape } from ${JSON.stringify(pathToFileURL(join(import.meta.dirname, '../../harness/common.mjs')).href)};
export const step = defineTool({ name: 'step', description: describe.step, effect: 'read', input: shape(z), output: z.string(), run: async (input) => complete(await exec.step(input)) });
`,
  };
}

/** Subagents through a real session: one tool, one child for each of its calls, all on one model with `w.conc` places. */
async function setupTeam({ origin, w }) {
  const folder = mkdtempSync(join(tmpdir(), 'soloist-overhead-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(projectFiles(w))) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const { openWorkspace, runSession } = team;
  const workspace = await openWorkspace({ folder, sourceFlags: [], environment: { SOLOIST_HOME: join(folder, 'home') } });
  await workspace.openLog();
  const args = { tasks: [{ goal: 'Do task {i} with your tool.' }], why: 'context_isolation', because: 'long work, short result' };
  const model = createOllamaModel({ name: w.orchestrator(sub.name, args), host: origin, settings });
  const workers = createOllamaModel({ name: w.subModel(), host: origin, settings: { ...settings, parallel: w.conc } });
  const agent = workspace.agent('bench');
  return async () => {
    const scope = new Scope();
    const report = await runSession({ workspace, agent, question: w.prompt, model, modelFor: async () => workers, scope, work: new Scope(scope) });
    const ok = report.delegations.filter((one) => one.status === 'ok').length;
    if (report.status !== 'ok' || ok !== w.subs) throw new Error(`${report.status} ${report.reason ?? ''}: ${ok} of ${w.subs} delegations ok`);
    return report.answer;
  };
}
