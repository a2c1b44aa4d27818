import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Scope } from '../../../src/core/scope.ts';
import { createOllamaModel } from '../../../src/models/ollama/ollama-model.ts';
import { done, type FakeAnswer, type FakeStep, part, says } from '../../../src/testing/fake-answer.ts';
import { startFakeOllama } from '../../../src/testing/fake-ollama.ts';
import { replyTo, SERVERS, seedOf, talk, textOf } from '../talk.ts';

const THINKER = { capabilities: ['completion', 'tools', 'thinking'] };

describe.each(SERVERS)('%s chat', (server) => {
  it('behaviour 30: counts the server does not tell are absent', async () => {
    const answer = { steps: [part({ content: 'ok' }), { end: { done_reason: 'stop' } }] };
    const { usage } = await replyTo({ server, chat: [answer] });
    expect(usage).not.toHaveProperty('inputTokens');
    expect(usage).not.toHaveProperty('outputTokens');
    expect(usage).not.toHaveProperty('loadMs');
  });

  it.each([
    ['stop', 'stop'],
    ['length', 'length'],
    ['load', 'unknown'],
    ['unload', 'unknown'],
    [undefined, 'unknown'],
  ])('behaviour 31: the reason %s is the finish %s', async (reason, finish) => {
    expect(await replyTo({ server, chat: [says('ok', { done_reason: reason })] })).toMatchObject({ ok: true, finish });
  });

  it('behaviour 33: reasoning has its own channel and goes back only within the tool turn', async () => {
    const call = { function: { name: 'step', arguments: { n: 1 } } };
    const chat: FakeAnswer[] = [
      { steps: [part({ thinking: 'let me ' }), part({ thinking: 'see' }), part({ tool_calls: [call] }), done()] },
      says('fine'),
    ];
    await talk({ server, chat, show: THINKER }, async ({ ask, deltas, conversation, fake }) => {
      const reply = await ask();
      if (!reply.ok) throw new Error('no reply');
      expect(reply.message).toMatchObject({ content: '', thinking: 'let me see' });
      expect(deltas.map((delta) => delta.type)).toEqual(deltas.map(() => 'thinking'));
      conversation.append(reply.message);
      conversation.append({ role: 'tool', toolCallId: 'call_1', toolName: 'step', content: 'ok' });
      await ask();
      conversation.append({ role: 'assistant', content: 'fine', thinking: 'hm' });
      conversation.append({ role: 'user', content: 'and now?' });
      await ask();
      const sent = fake.chats.map((chat) =>
        (chat.body.messages as { thinking?: string; reasoning_content?: string }[]).map(
          ({ thinking, reasoning_content }) => thinking ?? reasoning_content,
        ),
      );
      expect(sent[1]).toEqual([undefined, undefined, 'let me see', undefined]);
      expect(sent[2]?.every((thinking) => thinking === undefined)).toBe(true);
    });
  });

  it('behaviour 34: reasoning that uses up the output is tried again without it', async () => {
    const exhausted = { steps: [part({ thinking: 'on and on' }), done({ done_reason: 'length' })] };
    await talk({ server, chat: [exhausted, says('short')], show: THINKER }, async ({ ask, fake }) => {
      const reply = await ask();
      expect(textOf(reply)).toBe('short');
      expect(reply.notices).toMatchObject([{ code: 'retried_thinking_exhausted' }]);
      expect(fake.chats.map(({ body }) => body.think ?? body.reasoning_effort)).toEqual([undefined, server === 'ollama' ? false : 'none']);
    });
    expect(await replyTo({ server, chat: [exhausted], show: THINKER })).toMatchObject({
      ok: false,
      failure: { kind: 'thinking_exhausted' },
    });
  });

  it('behaviour 35: an empty turn is never an answer: it is nudged, varied, and then fails', async () => {
    await talk({ server, chat: [says('')], show: THINKER }, async ({ ask, fake }) => {
      expect(await ask()).toMatchObject({ ok: false, failure: { kind: 'empty_turn' } });
      expect(fake.chats).toHaveLength(5);
      const [first, second, third, fourth, fifth] = fake.chats;
      const last = (chat: (typeof fake.chats)[number] | undefined) =>
        (chat?.body.messages as { content: string }[] | undefined)?.at(-1)?.content;
      expect(first?.body.messages).toHaveLength(2);
      expect(last(second)).toMatch(/empty/);
      expect(seedOf(third as NonNullable<typeof third>)).toBeTypeOf('number');
      expect(fourth?.body.think ?? fourth?.body.reasoning_effort).toBe(server === 'ollama' ? false : 'none');
      expect(fifth?.body.format ?? fifth?.body.response_format).toBeTypeOf('object');
    });
    await talk({ server, chat: [says(''), says('sorry')] }, async ({ ask, conversation, fake }) => {
      expect(textOf(await ask())).toBe('sorry');
      conversation.append({ role: 'assistant', content: 'sorry' });
      conversation.append({ role: 'user', content: 'go on' });
      await ask();
      expect(fake.chats[2]?.text).not.toContain('empty');
    });
  });

  it('behaviour 36: a think block split anywhere is kept out of the answer', async () => {
    const whole = '\n<think>is 1 < 2? </thin yes</think>\n\nThe answer: a < b.';
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(whole.length), { maxLength: 8 }), async (places) => {
        const borders = [0, ...places.sort((a, b) => a - b), whole.length];
        const steps = borders.slice(1).map((end, index): FakeStep => part({ content: whole.slice(borders[index], end) }));
        await talk({ server, chat: [{ steps: [...steps, done()] }] }, async ({ ask, deltas }) => {
          expect(await ask()).toMatchObject({ ok: true, message: { content: 'The answer: a < b.', thinking: 'is 1 < 2? </thin yes' } });
          const texts = deltas.map((delta) => (delta.type === 'text' ? delta.text : '')).join('');
          expect(texts.trim()).toBe('The answer: a < b.');
        });
      }),
      { numRuns: 25 },
    );
  });

  it('behaviour 36: what stands before a stray closer is reasoning', async () => {
    const reply = await replyTo({ server, chat: [says('first I look\n</think>\nIt is late.')] });
    expect(reply).toMatchObject({ message: { content: 'It is late.', thinking: 'first I look' } });
    expect(textOf(await replyTo({ server, chat: [says('a < b and <thing>')] }))).toBe('a < b and <thing>');
  });

  it('behaviour 37: equal pieces and an end without a last line are told as a loop', async () => {
    const steps = Array.from({ length: 40 }, () => part({ content: 'na ' }));
    const reply = await replyTo({ server, chat: [{ steps }] });
    expect(reply).toMatchObject({ ok: false, failure: { kind: 'incomplete_stream', message: expect.stringContaining('loop') } });
  });

  it('stops a model that repeats a passage without end, unless told not to', async () => {
    const words = 'the pool is full and so the task waits for the pool and '.split(/(?<= )/);
    const steps = [{ raw: '' }, ...Array.from({ length: 1_000 }, (_, index): FakeStep => part({ content: words[index % words.length] }))];
    const chat = [{ steps: [...steps, done()] }];
    expect(await replyTo({ server, chat })).toMatchObject({
      ok: false,
      failure: { kind: 'incomplete_stream', message: expect.stringContaining('repeated') },
    });
    expect(await replyTo({ server, chat, settings: { detectLoops: false } })).toMatchObject({ ok: true });
  });

  it('takes a long table with rules and numbers for what it is', async () => {
    const rows = Array.from({ length: 200 }, (_, index) => `| run ${index} | ${(index * 7919) % 1000} s | ok |\n`).join('');
    const text = `|-----|-----|-----|\n${rows}${'-'.repeat(150)}`;
    const steps = [...text.matchAll(/[\s\S]{1,4}/g)].map(([content]) => part({ content }));
    expect(textOf(await replyTo({ server, chat: [{ steps: [...steps, done()] }] }))).toBe(text);
  });

  it('the front of every request stays the same, byte by byte, and only grows at its end', async () => {
    const calls = (request: { text: string }): number => request.text.split('"role":"tool"').length - 1;
    const chat = (request: { text: string }): FakeAnswer =>
      calls(request) < 6
        ? { steps: [part({ tool_calls: [{ function: { name: 'step', arguments: { n: calls(request), s: 'ä"\\' } } }] }), done()] }
        : says('over');
    await talk({ server, chat }, async ({ ask, conversation, fake }) => {
      for (let reply = await ask(); reply.ok && reply.message.toolCalls; reply = await ask()) {
        conversation.append(reply.message);
        for (const call of reply.message.toolCalls)
          conversation.append({ role: 'tool', toolCallId: call.id, toolName: call.name, content: 'ré"s\n' });
      }
      expect(fake.chats).toHaveLength(7);
      for (let index = 1; index < 7; index++) {
        const before = fake.chats[index - 1]?.text.slice(0, -2) as string;
        expect(fake.chats[index]?.text.startsWith(before)).toBe(true);
      }
      expect(fake.chats[6]?.text.indexOf('"messages":[{"role":"system","content":"Be brief."}')).toBeGreaterThan(0);
    });
  });
});

describe('an ollama model that nobody asks yet', () => {
  it('behaviour 32: is loaded with the run’s window and released by chats without messages', async () => {
    const fake = await startFakeOllama();
    const model = createOllamaModel({ name: 'fake', host: fake.host });
    expect(await model.warm(new Scope(), 8_192)).toBeUndefined();
    expect(await model.release(new Scope())).toBeUndefined();
    const bodies = fake.requests.filter(({ path }) => path === '/api/chat').map(({ body }) => body);
    expect(bodies).toMatchObject([
      { model: 'fake', messages: [], keep_alive: '30m', options: { num_ctx: 8_192 } },
      { model: 'fake', messages: [], keep_alive: 0 },
    ]);
    expect(fake.chats).toHaveLength(0);
    await model.close();
    await fake.close();
    expect(await model.warm(new Scope(), 8_192)).toMatchObject({ kind: 'unreachable' });
  });
});
