import { describe, expect, it } from 'vitest';
import type { EmbeddingModel, EmbeddingPurpose, EmbeddingReply } from '../../../src/core/embedding-model.ts';
import { Scope } from '../../../src/core/scope.ts';
import { prefixProfileOf } from '../../../src/models/embedding/prefix-profile.ts';
import { resolveEmbeddingModel } from '../../../src/models/resolve-embedding-model.ts';
import type { FakeEmbedding } from '../../../src/testing/fake-embed.ts';
import { startFakeOllama } from '../../../src/testing/fake-ollama.ts';
import { startFakeOpenAi } from '../../../src/testing/fake-openai.ts';
import type { FakeServer } from '../../../src/testing/fake-server.ts';

const SHOW = { capabilities: ['embedding'], model_info: { 'general.architecture': 'nomic-bert', 'nomic-bert.context_length': 2_048 } };

interface Work {
  readonly model: EmbeddingModel;
  readonly fake: FakeServer;
  embed(texts: readonly string[], purpose?: EmbeddingPurpose): Promise<EmbeddingReply>;
  /** The texts of each request, as they were sent. */
  inputs(): string[][];
}

async function withServer(
  kind: 'ollama' | 'openai',
  how: FakeEmbedding & { name?: string },
  work: (work: Work) => Promise<void>,
): Promise<void> {
  const fake = kind === 'ollama' ? await startFakeOllama({ embed: how, show: SHOW }) : await startFakeOpenAi({ embed: how });
  const environment = { OLLAMA_HOST: fake.host, OPENAI_BASE_URL: `${fake.host}/v1`, OPENAI_API_KEY: 'k' };
  const model = await resolveEmbeddingModel(`${kind}/${how.name ?? 'all-minilm'}`, {}, environment);
  try {
    await work({
      model,
      fake,
      embed: (texts, purpose = 'document') => model.embed(texts, purpose, new Scope()),
      inputs: () => fake.requests.flatMap(({ path, body }) => (/embed/.test(path) ? [body.input as string[]] : [])),
    });
  } finally {
    await model.close();
    await fake.close();
  }
}

function vectorsOf(reply: EmbeddingReply): number[][] {
  if (!reply.ok) throw new Error(`${reply.failure.kind}: ${reply.failure.message}`);
  return reply.vectors.map((vector) => [...vector]);
}

for (const kind of ['ollama', 'openai'] as const) {
  describe(`${kind} embeddings`, () => {
    it('behaviour 60: order is kept, vectors have length 1 and one size', async () => {
      // The server's vectors are of length 5 and 13; those of one text each are what a batch must give too.
      const vectorOf = (text: string): number[] => (text === 'a' ? [3, 4, 0] : [5, 0, 12]);
      await withServer(kind, { vectorOf }, async ({ embed }) => {
        const vectors = vectorsOf(await embed(['b', 'a', 'b']));
        expect(vectors.map((vector) => vector.map((value) => value.toFixed(4)))).toEqual([
          ['0.3846', '0.0000', '0.9231'],
          ['0.6000', '0.8000', '0.0000'],
          ['0.3846', '0.0000', '0.9231'],
        ]);
      });
    });

    it('behaviour 60: a vector of another size is an error that names the model and both sizes', async () => {
      const vectorOf = (text: string): number[] => (text === 'odd' ? [1, 0] : [1, 0, 0]);
      await withServer(kind, { vectorOf }, async ({ embed }) => {
        const message = expect.stringMatching(/all-minilm made a vector of 2 numbers after vectors of 3/);
        expect(await embed(['a', 'odd'])).toMatchObject({ ok: false, failure: { kind: 'protocol', message } });
        expect((await embed(['a'])).ok).toBe(true);
        expect(await embed(['odd'])).toMatchObject({ ok: false, failure: { message } });
      });
    });

    it('behaviour 60: many texts go out in batches and come back in order', async () => {
      await withServer(kind, {}, async ({ embed, inputs }) => {
        const texts = Array.from({ length: 100 }, (_, index) => `text ${'x'.repeat(index)}`);
        const together = vectorsOf(await embed(texts));
        expect(inputs().flat()).toEqual(texts);
        expect(inputs().length).toBeGreaterThan(1);
        expect(inputs().length).toBeLessThan(10);
        expect(vectorsOf(await embed([texts[57] as string]))[0]).toEqual(together[57]);
      });
    });

    it('behaviour 61: an empty text is never sent and has a vector of zeros', async () => {
      await withServer(kind, { dimensions: 4 }, async ({ embed, inputs }) => {
        expect(vectorsOf(await embed([]))).toEqual([]);
        expect(vectorsOf(await embed(['', ' \n']))).toEqual([[], []]);
        expect(inputs()).toEqual([]);
        const [first, second, third] = vectorsOf(await embed(['', 'word', '']));
        expect(first).toEqual([0, 0, 0, 0]);
        expect(third).toEqual(first);
        expect(Math.hypot(...(second as number[]))).toBeCloseTo(1, 5);
        expect(inputs()).toEqual([['word']]);
      });
    });

    it('behaviour 62: one bad text fails its batch, is found by halving and told by its place; the others succeed', async () => {
      const poison = (text: string): boolean => text.includes('poison');
      await withServer(kind, { poison }, async ({ embed, inputs }) => {
        const texts = Array.from({ length: 16 }, (_, index) => (index === 11 ? 'poison' : `text ${index}`));
        const reply = await embed(texts);
        expect(reply).toMatchObject({ ok: true, rejected: [{ place: 11, failure: { message: expect.stringContaining('NaN') } }] });
        const norms = vectorsOf(reply).map((vector) => Math.round(Math.hypot(...vector)));
        expect(norms).toEqual(texts.map((text) => (text === 'poison' ? 0 : 1)));
        // 16, then 8 + 8, 4 + 4, 2 + 2 and 1 + 1 of the halves that fail.
        expect(inputs()).toHaveLength(9);
      });
    });

    it('behaviour 62: a text that is too long is cut until it fits, and is told', async () => {
      await withServer(kind, { windowTokens: 1_000 }, async ({ embed, inputs }) => {
        const reply = await embed(['short', 'word '.repeat(1_200), 'also short']);
        expect(reply).toMatchObject({ ok: true, shortened: [1] });
        expect(vectorsOf(reply).map((vector) => Math.round(Math.hypot(...vector)))).toEqual([1, 1, 1]);
        const longest = inputs()
          .flat()
          .filter((text) => text.startsWith('word'))
          .at(-1) as string;
        expect(longest.length).toBeLessThanOrEqual(4_000);
        expect(longest.length).toBeGreaterThan(3_000);
      });
    });

    it('behaviour 62: a server that fails every text is not asked to the end', async () => {
      await withServer(kind, { poison: () => true }, async ({ embed, inputs }) => {
        const texts = Array.from({ length: 32 }, (_, index) => `text ${index}`);
        expect(await embed(texts)).toMatchObject({ ok: false, failure: { message: expect.stringContaining('NaN') } });
        expect(inputs().length).toBeLessThan(15);
      });
    });
  });
}

describe('ollama embeddings', () => {
  it('behaviour 63: a text that the server cut without a word is told', async () => {
    await withServer('ollama', { cutsSilently: true, windowTokens: 512 }, async ({ embed }) => {
      expect(await embed(['short', 'word '.repeat(1_500)])).toMatchObject({ ok: true, shortened: [1], inputTokens: 514 });
    });
  });

  it('behaviour 63: the server is told not to cut, and its batch is as large as its window', async () => {
    await withServer('ollama', {}, async ({ embed, fake }) => {
      await embed(['a']);
      const { body } = fake.requests.at(-1) ?? {};
      expect(body).toMatchObject({ truncate: false, options: { num_ctx: 2_048, num_batch: 2_048 } });
    });
  });

  it('behaviour 59: a model that runs elsewhere gets no text', async () => {
    const fake = await startFakeOllama({ show: { ...SHOW, remote_host: 'https://ollama.com:443' } });
    const model = await resolveEmbeddingModel('ollama/x', {}, { OLLAMA_HOST: fake.host });
    expect(await model.embed(['secret'], 'document', new Scope())).toMatchObject({ ok: false, failure: { kind: 'refused' } });
    expect(fake.requests.map(({ path }) => path)).toEqual(['/api/show']);
    await model.close();
    await fake.close();
  });
});

describe('prefixes of embedding models', () => {
  it('behaviour 64: documents and questions bear the prefixes of the model’s family', async () => {
    for (const kind of ['ollama', 'openai'] as const) {
      await withServer(kind, { name: 'nomic-embed-text:v1.5' }, async ({ embed, inputs, model }) => {
        await embed(['tables'], 'document');
        await embed(['tables?'], 'query');
        expect(inputs()).toEqual([['search_document: tables'], ['search_query: tables?']]);
        expect(model.prefixes).toBe('nomic/1');
      });
    }
  });

  it.each([
    ['nomic-embed-text', 'nomic/1'],
    ['hf.co/nomic-ai/nomic-embed-text-v2-moe-GGUF:Q8_0', 'nomic/1'],
    ['intfloat/e5-base-v2', 'e5/1'],
    ['jeffh/intfloat-multilingual-e5-large:f16', 'e5/1'],
    ['multilingual-e5-large-instruct', 'instruct/1'],
    ['bge-large:335m-en-v1.5', 'retrieve/1'],
    ['BAAI/bge-small-en-v1.5', 'retrieve/1'],
    ['bge-m3', 'none/1'],
    ['mxbai-embed-large', 'retrieve/1'],
    ['snowflake-arctic-embed:335m', 'retrieve/1'],
    ['snowflake-arctic-embed2', 'arctic/2'],
    ['embeddinggemma:300m', 'embeddinggemma/1'],
    ['qwen3-embedding:0.6b', 'instruct/1'],
    ['all-minilm', 'none/1'],
    ['text-embedding-3-small', 'none/1'],
    ['granite-embedding:30m', 'none/1'],
    ['paraphrase-multilingual', 'none/1'],
  ])('behaviour 64: %s has the profile %s', (name, id) => {
    expect(prefixProfileOf(name).id).toBe(id);
  });

  it('behaviour 64: another template has another name, so that an index made with it is known to be old', () => {
    const names = ['nomic-embed-text', 'e5-base', 'bge-base', 'snowflake-arctic-embed2', 'embeddinggemma', 'qwen3-embedding', 'all-minilm'];
    const profiles = names.map(prefixProfileOf);
    expect(new Set(profiles.map(({ id }) => id)).size).toBe(names.length);
    expect(new Set(profiles.map(({ document, query }) => `${document}|${query}`)).size).toBe(names.length);
  });
});

describe('resolveEmbeddingModel', () => {
  it('finds models by id and by the name of the project', async () => {
    const models = { embedding: { model: 'ollama/nomic-embed-text' } };
    expect((await resolveEmbeddingModel('embedding', models, {})).id).toBe('ollama/nomic-embed-text');
    expect((await resolveEmbeddingModel('openai/text-embedding-3-small', models, {})).id).toBe('openai/text-embedding-3-small');
  });

  it('names what may be written where a name means nothing', async () => {
    const fix = expect.stringContaining('ollama/nomic-embed-text');
    await expect(resolveEmbeddingModel('embeding', { embedding: { model: 'ollama/x' } }, {})).rejects.toMatchObject({
      code: 'configuration',
      fix: expect.stringContaining('"embedding"'),
    });
    await expect(resolveEmbeddingModel('embedding', { embedding: { model: 'rules' } }, {})).rejects.toMatchObject({
      where: 'models.embedding',
      fix,
    });
  });

  it('says what is wrong when no server is there or the model is not', async () => {
    const fake = await startFakeOllama({ show: () => undefined });
    const model = await resolveEmbeddingModel('ollama/x', {}, { OLLAMA_HOST: fake.host });
    expect(await model.embed(['a'], 'query', new Scope())).toMatchObject({
      ok: false,
      failure: { kind: 'model_not_found', fix: 'ollama pull x' },
    });
    await fake.close();
    expect(await model.embed(['a'], 'query', new Scope())).toMatchObject({ ok: false, failure: { kind: 'unreachable' } });
    await model.close();
  });
});
