import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Policy } from '../../src/core/policy.ts';
import { Scope } from '../../src/core/scope.ts';
import { defineTool } from '../../src/core/tool.ts';
import { complete } from '../../src/core/tool-result.ts';
import { createRulesModel } from '../../src/models/rules.ts';
import { runScripted } from '../support/run-scripted.ts';

const double = defineTool({
  name: 'double_number',
  description: 'Doubles.',
  input: z.object({ value: z.number() }),
  output: z.object({ doubled: z.number() }),
  effect: 'read',
  run: async ({ value }) => complete({ doubled: value * 2 }),
});

const policy: Policy = async (play) => {
  const [one, two] = await Promise.all([
    play.call<{ doubled: number }>('double_number', { value: 1 }),
    play.call<{ doubled: number }>('double_number', { value: 2 }),
  ]);
  const last = await play.call<{ doubled: number }>('double_number', { value: one.data.doubled + two.data.doubled });
  return `${last.data.doubled} from ${one.id}, ${two.id} and ${last.id}`;
};

describe('rules', () => {
  it('plays a policy: calls made together are one turn, results decide the next', async () => {
    const { conclusion, events } = await runScripted({ model: createRulesModel(policy), tools: [double] });
    expect(conclusion.text).toBe('12 from r1, r2 and r3');
    const calls = events.flatMap((event) => (event.body.type === 'model.replied' ? [event.body.message.toolCalls?.length ?? 0] : []));
    expect(calls).toEqual([2, 1, 0]);
  });

  it('ends where it was when it is given the history of an earlier process', async () => {
    const opening = {
      agent: 'a',
      system: '',
      tools: [double],
      task: { goal: 'x' },
      sources: [],
      maxOutputTokens: 100,
      contextTokens: 1000,
    };
    const result = (id: string, doubled: number): string => JSON.stringify({ id, tool: 'double_number', status: 'ok', data: { doubled } });
    const conversation = createRulesModel(policy).startConversation(opening);
    const calls = [1, 2].map((value) => ({ id: `call_${value}`, name: 'double_number', arguments: { value } }));
    conversation.append({ role: 'user', content: 'x' });
    conversation.append({ role: 'assistant', content: '', toolCalls: calls });
    conversation.append({ role: 'tool', toolCallId: 'call_1', toolName: 'double_number', content: result('r1', 2) });
    conversation.append({ role: 'tool', toolCallId: 'call_2', toolName: 'double_number', content: result('r2', 4) });
    const reply = await conversation.reply({ scope: new Scope(), withTools: true });
    expect(reply.ok && reply.message.toolCalls).toEqual([{ id: 'call_3', name: 'double_number', arguments: { value: 6 } }]);
  });

  it('concludes when no more tools may be called', async () => {
    const endless: Policy = async (play) => {
      for (let value = 0; ; value++) {
        const next = await play.call('double_number', { value });
        if (next.status === 'refused') return `stopped at ${value}`;
      }
    };
    const { conclusion } = await runScripted({ model: createRulesModel(endless), tools: [double], limits: { turns: 3 } });
    expect(conclusion).toMatchObject({ status: 'budget', limit: 'turns', text: 'stopped at 3' });
  });

  it('answers with its beginning, in whole sentences, when its answer is sent back as too long', async () => {
    const sentences = Array.from({ length: 30 }, (_, at) => `Sentence number ${at + 10} stands here [r1].`);
    const long: Policy = async () => `${sentences.join(' ')}\n\nIn order:\n- ${'one '.repeat(40)}\n- two`;
    const conversation = createRulesModel(long).startConversation({
      agent: 'a',
      system: '',
      tools: [],
      task: { goal: 'x' },
      sources: [],
      maxOutputTokens: 100,
      contextTokens: 1000,
    });
    const ask = async (content: string): Promise<string> => {
      conversation.append({ role: 'user', content });
      const reply = await conversation.reply({ scope: new Scope(), withTools: true });
      return reply.ok ? reply.message.content : '';
    };
    expect(await ask('x')).toMatch(/- two$/);
    const text = await ask('Your answer is long. Give the conclusion again in at most 100 tokens: the result.');
    // 400 characters hold nine sentences of 35 with the blanks between them, a gap of two and the last line of 33.
    expect(text).toBe(`${sentences.slice(0, 9).join(' ')}\n\nMore was found than is told here.`);
    expect(await ask('Give it again in at most 290 tokens.')).toBe(`${sentences.join(' ')}\n\nMore was found than is told here.`);
  });

  it('reports a policy that throws as a failed run', async () => {
    const broken: Policy = () => Promise.reject(new Error('no rule for this'));
    const { conclusion } = await runScripted({ model: createRulesModel(broken), tools: [] });
    expect(conclusion.status).toBe('failed');
    expect(conclusion.reason).toMatch(/no rule for this/);
  });

  it('counts the tokens of what really went in and out', async () => {
    const { conclusion } = await runScripted({ model: createRulesModel(policy), tools: [double] });
    expect(conclusion.usage.inputTokens).toBeGreaterThan(100);
    expect(conclusion.usage.outputTokens).toBeGreaterThan(20);
  });
});
