import { describe, expect, it } from 'vitest';
import { Scope } from '../../../src/core/scope.ts';
import { createOllamaModel } from '../../../src/models/ollama/ollama-model.ts';
import { says } from '../../../src/testing/fake-answer.ts';
import { startFakeOllama } from '../../../src/testing/fake-ollama.ts';
import { OPENING, replyTo, talk, textOf } from '../talk.ts';

const LONG = 'word '.repeat(12_000);

describe('ollama window and scheduling', () => {
  it('behaviour 53: a prompt that the server cut to half its window is not taken for an answer', async () => {
    await talk({ chat: [says('I know nothing', { prompt_eval_count: 8_194 })] }, async ({ ask, conversation }) => {
      conversation.append({ role: 'user', content: LONG });
      expect(await ask()).toMatchObject({ ok: false, failure: { kind: 'context_overflow', windowTokens: 16_384 } });
    });
  });

  it('behaviour 53: a server that drops messages in silence is found out, and nothing is taken from its answer', async () => {
    const window = { ignoresTruncate: true };
    await talk({ window, chat: [says('ok')] }, async ({ ask, conversation }) => {
      conversation.append({ role: 'user', content: 'word '.repeat(2_400) });
      expect(textOf(await ask())).toBe('ok');
      for (let turn = 0; turn < 8; turn++) {
        conversation.append({ role: 'assistant', content: 'ok' });
        conversation.append({ role: 'user', content: 'word '.repeat(2_400) });
      }
      const reply = await ask();
      expect(reply).toMatchObject({ ok: false, failure: { kind: 'context_overflow', message: expect.stringContaining('cut the prompt') } });
      if (!reply.ok) expect(reply.failure.promptTokens).toBeGreaterThan(16_384);
    });
    await talk({ window, chat: [says('ok')] }, async ({ ask, conversation }) => {
      conversation.append({ role: 'user', content: 'word '.repeat(20_000) });
      expect(await ask()).toMatchObject({ ok: false, failure: { kind: 'context_overflow', message: expect.stringContaining('8194') } });
    });
  });

  it('behaviour 54: a server that is told not to cut says how much is too much', async () => {
    await talk({ window: {}, chat: [says('ok')] }, async ({ ask, conversation }) => {
      conversation.append({ role: 'user', content: 'word '.repeat(20_000) });
      const reply = await ask();
      expect(reply).toMatchObject({ ok: false, failure: { kind: 'context_overflow', windowTokens: 16_384 } });
      if (!reply.ok) expect(Math.abs((reply.failure.promptTokens ?? 0) - 25_000)).toBeLessThan(200);
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

  it('behaviour 55: a window that the server lowered without a word is adopted, and the request stays the same', async () => {
    await talk(
      { show: { capabilities: ['completion', 'tools'] }, window: { trainedTokens: 4_096 } },
      async ({ ask, conversation, fake }) => {
        expect(conversation.windowTokens?.()).toBe(16_384);
        await ask();
        expect(conversation.windowTokens?.()).toBe(4_096);
        await ask();
        expect(fake.requests.filter(({ path }) => path === '/api/ps')).toHaveLength(1);
        expect(fake.chats.map(({ body }) => (body.options as { num_ctx: number }).num_ctx)).toEqual([16_384, 16_384]);
      },
    );
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

  it('behaviour 57: agents that want windows of different sizes do not make the server load the model again', async () => {
    const fake = await startFakeOllama({ chat: [says('ok')], window: { loadMs: 5 } });
    const model = createOllamaModel({ name: 'fake', host: fake.host, settings: { runWindowTokens: 16_384 } });
    const agents = [16_384, 8_192, 4_096].map((contextTokens) => model.startConversation({ ...OPENING, contextTokens }));
    for (let turn = 0; turn < 10; turn++) {
      for (const conversation of agents) {
        conversation.append({ role: 'user', content: 'go' });
        expect(textOf(await conversation.reply({ scope: new Scope(), withTools: turn % 2 === 0 }))).toBe('ok');
        conversation.append({ role: 'assistant', content: 'ok' });
      }
    }
    expect(fake.chats).toHaveLength(30);
    expect(fake.loads()).toBe(1);
    expect(agents.map((conversation) => conversation.windowTokens?.())).toEqual([16_384, 8_192, 4_096]);
    await model.close();
    await fake.close();
  });

  it('behaviour 57: a reload that another program caused is told', async () => {
    const chat = [says('one', { load_duration: 3e9 }), says('two', { load_duration: 3e9 })];
    await talk({ chat }, async ({ ask, conversation }) => {
      const first = await ask();
      expect(first).toMatchObject({ notices: [], usage: { loadMs: 3_000 } });
      conversation.append({ role: 'assistant', content: 'one' });
      conversation.append({ role: 'user', content: 'go' });
      expect((await ask()).notices).toMatchObject([{ code: 'model_reloaded' }]);
    });
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
      {
        chat: (request) =>
          says('ok', {
            prompt_eval_count: Math.round((JSON.stringify(request.body.messages).length + JSON.stringify(request.body.tools).length) / 3),
          }),
      },
      async ({ ask, conversation, fake }) => {
        const before = conversation.estimatedTokens();
        await ask();
        const { messages, tools } = fake.chats[0]?.body ?? {};
        // The names of the fields and the list's brackets stand around what the model reads.
        const bytes = JSON.stringify(messages).length + JSON.stringify(tools).length + 8;
        expect(Math.abs(before - bytes / 4)).toBeLessThan(4);
        expect(Math.abs(conversation.estimatedTokens() - bytes / 3)).toBeLessThan(4);
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
