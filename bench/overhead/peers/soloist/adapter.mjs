// The project itself: its own loop, its own Ollama model, streaming on, every step in the SQLite log before the next.
// SOLOIST_DIST names the compiled project; the repository's dist/ unless set.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, exec, shape, sub } from '../../harness/common.mjs';

const dist = resolve(process.env.SOLOIST_DIST ?? join(import.meta.dirname, '../../../../dist'));
const load = (path) => import(pathToFileURL(join(dist, 'src', path)).href);
const { z } = await import(import.meta.resolve('zod', pathToFileURL(join(dist, 'src/')).href));
const [{ runAgent }, { Recorder }, { openEventLog }, { createOllamaModel }, { defineTool }, { complete }, { Scope }, { DEFAULT_LIMITS }, team] =
  await Promise.all([
    load('agent/run-agent.js'), load('agent/recorder.js'), load('store/open-event-log.js'), load('models/ollama/ollama-model.js'),
    load('core/tool.js'), load('core/tool-result.js'), load('core/scope.js'), load('core/agent-spec.js'),
    process.argv[3] === 'W3' || process.argv[3] === 'W4' ? load('app/agent-team.js') : undefined,
  ]);

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

/** Subagents through the delegation itself: one tool, one child for each of its calls, all on one model with `w.conc` places. */
async function setupTeam({ origin, w }) {
  const common = { model: 'bench', permissions: { allow: [], ask: [], deny: [] }, skills: [], file: '' };
  const worker = { ...common, name: sub.name, description: sub.description, instructions: sub.prompt, tools: ['step'], subagents: [], limits: { ...limits, turns: 100, tokens: 1e9, toolCalls: 100 } };
  const justification = { buys: ['context_isolation'], because: 'The work of a task is longer than its result.' };
  const boss = { ...common, name: 'bench', description: 'Leads.', instructions: '', tools: [], subagents: [{ agent: worker.name, justification, concurrency: w.conc }], limits: { ...limits, parallelCalls: w.conc } };
  const args = { tasks: [{ goal: 'Do task {i} with your tool.' }], why: 'context_isolation', because: 'long work, short result' };
  const model = createOllamaModel({ name: w.orchestrator(worker.name, args), host: origin, settings });
  const workers = createOllamaModel({ name: w.subModel(), host: origin, settings: { ...settings, parallel: w.conc } });
  const step = toolNamed('step');
  const workspace = { project: { name: 'bench', permissions: common.permissions }, tools: new Map([['step', step]]), catalog, agent: () => worker };
  const log = await openLog();
  let runs = 0;
  const start = (session) => {
    const shared = { workspace, session, log, now: () => new Date(), listeners: [], approve: undefined, modelFor: async () => workers };
    const member = team.joinTeam(shared, { spec: boss, path: 'main', callers: [], depthLeft: 1 });
    return { spec: boss, recorder: member.recorder, dispatcher: team.dispatcherFor(member) };
  };
  return async () => {
    const { conclusion, recorder } = await runOnce({ session: `s-bench-${runs++}`, prompt: w.prompt, model, start });
    const gaps = [...recorder.state.conclusions.values()].filter((one) => one.status !== 'ok');
    if (gaps.length || recorder.state.conclusions.size !== w.subs) throw new Error(`${recorder.state.conclusions.size} conclusions, not ok: ${gaps.map((one) => `${one.status} ${one.reason}`).slice(0, 3)}`);
    return conclusion.text;
  };
}
