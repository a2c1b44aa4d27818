import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createChat } from '../../src/app/chat.ts';
import { readPastSession } from '../../src/app/past-session.ts';
import { runSession } from '../../src/app/run-session.ts';
import { openWorkspace, type Workspace } from '../../src/app/workspace.ts';
import { Scope } from '../../src/core/scope.ts';
import { scriptedModel } from '../../src/models/scripted.ts';
import { runCli } from '../support/run-cli.ts';

const FILES: Readonly<Record<string, string>> = {
  'soloist.yaml': 'name: talk\nsources: {}\n',
  'agents/counter.yaml':
    'name: counter\ndescription: Counts.\ninstructions: Count.\ntools: [count_rows, record_finding]\nlimits: { turns: 3, tool_calls: 4 }\n',
  'tools/count-rows.ts': `import { complete, defineTool, z } from 'soloist';
export const countRows = defineTool({
  name: 'count_rows', description: 'Counts.', input: z.object({ table: z.string() }), output: z.object({ rows: z.number() }), effect: 'read',
  run: async ({ table }) => complete({ rows: table.length * 1000 }),
});
`,
};

let folder: string;
let workspace: Workspace;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'soloist-chat-'));
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  workspace = await openWorkspace({ folder, sourceFlags: [], environment: { SOLOIST_HOME: join(folder, 'home') } });
});
afterAll(async () => {
  await workspace.close();
  rmSync(folder, { recursive: true, force: true });
});

const call = (tool: string, input: Record<string, unknown>) => ({ tool, input });
const scopes = () => {
  const scope = new Scope();
  return { scope, work: new Scope(scope) };
};

/** Counts one table for the first question, two for the second. */
const counting = () =>
  scriptedModel((messages) => {
    const asked = messages.filter((message) => message.role === 'user');
    const last = messages.at(-1)!;
    if (asked.length === 1 && last.role === 'user') return { calls: [call('count_rows', { table: 'orders' })] };
    if (last.role === 'user') return { calls: [call('count_rows', { table: 'lines' }), call('count_rows', { table: 'users' })] };
    return { text: asked.length === 1 ? 'orders has 6000 rows [r1].' : 'lines has 5000 rows [r2], orders 6000 [r1].' };
  });

describe('a chat', () => {
  it('asks further in the same session, where the model still has what it read, with limits that count anew', async () => {
    const model = counting();
    const chat = createChat({ workspace, agent: workspace.agent('counter'), model, modelFor: async () => model });
    const first = await chat.ask('How many rows has orders?', scopes());
    const second = await chat.ask('And lines?', scopes());
    expect([first.status, second.status]).toEqual(['ok', 'ok']);
    expect(second.session).toBe(first.session);
    expect(second.answer).toBe('lines has 5000 rows [r2], orders 6000 [r1].');
    expect(model.requests.at(-1)!.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
      'assistant',
      'tool',
      'tool',
    ]);
    expect(model.requests.at(-1)!.messages[4]!.content).toBe('And lines?');
    // Each question is charged and checked for itself: two replies, two calls, its own figures.
    expect(first.usage).toMatchObject({ modelCalls: 2, toolCalls: 1 });
    expect(second.usage).toMatchObject({ modelCalls: 2, toolCalls: 2 });
    expect(second.figures.map(({ text, status }) => [text, status])).toEqual([
      ['5000', 'stated'],
      ['6000', 'stated'],
    ]);
    const log = await workspace.openLog();
    expect([...log.read(first.session)].filter(({ body }) => body.type === 'agent.concluded').map(({ round }) => round)).toEqual([1, 2]);
  });

  it('is gone on with where its log stops after any event of a further question', async () => {
    const log = await workspace.openLog();
    const model = counting();
    const options = { workspace, agent: workspace.agent('counter'), model, modelFor: async () => model };
    const chat = createChat(options);
    const { session } = await chat.ask('How many rows has orders?', scopes());
    const { answer } = await chat.ask('And lines?', scopes());
    const events = [...log.read(session)];
    const asked = events.findIndex(({ body }) => body.type === 'user.said' && body.why === 'follow_up');
    const others: unknown[] = [];
    for (let cut = asked + 1; cut < events.length; cut++) {
      const copy = `s-further-${cut}`;
      log.append(events.slice(0, cut).map((event) => ({ ...event, session: copy })));
      const past = readPastSession(log, copy);
      const report = await runSession({ ...options, ...scopes(), question: past.opened.question, past });
      const { modelCalls, toolCalls } = report.usage;
      if (report.answer !== answer || modelCalls !== 2 || toolCalls !== 2)
        others.push([cut, report.status, report.answer, modelCalls, toolCalls]);
    }
    expect(others).toEqual([]);
  });

  it('begins a session anew when asked to, and goes on in one that is named', async () => {
    const model = scriptedModel(() => ({ text: 'Nothing to count.' }));
    const options = { workspace, agent: workspace.agent('counter'), model, modelFor: async () => model };
    const chat = createChat(options);
    const first = await chat.ask('One?', scopes());
    chat.startAnew();
    const second = await chat.ask('Two?', scopes());
    expect(second.session).not.toBe(first.session);
    const again = await createChat({ ...options, session: first.session }).ask('Three?', scopes());
    expect(again.session).toBe(first.session);
    expect(model.requests.at(-1)!.messages.map(({ content }) => content)).toEqual([
      expect.stringMatching(/^One\?/),
      'Nothing to count.',
      'Three?',
    ]);
  });
});

describe('soloist chat', () => {
  it('answers every line of its input, by rules each in a session of its own', async () => {
    const data = join(folder, 'data');
    mkdirSync(data);
    writeFileSync(join(data, 'orders.csv'), 'id,amount\n1,10\n2,20\n2,20\n');
    const argv = ['chat', '--model', 'rules', '--json', '--source', `data=files:${data}`];
    const stdin = 'Are there duplicates in orders?\n/unknown\n\nHow many rows has orders?\n/exit\nNever asked.\n';
    const { stdout, stderr, code } = await runCli(argv, { cwd: data, environment: { SOLOIST_HOME: join(folder, 'h') }, stdin });
    const reports = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(reports).toHaveLength(2);
    expect(new Set(reports.map(({ session }) => session)).size).toBe(2);
    expect(reports[0].answer).toMatch(/orders/);
    expect(stderr).toMatch(/each is a session of its own/);
    expect(stderr).toMatch(/\/new begins a new session/);
    expect(code).toBe(0);
  });
});
