import { describe, expect, it } from 'vitest';
import { Scope } from '../../../src/core/scope.ts';
import { ServerLink } from '../../../src/models/chat/server-link.ts';
import { compileHead } from '../../../src/models/ollama/compile-head.ts';
import { OLLAMA_DIALECT } from '../../../src/models/ollama/ollama-dialect.ts';
import { OLLAMA_HINTS } from '../../../src/models/ollama/ollama-hints.ts';
import { createOllamaModel } from '../../../src/models/ollama/ollama-model.ts';
import { says, startFakeOllama } from '../../support/fake-ollama.ts';
import { OPENING, replyTo, talk, textOf } from '../talk.ts';

const LONG = 'word '.repeat(12_000);

describe('ollama window and scheduling', () => {
  it('behaviour 52: tools and a format never go together', () => {
    const link = new ServerLink({
      name: 'm',
      host: 'http://127.0.0.1:1',
      settings: {},
      hints: OLLAMA_HINTS,
      dialect: OLLAMA_DIALECT,
      gate: undefined,
      memory: undefined,
    });
    const format = { type: 'object' };
    expect(() => compileHead(link, OPENING, { withTools: true, format, variation: {} })).toThrow(RangeError);
    expect(compileHead(link, OPENING, { withTools: false, format, variation: {} }).toString()).toContain('"format":{"type":"object"}');
  });

  it('behaviour 53: a prompt that the server cut to half its window is not taken for an answer', async () => {
    await talk({ chat: [says('I know nothing', { prompt_eval_count: 8_194 })] }, async ({ ask, conversation }) => {
      conversation.append({ role: 'user', content: LONG });
      expect(await ask()).toMatchObject({ ok: false, failure: { kind: 'context_overflow', windowTokens: 16_384 } });
    });
  });

  it('behaviour 54: every request names the window and the output, and forbids the server to cut', async () => {
    await talk({ chat: [says(''), says('one'), says('two')] }, async ({ ask, fake }) => {
      await ask();
      await ask(false);
      expect(fake.chats).toHaveLength(3);
      for (const { body } of fake.chats) {
        expect(body).toMatchObject({
          stream: true,
          truncate: false,
          shift: false,
          keep_alive: '30m',
          options: { num_ctx: 16_384, num_predict: 512 },
        });
      }
    });
  });

  it('behaviour 55: the window the model was trained for lowers the one asked for', async () => {
    const show = { capabilities: ['completion', 'tools'], model_info: { 'general.architecture': 'llama', 'llama.context_length': 4_096 } };
    await talk({ show }, async ({ ask, fake }) => {
      await ask();
      expect(fake.chats[0]?.body.options).toMatchObject({ num_ctx: 4_096 });
    });
  });

  it('behaviour 56: one request at a time and in order; the second one is told that it waits', async () => {
    const fake = await startFakeOllama({
      chat: [{ headersAfterMs: 40, ...says('first') }, { headersAfterMs: 40, ...says('second') }, says('third')],
    });
    const model = createOllamaModel({ name: 'fake', host: fake.host, settings: { inspect: false } });
    const waits: number[] = [];
    const replies = [1, 2, 3].map(() =>
      model.startConversation(OPENING).reply({
        scope: new Scope(),
        withTools: true,
        onDelta: (delta) => {
          if (delta.type === 'waiting') waits.push(delta.ahead);
        },
      }),
    );
    expect((await Promise.all(replies)).map(textOf)).toEqual(['first', 'second', 'third']);
    expect(waits).toEqual([1, 2]);
    const [first, second, third] = fake.chats;
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(first?.endedAfterMs ?? Number.POSITIVE_INFINITY);
    expect(third?.at).toBeGreaterThan(second?.at ?? Number.POSITIVE_INFINITY);
    expect((await replies[2])?.usage.queueMs).toBeGreaterThan(0);
    await model.close();
    await fake.close();
  });

  it('behaviour 57: options that make a server reload are the same in every request of all conversations', async () => {
    const fake = await startFakeOllama({ chat: [says('ok')] });
    const model = createOllamaModel({ name: 'fake', host: fake.host, settings: { options: { num_gpu: 0 }, temperature: 0.1 } });
    for (const agent of ['main', 'child', 'other']) {
      const conversation = model.startConversation({ ...OPENING, agent });
      for (let turn = 0; turn < 3; turn++) {
        conversation.append({ role: 'user', content: 'go' });
        await conversation.reply({ scope: new Scope(), withTools: turn < 2 });
        conversation.append({ role: 'assistant', content: 'ok' });
      }
    }
    const options = fake.chats.map((chat) => JSON.stringify([chat.body.options, chat.body.shift]));
    expect(new Set(options)).toEqual(new Set(['[{"num_gpu":0,"num_ctx":16384,"num_predict":512,"temperature":0.1},false]']));
    await model.close();
    await fake.close();
  });

  it.each([{}, { capabilities: ['telepathy', 'completion', 'tools'], model_info: {} }, { capabilities: null, model_info: null }])(
    'behaviour 58: a server that says little of its model (%j) is used with the defaults',
    async (show) => {
      await talk({ show }, async ({ ask, fake }) => {
        expect(textOf(await ask())).toBe('hello');
        expect(fake.chats[0]?.body).toMatchObject({ options: { num_ctx: 16_384 }, tools: [{}, {}] });
      });
    },
  );

  it('behaviour 59: a model that runs elsewhere gets no prompt unless allowed', async () => {
    const show = { capabilities: ['completion', 'tools'], remote_host: 'https://ollama.com:443', remote_model: 'big' };
    await talk({ show }, async ({ ask, fake }) => {
      expect(await ask()).toMatchObject({ ok: false, failure: { kind: 'refused', message: expect.stringContaining('ollama.com') } });
      expect(await ask()).toMatchObject({ ok: false, failure: { kind: 'refused' } });
      expect(fake.chats).toHaveLength(0);
    });
    expect(textOf(await replyTo({ show, settings: { allowRemote: true } }))).toBe('hello');
    for (const name of ['gpt-oss:120b-cloud', 'qwen3-coder:cloud']) {
      await talk({ name }, async ({ ask, fake }) => {
        expect(await ask()).toMatchObject({ ok: false, failure: { kind: 'refused' } });
        expect(fake.requests).toHaveLength(0);
      });
    }
  });

  it('calibrates its estimate by what the server counted', async () => {
    await talk(
      { chat: (request) => says('ok', { prompt_eval_count: Math.round(request.text.length / 3) }) },
      async ({ ask, conversation, fake }) => {
        const before = conversation.estimatedTokens();
        await ask();
        const bytes = fake.chats[0]?.text.length ?? 0;
        expect(Math.abs(before - bytes / 4)).toBeLessThan(3);
        expect(Math.abs(conversation.estimatedTokens() - bytes / 3)).toBeLessThan(3);
      },
    );
  });

  it('takes a model that only makes embeddings for what it is', async () => {
    await talk({ show: { capabilities: ['embedding'] } }, async ({ ask, fake }) => {
      expect(await ask()).toMatchObject({ ok: false, failure: { kind: 'bad_request' } });
      expect(fake.chats).toHaveLength(0);
    });
  });
});
