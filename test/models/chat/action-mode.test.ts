import { describe, expect, it } from 'vitest';
import { actionInstructions, actionSchema, readAction } from '../../../src/models/chat/action-mode.ts';
import { fails, says } from '../../../src/testing/fake-answer.ts';
import { OPENING, SERVERS, STEP_TOOL, talk, textOf } from '../talk.ts';

const CALL = { name: 'step', arguments: { n: 1 } };

describe('readAction', () => {
  it.each([
    ['in its frame', '{"action": {"tool": "step", "arguments": {"n": 1}}}'],
    ['without a frame', '{"tool": "step", "arguments": {"n": 1}}'],
    ['in a fence', '```json\n{"action": {"tool": "step", "arguments": {"n": 1}}}\n```'],
    ['with arguments as text', '{"action": {"tool": "step", "arguments": "{\\"n\\": 1}"}}'],
    ['by the names of a native call', '{"name": "step", "parameters": {"n": 1}}'],
    ['alone in a list', '[{"action": {"tool": "step", "arguments": {"n": 1}}}]'],
  ])('finds a call %s', (_, text) => {
    expect(readAction(text)).toEqual({ kind: 'calls', calls: [CALL] });
  });

  it('finds several calls in a list, and integers that a number cannot hold', () => {
    const text = '[{"tool":"step","arguments":{"n":1}},{"tool":"step","arguments":{"n":12345678901234567890}}]';
    expect(readAction(text)).toEqual({ kind: 'calls', calls: [CALL, { name: 'step', arguments: { n: '12345678901234567890' } }] });
  });

  it('finds the answer, also where the server did not hold the model to JSON', () => {
    expect(readAction('{"action": {"answer": "It is late."}}')).toEqual({ kind: 'answer', text: 'It is late.' });
    expect(readAction('It is late.')).toEqual({ kind: 'answer', text: 'It is late.' });
  });

  it.each(['{"action": {"tool": "step", "argu', '{"rows": 3}', '[]', '7', 'null', '{"action": {"answer": " "}}', '{"action": 7}'])(
    'makes nothing of %s',
    (text) => {
      expect(readAction(text)).toEqual({ kind: 'unreadable' });
    },
  );
});

describe('the schema of an action', () => {
  it('is one call of an offered tool with its arguments, or the answer', () => {
    expect(actionSchema([STEP_TOOL])).toEqual({
      type: 'object',
      properties: {
        action: {
          anyOf: [
            {
              type: 'object',
              properties: { tool: { type: 'string', enum: ['step'] }, arguments: STEP_TOOL.parameters },
              required: ['tool', 'arguments'],
            },
            { type: 'object', properties: { answer: { type: 'string' } }, required: ['answer'] },
          ],
        },
      },
      required: ['action'],
    });
  });

  it('is told in words too, since the schema itself is not shown to the model', () => {
    const text = actionInstructions(OPENING.tools);
    expect(text).toContain('- step: Does a step.');
    expect(text).toContain('{"action": {"answer"');
  });
});

describe.each(SERVERS)('%s in action mode', (server) => {
  const chat = [
    fails(400, 'fake:8b does not support tools'),
    says('{"action":{"tool":"step","arguments":{"n":1}}}'),
    says('{"action":{"tool":"look_up","arguments":{"n":2}}}'),
    says('{"action":{"answer":"both done"}}'),
  ];

  it('keeps a stable front, shows results as messages, and tells only the answer', async () => {
    await talk({ server, chat, show: {} }, async ({ ask, conversation, fake, deltas }) => {
      for (let turn = 0; turn < 2; turn++) {
        const reply = await ask();
        if (!reply.ok) throw new Error(reply.failure.message);
        conversation.append(reply.message);
        for (const { id, name } of reply.message.toolCalls ?? [])
          conversation.append({ role: 'tool', toolCallId: id, toolName: name, content: `did ${id}` });
      }
      expect(textOf(await ask(false))).toBe('both done');
      expect(deltas.filter(({ type }) => type === 'text')).toEqual([{ type: 'text', text: 'both done' }]);
      const [, first, second, third] = fake.chats;
      expect(second?.text.startsWith(first?.text.slice(0, -2) as string)).toBe(true);
      const messages = (third?.body.messages ?? []) as { role: string; content: string }[];
      expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user', 'assistant', 'user']);
      expect(messages[0]?.content).toMatch(/^Be brief\.\n\nYou act by writing/);
      expect(messages[3]?.content).toBe('Result of step (call_1):\ndid call_1');
      // The last turn may only answer.
      const format = JSON.stringify(third?.body.format ?? third?.body.response_format);
      expect(format).toContain('answer');
      expect(format).not.toContain('look_up');
    });
  });

  it('asks again for an action that cannot be read, and says in the end that it cannot', async () => {
    const cut = [fails(400, 'fake:8b does not support tools'), says('{"action":{"tool":"st', { done_reason: 'length' })];
    await talk({ server, chat: cut, show: {} }, async ({ ask, fake }) => {
      const failure = { kind: 'output_invalid', message: expect.stringContaining('cut off'), partial: expect.stringContaining('"st') };
      expect(await ask()).toMatchObject({ ok: false, failure });
      expect(fake.chats).toHaveLength(4);
    });
  });
});
