import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message, ToolCall } from '../../../src/core/message.ts';
import type { ModelReply } from '../../../src/core/model.ts';
import { WireHistory } from '../../../src/models/chat/wire-history.ts';
import { OLLAMA_ENCODING } from '../../../src/models/ollama/ollama-encoding.ts';
import { callsTools, done, part, says } from '../../../src/testing/fake-answer.ts';
import { openAiChunk } from '../../../src/testing/fake-openai.ts';
import { replyTo, SERVERS, talk } from '../talk.ts';

function callsOf(reply: ModelReply): readonly ToolCall[] {
  if (!reply.ok) throw new Error(`the reply failed: ${reply.failure.message}`);
  return reply.message.toolCalls ?? [];
}

const call = (name: string, input: unknown, extra: object = {}): object => ({ ...extra, function: { name, arguments: input } });

describe.each(SERVERS)('%s tool calls', (server) => {
  it('behaviour 38: a call in a line before the last is one call', async () => {
    expect(callsOf(await replyTo({ server, chat: [callsTools(['step', { n: 1 }])] }))).toEqual([
      { id: 'call_1', name: 'step', arguments: { n: 1 } },
    ]);
  });

  it('behaviour 39: a call in the last line is one call', async () => {
    const last = done({ message: { role: 'assistant', content: '', tool_calls: [call('step', { n: 1 })] } });
    expect(callsOf(await replyTo({ server, chat: [{ steps: [last] }] }))).toHaveLength(1);
  });

  it('behaviour 40: calls of several lines keep their order, whatever their indexes say', async () => {
    const line = (n: number, index: number): object => ({ function: { index, name: 'step', arguments: { n } } });
    const steps = [part({ tool_calls: [line(1, 0), line(2, 1)] }), part({ tool_calls: [line(3, 0)] }), done()];
    expect(callsOf(await replyTo({ server, chat: [{ steps }] })).map(({ arguments: { n } }) => n)).toEqual([1, 2, 3]);
  });

  it('behaviour 41: ids are ours, unique in the conversation, and results map by them', async () => {
    const same = {
      steps: [
        part({ tool_calls: [call('step', { n: 1 }, { id: 'x' }), call('step', { n: 2 }, { id: 'x' }), call('step', { n: 3 })] }),
        done(),
      ],
    };
    await talk({ server, chat: [same] }, async ({ ask, conversation, fake }) => {
      const first = await ask();
      expect(callsOf(first).map(({ id }) => id)).toEqual(['call_1', 'call_2', 'call_3']);
      if (first.ok) conversation.append(first.message);
      for (const { id, name } of callsOf(first))
        conversation.append({ role: 'tool', toolCallId: id, toolName: name, content: `result of ${id}` });
      expect(callsOf(await ask()).map(({ id }) => id)).toEqual(['call_4', 'call_5', 'call_6']);
      const results = (fake.chats[1]!.body.messages as { role: string; tool_call_id?: string; content: string }[]).filter(
        ({ role }) => role === 'tool',
      );
      expect(results.map((result) => [result.tool_call_id, result.content.endsWith(`result of ${result.tool_call_id}`)])).toEqual([
        ['call_1', true],
        ['call_2', true],
        ['call_3', true],
      ]);
      expect(results[1]?.content).toContain('step({"n":2})');
    });
  });

  it('behaviour 41: a resumed conversation goes on counting', async () => {
    await talk({ server, chat: [callsTools(['step', { n: 2 }])] }, async ({ ask, conversation }) => {
      conversation.append({ role: 'assistant', content: '', toolCalls: [{ id: 'call_7', name: 'step', arguments: { n: 1 } }] });
      conversation.append({ role: 'tool', toolCallId: 'call_7', toolName: 'step', content: 'ok' });
      expect(callsOf(await ask())[0]?.id).toBe('call_8');
    });
  });

  it('behaviour 42: text and call together are both kept', async () => {
    const reply = await replyTo({
      server,
      chat: [{ steps: [part({ content: 'Let me look.', tool_calls: [call('step', { n: 1 })] }), done()] }],
    });
    expect(reply).toMatchObject({ ok: true, message: { content: 'Let me look.', toolCalls: [{ name: 'step' }] } });
  });

  it.each([
    ['an object', { n: 1 }, { n: 1 }],
    ['JSON text', '{"n":1}', { n: 1 }],
    ['JSON text in JSON text', JSON.stringify('{"n":1}'), { n: 1 }],
    ['an empty text', '', {}],
    ['null', null, {}],
    ['nothing', undefined, {}],
  ])('behaviour 43: arguments as %s are an object', async (_, given, read) => {
    const [found] = callsOf(await replyTo({ server, chat: [callsTools(['step', given])] }));
    expect(found?.arguments).toEqual(read);
    expect(found?.unreadable).toBeUndefined();
  });

  it.each([['{"n": 1'], [[1, 2]], [7]])('behaviour 43: arguments that are no object (%j) are kept as text', async (given) => {
    const [found] = callsOf(await replyTo({ server, chat: [callsTools(['step', given])] }));
    expect(found).toMatchObject({ arguments: {}, unreadable: typeof given === 'string' ? given : JSON.stringify(given) });
  });

  it('behaviour 43: integers that a number cannot hold are kept as text', async () => {
    const input = '{"n":12345678901234567890,"s":"9999999999999999999"}';
    const raw =
      server === 'ollama'
        ? `{"message":{"content":"","tool_calls":[{"function":{"name":"step","arguments":${input}}}]}}\n`
        : openAiChunk({ tool_calls: [call('step', input)] });
    const reply = await replyTo({ server, chat: [{ steps: [{ raw }, done()] }] });
    expect(callsOf(reply)[0]?.arguments).toEqual({ n: '12345678901234567890', s: '9999999999999999999' });
  });

  it('behaviour 46: calls printed as text are salvaged, and said to be', async () => {
    const reply = await replyTo({ server, chat: [says('```json\n{"name": "step", "arguments": {"n": 1}}\n```')] });
    expect(reply).toMatchObject({ ok: true, message: { content: '', toolCalls: [{ id: 'call_1', name: 'step', salvaged: 'text' }] } });
    expect(reply.notices).toMatchObject([{ code: 'calls_salvaged' }]);
  });

  it('behaviour 47: nothing is salvaged where no tools were offered, and no native call is taken there', async () => {
    const text = '{"name": "step", "arguments": {"n": 1}}';
    await talk({ server, chat: [says(text), callsTools(['step', { n: 1 }]), says('done')] }, async ({ ask, fake }) => {
      const first = await ask(false);
      expect(first).toMatchObject({ ok: true, message: { content: text } });
      expect(callsOf(first)).toEqual([]);
      expect(callsOf(await ask(false))).toEqual([]);
      for (const chat of fake.chats) expect(chat.body).not.toHaveProperty('tools');
    });
  });

  it('behaviour 49: what is sent holds no string arguments, no boolean schema, no reference and no array content', async () => {
    const parameters = {
      type: 'object',
      properties: {
        filter: { $ref: '#/$defs/filter' },
        anything: true,
        never: false,
        tags: { type: 'array', items: { $ref: '#/$defs/tag' } },
      },
      $defs: { filter: { type: 'object', properties: { tag: { $ref: '#/$defs/tag' } } }, tag: { type: 'string', enum: ['a', 'b'] } },
      additionalProperties: false,
    };
    const tools = [{ name: 'find', description: 'Finds.', parameters }];
    await talk(
      { server, chat: [callsTools(['find', '{"tags":["a"]}']), says('ok')], opening: { tools } },
      async ({ ask, conversation, fake }) => {
        const reply = await ask();
        if (reply.ok) conversation.append(reply.message);
        await ask();
        const [assistant, result] = (
          fake.chats[1]!.body.messages as { tool_calls?: { function: { arguments: unknown } }[]; content: unknown }[]
        ).slice(-2);
        expect(assistant?.tool_calls?.[0]?.function.arguments).toEqual(server === 'ollama' ? { tags: ['a'] } : '{"tags":["a"]}');
        expect(result?.content).toBeTypeOf('string');
        const sent = (fake.chats[0]!.body.tools as { function: { parameters: object } }[])[0]?.function.parameters;
        expect(sent).toEqual({
          type: 'object',
          properties: {
            filter: { type: 'object', properties: { tag: { type: 'string', enum: ['a', 'b'] } } },
            anything: {},
            tags: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
          },
        });
      },
    );
  });

  it('behaviour 51: results follow their calls, all present and in call order, however they come', () => {
    const turns = fc.array(
      fc.record({ calls: fc.integer({ min: 0, max: 4 }), order: fc.array(fc.nat(10), { maxLength: 6 }), text: fc.boolean() }),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(turns, (plan) => {
        const history = new WireHistory(OLLAMA_ENCODING);
        let id = 0;
        for (const { calls, order, text } of plan) {
          if (text) history.append({ role: 'user', content: 'go' });
          const toolCalls = Array.from({ length: calls }, () => ({ id: `call_${++id}`, name: 'step', arguments: {} }));
          history.append({ role: 'assistant', content: 'x', toolCalls });
          const given = [...new Set(order.map((place) => toolCalls[place % Math.max(1, calls)]))].filter((one) => one !== undefined);
          for (const one of given)
            history.append({ role: 'tool', toolCallId: one.id, toolName: one.name, content: 'ok' } satisfies Message);
        }
        const messages = JSON.parse(`[${history.bytes()}]`) as { role: string; tool_calls?: { id: string }[]; tool_call_id?: string }[];
        const expected = messages.flatMap((message) => message.tool_calls?.map((one) => one.id) ?? []);
        expect(messages.filter(({ role }) => role === 'tool').map((message) => message.tool_call_id)).toEqual(expected);
        for (const [index, message] of messages.entries()) {
          const ids = message.tool_calls?.map((one) => one.id) ?? [];
          expect(messages.slice(index + 1, index + 1 + ids.length).map((result) => result.tool_call_id)).toEqual(ids);
        }
      }),
    );
  });

  it('behaviour 51: a result that answers no call is the caller’s mistake', () => {
    const history = new WireHistory(OLLAMA_ENCODING);
    expect(() => history.append({ role: 'tool', toolCallId: 'call_1', toolName: 'step', content: 'ok' })).toThrow(/call_1/);
  });
});
