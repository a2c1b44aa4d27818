import { z } from 'zod';
import { defineTool } from '../../src/core/tool.ts';
import { complete, refused } from '../../src/core/tool-result.ts';
import { noMemory } from './no-memory.ts';

const MOST_ENTRIES = 40;
const entry = z.string().trim().min(1).max(300);
const pad = z.object({ todo: z.array(z.object({ item: z.string(), done: z.boolean() })), notes: z.array(z.string()) });

/** An agent's todo list and notes of this session. They stand in its results, so a session that goes on has them. */
export const scratchpad = defineTool({
  name: 'scratchpad',
  description:
    'Keeps a todo list and short notes for this session, so that a long investigation does not lose its thread. Every call returns the whole pad. Use it when there are more than three things to look at; not for findings (record_finding) and not for what should outlive the session (remember).',
  input: z.object({
    add: z.array(entry).max(20).default([]).describe('Items to put on the todo list'),
    done: z.array(z.number().int().min(1)).max(40).default([]).describe('Numbers of items that are done, from 1'),
    note: entry.optional().describe('A note to keep'),
    clear: z.boolean().default(false).describe('Begin with an empty pad'),
  }),
  output: pad,
  effect: 'read',
  example: { add: ['compare the night with its baseline', 'see who held the slots'] },
  async run({ add, done, note, clear }, { memory, now }) {
    if (!memory) return noMemory();
    const before = clear ? { todo: [], notes: [] } : memory.scratchpad();
    const wrong = done.find((number) => number > before.todo.length + add.length);
    if (wrong !== undefined) return refused('no_such_item', `there is no item ${wrong}; the list has ${before.todo.length + add.length}`);
    const todo = [...before.todo, ...add.map((item) => ({ item, done: false }))];
    const notes = [...before.notes, ...(note === undefined ? [] : [note])];
    if (todo.length > MOST_ENTRIES || notes.length > MOST_ENTRIES)
      return refused('pad_full', `the pad holds ${MOST_ENTRIES} items and ${MOST_ENTRIES} notes; clear it, or finish what is there`);
    const next = { todo: todo.map(({ item, done: was }, index) => ({ item, done: was || done.includes(index + 1) })), notes };
    return complete(memory.scratchpad(next), { asOf: now() });
  },
});
