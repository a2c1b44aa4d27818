import { describe, expect, it } from 'vitest';
import type { ModelReply } from '../../../src/core/model.ts';
import { done, type FakeAnswer, type FakeStep, fails, part, says } from '../../../src/testing/fake-answer.ts';
import { replyTo, seedOf, talk, textOf } from '../talk.ts';

const server = 'openai';

function chunk(delta: object, more: object = {}): FakeStep {
  return { raw: `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: null }], ...more })}\n\n` };
}

const FINISH: FakeStep = { raw: 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n' };
const DONE: FakeStep = { raw: 'data: [DONE]\n\n' };

function fragment(index: number | undefined, fields: { id?: string; name?: string; text?: string }): FakeStep {
  const { id, name, text } = fields;
  return chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: text } }] });
}

async function callsOf(steps: readonly FakeStep[]): Promise<unknown[]> {
  const reply: ModelReply = await replyTo({ server, chat: [{ steps: [...steps, FINISH, DONE] }] });
  if (!reply.ok) throw new Error(reply.failure.message);
  return (reply.message.toolCalls ?? []).map(({ name, arguments: input, unreadable }) => [name, unreadable ?? input]);
}

describe('openai chat completions', () => {
  it('behaviour 65: comments, pings, data without a blank, a role chunk, a usage chunk without choices and the mark of the end', async () => {
    const steps: FakeStep[] = [
      { raw: ': OPENROUTER PROCESSING\n\n' },
      { raw: 'event: ping\nid: 1\nretry: 100\n\n' },
      chunk({ role: 'assistant', content: null }),
      { raw: 'data:{"choices":[{"index":0,"delta":{"content":"It "}}]}\n\n' },
      { raw: ': ping\n\n' },
      chunk({ content: 'works.' }),
      FINISH,
      {
        raw: 'data: {"choices":[],"usage":{"prompt_tokens":12,"completion_tokens":3,"prompt_tokens_details":{"cached_tokens":8}}}\r\n\r\n',
      },
      DONE,
    ];
    const reply = await replyTo({ server, chat: [{ steps }] });
    expect(reply).toMatchObject({ ok: true, finish: 'stop', usage: { inputTokens: 12, outputTokens: 3, cachedTokens: 8 } });
    expect(textOf(reply)).toBe('It works.');
  });

  it('behaviour 65: the counts come after the finish, whether or not the server marks the end', async () => {
    const usage = { raw: 'data: {"choices":[],"usage":{"prompt_tokens":12,"completion_tokens":3}}\n\n' };
    for (const end of [[usage], [{ waitMs: 30 }, usage, DONE], [usage, { hang: true }]] as FakeStep[][]) {
      const reply = await replyTo({ server, chat: [{ steps: [chunk({ content: 'ok' }), FINISH, ...end] }] });
      expect(reply).toMatchObject({ ok: true, message: { content: 'ok' }, usage: { inputTokens: 12, outputTokens: 3 } });
    }
  });

  it('behaviour 65: usage is asked for, the output is bounded, and a server that refuses that is asked without', async () => {
    await talk(
      { server, chat: [fails(400, { message: 'Unrecognized request argument supplied: stream_options' }), says('ok')] },
      async ({ ask, fake }) => {
        expect(textOf(await ask())).toBe('ok');
        const [first, second] = fake.chats;
        expect(first?.body).toMatchObject({ stream: true, stream_options: { include_usage: true }, max_tokens: 512 });
        expect(second?.body).not.toHaveProperty('stream_options');
        expect(first?.body).not.toHaveProperty('temperature');
      },
    );
    const refusal = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
    await talk({ server, chat: [fails(400, { message: refusal }), says('ok')] }, async ({ ask, fake }) => {
      expect(textOf(await ask())).toBe('ok');
      expect(fake.chats[1]?.body).toMatchObject({ max_completion_tokens: 512 });
      expect(fake.chats[1]?.body).not.toHaveProperty('max_tokens');
    });
  });

  it('behaviour 65: the key goes with every request', async () => {
    const settings = { apiKey: 'sk-test-key' };
    expect(textOf(await replyTo({ server, apiKey: 'sk-test-key', settings }))).toBe('hello');
    const reply = await replyTo({ server, apiKey: 'another', settings });
    expect(reply).toMatchObject({ ok: false, failure: { kind: 'not_authorised', fix: expect.stringContaining('OPENAI_API_KEY') } });
  });

  it.each<[string, FakeStep[], unknown[]]>([
    [
      'in pieces',
      [fragment(0, { id: 'a', name: 'step', text: '' }), fragment(0, { text: '{"n"' }), fragment(0, { text: ': 1}' })],
      [['step', { n: 1 }]],
    ],
    ['whole in one piece', [fragment(0, { id: 'a', name: 'step', text: '{"n":1}' })], [['step', { n: 1 }]]],
    [
      'two, their pieces in turn',
      [
        fragment(0, { id: 'a', name: 'step', text: '{"n"' }),
        fragment(1, { id: 'b', name: 'look_up', text: '{"n"' }),
        fragment(0, { text: ':1}' }),
        fragment(1, { text: ':2}' }),
      ],
      [
        ['step', { n: 1 }],
        ['look_up', { n: 2 }],
      ],
    ],
    [
      'two at one index with ids of their own',
      [fragment(0, { id: 'a', name: 'step', text: '{"n":1}' }), fragment(0, { id: 'b', name: 'step', text: '{"n":2}' })],
      [
        ['step', { n: 1 }],
        ['step', { n: 2 }],
      ],
    ],
    [
      'two without index or id',
      [fragment(undefined, { name: 'step', text: '{"n":1}' }), fragment(undefined, { name: 'step', text: '{"n":2}' })],
      [
        ['step', { n: 1 }],
        ['step', { n: 2 }],
      ],
    ],
    [
      'the name again with every piece',
      [fragment(0, { id: 'a', name: 'step', text: '{"n"' }), fragment(0, { id: 'a', name: 'step', text: ':1}' })],
      [['step', { n: 1 }]],
    ],
    ['cut off', [fragment(0, { id: 'a', name: 'step', text: '{"n"' })], [['step', '{"n"']]],
    ['without arguments', [fragment(0, { id: 'a', name: 'step' })], [['step', {}]]],
  ])('behaviour 66: the arguments of calls come %s', async (_, steps, calls) => {
    expect(await callsOf(steps)).toEqual(calls);
  });

  it('behaviour 67: a stream that ends without a finish and without a mark is incomplete, whatever came', async () => {
    const swallowed: FakeAnswer = { steps: [chunk({ content: 'so far' }), chunk({ content: '' })] };
    await talk({ server, chat: [swallowed] }, async ({ ask, fake }) => {
      expect(await ask()).toMatchObject({ ok: false, failure: { kind: 'incomplete_stream', partial: 'so far' } });
      expect(fake.chats).toHaveLength(2);
    });
    expect(await replyTo({ server, chat: [{ steps: [] }] })).toMatchObject({ ok: false, failure: { kind: 'incomplete_stream' } });
  });

  it('behaviour 68: a server that is loading the model is waited for, and the wait is told', async () => {
    const loading = fails(503, { message: 'Loading model', type: 'unavailable_error', code: 503 });
    const chat = [...Array.from({ length: 8 }, () => loading), says('ready')];
    await talk({ server, chat }, async ({ ask, deltas, fake }) => {
      expect(textOf(await ask())).toBe('ready');
      expect(fake.chats).toHaveLength(9);
      expect(deltas.filter(({ type }) => type === 'waiting').length).toBeGreaterThan(0);
    });
  });

  it('behaviour 68: … but not for ever', async () => {
    const loading = fails(503, { message: 'Loading model', type: 'unavailable_error', code: 503 });
    await talk({ server, chat: [loading], settings: { loadingMs: 60, retryPauseMs: 10 } }, async ({ ask, fake }) => {
      expect(await ask()).toMatchObject({ ok: false, failure: { kind: 'busy', message: expect.stringContaining('loading') } });
      expect(fake.chats.length).toBeGreaterThan(1);
      expect(fake.chats.length).toBeLessThan(8);
    });
  });

  it('behaviour 69: output that does not fit the format of the tools is tried again with another seed', async () => {
    const unfit = fails(500, {
      code: 500,
      message: 'The model produced output that does not match the expected peg-native format',
      type: 'server_error',
    });
    await talk({ server, chat: [unfit, says('better')] }, async ({ ask, fake }) => {
      const reply = await ask();
      expect(textOf(reply)).toBe('better');
      expect(reply.notices).toMatchObject([{ code: 'retried_output_invalid' }]);
      expect(fake.chats.map(seedOf)).toEqual([undefined, expect.any(Number)]);
    });
  });

  it.each(['reasoning', 'reasoning_content'] as const)('behaviour 70: %s is read as reasoning', async (reasoningField) => {
    const chat = [{ steps: [part({ thinking: 'let me ' }), part({ thinking: 'see' }), part({ content: 'late' }), done()] }];
    await talk({ server, chat, reasoningField }, async ({ ask, deltas }) => {
      expect(await ask()).toMatchObject({ ok: true, message: { content: 'late', thinking: 'let me see' } });
      expect(deltas.map(({ type }) => type).filter((type, place, all) => type !== all[place - 1])).toEqual(['thinking', 'text']);
    });
  });

  it('behaviour 70: a server that sends both fields is not read twice', async () => {
    const steps = [chunk({ reasoning: 'hm', reasoning_content: 'hm' }), chunk({ content: 'ok' }), FINISH, DONE];
    expect(await replyTo({ server, chat: [{ steps }] })).toMatchObject({ message: { content: 'ok', thinking: 'hm' } });
  });

  it('reads the window where the server lists it, and bounds the output by it', async () => {
    for (const listed of [
      { max_model_len: 800 },
      { meta: { n_ctx: 800, n_ctx_train: 4_096 } },
      { loaded_context_length: 800, max_context_length: 4_096 },
    ]) {
      await talk({ server, models: [{ id: 'fake:8b', ...listed }] }, async ({ ask, fake, conversation }) => {
        await ask();
        expect(conversation.windowTokens?.()).toBe(800);
        expect(fake.chats[0]?.body.max_tokens).toBe(400);
      });
    }
  });

  it('takes a whole completion for what it is', async () => {
    const whole = {
      object: 'chat.completion',
      choices: [{ message: { role: 'assistant', content: 'all' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 4 },
    };
    const reply = await replyTo({
      server,
      chat: [{ headers: { 'content-type': 'application/json' }, steps: [{ raw: JSON.stringify(whole) }] }],
    });
    expect(reply).toMatchObject({ ok: true, message: { content: 'all' }, usage: { inputTokens: 4 } });
  });

  it('behaviour 59: a name of the cloud behind a local server gets no prompt unless allowed', async () => {
    await talk({ server, name: 'gpt-oss:120b-cloud' }, async ({ ask, fake }) => {
      expect(await ask()).toMatchObject({ ok: false, failure: { kind: 'refused' } });
      expect(fake.requests).toHaveLength(0);
    });
    expect(textOf(await replyTo({ server, name: 'gpt-oss:120b-cloud', settings: { allowRemote: true } }))).toBe('hello');
  });
});
