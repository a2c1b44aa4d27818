import { expect, it } from 'vitest';
import { z } from 'zod';
import { shelve } from '../../src/agent/load-tools.ts';
import { defineTool } from '../../src/core/tool.ts';
import { complete } from '../../src/core/tool-result.ts';
import { scriptedModel } from '../../src/models/scripted.ts';
import { runScripted } from '../support/run-scripted.ts';

const tools = Array.from({ length: 30 }, (_, index) =>
  defineTool({
    name: `count_part_${index + 1}`,
    description: `Counts part ${index + 1}. It takes nothing.`,
    input: z.object({ exact: z.boolean().default(true) }),
    output: z.object({ rows: z.number() }),
    effect: 'read',
    run: async () => complete({ rows: index + 1 }),
  }),
);
const byName = new Map(tools.map((tool) => [tool.name, tool]));

it('leaves an agent with few tools as it is', () => {
  expect(shelve(byName, { above: 30, always: [] }, [])).toBeUndefined();
});

it('shows names and a line each, and brings tools by name for the turns that follow', async () => {
  const offered: string[][] = [];
  const script = [
    { calls: [{ tool: 'load_tools', input: { names: ['count_part_20', 'count_part_99'] } }] },
    { calls: [{ tool: 'count_part_20', input: {} }] },
    { text: 'Part 20 has 20 rows.' },
  ];
  const model = scriptedModel((messages, opening) => {
    offered.push(opening.tools.map(({ name }) => name));
    return script[messages.filter(({ role }) => role === 'assistant').length]!;
  });
  const { conclusion, events } = await runScripted({ model, tools, loadTools: { above: 10, always: ['count_part_1*'] } });
  const always = ['count_part_1', ...Array.from({ length: 10 }, (_, index) => `count_part_${index + 10}`)];
  expect(offered[0]).toEqual([...always, 'load_tools']);
  expect(offered.slice(1)).toEqual([
    [...always, 'load_tools', 'count_part_20'],
    [...always, 'load_tools', 'count_part_20'],
  ]);
  const results = events.flatMap((event) => (event.body.type === 'tool.finished' ? [JSON.parse(event.body.content)] : []));
  expect(results[0]).toMatchObject({
    status: 'ok',
    data: { loaded: ['count_part_20'] },
    warnings: [{ code: 'unknown_tool', message: expect.stringMatching(/no tool "count_part_99" to load; did you mean "count_part_9"/) }],
  });
  expect(results[1].data).toEqual({ rows: 20 });
  expect(conclusion.status).toBe('ok');
});

it('names every shelved tool once, by the first sentence of its description', () => {
  const shelf = shelve(byName, { above: 10, always: [] }, ['count_part_30'])!;
  const lines = shelf.tool.description.split('\n').filter((line) => line.startsWith('- '));
  expect(lines).toHaveLength(21);
  expect(lines[0]).toBe('- count_part_9: Counts part 9');
  expect(shelf.offered([]).map(({ name }) => name)).toEqual([
    ...Array.from({ length: 8 }, (_, index) => `count_part_${index + 1}`),
    'count_part_30',
    'load_tools',
  ]);
});
