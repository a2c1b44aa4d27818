import { afterEach, describe, expect, it } from 'vitest';
import type { DoctorCheck } from '../../src/app/doctor.ts';
import { checkModels } from '../../src/app/doctor-models.ts';
import type { ModelSettings, Project } from '../../src/core/project.ts';
import { done, type FakeAnswer, part } from '../../src/testing/fake-answer.ts';
import { startFakeOllama } from '../../src/testing/fake-ollama.ts';
import { startFakeOpenAi } from '../../src/testing/fake-openai.ts';
import type { FakeServer } from '../../src/testing/fake-server.ts';

const servers: FakeServer[] = [];
const SLOW: FakeAnswer = { steps: [part({ content: '1 2' }), { waitMs: 60 }, part({ content: ' 3' }), done()] };
const TAGS = [{ name: 'small:1b', details: { family: 'fake', parameter_size: '1B' } }];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function started<Server extends FakeServer>(starting: Promise<Server>): Promise<Server> {
  const server = await starting;
  servers.push(server);
  return server;
}

async function examine(environment: Record<string, string>, models: Record<string, ModelSettings> = {}): Promise<Map<string, DoctorCheck>> {
  const checks = new Map<string, DoctorCheck>();
  const project = { models } as unknown as Project;
  for await (const check of checkModels({ project, environment: { OLLAMA_HOST: 'http://127.0.0.1:9', ...environment } }))
    checks.set(check.name, check);
  return checks;
}

describe('the doctor and model servers', () => {
  it('finds that a server of one slot answers one call at a time', async () => {
    const fake = await started(startFakeOllama({ chat: [SLOW], slots: 1, tags: TAGS }));
    const check = (await examine({ OLLAMA_HOST: fake.host })).get('Parallel calls');
    expect(check).toEqual({
      name: 'Parallel calls',
      status: 'ok',
      found: 'ollama/small:1b answers one call at a time (1 call of ours at once)',
    });
    expect(fake.chats).toHaveLength(3);
    expect(fake.chats[0]?.body).toMatchObject({ options: { num_ctx: 16_384, num_predict: 48 } });
    const models = { default: { model: 'ollama/small:1b', parallel: 3 } };
    const warned = (await examine({ OLLAMA_HOST: fake.host }, models)).get('Parallel calls');
    expect(warned).toMatchObject({ status: 'warning', fix: expect.stringContaining('OLLAMA_NUM_PARALLEL') });
  });

  it('finds that a server of more slots answers two calls at the same time', async () => {
    const fake = await started(startFakeOllama({ chat: [SLOW], slots: 2, tags: TAGS }));
    const check = (await examine({ OLLAMA_HOST: fake.host })).get('Parallel calls');
    expect(check).toMatchObject({ status: 'ok', found: expect.stringMatching(/two calls at the same time.*parallel/) });
  });

  it('says why a model could not be tried', async () => {
    const fake = await started(startFakeOllama({ tags: TAGS, chat: [{ status: 500, steps: [{ raw: '{"error":"no memory"}' }] }] }));
    const models = { default: { model: 'ollama/small:1b' } };
    const check = (await examine({ OLLAMA_HOST: fake.host }, models)).get('Parallel calls');
    expect(check).toMatchObject({ status: 'warning', found: expect.stringContaining('no memory') });
  });

  it('looks at an OpenAI-compatible server where one is named', async () => {
    expect((await examine({})).has('OpenAI-compatible server')).toBe(false);
    const fake = await started(startFakeOpenAi({ models: [{ id: 'qwen' }, { id: 'gemma' }], apiKey: 'k', chat: [SLOW] }));
    const environment = { OPENAI_BASE_URL: fake.baseUrl, OPENAI_API_KEY: 'k' };
    const checks = await examine(environment, { default: { model: 'openai/qwen' } });
    expect(checks.get('OpenAI-compatible server')).toMatchObject({ status: 'ok', found: `${fake.baseUrl}: qwen, gemma` });
    expect(checks.get('Parallel calls')).toMatchObject({ status: 'ok', found: expect.stringContaining('openai/qwen answers two calls') });
    const missing = (await examine(environment, { default: { model: 'openai/other' } })).get('OpenAI-compatible server');
    expect(missing).toMatchObject({ status: 'warning', found: expect.stringContaining('does not list other') });
  });

  it('spends nothing on OpenAI’s own service', async () => {
    const { checkParallel } = await import('../../src/app/doctor-parallel.ts');
    expect(await checkParallel('openai/gpt', {}, { OPENAI_API_KEY: 'k' })).toMatchObject({
      status: 'skipped',
      found: expect.stringContaining('costs'),
    });
  });

  it('fails an OpenAI-compatible server that is not there or wants another key', async () => {
    const fake = await started(startFakeOpenAi({ apiKey: 'k' }));
    const models = { default: { model: 'openai/qwen' } };
    const refused = (await examine({ OPENAI_BASE_URL: fake.baseUrl }, models)).get('OpenAI-compatible server');
    expect(refused).toMatchObject({ status: 'failed', fix: expect.stringContaining('OPENAI_API_KEY') });
    const gone = (await examine({ OPENAI_BASE_URL: 'http://127.0.0.1:9' }, models)).get('OpenAI-compatible server');
    expect(gone).toMatchObject({ status: 'failed', found: expect.stringContaining('127.0.0.1:9') });
  });
});
