import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AnswerReader } from '../../../src/models/chat/answer-reader.ts';
import { NdjsonReader } from '../../../src/models/ollama/ndjson-reader.ts';
import { SseReader } from '../../../src/models/openai/sse-reader.ts';
import { done, type FakeStep, part } from '../../../src/testing/fake-answer.ts';
import { ollamaEnd, ollamaLine } from '../../../src/testing/fake-ollama.ts';
import { openAiChunk, openAiEnd } from '../../../src/testing/fake-openai.ts';
import { replyTo, SERVERS, type ServerKind } from '../talk.ts';

type Piece = { readonly content?: string; readonly thinking?: string; readonly tool_calls?: readonly object[] };

const text = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
  fc.constantFrom(
    'Grüße 🚰',
    'a "b" \\ c',
    '\r\n',
    '\u2028',
    'a\u2029b',
    '\u0085',
    '\ufeff',
    '</think>',
    '<think>',
    '{"done":true}',
    'data: [DONE]',
    '日本語',
  ),
);
const call = fc.record({ name: fc.constantFrom('step', 'look_up'), n: fc.integer(), s: text }).map(({ name, n, s }) => ({
  function: { name, arguments: { n, s } },
}));
const piece: fc.Arbitrary<Piece> = fc.oneof(
  { weight: 6, arbitrary: text.map((content) => ({ content })) },
  { weight: 2, arbitrary: text.map((thinking) => ({ thinking })) },
  { weight: 1, arbitrary: fc.array(call, { minLength: 1, maxLength: 3 }).map((calls) => ({ tool_calls: calls })) },
);
const answer = fc.array(piece, { minLength: 1, maxLength: 12 });

function bytesOf(server: ServerKind, pieces: readonly Piece[]): Buffer {
  const [say, end] = server === 'ollama' ? [ollamaLine, ollamaEnd] : [openAiChunk, openAiEnd];
  return Buffer.from(pieces.map((one) => say(one)).join('') + end({ done_reason: 'stop', prompt_eval_count: 50, eval_count: 5 }));
}

function readAll(server: ServerKind, texts: readonly string[]): unknown {
  const told: string[] = [];
  const onDelta = (delta: { type: string; text?: string }): void => void told.push(`${delta.type}:${delta.text}`);
  const reader: AnswerReader = server === 'ollama' ? new NdjsonReader(onDelta, true) : new SseReader(onDelta, true);
  for (const one of texts) reader.push(one);
  reader.end();
  const join = (type: string): string =>
    told
      .filter((one) => one.startsWith(`${type}:`))
      .map((one) => one.slice(type.length + 1))
      .join('');
  return {
    fault: reader.fault,
    partial: reader.partial,
    text: join('text'),
    thinking: join('thinking'),
    answer: reader.fault ? undefined : reader.answer(),
  };
}

describe.each(SERVERS)('%s streams of any kind', (server) => {
  it('behaviour 2: any split of a valid stream into chunks reads the same', () => {
    fc.assert(
      fc.property(answer, fc.array(fc.nat(), { maxLength: 20 }), (pieces, places) => {
        const whole = bytesOf(server, pieces).toString();
        const borders = [0, ...places.map((place) => place % (whole.length + 1)).sort((a, b) => a - b), whole.length];
        const split = borders.slice(1).map((end, index) => whole.slice(borders[index], end));
        const expected = readAll(server, [whole]);
        expect(readAll(server, split)).toEqual(expected);
        // A valid stream is an answer, unless the model repeats itself without end.
        const { fault } = expected as { fault?: { kind: string } };
        expect(fault === undefined || fault.kind === 'loop', JSON.stringify(fault)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it('behaviour 2: … and over a socket, wherever the bytes are split', async () => {
    await fc.assert(
      fc.asyncProperty(answer, fc.array(fc.nat(), { maxLength: 8 }), async (pieces, places) => {
        const whole = bytesOf(server, pieces);
        const borders = [0, ...places.map((place) => place % (whole.length + 1)).sort((a, b) => a - b), whole.length];
        const steps = borders.slice(1).map((end, index): FakeStep => ({ raw: whole.subarray(borders[index], end) }));
        const strip = ({ usage: _, ...reply }: Awaited<ReturnType<typeof replyTo>>) => reply;
        const expected = await replyTo({ server, chat: [{ steps: [...pieces.map((one) => part(one)), done()] }] });
        expect(strip(await replyTo({ server, chat: [{ steps }] }))).toEqual(strip(expected));
      }),
      { numRuns: 150 },
    );
  });

  it('behaviour 12: any prefix of a valid stream is a typed failure that keeps what came', async () => {
    await fc.assert(
      fc.asyncProperty(answer, fc.nat(), async (pieces, place) => {
        const whole = bytesOf(server, pieces);
        const last = Buffer.from(bytesOf(server, []));
        // Anything before the line that ends the answer; a finish without its counts is an answer already.
        const prefix = whole.subarray(0, place % (whole.length - last.length + 1));
        const reply = await replyTo({ server, chat: [{ steps: [{ raw: prefix }] }] });
        expect(reply.ok).toBe(false);
        if (reply.ok) return;
        expect(['incomplete_stream', 'protocol', 'server_fault']).toContain(reply.failure.kind);
        const textOf = (bytes: string): string => (readAll(server, [bytes]) as { partial: string }).partial;
        const { partial = '' } = reply.failure;
        // Of the last line all is kept if it is whole, and nothing if it is not.
        expect(partial.startsWith(textOf(prefix.toString().slice(0, prefix.toString().lastIndexOf('\n') + 1)))).toBe(true);
        // White space before reasoning belongs to it once the reasoning has come.
        expect(textOf(whole.toString()).trimStart().startsWith(partial.trimStart())).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  it('rubbish is never an answer and never an exception', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string(), fc.json(), fc.constantFrom('\n', 'data: ', '{', '}', '"', '\0')), { maxLength: 30 }),
        (parts) => {
          const result = readAll(server, parts) as { fault: unknown; answer: { finish: string } | undefined };
          const claims =
            parts.join('').includes('"done":true') || parts.join('').includes('[DONE]') || parts.join('').includes('finish_reason');
          if (!claims) expect(result.fault).toBeDefined();
        },
      ),
      { numRuns: 3_000 },
    );
  });
});
