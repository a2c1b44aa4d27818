import { expect, it } from 'vitest';
import { isMultiStep, readPlan } from '../../src/agent/plan.ts';
import { hasWritten, readVerdict, reflectionText } from '../../src/agent/reflect.ts';
import type { Message } from '../../src/core/message.ts';
import { scriptedModel } from '../../src/models/scripted.ts';
import { runTeam } from '../support/run-team.ts';

const WRITER = `import { complete, defineTool, z } from 'soloist';
export const saveNote = defineTool({
  name: 'save_note', description: 'Saves a note.', input: z.object({ text: z.string() }), output: z.object({ saved: z.boolean() }), effect: 'write',
  run: async () => complete({ saved: true }),
});
`;

const boss = (extra: string): string => `name: boss
description: Leads. Use it in tests.
instructions: Lead.
tools: [count_rows, save_note]
permissions: { allow: [save_note] }
${extra}
`;

const files = (extra: string) => ({ 'agents/boss.yaml': boss(extra), 'tools/save-note.ts': WRITER });
const idle = scriptedModel([]);
const save = { calls: [{ tool: 'save_note', input: { text: 'a' } }] };

it('sends an answer back once with what the critic misses, and keeps the critique out of the conversation', async () => {
  let asked = 0;
  const critic = scriptedModel(() => ({ text: asked++ === 0 ? '{"done": false, "missing": "the second note"}' : '{"done": true}' }));
  const model = scriptedModel([save, { text: 'Saved one.' }, save, { text: 'Saved both.' }]);
  const { report, events } = await runTeam({ boss: model, worker: idle, critic, files: files('reflect: { max: 2 }') });
  expect(report).toMatchObject({ status: 'ok', answer: 'Saved both.' });
  const seen = model.requests.at(2)?.messages.at(-1)?.content;
  expect(seen).toContain('the second note');
  expect(events.filter(({ body }) => body.type === 'user.said')).toEqual([]);
  const rounds = events.flatMap(({ body }) => (body.type === 'answer.reflected' ? [[body.round, body.done]] : []));
  expect(rounds).toEqual([
    [1, false],
    [2, true],
  ]);
});

it('asks no critic when only read tools ran, unless the file says always', async () => {
  const turns = [{ calls: [{ tool: 'count_rows', input: { table: 't1' } }] }, { text: 'It has 1001 rows.' }];
  const critic = scriptedModel([{ text: '{"done": true}' }]);
  await runTeam({ boss: scriptedModel(turns), worker: idle, critic, files: files('reflect: {}') });
  expect(critic.requests).toHaveLength(0);
  await runTeam({ boss: scriptedModel(turns), worker: idle, critic, files: files('reflect: { when: always }') });
  expect(critic.requests).toHaveLength(1);
});

it('takes at most so many rounds and keeps the last attempt', async () => {
  const critic = scriptedModel(() => ({ text: '{"done": false, "missing": "more"}' }));
  const { report } = await runTeam({
    boss: scriptedModel([save, { text: 'First.' }, { text: 'Second.' }]),
    worker: idle,
    critic,
    files: files('reflect: { max: 1 }'),
  });
  expect(report).toMatchObject({ status: 'ok', answer: 'Second.' });
  expect(critic.requests).toHaveLength(1);
});

it('counts a critic that cannot be read, or that says nothing of what is missing, as done', () => {
  for (const reply of ['', 'I think it is fine', '{"done": "no"}', '{"done": false}', '{"done": false, "missing": " "}', '{broken'])
    expect(readVerdict(reply)).toEqual({ done: true, readable: false });
  expect(readVerdict('```json\n{"done": false, "missing": "x"}\n```')).toEqual({ done: false, missing: 'x', readable: true });
  expect(readVerdict('{"done": true}')).toEqual({ done: true, readable: true });
});

it('shows the critic request, calls and answer, and tells writes from reads', () => {
  const messages: Message[] = [
    { role: 'user', content: 'secret talk' },
    { role: 'assistant', content: '', toolCalls: [{ id: 'a', name: 'save_note', arguments: { text: 'x' } }] },
    { role: 'tool', toolCallId: 'a', toolName: 'save_note', content: '{"saved":true}' },
  ];
  const text = reflectionText('Save x.', messages, 'Done.');
  expect(text).toContain('- save_note {"text":"x"} -> {"saved":true}');
  expect(text).not.toContain('secret talk');
  expect(hasWritten(messages, new Map([['save_note', { effect: 'write' as const }]]))).toBe(true);
  expect(hasWritten(messages, new Map([['save_note', { effect: 'read' as const }]]))).toBe(false);
});

it('plans a request of several steps, keeps the plan in the scratchpad and shows it to the model', async () => {
  const model = scriptedModel((messages) => {
    const last = messages.at(-1)?.content ?? '';
    if (last.includes('Tools: ')) return { text: '- count the rows with count_rows\n- save a note with save_note' };
    if (messages.some(({ role }) => role === 'tool')) return { text: 'Done.' };
    return { calls: [{ tool: 'scratchpad', input: {} }] };
  });
  const yaml = `${boss('plan: true').replace('save_note]\np', 'save_note, scratchpad]\np')}`;
  const question = 'Count all tables and then save a note for each of them.';
  const { events } = await runTeam({ boss: model, worker: idle, question, files: { ...files(''), 'agents/boss.yaml': yaml } });
  const plan = events.flatMap(({ body }) => (body.type === 'plan.made' ? [body.steps] : []));
  expect(plan).toEqual([['count the rows with count_rows', 'save a note with save_note']]);
  const started = events.flatMap(({ body }) => (body.type === 'agent.started' ? [body.task.background] : []));
  expect(started[0]).toContain('1. count the rows with count_rows');
  const pad = events.flatMap(({ body }) => (body.type === 'tool.finished' && body.tool === 'scratchpad' ? [body.content] : []));
  expect(pad[0]).toContain('"item":"count the rows with count_rows","done":false');
});

it('plans nothing for a request of one step', () => {
  expect(isMultiStep('How many rows has payments?')).toBe(false);
  expect(isMultiStep('Compare the last two runs.')).toBe(true);
  expect(isMultiStep('Find the cause and then write a note.')).toBe(true);
  expect(readPlan('I would look at the runs.')).toEqual([]);
  expect(readPlan('1. list_runs\n2. compare_runs\n')).toEqual(['list_runs', 'compare_runs']);
});
