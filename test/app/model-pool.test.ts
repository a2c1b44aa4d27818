import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createModelPool } from '../../src/app/model-pool.ts';
import { createTraitMemory } from '../../src/app/trait-memory.ts';
import { openWorkspace, type Workspace } from '../../src/app/workspace.ts';
import type { ChatModel, ModelReply } from '../../src/core/model.ts';
import { Scope } from '../../src/core/scope.ts';
import { done, type FakeAnswer, fails, part, says } from '../../src/testing/fake-answer.ts';
import { startFakeOllama } from '../../src/testing/fake-ollama.ts';
import { startFakeOpenAi } from '../../src/testing/fake-openai.ts';
import type { FakeServer } from '../../src/testing/fake-server.ts';

const servers: FakeServer[] = [];
const folders: string[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

async function started<Server extends FakeServer>(starting: Promise<Server>): Promise<Server> {
  const server = await starting;
  servers.push(server);
  return server;
}

async function withProject<Result>(
  { models, ...environment }: { models: string; OLLAMA_HOST?: string; OPENAI_BASE_URL?: string },
  work: (workspace: Workspace) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'soloist-models-'));
  folders.push(folder);
  writeFileSync(join(folder, 'soloist.yaml'), `name: test\nmodels:\n${models}\n`);
  const workspace = await openWorkspace({
    folder,
    sourceFlags: [],
    environment: { SOLOIST_HOME: join(folder, 'home'), HOME: folder, ...environment },
  });
  try {
    return await work(workspace);
  } finally {
    await workspace.close();
  }
}

function ask(model: ChatModel, contextTokens = 4_096): Promise<ModelReply> {
  const conversation = model.startConversation({
    agent: 'a',
    system: 's',
    tools: [],
    task: { goal: 'go' },
    sources: [],
    maxOutputTokens: 64,
    contextTokens,
  });
  conversation.append({ role: 'user', content: 'go' });
  return conversation.reply({ scope: new Scope(), withTools: true });
}

describe('the models of a session', () => {
  it('are two for two names with settings of their own, and share the places at their server', async () => {
    const slow: FakeAnswer = { steps: [part({ content: 'a' }), { waitMs: 30 }, done()] };
    let now = 0;
    let most = 0;
    const fake = await started(
      startFakeOllama({
        chat: () => {
          most = Math.max(most, ++now);
          setTimeout(() => now--, 25);
          return slow;
        },
      }),
    );
    const models = '  default: {model: ollama/x, temperature: 0}\n  critic: {model: ollama/x, temperature: 0.9}';
    await withProject({ models, OLLAMA_HOST: fake.host }, async (workspace) => {
      const pool = createModelPool(workspace, undefined);
      const agent = workspace.agent('investigator');
      const first = (await pool.choose({ ...agent, name: 'one', model: 'default' })).model;
      const second = (await pool.choose({ ...agent, name: 'two', model: 'critic' })).model;
      expect((await pool.choose({ ...agent, name: 'three', model: 'critic' })).model).toBe(second);
      await Promise.all([ask(first), ask(second), ask(first)]);
      expect(new Set(fake.chats.map(({ body }) => (body.options as { temperature: number }).temperature))).toEqual(new Set([0, 0.9]));
      expect(most).toBe(1);
      await pool.close();
    });
  });

  it('ask for the largest window that any agent of the run wants', async () => {
    const fake = await started(startFakeOllama());
    await withProject({ models: '  default: ollama/x', OLLAMA_HOST: fake.host }, async (workspace) => {
      const pool = createModelPool(workspace, undefined);
      const agent = workspace.agent('investigator');
      const { model } = await pool.choose({ ...agent, limits: { ...agent.limits, contextTokens: 9_000 }, subagents: [] });
      await ask(model, 4_096);
      await ask(model, 9_000);
      expect(fake.chats.map(({ body }) => (body.options as { num_ctx: number }).num_ctx)).toEqual([9_000, 9_000]);
      await pool.close();
    });
  });

  it('fall back on the next when one fails, say so, and stay there', async () => {
    const broken = await started(startFakeOllama({ show: () => undefined }));
    const other = await started(startFakeOpenAi());
    const models = '  default: {model: ollama/x, fallback: [openai/y]}';
    await withProject({ models, OLLAMA_HOST: broken.host, OPENAI_BASE_URL: other.baseUrl }, async (workspace) => {
      const pool = createModelPool(workspace, undefined);
      const { model } = await pool.choose({ ...workspace.agent('investigator'), model: 'auto' });
      expect(model.id).toBe('ollama/x');
      const first = await ask(model);
      expect(first).toMatchObject({ ok: true, message: { content: 'hello' } });
      expect(first.notices).toMatchObject([
        { code: 'fell_back', message: expect.stringMatching(/ollama\/x failed \(model_not_found.*going on with openai\/y/) },
      ]);
      expect(model.id).toBe('openai/y');
      const again = await ask(model);
      expect(again).toMatchObject({ ok: true, notices: [] });
      expect(broken.requests.filter(({ path }) => path === '/api/show')).toHaveLength(1);
      await pool.close();
    });
  });

  it('carry the history over to the model they fall back on', async () => {
    const chat = (_: unknown, index: number): FakeAnswer => (index === 0 ? says('one') : fails(401, 'unauthorized'));
    const first = await started(startFakeOllama({ chat }));
    const other = await started(startFakeOpenAi());
    const models = '  default: {model: ollama/x, fallback: openai/y}';
    await withProject({ models, OLLAMA_HOST: first.host, OPENAI_BASE_URL: other.baseUrl }, async (workspace) => {
      const pool = createModelPool(workspace, undefined);
      const { model } = await pool.choose({ ...workspace.agent('investigator'), model: 'default' });
      const opening = { agent: 'a', system: 's', tools: [], task: { goal: 'go' }, sources: [], maxOutputTokens: 64, contextTokens: 4_096 };
      const conversation = model.startConversation(opening);
      conversation.append({ role: 'user', content: 'go' });
      await conversation.reply({ scope: new Scope(), withTools: true });
      conversation.append({ role: 'assistant', content: 'one' });
      conversation.append({ role: 'user', content: 'more' });
      expect(await conversation.reply({ scope: new Scope(), withTools: true })).toMatchObject({ ok: true, message: { content: 'hello' } });
      const sent = other.chats[0]?.body.messages;
      expect(sent).toMatchObject([{ content: 's' }, { content: 'go' }, { content: 'one' }, { content: 'more' }]);
      await pool.close();
    });
  });

  it('do not fall back for a full window or a stop', async () => {
    const full = await started(startFakeOllama({ chat: [fails(400, 'the prompt is longer than the context length currently available')] }));
    const other = await started(startFakeOpenAi());
    const models = '  default: {model: ollama/x, fallback: [openai/y]}';
    await withProject({ models, OLLAMA_HOST: full.host, OPENAI_BASE_URL: other.baseUrl }, async (workspace) => {
      const pool = createModelPool(workspace, undefined);
      const { model } = await pool.choose({ ...workspace.agent('investigator'), model: 'default' });
      expect(await ask(model)).toMatchObject({ ok: false, failure: { kind: 'context_overflow' } });
      expect(other.chats).toHaveLength(0);
      await pool.close();
    });
  });

  it('tell the cost of a call where they have a price', async () => {
    const fake = await started(startFakeOllama({ chat: [says('ok', { prompt_eval_count: 2_000, eval_count: 500 })] }));
    const models = '  default: {model: ollama/x, price: {input: 3, output: 15}}\n  free: ollama/y';
    await withProject({ models, OLLAMA_HOST: fake.host }, async (workspace) => {
      const pool = createModelPool(workspace, undefined);
      const agent = workspace.agent('investigator');
      const priced = await ask((await pool.choose({ ...agent, name: 'one', model: 'default' })).model);
      // 2,000 × 3 / 1,000,000 + 500 × 15 / 1,000,000
      expect(priced.usage.cost).toBeCloseTo(0.0135, 12);
      const free = await ask((await pool.choose({ ...agent, name: 'two', model: 'free' })).model);
      expect(free.usage).not.toHaveProperty('cost');
      await pool.close();
    });
  });
});

describe('what is remembered of models', () => {
  it('is kept in a file of the home folder, and a broken file is no harm', () => {
    const folder = mkdtempSync(join(tmpdir(), 'soloist-traits-'));
    folders.push(folder);
    const home = join(folder, 'not', 'yet');
    expect(createTraitMemory(home).recall('host x')).toBeUndefined();
    createTraitMemory(home).remember('host x', { digest: 'd', lacks: ['tools'] });
    createTraitMemory(home).remember('host y', { digest: 'e', lacks: ['thinking'] });
    expect(createTraitMemory(home).recall('host x')).toEqual({ digest: 'd', lacks: ['tools'] });
    writeFileSync(join(home, 'model-traits.json'), '{"host x": 7');
    expect(createTraitMemory(home).recall('host x')).toBeUndefined();
    createTraitMemory(home).remember('host z', { digest: 'f', lacks: [] });
    expect(createTraitMemory(home).recall('host z')).toEqual({ digest: 'f', lacks: [] });
    writeFileSync(join(folder, 'file'), '');
    expect(() => createTraitMemory(join(folder, 'file')).remember('host x', { digest: 'd', lacks: [] })).not.toThrow();
  });
});
