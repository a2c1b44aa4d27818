// The project itself: its own loop, its own Ollama model, streaming on, every step in the SQLite log before the next.
// SOLOIST_DIST names the compiled project; the repository's dist/ unless set.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, exec, shape } from '../../harness/common.mjs';

const dist = resolve(process.env.SOLOIST_DIST ?? join(import.meta.dirname, '../../../../dist'));
const load = (path) => import(pathToFileURL(join(dist, 'src', path)).href);
const { z } = await import(import.meta.resolve('zod', pathToFileURL(join(dist, 'src/')).href));
const [{ runAgent }, { Recorder }, { openEventLog }, { createOllamaModel }, { defineTool }, { complete }, { Scope }, { DEFAULT_LIMITS }] =
  await Promise.all([
    load('agent/run-agent.js'), load('agent/recorder.js'), load('store/open-event-log.js'), load('models/ollama/ollama-model.js'),
    load('core/tool.js'), load('core/tool-result.js'), load('core/scope.js'), load('core/agent-spec.js'),
  ]);

export const note = 'streams, log on (SQLite, WAL, two commits a step), limits, permissions, typed results';

// The scripted server knows no /api/show and repeats its words, so the model is neither inspected nor watched for loops.
const settings = { inspect: false, detectLoops: false };
const limits = { ...DEFAULT_LIMITS, turns: 1e6, tokens: 1e12, toolCalls: 1e6, contextTokens: 1e7, outputTokens: 4096, parallelCalls: 64 };
const catalog = { all: [], pick: async () => { throw new Error('no source'); }, withCapability: async () => [] };

export async function setup({ origin, w }) {
  if (w.kind === 'sub') throw new Error('subagents are not measured yet');
  const tool = defineTool({
    name: w.tool, description: describe[w.tool], effect: 'read',
    input: shape(z), output: z.string(), run: async (input) => complete(await exec[w.tool](input)),
  });
  const model = createOllamaModel({ name: w.model(), host: origin, settings });
  const folder = mkdtempSync(join(tmpdir(), 'soloist-overhead-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const log = process.env.NOLOG ? { append() {}, putBlob: () => '', getBlob: () => undefined, read: () => [] } : await openEventLog({ folder, tenant: 'local' });
  let deltas = 0, runs = 0;
  return async () => {
    const session = `s-bench-${runs++}`;
    const recorder = new Recorder({ log, session, round: 1, agent: 'main', now: () => new Date(), listeners: [] });
    recorder.record({ type: 'session.opened', project: 'bench', agent: 'bench', question: w.prompt, model: model.id, version: '0', sources: [] });
    const scope = new Scope();
    const conclusion = await runAgent({
      spec: { name: 'bench', limits }, task: { goal: w.prompt }, system: '', model, recorder, sources: [], scope, work: new Scope(scope),
      dispatcher: {
        agent: 'main', tools: new Map([[tool.name, tool]]), permissions: { allow: [], ask: [], deny: [] }, sources: catalog, approve: undefined,
        now: () => new Date(), resultIds: () => recorder.state.resultIds, readReference: () => undefined,
      },
      onDelta: () => { deltas++; },
    });
    recorder.record({ type: 'session.closed', status: conclusion.status });
    recorder.flush();
    if (conclusion.status !== 'ok') throw new Error(`${conclusion.status}: ${conclusion.reason}`);
    return conclusion.text;
  };
}
