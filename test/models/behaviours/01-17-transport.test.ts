import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Scope } from '../../../src/core/scope.ts';
import { done, type FakeAnswer, type FakeStep, part, says } from '../../../src/testing/fake-answer.ts';
import { ollamaEnd, ollamaLine } from '../../../src/testing/fake-ollama.ts';
import { openAiChunk, openAiEnd } from '../../../src/testing/fake-openai.ts';
import { modelOf, OPENING, replyTo, SERVERS, type ServerKind, seedOf, startFake, talk, textOf } from '../talk.ts';

const SHORT = { connectMs: 1_000, firstByteMs: 60, stallMs: 60, quietMs: 20 };

function splitAt(bytes: Buffer, places: readonly number[]): FakeStep[] {
  const borders = [0, ...places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return borders.slice(1).map((end, index) => ({ raw: bytes.subarray(borders[index], end) }));
}

function bytesOf(server: ServerKind, texts: readonly string[]): Buffer {
  const [say, end] = server === 'ollama' ? [ollamaLine, ollamaEnd] : [openAiChunk, openAiEnd];
  return Buffer.from(texts.map((content) => say({ content })).join('') + end({ done_reason: 'stop' }));
}

const later = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe.each(SERVERS)('%s transport', (server) => {
  it('behaviour 1: pieces are told as they come and end in one reply with counts', async () => {
    const steps = [part({ content: 'one ' }), { waitMs: 20 }, part({ content: 'two' }), done()];
    await talk({ server, chat: [{ steps }] }, async ({ ask, deltas }) => {
      const reply = await ask();
      expect(reply).toMatchObject({ ok: true, finish: 'stop', message: { role: 'assistant', content: 'one two' } });
      expect(reply.usage).toMatchObject({ inputTokens: 50, outputTokens: 5 });
      expect(deltas).toEqual([
        { type: 'text', text: 'one ' },
        { type: 'text', text: 'two' },
      ]);
    });
  });

  it('behaviour 2: chunk borders anywhere give the same text', async () => {
    const content = 'Grüße 🚰 – fünf Läufe\r\n„später“';
    const bytes = Buffer.from(bytesOf(server, [content, '日本語']).toString().replaceAll('\n', '\r\n'));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 6 }), async (places) => {
        expect(textOf(await replyTo({ server, chat: [{ steps: splitAt(bytes, places) }] }))).toBe(`${content}日本語`);
      }),
      { numRuns: 20 },
    );
  });

  it('behaviour 2: every byte on its own gives the same text', async () => {
    const steps = [...bytesOf(server, ['ä🚰'])].map((byte) => ({ raw: Buffer.from([byte]) }));
    expect(textOf(await replyTo({ server, chat: [{ steps }] }))).toBe('ä🚰');
  });

  it('behaviour 3: a last line without a newline counts', async () => {
    const raw = bytesOf(server, ['ok']).toString().trimEnd();
    expect(textOf(await replyTo({ server, chat: [{ steps: [{ raw }] }] }))).toBe('ok');
  });

  it('behaviour 4: blank lines are passed over', async () => {
    const steps = [{ line: '' }, part({ content: 'ok' }), { raw: '\r\n  \n' }, done()];
    expect(textOf(await replyTo({ server, chat: [{ steps }] }))).toBe('ok');
  });

  it('behaviour 4: a broken line is a protocol failure that keeps the partial text', async () => {
    const line = `${server === 'openai' ? 'data: ' : ''}{"message":{"content":"x"`;
    const reply = await replyTo({ server, chat: [{ steps: [part({ content: 'so far' }), { line }, done()] }] });
    expect(reply).toMatchObject({ ok: false, failure: { kind: 'protocol', partial: 'so far' } });
  });

  it('behaviour 5: headers that come late are waited for, and the wait is told', async () => {
    const settings = { watchdogs: { ...SHORT, firstByteMs: 5_000 } };
    await talk({ server, chat: [{ headersAfterMs: 120, ...says('late') }], settings }, async ({ ask, deltas }) => {
      expect(textOf(await ask())).toBe('late');
      expect(deltas[0]).toEqual({ type: 'waiting', ahead: 0 });
    });
  });

  it('behaviour 6: no beginning of the answer within its time is a first-token timeout, and the socket is closed', async () => {
    await talk({ server, chat: [{ headersAfterMs: 60_000 }], settings: { watchdogs: SHORT, inspect: false } }, async ({ ask, fake }) => {
      expect(await ask()).toMatchObject({ ok: false, failure: { kind: 'first_token_timeout' } });
      await fake.until(() => fake.chats[0]?.closedEarly === true);
    });
  });

  it('behaviour 7: a stall is a failure of its own, keeps the partial text and closes the socket', async () => {
    const steps = [part({ content: 'a' }), part({ content: 'b' }), part({ content: 'c' }), { hang: true } as const];
    await talk({ server, chat: [{ steps }], settings: { watchdogs: { ...SHORT, firstByteMs: 2_000 } } }, async ({ ask, fake }) => {
      expect(await ask()).toMatchObject({ ok: false, failure: { kind: 'stall_timeout', partial: 'abc' } });
      await fake.until(() => fake.chats[0]?.closedEarly === true);
    });
  });

  it('behaviour 8: a trickle lives longer than any single limit', async () => {
    const steps = Array.from({ length: 12 }, (_, index): FakeStep[] => [part({ content: `${index} ` }), { waitMs: 40 }]).flat();
    const settings = { watchdogs: { ...SHORT, firstByteMs: 2_000, stallMs: 300 } };
    expect(textOf(await replyTo({ server, chat: [{ steps: [...steps, done()] }], settings }))).toBe('0 1 2 3 4 5 6 7 8 9 10 11 ');
  });

  it('behaviour 9: a refused connection names the host and what to do, and is not tried again', async () => {
    const fake = await startFake({ server });
    await fake.close();
    const reply = await modelOf(server, fake).startConversation(OPENING).reply({ scope: new Scope(), withTools: true });
    const fix = expect.stringContaining(server === 'ollama' ? 'ollama serve' : 'OPENAI_BASE_URL');
    expect(reply).toMatchObject({ ok: false, failure: { kind: 'unreachable', fix }, notices: [] });
    if (!reply.ok) expect(reply.failure.message).toContain(fake.host);
  });

  it('behaviour 10: a reset before the headers is tried once more', async () => {
    await talk({ server, chat: [{ resetBeforeHeaders: true }, says('second')] }, async ({ ask, fake }) => {
      const reply = await ask();
      expect(textOf(reply)).toBe('second');
      expect(reply.notices).toMatchObject([{ code: 'retried_server_fault' }]);
      expect(fake.chats).toHaveLength(2);
    });
    await talk({ server, chat: [{ resetBeforeHeaders: true }] }, async ({ ask, fake }) => {
      expect(await ask()).toMatchObject({ ok: false, failure: { kind: 'server_fault' } });
      expect(fake.chats).toHaveLength(2);
    });
  });

  it('behaviour 11: a reset in the middle is an incomplete stream with its partial text', async () => {
    const answer: FakeAnswer = { steps: [part({ content: 'a' }), part({ content: 'b' }), part({ content: 'c' }), { reset: true }] };
    await talk({ server, chat: [answer] }, async ({ ask, fake }) => {
      expect(await ask()).toMatchObject({ ok: false, failure: { kind: 'incomplete_stream', partial: 'abc' } });
      expect(fake.chats).toHaveLength(2);
    });
  });

  it('behaviour 12: an end without its last line is never a success, and the second try differs', async () => {
    await talk({ server, chat: [{ steps: [part({ content: 'half' })] }] }, async ({ ask, fake }) => {
      expect(await ask()).toMatchObject({ ok: false, failure: { kind: 'incomplete_stream', partial: 'half' } });
      const [first, second] = fake.chats.map(seedOf);
      expect(first).toBeUndefined();
      expect(second).toBeTypeOf('number');
    });
  });

  it('behaviour 13: a whole answer that says it is not done is incomplete', async () => {
    const line =
      server === 'ollama'
        ? { message: { role: 'assistant', content: 'half' }, done: false }
        : { object: 'chat.completion', choices: [{ message: { role: 'assistant', content: 'half' }, finish_reason: null }] };
    expect(await replyTo({ server, chat: [{ steps: [{ line }] }] })).toMatchObject({ ok: false, failure: { kind: 'incomplete_stream' } });
  });

  it('behaviour 14: lines after the last one are ignored, even when the server goes on and on', async () => {
    const after = [part({ content: ' more' }), { line: 'not json' }, { waitMs: 30 }, part({ content: '!' })];
    expect(textOf(await replyTo({ server, chat: [{ steps: [part({ content: 'ok' }), done(), ...after] }] }))).toBe('ok');
    expect(textOf(await replyTo({ server, chat: [{ steps: [part({ content: 'ok' }), done(), { hang: true }] }] }))).toBe('ok');
  });

  it.each([
    ['before the headers', { headersAfterMs: 60_000 }],
    ['in the middle', { steps: [part({ content: 'a' }), { hang: true }] }],
  ] as const)('behaviour 15: a stop %s settles at once, closes the socket and frees the place', async (_, answer) => {
    await talk({ server, chat: [answer, says('next')] }, async ({ conversation, fake }) => {
      const scope = new Scope();
      const reply = conversation.reply({ scope, withTools: true });
      await fake.until(() => fake.chats.length === 1);
      await later(20);
      scope.stop({ kind: 'interrupted' });
      expect(await reply).toMatchObject({ ok: false, failure: { kind: 'stopped' } });
      await fake.until(() => fake.chats[0]?.closedEarly === true);
      expect(textOf(await conversation.reply({ scope: new Scope(), withTools: true }))).toBe('next');
    });
  });

  it('behaviour 15: a stop in the queue costs no request and leaves the one under way untouched', async () => {
    const chat = [{ headersAfterMs: 80, ...says('first') }, says('wrong')];
    await talk({ server, chat }, async ({ model, fake }) => {
      const first = model.startConversation(OPENING).reply({ scope: new Scope(), withTools: true });
      await fake.until(() => fake.chats.length === 1);
      const scope = new Scope();
      const second = model.startConversation(OPENING).reply({ scope, withTools: true });
      await later(10);
      scope.stop({ kind: 'interrupted' });
      expect(await second).toMatchObject({ ok: false, failure: { kind: 'stopped' } });
      expect(textOf(await first)).toBe('first');
      expect(fake.chats).toHaveLength(1);
    });
  });

  it('behaviour 16: a caller who leaves at a piece of the answer closes the socket, and others go on', async () => {
    const endless = { steps: [part({ content: 'a' }), part({ content: 'b' }), { hang: true }] } as const;
    const chat = (_: unknown, index: number): FakeAnswer => (index === 0 ? endless : { headersAfterMs: 40, ...says('whole') });
    await talk({ server, chat, settings: { parallel: 2 } }, async ({ model, fake }) => {
      const scope = new Scope();
      const leaving = model
        .startConversation(OPENING)
        .reply({ scope, withTools: true, onDelta: () => scope.stop({ kind: 'interrupted' }) });
      await fake.until(() => fake.chats.length === 1);
      const staying = model.startConversation(OPENING).reply({ scope: new Scope(), withTools: true });
      expect(await leaving).toMatchObject({ ok: false, failure: { kind: 'stopped', partial: expect.stringMatching(/^ab?$/) } });
      await fake.until(() => fake.chats[0]?.closedEarly === true);
      expect(textOf(await staying)).toBe('whole');
      expect((scope as unknown as { hooks?: Set<unknown> }).hooks?.size ?? 0).toBe(0);
    });
  });

  it('behaviour 17: a hundred stopped requests leave no socket and no hook behind', async () => {
    await talk({ server, chat: [{ steps: [part({ content: 'a' }), { hang: true }] }] }, async ({ conversation, fake }) => {
      const run = new Scope();
      for (let index = 0; index < 100; index++) {
        const scope = new Scope(run);
        const reply = conversation.reply({ scope, withTools: true, onDelta: () => scope.stop({ kind: 'interrupted' }) });
        expect(await reply).toMatchObject({ ok: false, failure: { kind: 'stopped' } });
        scope.close();
      }
      await fake.until(() => fake.chats.every((chat) => chat.closedEarly) && fake.connections() <= 1);
      expect((run as unknown as { hooks: Set<unknown> }).hooks.size).toBe(0);
    });
  });
});
