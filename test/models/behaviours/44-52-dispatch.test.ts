import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool, type Tool } from '../../../src/core/tool.ts';
import { complete } from '../../../src/core/tool-result.ts';
import { actionSchema } from '../../../src/models/chat/action-mode.ts';
import { ServerLink } from '../../../src/models/chat/server-link.ts';
import { OLLAMA_DIALECT } from '../../../src/models/ollama/ollama-dialect.ts';
import { OLLAMA_HINTS } from '../../../src/models/ollama/ollama-hints.ts';
import { createOpenAiModel } from '../../../src/models/openai/openai-model.ts';
import { callsTools, type FakeAnswer, says } from '../../../src/testing/fake-answer.ts';
import type { FakeOllamaOptions } from '../../../src/testing/fake-ollama.ts';
import type { FakeRequest } from '../../../src/testing/fake-server.ts';
import { schemaAsSeen } from '../../../src/testing/ollama-rules.ts';
import { runScripted, type ScriptedResult } from '../../support/run-scripted.ts';
import { modelOf, OPENING, SERVERS, type ServerKind, startFake } from '../talk.ts';

const seen: unknown[] = [];
const find = defineTool({
  name: 'find_rows',
  description: 'Finds rows.',
  input: z.object({
    count: z.number().int().min(1).max(9),
    deep: z.boolean().optional(),
    ids: z.array(z.number()).optional(),
    key: z.string().optional(),
  }),
  output: z.object({ found: z.number() }),
  effect: 'read',
  run: async (input) => {
    seen.push(input);
    return complete({ found: input.count });
  },
});

interface Played extends ScriptedResult {
  readonly chats: readonly FakeRequest[];
}

/** The real loop with a model of a scripted server. */
async function play(server: ServerKind, chat: NonNullable<FakeOllamaOptions['chat']>, tools: readonly Tool[] = [find]): Promise<Played> {
  seen.length = 0;
  const fake = await startFake({ server, chat });
  const model = modelOf(server, fake);
  try {
    const result = await runScripted({ model, tools });
    return { ...result, chats: [...fake.chats] };
  } finally {
    await model.close();
    await fake.close();
  }
}

function lastResult(request: FakeRequest | undefined): string {
  const messages = (request?.body.messages ?? []) as { role: string; content: string }[];
  return messages.filter(({ role }) => role === 'tool').at(-1)?.content ?? '';
}

describe.each(SERVERS)('%s and the tools of an agent', (server) => {
  it('behaviour 43: arguments that cannot be read come back as an error that says so', async () => {
    const { chats, conclusion } = await play(server, [callsTools(['find_rows', '{"count": 1']), says('ok')]);
    expect(lastResult(chats[1])).toMatch(/not a JSON object|could not be read|not valid JSON/);
    expect(seen).toEqual([]);
    expect(conclusion.status).not.toBe('failed');
  });

  it('behaviour 44: wrong types are made to fit only as the schema says', async () => {
    const input = { count: '3', deep: 'true', ids: '[1,2]', key: 5 };
    await play(server, [callsTools(['find_rows', input]), says('ok')]);
    expect(seen).toEqual([{ count: 3, deep: true, ids: [1, 2], key: '5' }]);
  });

  it('behaviour 45: a name that is nearly right is taken, an unknown one comes back with the nearest', async () => {
    const { chats } = await play(server, [
      callsTools(['functions.find_rows', { count: 1 }], ['Find_Rows', { count: 2 }]),
      callsTools(['find_row_counts', { count: 3 }]),
      says('ok'),
    ]);
    expect(seen).toEqual([{ count: 1 }, { count: 2 }]);
    expect(lastResult(chats[2])).toMatch(/find_row_counts.*find_rows/s);
  });

  it('behaviour 48: the same call with the same result is blocked at three and ends the run at five', async () => {
    const { conclusion, chats, events } = await play(server, [callsTools(['find_rows', { count: 1 }])]);
    expect(conclusion).toMatchObject({ status: 'failed', reason: expect.stringContaining('loop') });
    expect(chats).toHaveLength(5);
    expect(lastResult(chats[3])).toMatch(/same|again|repeat/i);
    expect(events.some(({ body }) => body.type === 'loop.blocked')).toBe(true);
    expect(seen.length).toBeLessThan(5);
  });

  it('behaviour 50: limits that the server drops from a schema are told in words and still enforced', async () => {
    const { chats } = await play(server, [callsTools(['find_rows', { count: 12 }]), callsTools(['find_rows', { count: 4 }]), says('ok')]);
    const [offer] = (chats[0]?.body.tools ?? []) as { function: { parameters: Record<string, unknown> } }[];
    const { properties } = schemaAsSeen(offer?.function.parameters ?? {}) as { properties: Record<string, Record<string, unknown>> };
    expect(properties.count).toEqual({ type: 'integer', description: expect.stringMatching(/at least 1, at most 9/) });
    expect(lastResult(chats[1])).toMatch(/count/);
    expect(seen).toEqual([{ count: 4 }]);
  });

  it('behaviour 52: no request holds tools and a format', async () => {
    const actions = [says('{"action":{"tool":"find_rows","arguments":{"count":2}}}'), says('{"action":{"answer":"2 rows"}}')];
    // Nothing comes of native calls, so that the conversation ends up acting by JSON.
    const chat = ({ body }: FakeRequest): FakeAnswer =>
      (body.format ?? body.response_format) === undefined ? says('') : (actions.shift() ?? says(''));
    const { chats, conclusion } = await play(server, chat);
    expect(conclusion).toMatchObject({ status: 'ok', text: '2 rows' });
    expect(seen).toEqual([{ count: 2 }]);
    for (const { body } of chats) expect(body.tools !== undefined && (body.format ?? body.response_format) !== undefined).toBe(false);
  });
});

describe('a request with tools and a format', () => {
  const format = actionSchema(OPENING.tools);
  const shape = { withTools: true, format, variation: {} };

  it('behaviour 52: is refused before it is built', () => {
    const link = new ServerLink({
      name: 'm',
      host: 'http://127.0.0.1:1',
      settings: {},
      hints: OLLAMA_HINTS,
      dialect: OLLAMA_DIALECT,
      gate: undefined,
      memory: undefined,
    });
    expect(() => OLLAMA_DIALECT.compileHead(link, OPENING, shape)).toThrow(RangeError);
    expect(OLLAMA_DIALECT.compileHead(link, OPENING, { ...shape, withTools: false }).toString()).toContain('"format":{"type":"object"');
    expect(createOpenAiModel({ name: 'm', baseUrl: 'http://127.0.0.1:1' }).id).toBe('openai/m');
  });

  it('behaviour 52: is answered by a server with JSON and no call', async () => {
    const fake = await startFake({ server: 'ollama', chat: [callsTools(['step', { n: 1 }])] });
    const body = {
      model: 'm',
      messages: [{ role: 'user', content: 'go' }],
      tools: [{ function: { name: 'step', parameters: {} } }],
      format: 'json',
    };
    const answer = await fetch(`${fake.host}/api/chat`, { method: 'POST', body: JSON.stringify(body) });
    const text = await answer.text();
    expect(text).toContain('"content":"{}"');
    expect(text).not.toContain('tool_calls');
    await fake.close();
  });
});
