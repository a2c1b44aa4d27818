import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Message } from '../../src/core/message.ts';
import { defineTool } from '../../src/core/tool.ts';
import { complete } from '../../src/core/tool-result.ts';
import { type ScriptedTurn, scriptedModel } from '../../src/models/scripted.ts';
import { runScripted } from '../support/run-scripted.ts';

/** A tool that answers a text of a wished length. */
const fill = defineTool({
  name: 'fill_text',
  description: 'Answers a text.',
  input: z.object({ key: z.int(), characters: z.int() }),
  output: z.object({ key: z.number(), text: z.string() }),
  effect: 'read',
  run: async ({ key, characters }) => complete({ key, text: 'x'.repeat(characters) }),
});
const call = (key: number, characters: number) => ({ tool: 'fill_text', input: { key, characters } });
const limits = { contextTokens: 3_000, outputTokens: 500, turns: 200 };
const turnsOf = (sizes: readonly (readonly number[])[]): ScriptedTurn[] => {
  let key = 0;
  return [...sizes.map((turn) => ({ text: 'Next.', calls: turn.map((size) => call(++key, size)) })), { text: 'Done.' }];
};
const charactersOf = (messages: readonly Message[]) => messages.reduce((sum, message) => sum + message.content.length, 0);
const toolsIn = (messages: readonly Message[]) => messages.flatMap((message) => (message.role === 'tool' ? [message] : []));

describe('a window that runs full', () => {
  it('shows the oldest results by their heads, with a reference to the whole', async () => {
    const model = scriptedModel(turnsOf(Array.from({ length: 9 }, () => [1000])));
    const { events, blobs } = await runScripted({ model, tools: [fill], limits });
    const last = model.requests.at(-1)!.messages;
    const results = toolsIn(last);
    const head = JSON.parse(results[0]!.content);
    expect(head).toMatchObject({ id: 'r1', tool: 'fill_text', status: 'ok', complete: true });
    expect(head.shortened).toMatch(/^to save room, from 11\d\d characters; call the tool again for the rest$/);
    expect(JSON.parse(blobs(head.reference)!)).toMatchObject({ id: 'r1', data: { key: 1, text: 'x'.repeat(1000) } });
    for (const recent of results.slice(-4)) expect(recent.content.length).toBeGreaterThan(1000);
    expect(events.filter((event) => event.body.type === 'context.fitted').length).toBeGreaterThan(0);
  });

  it('sums up the oldest turns where heads are not enough, and keeps the task and the last turns', async () => {
    const model = scriptedModel(turnsOf(Array.from({ length: 30 }, () => [900])));
    const { conclusion } = await runScripted({ model, tools: [fill], limits });
    expect(conclusion.status).toBe('ok');
    const last = model.requests.at(-1)!.messages;
    expect(last[0]!.content).toMatch(/^Do it\./);
    expect(last[1]!.role).toBe('user');
    expect(last[1]!.content).toMatch(/^Earlier work, summed up to save room/);
    expect(last[1]!.content).toMatch(/- r\d+ fill_text \{"key":\d+,"characters":900\} → ok: \{"key":\d+,"text":"x+/);
    expect(last[1]!.content).toMatch(/\(\d+ older lines left out\)/);
    expect(toolsIn(last).at(-1)!.content).toContain('"id":"r30"');
  });

  it('takes the summary of another model where there is one, and counts what it cost', async () => {
    const asked: string[] = [];
    const summarise = async (turns: string) => {
      asked.push(turns);
      return { text: 'r1 to r9 held nothing odd.', model: 'critic', usage: { inputTokens: 700, outputTokens: 20, totalMs: 1 } };
    };
    const model = scriptedModel(turnsOf(Array.from({ length: 20 }, () => [900])));
    const { conclusion, events } = await runScripted({ model, tools: [fill], limits, summarise });
    const fits = events.flatMap((event) => (event.body.type === 'context.fitted' && event.body.compacted ? [event.body.compacted] : []));
    expect(fits.map((one) => one.by)).toEqual(fits.map(() => 'critic'));
    expect(asked).toHaveLength(fits.length);
    expect(asked[0]).toMatch(/r1 fill_text/);
    expect(model.requests.at(-1)!.messages[1]!.content).toMatch(/r1 to r9 held nothing odd/);
    const replied = events.reduce((sum, event) => sum + (event.body.type === 'model.replied' ? event.body.usage.inputTokens! : 0), 0);
    expect(conclusion.usage.inputTokens).toBe(replied + fits.length * 700);
  });

  it('is fitted to the window that the server tells of, and asked once more', async () => {
    let refused = 0;
    const model = scriptedModel((messages, _opening, turn) => {
      if (charactersOf(messages) > 6000 && refused++ === 0)
        return { failure: { kind: 'context_overflow', message: 'too long', promptTokens: 1600, windowTokens: 1000 } };
      return turn < 9 ? { calls: [call(turn + 1, 1500)] } : { text: 'Done.' };
    });
    const { conclusion, events } = await runScripted({ model, tools: [fill], limits: { ...limits, contextTokens: 100_000 } });
    expect(conclusion).toMatchObject({ status: 'ok', text: 'Done.' });
    expect(events.filter((event) => event.body.type === 'model.failed')).toHaveLength(1);
    expect(charactersOf(model.requests.at(-1)!.messages)).toBeLessThan(6000 + 1500);
  });

  it('never parts a call from its result, loses the task, or outgrows its room, whatever the history', async () => {
    const sizes = fc.array(fc.array(fc.integer({ min: 0, max: 2_500 }), { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 25 });
    await fc.assert(
      fc.asyncProperty(sizes, async (history) => {
        const model = scriptedModel(turnsOf(history));
        const { conclusion } = await runScripted({ model, tools: [fill], limits });
        expect(conclusion.status).toBe('ok');
        const calls = history.flat().length;
        for (const { messages } of model.requests) {
          expect(messages[0]).toMatchObject({ role: 'user', content: expect.stringMatching(/^Do it\./) });
          expect(orphansIn(messages)).toEqual([]);
          // The last two turns are never given up: three results each at the most.
          expect(charactersOf(messages)).toBeLessThan(limits.contextTokens * 4 + 6 * 2_700);
        }
        expect(toolsIn(model.requests.at(-1)!.messages).at(-1)!.content).toContain(`"id":"r${calls}"`);
      }),
      { numRuns: 40 },
    );
  });
});

/** Calls without a result right behind them, results without a call. */
function orphansIn(messages: readonly Message[]): string[] {
  const wrong: string[] = [];
  let open: string[] = [];
  for (const message of messages) {
    if (message.role === 'tool') {
      if (open[0] !== message.toolCallId) wrong.push(`result ${message.toolCallId}`);
      open.shift();
      continue;
    }
    wrong.push(...open.map((id) => `call ${id}`));
    open = message.role === 'assistant' ? (message.toolCalls ?? []).map(({ id }) => id) : [];
  }
  return [...wrong, ...open];
}
