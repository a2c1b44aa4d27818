import { describe, expect, it } from 'vitest';
import { chooseModel } from '../../../src/models/ollama/choose-model.ts';
import { type InstalledModel, probeModels } from '../../../src/models/ollama/probe.ts';
import { resolveModel } from '../../../src/models/resolve-model.ts';
import { startFakeOllama } from '../../support/fake-ollama.ts';

function choose(...models: (Partial<InstalledModel> & { name: string })[]): string | undefined {
  return chooseModel({ host: 'h', reachable: true, models: models.map((model) => ({ remote: false, ...model })) })?.name;
}

describe('probeModels', () => {
  it('tells the version and what each model can do', async () => {
    const tags = [
      { name: 'qwen3:8b', size: 5_200_000_000, details: { family: 'qwen3', parameter_size: '8.2B' } },
      { name: 'nomic-embed-text:latest', details: { family: 'nomic-bert', parameter_size: '137M' } },
      { name: 'big:cloud', remote_host: 'https://ollama.com' },
    ];
    const show = (model: string): Record<string, unknown> =>
      model === 'qwen3:8b'
        ? {
            capabilities: ['completion', 'tools', 'thinking'],
            model_info: { 'general.architecture': 'qwen3', 'qwen3.context_length': 40_960 },
          }
        : { capabilities: ['embedding'] };
    const fake = await startFakeOllama({ tags, show });
    const probe = await probeModels({ environment: { OLLAMA_HOST: fake.host } });
    await fake.close();
    expect(probe).toEqual({
      host: fake.host,
      reachable: true,
      version: '0.33.0',
      models: [
        {
          name: 'qwen3:8b',
          remote: false,
          parameterSize: '8.2B',
          family: 'qwen3',
          bytes: 5_200_000_000,
          trainedWindow: 40_960,
          tools: true,
          thinking: true,
          chat: true,
          embedding: false,
        },
        {
          name: 'nomic-embed-text:latest',
          remote: false,
          parameterSize: '137M',
          family: 'nomic-bert',
          tools: false,
          thinking: false,
          chat: false,
          embedding: true,
        },
        { name: 'big:cloud', remote: true },
      ],
    });
    expect(chooseModel(probe)?.name).toBe('qwen3:8b');
  });

  it('says what is wrong when nothing answers', async () => {
    const fake = await startFakeOllama();
    await fake.close();
    expect(await probeModels({ host: fake.host })).toMatchObject({ reachable: false, models: [], failure: { kind: 'unreachable' } });
  });

  it('takes another server for what it is', async () => {
    const fake = await startFakeOllama();
    expect(await probeModels({ host: `${fake.host}/elsewhere/api/nothing` })).toMatchObject({ host: `${fake.host}/elsewhere/api/nothing` });
    await fake.close();
  });
});

describe('chooseModel', () => {
  it('takes no model that runs elsewhere or only embeds', () => {
    expect(choose({ name: 'a', remote: true }, { name: 'b', chat: false }, { name: 'mxbai-embed-large' })).toBeUndefined();
  });

  it('takes one without tools where there is no other, the largest first', () => {
    const large = { name: 'zephyr:70b', tools: false, parameterSize: '70B' };
    const small = { name: 'gemma:2b', tools: false, parameterSize: '2B' };
    expect(choose(small, large, { name: 'big', remote: true, tools: true })).toBe('zephyr:70b');
    expect(choose(large, { name: 'tiny:1b', parameterSize: '1B' })).toBe('tiny:1b');
    expect(choose(large, small, { name: 'tiny:1b', tools: true, parameterSize: '1B' })).toBe('tiny:1b');
  });

  it('prefers a known tool caller, then the larger one', () => {
    expect(choose({ name: 'phi9:70b', tools: true, parameterSize: '70B' }, { name: 'qwen3:8b', tools: true, parameterSize: '8.2B' })).toBe(
      'qwen3:8b',
    );
    expect(
      choose({ name: 'qwen3:8b', tools: true, parameterSize: '8.2B' }, { name: 'llama3.1:70b', tools: true, parameterSize: '70.6B' }),
    ).toBe('llama3.1:70b');
    expect(
      choose({ name: 'smollm:135m', tools: true, parameterSize: '135M' }, { name: 'zephyr:7b', tools: true, parameterSize: '7B' }),
    ).toBe('zephyr:7b');
  });

  it('prefers a model known to take tools to one of which nothing is known', () => {
    expect(choose({ name: 'qwen3:32b', parameterSize: '32B' }, { name: 'other:3b', tools: true, parameterSize: '3B' })).toBe('other:3b');
    expect(choose({ name: 'qwen3:32b', parameterSize: '32B' })).toBe('qwen3:32b');
  });
});

describe('resolveModel', () => {
  it('finds models by id and by the name of the project', async () => {
    expect((await resolveModel('ollama/qwen3:8b', {}, {})).id).toBe('ollama/qwen3:8b');
    expect((await resolveModel('fast', { fast: { model: 'ollama/library/x:1b' } }, {})).id).toBe('ollama/library/x:1b');
    expect((await resolveModel('openai/Qwen/Qwen3-8B', {}, {})).id).toBe('openai/Qwen/Qwen3-8B');
  });

  it('names what exists where a name means nothing', async () => {
    await expect(resolveModel('opnai/gpt', {}, {})).rejects.toMatchObject({
      code: 'configuration',
      fix: expect.stringContaining('ollama/'),
    });
    await expect(resolveModel('fsat', { fast: { model: 'ollama/x' } }, {})).rejects.toMatchObject({
      code: 'configuration',
      fix: expect.stringContaining('"fast"'),
    });
    await expect(resolveModel('ollama/x', {}, { OLLAMA_HOST: 'ftp://x' })).rejects.toMatchObject({ code: 'configuration' });
  });
});
