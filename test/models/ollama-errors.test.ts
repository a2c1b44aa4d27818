import { describe, expect, it, vi } from 'vitest';
import { callsTools, type FakeAnswer, fails, part, says } from '../support/fake-ollama.ts';
import { replyTo, talk, textOf } from './talk.ts';

const NESTED = JSON.stringify({
  error: {
    code: 400,
    message: 'request (962 tokens) exceeds the available context size (512 tokens), try increasing it',
    type: 'exceed_context_size_error',
    n_prompt_tokens: 962,
    n_ctx: 512,
  },
});

describe('ollama errors', () => {
  it('behaviour 18: a model that is not there fails with the exact pull command, before any prompt', async () => {
    await talk({ show: () => undefined, name: 'qwen3:8b' }, async ({ ask, fake }) => {
      expect(await ask()).toMatchObject({ ok: false, failure: { kind: 'model_not_found', fix: 'ollama pull qwen3:8b' } });
      expect(fake.chats).toHaveLength(0);
    });
    const reply = await replyTo({ chat: [fails(404, 'model "fake:8b" not found, try pulling it first')] });
    expect(reply).toMatchObject({ ok: false, failure: { kind: 'model_not_found', fix: 'ollama pull fake:8b' } });
  });

  it('behaviour 19: a model without tools acts by JSON instead, and that is remembered', async () => {
    const action = says('{"action": {"tool": "step", "arguments": {"n": 1}}}');
    const chat = [fails(400, 'registry.ollama.ai/library/fake:8b does not support tools'), action];
    await talk({ chat, show: {} }, async ({ ask, fake }) => {
      for (let times = 0; times < 2; times++) {
        expect(await ask()).toMatchObject({ ok: true, message: { toolCalls: [{ name: 'step', arguments: { n: 1 } }] } });
      }
      expect(fake.chats.map((request) => request.body.tools !== undefined)).toEqual([true, false, false]);
      expect(fake.chats[2]?.body.format).toBeTypeOf('object');
    });
  });

  it('behaviour 20: a model that does not think is asked again without, and that is remembered', async () => {
    const chat = [fails(400, '"fake:8b" does not support thinking'), says('one'), says('two')];
    await talk({ chat, show: {}, settings: { think: true } }, async ({ ask, fake, conversation }) => {
      const reply = await ask();
      expect(textOf(reply)).toBe('one');
      expect(reply.notices).toMatchObject([{ code: 'without_thinking' }]);
      conversation.append({ role: 'assistant', content: 'one' });
      conversation.append({ role: 'user', content: 'again' });
      expect(textOf(await ask())).toBe('two');
      expect(fake.chats.map((request) => request.body.think)).toEqual([true, undefined, undefined]);
    });
  });

  it('behaviour 21: an overflow told in words is a context overflow without counts', async () => {
    const text = 'the prompt is longer than the context length currently available to the model; shorten the prompt';
    const reply = await replyTo({ chat: [fails(400, text)] });
    expect(reply).toMatchObject({ ok: false, failure: { kind: 'context_overflow' } });
    if (!reply.ok) expect(reply.failure).not.toHaveProperty('promptTokens');
  });

  it('behaviour 22: an overflow told as JSON inside the text gives its counts, and is not tried again', async () => {
    await talk({ chat: [fails(400, NESTED)] }, async ({ ask, fake }) => {
      expect(await ask()).toMatchObject({ ok: false, failure: { kind: 'context_overflow', promptTokens: 962, windowTokens: 512 } });
      expect(fake.chats).toHaveLength(1);
    });
  });

  it('behaviour 23: an option of a wrong type is a bad request, not tried again', async () => {
    await talk({ chat: [fails(500, 'option "stop" must be of type array')] }, async ({ ask, fake }) => {
      expect(await ask()).toMatchObject({ ok: false, failure: { kind: 'bad_request' } });
      expect(fake.chats).toHaveLength(1);
    });
  });

  it('behaviour 24: a crash of the runner is tried once more', async () => {
    const crash = fails(500, 'model runner has unexpectedly stopped, this may be due to resource limitations or an internal error');
    await talk({ chat: [crash, says('back')] }, async ({ ask }) => expect(textOf(await ask())).toBe('back'));
    await talk({ chat: [crash] }, async ({ ask, fake }) => {
      expect(await ask()).toMatchObject({ ok: false, failure: { kind: 'server_fault' } });
      expect(fake.chats).toHaveLength(2);
    });
  });

  const unreadable = 'error parsing tool call: raw=\'{"name": step\', err=invalid character';
  for (const [how, answer] of [
    ['before the headers', fails(500, unreadable)],
    ['as a line', { steps: [part({ content: 'hm' }), { line: { error: unreadable } }] }],
    ['as an XML error', fails(500, 'XML syntax error on line 4: element <parameter> closed by </function>')],
  ] as const) {
    it(`behaviour 25: output the server cannot read (${how}) is tried twice more, each time differently`, async () => {
      await talk({ chat: [answer as FakeAnswer] }, async ({ ask, fake }) => {
        expect(await ask()).toMatchObject({ ok: false, failure: { kind: 'output_invalid' } });
        const seeds = fake.chats.map((chat) => (chat.body.options as { seed?: number }).seed);
        expect(new Set(seeds).size).toBe(3);
        expect(fake.chats[2]?.body.messages).toMatchObject([{ role: 'system' }, { role: 'user', content: 'go' }, { role: 'user' }]);
      });
    });
  }

  it('behaviour 26: a busy server is asked again until it has room', async () => {
    const busy = fails(503, 'server busy, please try again.  maximum pending requests exceeded');
    await talk({ chat: [busy, busy, says('in')] }, async ({ ask, fake }) => {
      const reply = await ask();
      expect(textOf(reply)).toBe('in');
      expect(reply.notices.map((notice) => notice.code)).toEqual(['retried_busy', 'retried_busy']);
      expect(fake.chats.map((chat) => chat.text)).toEqual(Array(3).fill(fake.chats[0]?.text));
    });
    await talk({ chat: [busy] }, async ({ ask, fake }) => {
      expect(await ask()).toMatchObject({ ok: false, failure: { kind: 'busy' } });
      expect(fake.chats).toHaveLength(5);
    });
  });

  it.each([
    [401, { 'content-type': 'application/json' }, '{"error":"unauthorized","signin_url":"https://x"}', 'not_authorised', /sign/],
    [403, {}, '', 'refused', /status 403 without a message/],
    [502, { 'content-type': 'text/html' }, '<html><body><h1>Bad Gateway</h1></body></html>', 'server_fault', /HTML page/],
    [500, {}, '', 'server_fault', /status 500 without a message/],
  ] as const)('behaviour 27: status %i is typed and its message readable', async (status, headers, raw, kind, message) => {
    const reply = await replyTo({ chat: [{ status, headers, steps: [{ raw }] }] });
    expect(reply).toMatchObject({ ok: false, failure: { kind, message: expect.stringMatching(message) } });
    if (!reply.ok) expect(reply.failure.message).not.toMatch(/<h1>/);
  });

  it('behaviour 28: an error body of any shape gives a readable message of bounded size', async () => {
    const object = await replyTo({ chat: [fails(400, { message: 'no such thing', code: 7 })] });
    expect(object).toMatchObject({ ok: false, failure: { message: expect.stringContaining('no such thing') } });
    const plain = await replyTo({ chat: [{ status: 400, headers: { 'content-type': 'text/plain' }, steps: [{ raw: 'plain words' }] }] });
    expect(plain).toMatchObject({ ok: false, failure: { message: expect.stringContaining('plain words') } });
    const huge = await replyTo({ chat: [{ status: 400, headers: {}, steps: [{ raw: 'x'.repeat(5_000_000) }] }] });
    expect(huge.ok).toBe(false);
    if (!huge.ok) expect(huge.failure.message.length).toBeLessThan(500);
    for (const reply of [object, plain, huge]) expect(JSON.stringify(reply)).not.toContain('[object Object]');
  });

  it('behaviour 29: an error after content keeps the partial text', async () => {
    const answer = { steps: [part({ content: 'so far' }), { line: { error: 'CUDA error: device lost' } }] };
    expect(await replyTo({ chat: [answer] })).toMatchObject({ ok: false, failure: { kind: 'server_fault', partial: 'so far' } });
  });

  it('prints nothing, whatever the server answers', async () => {
    const spies = (['log', 'warn', 'error'] as const).map((name) => vi.spyOn(console, name).mockImplementation(() => {}));
    await replyTo({ chat: [{ status: 500, headers: { 'content-type': 'text/plain' }, steps: [{ raw: 'boom' }] }], show: {} });
    await replyTo({ chat: [{ steps: [{ line: 'broken' }] }] });
    await replyTo({ chat: [callsTools(['step', { n: 1 }])], show: () => undefined });
    for (const spy of spies) {
      expect(spy).not.toHaveBeenCalled();
      spy.mockRestore();
    }
  });

  it('shows no password of the host', async () => {
    await talk({}, async ({ fake }) => {
      const { createOllamaModel } = await import('../../src/models/ollama/ollama-model.ts');
      const host = fake.host.replace('//', '//me:hunter2@').replace('/api', '');
      await fake.close();
      const conversation = createOllamaModel({ name: 'fake', host }).startConversation({
        agent: 'a',
        system: '',
        tools: [],
        task: { goal: 'g' },
        sources: [],
        maxOutputTokens: 10,
        contextTokens: 100,
      });
      const { Scope } = await import('../../src/core/scope.ts');
      const reply = await conversation.reply({ scope: new Scope(), withTools: true });
      expect(reply.ok).toBe(false);
      expect(JSON.stringify(reply)).not.toContain('hunter2');
    });
  });
});
