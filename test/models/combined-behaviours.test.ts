import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { done, type FakeAnswer, fails, json, part, says } from '../../src/testing/fake-answer.ts';
import { ollamaLine, startFakeOllama } from '../../src/testing/fake-ollama.ts';
import { openAiChunk } from '../../src/testing/fake-openai.ts';
import { overflowText } from '../../src/testing/fake-runner.ts';
import { replyTo, SERVERS, talk, textOf } from './talk.ts';

const busy = fails(503, 'server busy, please try again.  maximum pending requests exceeded');

/** Splits a text into pieces of a few characters, so that no border stands where it would help. */
const pieces = (text: string, size = 5) => text.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? [];

describe.each(SERVERS)('a real %s server', (server) => {
  it('prints reasoning and a call as text, both split anywhere: the call is salvaged, the reasoning kept apart', async () => {
    const text = '<think>I have to\nlook "it" up.</think>\n\n```json\n{"name": "step", "arguments": {"n": "3"}}\n```';
    const steps = [...pieces(text).map((content) => part({ content })), done()];
    await talk({ server, chat: [{ steps }] }, async ({ ask, deltas }) => {
      const reply = await ask();
      expect(reply).toMatchObject({
        ok: true,
        message: {
          content: '',
          thinking: 'I have to\nlook "it" up.',
          toolCalls: [{ name: 'step', arguments: { n: '3' }, salvaged: 'text' }],
        },
        notices: [{ code: 'calls_salvaged' }],
      });
      const thought = deltas.flatMap((delta) => (delta.type === 'thinking' ? [delta.text] : [])).join('');
      expect(thought).toBe('I have to\nlook "it" up.');
    });
  });

  it('is busy, then finds the prompt too long: the wait is told, the overflow typed with its counts and not tried again', async () => {
    const overflow = server === 'ollama' ? overflowText(962, 512) : JSON.parse(overflowText(962, 512)).error;
    await talk({ server, chat: [busy, fails(400, overflow)] }, async ({ ask, fake }) => {
      const reply = await ask();
      expect(reply).toMatchObject({ ok: false, failure: { kind: 'context_overflow', promptTokens: 962, windowTokens: 512 } });
      expect(reply.notices.map(({ code }) => code)).toEqual(['retried_busy']);
      expect(reply.usage.tries).toBe(2);
      expect(fake.chats).toHaveLength(2);
    });
  });

  it('closes the connection after a whole call but before the end: nothing is run, and the second try is another', async () => {
    const call = { tool_calls: [{ function: { name: 'step', arguments: { n: 1 } } }] };
    const cut: FakeAnswer = { steps: [part({ content: 'I will ' }), part(call), { reset: true }] };
    await talk({ server, chat: [cut, says('done')] }, async ({ ask, fake }) => {
      const reply = await ask();
      expect(textOf(reply)).toBe('done');
      expect(reply.ok && reply.message.toolCalls).toBeUndefined();
      expect(fake.chats).toHaveLength(2);
    });
    await talk({ server, chat: [cut] }, async ({ ask, fake }) => {
      expect(await ask()).toMatchObject({ ok: false, failure: { kind: 'incomplete_stream', partial: 'I will ' } });
      expect(fake.chats).toHaveLength(2);
    });
  });

  it('redirects: a typed failure that says so, and no prompt follows it', async () => {
    const elsewhere = await startFakeOllama();
    const moved: FakeAnswer = { status: 307, headers: { location: `${elsewhere.host}/api/chat` } };
    const reply = await replyTo({ server, chat: [moved] });
    expect(reply).toMatchObject({ ok: false, failure: { kind: 'protocol', message: expect.stringMatching(/redirect.*307/) } });
    expect(elsewhere.requests).toHaveLength(0);
    await elsewhere.close();
  });

  it('packs its answer though nobody asked for that: read, or a typed failure without rubbish in its words', async () => {
    const line = server === 'ollama' ? ollamaLine({ content: 'hi' }) : openAiChunk({ content: 'hi' });
    const packed: FakeAnswer = { headers: { 'content-encoding': 'gzip' }, steps: [{ raw: gzipSync(line) }] };
    const reply = await replyTo({ server, chat: [packed] });
    expect(reply).toMatchObject({ ok: false, failure: { kind: expect.stringMatching(/^(?:protocol|incomplete_stream)$/) } });
    if (!reply.ok) expect(reply.failure.message).toMatch(/^[\x20-\x7e…]*$/);
  });

  it('answers with the page of a proxy and status 200: a typed failure, the page not shown', async () => {
    const page: FakeAnswer = { headers: { 'content-type': 'text/html' }, steps: [{ raw: '<!DOCTYPE html><html><b>Sign in</b></html>\n' }] };
    const reply = await replyTo({ server, chat: [page] });
    expect(reply).toMatchObject({ ok: false, failure: { kind: 'protocol', message: expect.stringContaining('an HTML page') } });
  });

  it('says that it calls a tool and calls none, after reasoning: an empty turn, asked for again', async () => {
    const empty: FakeAnswer = { steps: [part({ thinking: 'hm' }), done({ done_reason: 'tool_calls' })] };
    await talk({ server, chat: [empty, says('fine')] }, async ({ ask }) => {
      const reply = await ask();
      expect(textOf(reply)).toBe('fine');
      expect(reply.notices.map(({ code }) => code)).toEqual(['retried_empty_turn']);
      expect(reply.usage).toMatchObject({ inputTokens: 100, outputTokens: 10, tries: 2, peakTokens: 55 });
    });
  });

  it('fails in its stream while reasoning, and is out of memory at the second try: the last failure is told, typed', async () => {
    const error =
      server === 'ollama'
        ? { line: { error: 'model runner has unexpectedly stopped' } }
        : { raw: 'data: {"error":{"message":"boom","code":500}}\n\n' };
    const crash: FakeAnswer = { steps: [part({ thinking: 'hm' }), error] };
    const opening = { contextTokens: 4_096 };
    await talk({ server, opening, chat: [crash, fails(500, 'CUDA error: out of memory')] }, async ({ ask, fake }) => {
      expect(await ask()).toMatchObject({ ok: false, failure: { kind: 'server_fault', message: expect.stringContaining('memory') } });
      expect(fake.chats).toHaveLength(2);
    });
  });
});

describe('a real OpenAI-compatible server', () => {
  const sse = (...events: readonly unknown[]): FakeAnswer => ({
    steps: [{ raw: events.map((event) => (typeof event === 'string' ? event : `data: ${JSON.stringify(event)}\r\n\r\n`)).join('') }],
  });
  const delta = (fields: object, finish: string | null = null) => ({ choices: [{ index: 0, delta: fields, finish_reason: finish }] });
  const fragment = (index: number, name: string | undefined, text: string, id?: string) => ({
    tool_calls: [{ index, ...(id === undefined ? {} : { id }), function: { ...(name === undefined ? {} : { name }), arguments: text } }],
  });

  it('ends its lines as Windows does, sends comments between, and tells the counts in a last chunk without a last mark', async () => {
    const chat = [
      sse(
        ': ping\r\n\r\n',
        delta({ role: 'assistant', content: null }),
        delta({ content: 'a\r\nb' }),
        ':\r\n',
        'event: message\r\n',
        delta({ content: 'ü' }, 'stop'),
        {
          choices: [],
          usage: { prompt_tokens: 11, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 8 } },
        },
      ),
    ];
    const reply = await replyTo({ server: 'openai', chat });
    expect(textOf(reply)).toBe('a\r\nbü');
    expect(reply.usage).toMatchObject({ inputTokens: 11, outputTokens: 3, cachedTokens: 8 });
  });

  it.each(['\u2028', '\u2029', '\u0085', '\ufeff', '\u0000'])(
    'sends a character that some take for the end of a line (%j)',
    async (character) => {
      const text = `a${character}b`;
      const answer = sse(
        delta({ content: text }),
        delta(fragment(0, 'step', JSON.stringify({ n: text })), 'tool_calls'),
        'data: [DONE]\n\n',
      );
      const reply = await replyTo({ server: 'openai', chat: [answer] });
      expect(reply).toMatchObject({ ok: true, message: { content: text, toolCalls: [{ arguments: { n: text } }] } });
      expect(await replyTo({ chat: [says(text)] })).toMatchObject({ ok: true, message: { content: text } });
    },
  );

  it.each([
    ['in words', 'error: no slot is left\r\n\r\n', 'no slot is left'],
    ['as JSON', 'error: {"code":500,"message":"no slot is left","type":"server_error"}\n\n', 'no slot is left'],
    ['as an event', 'event: error\ndata: {"error":{"message":"no slot is left"}}\n\n', 'no slot is left'],
  ])('tells an error after some text in a field of its own, %s: typed, with the text kept', async (_, raw, words) => {
    const answer = sse(delta({ content: 'so far' }), raw);
    const reply = await replyTo({ server: 'openai', chat: [answer] });
    expect(reply).toMatchObject({
      ok: false,
      failure: { kind: 'server_fault', message: expect.stringContaining(words), partial: 'so far' },
    });
  });

  it('gives calls neither ids nor indexes of their own: all are there, in order, with ids of ours', async () => {
    const chat = [
      sse(
        delta(fragment(0, 'step', '{"n"')),
        delta(fragment(0, undefined, ': 1}')),
        delta(fragment(0, 'step', '{"n": 2}')),
        delta(fragment(0, 'look_up', '')),
        delta(fragment(0, undefined, '{"n": 3}'), 'tool_calls'),
        'data: [DONE]\r\n\r\n',
      ),
    ];
    const reply = await replyTo({ server: 'openai', chat });
    expect(reply.ok && reply.message.toolCalls).toMatchObject([
      { id: 'call_1', name: 'step', arguments: { n: 1 } },
      { id: 'call_2', name: 'step', arguments: { n: 2 } },
      { id: 'call_3', name: 'look_up', arguments: { n: 3 } },
    ]);
  });

  it('repeats id and name in every fragment, of two calls in turns: two calls', async () => {
    const chat = [
      sse(
        delta(fragment(0, 'step', '{"n":', 'a')),
        delta(fragment(1, 'look_up', '{"n":', 'b')),
        delta(fragment(0, 'step', ' 1}', 'a')),
        delta(fragment(1, 'look_up', ' 2}', 'b'), 'tool_calls'),
        'data: [DONE]\n\n',
      ),
    ];
    const reply = await replyTo({ server: 'openai', chat });
    expect(reply.ok && reply.message.toolCalls).toMatchObject([
      { name: 'step', arguments: { n: 1 } },
      { name: 'look_up', arguments: { n: 2 } },
    ]);
  });

  it('has the connection cut after the finish, before counts and last mark: the answer stands', async () => {
    const cut: FakeAnswer = { steps: [...(sse(delta({ content: 'whole' }, 'stop')).steps ?? []), { reset: true }] };
    await talk({ server: 'openai', chat: [cut] }, async ({ ask, fake }) => {
      expect(textOf(await ask())).toBe('whole');
      expect(fake.chats).toHaveLength(1);
    });
  });

  it('answers without a stream, with a call and text at once, though one was asked for', async () => {
    const message = {
      role: 'assistant',
      content: 'so',
      tool_calls: [{ id: 'x', type: 'function', function: { name: 'step', arguments: '{"n": 4}' } }],
    };
    const whole = json({
      choices: [{ index: 0, message, finish_reason: 'tool_calls' }],
      usage: { prompt_tokens: 5, completion_tokens: 2 },
    });
    const reply = await replyTo({ server: 'openai', chat: [whole] });
    expect(reply).toMatchObject({
      ok: true,
      message: { content: 'so', toolCalls: [{ name: 'step', arguments: { n: 4 } }] },
      usage: { inputTokens: 5 },
    });
  });
});
