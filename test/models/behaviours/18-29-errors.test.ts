import { describe, expect, it, vi } from 'vitest';
import { Scope } from '../../../src/core/scope.ts';
import type { KnownLacks } from '../../../src/models/chat/trait-memory.ts';
import { createOllamaModel } from '../../../src/models/ollama/ollama-model.ts';
import { callsTools, type FakeAnswer, fails, part, says } from '../../../src/testing/fake-answer.ts';
import { startFakeOllama } from '../../../src/testing/fake-ollama.ts';
import { overflowText } from '../../../src/testing/fake-runner.ts';
import { modelOf, OPENING, replyTo, SERVERS, seedOf, startFake, talk, textOf } from '../talk.ts';

const ACTION = says('{"action": {"tool": "step", "arguments": {"n": 1}}}');
const CALL_OF_STEP = { ok: true, message: { toolCalls: [{ name: 'step', arguments: { n: 1 }, salvaged: 'action_mode' }] } };

describe.each(SERVERS)('%s errors', (server) => {
  const overflow = JSON.parse(overflowText(962, 512)) as { error: object };

  it('behaviour 18: a model that is not there fails with what to do, and is not asked for again', async () => {
    const text =
      server === 'ollama'
        ? 'model "fake:8b" not found, try pulling it first'
        : { message: 'The model `fake:8b` does not exist', code: 'model_not_found' };
    await talk({ server, chat: [fails(404, text)] }, async ({ ask, fake }) => {
      const fix = server === 'ollama' ? 'ollama pull fake:8b' : expect.stringContaining('/models');
      expect(await ask()).toMatchObject({ ok: false, failure: { kind: 'model_not_found', fix } });
      expect(fake.chats).toHaveLength(1);
    });
  });

  it('behaviour 19: a model that takes no tools acts by JSON instead, and that is remembered', async () => {
    const chat = [fails(400, 'registry.ollama.ai/library/fake:8b does not support tools'), ACTION];
    await talk({ server, chat, show: {} }, async ({ ask, model, fake }) => {
      const first = await ask();
      expect(first).toMatchObject(CALL_OF_STEP);
      expect(first.notices.map(({ code }) => code)).toEqual(['without_tools', 'action_mode']);
      const other = model.startConversation(OPENING);
      other.append({ role: 'user', content: 'go' });
      expect(await other.reply({ scope: new Scope(), withTools: true })).toMatchObject(CALL_OF_STEP);
      expect(fake.chats.map((chat) => chat.body.tools !== undefined)).toEqual([true, false, false]);
      expect(fake.chats.map((chat) => (chat.body.format ?? chat.body.response_format) !== undefined)).toEqual([false, true, true]);
    });
  });

  it('behaviour 20: a model that does not think is asked again without, and that is remembered', async () => {
    const chat = [fails(400, '"fake:8b" does not support thinking'), says('one'), says('two')];
    await talk({ server, chat, show: {}, settings: { think: 'low' } }, async ({ ask, fake, conversation }) => {
      const reply = await ask();
      expect(textOf(reply)).toBe('one');
      expect(reply.notices).toMatchObject([{ code: 'without_thinking' }]);
      conversation.append({ role: 'assistant', content: 'one' });
      conversation.append({ role: 'user', content: 'again' });
      expect(textOf(await ask())).toBe('two');
      expect(fake.chats.map(({ body }) => body.think ?? body.reasoning_effort)).toEqual(['low', undefined, undefined]);
    });
  });

  it.each([
    'the prompt is longer than the context length currently available to the model; shorten the prompt',
    'the input length exceeds the context length',
    'Trying to keep the first 4000 tokens when context the overflows. However, the model is loaded with context length of only 2048 tokens, which is not enough. Try to load the model with a larger context length, or provide a shorter input',
  ])('behaviour 21: an overflow told in words is a context overflow, not tried again: %s', async (text) => {
    await talk({ server, chat: [fails(400, text)] }, async ({ ask, fake }) => {
      const reply = await ask();
      expect(reply).toMatchObject({ ok: false, failure: { kind: 'context_overflow' } });
      if (!reply.ok) expect(reply.failure).not.toHaveProperty('promptTokens');
      expect(fake.chats).toHaveLength(1);
    });
  });

  it('behaviour 22: an overflow told with its counts gives them, and is not tried again', async () => {
    const error = server === 'ollama' ? overflowText(962, 512) : overflow.error;
    await talk({ server, chat: [fails(400, error)] }, async ({ ask, fake }) => {
      expect(await ask()).toMatchObject({ ok: false, failure: { kind: 'context_overflow', promptTokens: 962, windowTokens: 512 } });
      expect(fake.chats).toHaveLength(1);
    });
  });

  it('behaviour 23: an option of a wrong type is a bad request, not tried again, and we send none', async () => {
    await talk({ server, chat: [fails(500, 'option "stop" must be of type array')] }, async ({ ask, fake }) => {
      expect(await ask()).toMatchObject({ ok: false, failure: { kind: 'bad_request' } });
      expect(fake.chats).toHaveLength(1);
      expect(fake.chats[0]?.text).not.toContain('"stop"');
    });
  });

  it('behaviour 24: a crash of the runner is tried once more', async () => {
    const crash = fails(500, 'model runner has unexpectedly stopped, this may be due to resource limitations or an internal error');
    await talk({ server, chat: [crash, says('back')] }, async ({ ask }) => expect(textOf(await ask())).toBe('back'));
    await talk({ server, chat: [crash] }, async ({ ask, fake }) => {
      expect(await ask()).toMatchObject({ ok: false, failure: { kind: 'server_fault' } });
      expect(fake.chats).toHaveLength(2);
    });
  });

  const unreadable = 'error parsing tool call: raw=\'{"name": step\', err=invalid character';
  const asLine =
    server === 'ollama'
      ? { line: { error: unreadable } }
      : { raw: `data: ${JSON.stringify({ error: { message: unreadable, code: 500 } })}\n\n` };
  it.each([
    ['before the headers', fails(500, unreadable)],
    ['as a line', { steps: [part({ content: 'hm' }), asLine] }],
    ['as an XML error', fails(500, 'XML syntax error on line 4: element <parameter> closed by </function>')],
  ] as readonly (readonly [string, FakeAnswer])[])(
    'behaviour 25: output the server cannot read (%s) is tried twice more, each time differently, then as JSON',
    async (_, answer) => {
      await talk({ server, chat: [answer] }, async ({ ask, fake }) => {
        const reply = await ask();
        expect(reply).toMatchObject({ ok: false, failure: { kind: 'output_invalid', partial: expect.stringMatching(/hm|raw|XML/) } });
        expect(fake.chats).toHaveLength(4);
        const [first, second, third, fourth] = fake.chats;
        expect(new Set([first, second, third].map((chat) => seedOf(chat as NonNullable<typeof chat>))).size).toBe(3);
        expect(third?.body.messages).toMatchObject([{ role: 'system' }, { role: 'user', content: 'go' }, { role: 'user' }]);
        expect(fourth?.body).not.toHaveProperty('tools');
        expect(fourth?.body.format ?? fourth?.body.response_format).toBeTypeOf('object');
      });
    },
  );

  it('behaviour 25: a model whose calls cannot be read is asked for JSON for the rest of the conversation', async () => {
    await talk(
      { server, chat: [fails(500, unreadable), fails(500, unreadable), fails(500, unreadable), ACTION] },
      async ({ ask, fake }) => {
        expect(await ask()).toMatchObject(CALL_OF_STEP);
        expect(await ask()).toMatchObject(CALL_OF_STEP);
        expect(fake.chats.map(({ body }) => body.tools !== undefined)).toEqual([true, true, true, false, false]);
      },
    );
  });

  it('behaviour 26: a busy server is asked again until it has room', async () => {
    const busy = fails(503, 'server busy, please try again.  maximum pending requests exceeded');
    await talk({ server, chat: [busy, busy, says('in')] }, async ({ ask, fake }) => {
      const reply = await ask();
      expect(textOf(reply)).toBe('in');
      expect(reply.notices.map((notice) => notice.code)).toEqual(['retried_busy', 'retried_busy']);
      expect(fake.chats.map((chat) => chat.text)).toEqual(Array(3).fill(fake.chats[0]?.text));
    });
    await talk({ server, chat: [busy] }, async ({ ask, fake }) => {
      expect(await ask()).toMatchObject({ ok: false, failure: { kind: 'busy' } });
      expect(fake.chats).toHaveLength(5);
    });
  });

  it.each([
    [401, { 'content-type': 'application/json' }, '{"error":"unauthorized","signin_url":"https://x"}', 'not_authorised', /sign/],
    [403, {}, '', 'refused', /status 403 without a message/],
    [502, { 'content-type': 'text/html' }, '<html><body><h1>Bad Gateway</h1></body></html>', 'server_fault', /HTML page/],
    [500, {}, '', 'server_fault', /status 500 without a message/],
    [429, {}, '{"error":{"message":"Rate limit reached","type":"requests"}}', 'busy', /Rate limit/],
  ] as const)('behaviour 27: status %i is typed and its message readable', async (status, headers, raw, kind, message) => {
    const reply = await replyTo({ server, chat: [{ status, headers, steps: [{ raw }] }] });
    expect(reply).toMatchObject({ ok: false, failure: { kind, message: expect.stringMatching(message) } });
    if (!reply.ok) expect(reply.failure.message).not.toMatch(/<h1>/);
  });

  it('behaviour 28: an error body of any shape gives a readable message of bounded size', async () => {
    const object = await replyTo({ server, chat: [fails(400, { message: 'no such thing', code: 7 })] });
    expect(object).toMatchObject({ ok: false, failure: { message: expect.stringContaining('no such thing') } });
    const plain = await replyTo({
      server,
      chat: [{ status: 400, headers: { 'content-type': 'text/plain' }, steps: [{ raw: 'plain words' }] }],
    });
    expect(plain).toMatchObject({ ok: false, failure: { message: expect.stringContaining('plain words') } });
    const huge = await replyTo({ server, chat: [{ status: 400, headers: {}, steps: [{ raw: 'x'.repeat(5_000_000) }] }] });
    expect(huge.ok).toBe(false);
    if (!huge.ok) expect(huge.failure.message.length).toBeLessThan(500);
    for (const reply of [object, plain, huge]) expect(JSON.stringify(reply)).not.toContain('[object Object]');
  });

  it('behaviour 29: an error after content keeps the partial text', async () => {
    const text = 'CUDA error: device lost';
    const line = server === 'ollama' ? { line: { error: text } } : { raw: `data: ${JSON.stringify({ error: { message: text } })}\n\n` };
    expect(await replyTo({ server, chat: [{ steps: [part({ content: 'so far' }), line] }] })).toMatchObject({
      ok: false,
      failure: { kind: 'server_fault', message: expect.stringContaining(text), partial: 'so far' },
    });
  });

  it('behaviour 4: nothing is printed, whatever the server answers', async () => {
    const spies = (['log', 'warn', 'error'] as const).map((name) => vi.spyOn(console, name).mockImplementation(() => {}));
    await replyTo({ server, chat: [{ status: 500, headers: { 'content-type': 'text/plain' }, steps: [{ raw: 'boom' }] }], show: {} });
    await replyTo({ server, chat: [{ steps: [{ line: 'broken' }] }] });
    await replyTo({ server, chat: [callsTools(['step', { n: 1 }])], show: () => undefined });
    for (const spy of spies) {
      expect(spy).not.toHaveBeenCalled();
      spy.mockRestore();
    }
  });

  it('shows no password of the host, and no key', async () => {
    const fake = await startFake({ server });
    await fake.close();
    const settings = { apiKey: 'sk-hunter2hunter2' };
    const model = modelOf(server, { ...fake, host: fake.host.replace('//', '//me:hunter2@') }, { settings });
    const reply = await model.startConversation(OPENING).reply({ scope: new Scope(), withTools: true });
    expect(reply.ok).toBe(false);
    expect(JSON.stringify(reply)).not.toContain('hunter2');
    const refusal = fails(401, { message: 'Incorrect API key provided: sk-hunter2hunter2.' });
    expect(JSON.stringify(await replyTo({ server, settings, chat: [refusal] }))).not.toContain('hunter2');
  });
});

describe('ollama errors', () => {
  it('behaviour 18: a model that is not installed fails before any prompt', async () => {
    await talk({ show: () => undefined, name: 'qwen3:8b' }, async ({ ask, fake }) => {
      expect(await ask()).toMatchObject({ ok: false, failure: { kind: 'model_not_found', fix: 'ollama pull qwen3:8b' } });
      expect(fake.chats).toHaveLength(0);
    });
  });

  it('behaviour 19: a model that is known to take no tools acts by JSON from its first request', async () => {
    await talk({ show: { capabilities: ['completion'] }, chat: [ACTION] }, async ({ ask, fake }) => {
      expect(await ask()).toMatchObject(CALL_OF_STEP);
      expect(fake.chats).toHaveLength(1);
    });
  });

  it('behaviour 19: what a model lacks is remembered for its digest, and forgotten with another', async () => {
    const kept = new Map<string, KnownLacks>();
    const memory = {
      recall: (model: string) => kept.get(model),
      remember: (model: string, known: KnownLacks) => void kept.set(model, known),
    };
    const tags = [{ name: 'fake:8b', digest: 'one' }];
    const chat: FakeAnswer[] = [fails(400, 'fake:8b does not support tools'), ACTION];
    const fake = await startFakeOllama({ tags, show: {}, chat: (_, index) => chat[index] ?? ACTION });
    const ask = async (): Promise<void> => {
      const model = createOllamaModel({ name: 'fake:8b', host: fake.host, memory });
      const conversation = model.startConversation(OPENING);
      conversation.append({ role: 'user', content: 'go' });
      expect(await conversation.reply({ scope: new Scope(), withTools: true })).toMatchObject({ ok: true });
      await model.close();
    };
    await ask();
    await ask();
    expect([...kept.values()]).toEqual([{ digest: 'one', lacks: ['tools'] }]);
    expect(fake.chats.map(({ body }) => body.tools !== undefined)).toEqual([true, false, false]);
    tags[0] = { name: 'fake:8b', digest: 'two' };
    await ask();
    expect(fake.chats.at(-1)?.body).toHaveProperty('tools');
    await fake.close();
  });
});
