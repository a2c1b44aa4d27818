import { expect, it } from 'vitest';
import { z } from 'zod';
import type { ApprovalRequest } from '../../src/core/approval.ts';
import { defineTool } from '../../src/core/tool.ts';
import { complete, refused } from '../../src/core/tool-result.ts';
import { scriptedModel } from '../../src/models/scripted.ts';
import { runScripted } from '../support/run-scripted.ts';

/** A tool that writes down what it did to what, and can only plan it. */
function dropTool(done: string[]) {
  return defineTool({
    name: 'drop_table',
    description: 'Drops a table.',
    input: z.object({ table: z.string(), dry_run: z.boolean().default(true) }),
    output: z.object({ rows: z.number() }),
    effect: 'write',
    isDryRun: (input) => input.dry_run,
    run: async ({ table, dry_run: dryRun }) => {
      if (table === 'absent') return refused('not_found', 'there is no table "absent"');
      done.push(`${dryRun ? 'planned' : 'dropped'} ${table}`);
      return complete({ rows: 42 });
    },
  });
}

const calling = (input: Record<string, unknown>) => scriptedModel([{ calls: [{ tool: 'drop_table', input }] }, { text: 'Done.' }]);

it('lets a dry run through without a question, and shows its outcome when the write itself is asked for', async () => {
  const done: string[] = [];
  const asked: ApprovalRequest[] = [];
  const approve = async (request: ApprovalRequest) => {
    asked.push(request);
    return true;
  };
  await runScripted({ model: calling({ table: 'orders' }), tools: [dropTool(done)] });
  expect(done).toEqual(['planned orders']);
  await runScripted({ model: calling({ table: 'orders', dry_run: false }), tools: [dropTool(done)], approve });
  expect(done).toEqual(['planned orders', 'planned orders', 'dropped orders']);
  expect(asked).toEqual([{ agent: 'tester', tool: 'drop_table', arguments: { table: 'orders', dry_run: false }, preview: { rows: 42 } }]);
});

it('asks nobody about a write whose dry run finds it wrong', async () => {
  const done: string[] = [];
  const approve = async () => expect.unreachable('nobody is to be asked');
  const { events } = await runScripted({ model: calling({ table: 'absent', dry_run: false }), tools: [dropTool(done)], approve });
  const result = events.flatMap(({ body }) => (body.type === 'tool.finished' ? [body.content] : []))[0]!;
  expect(JSON.parse(result)).toMatchObject({ status: 'refused', data: { message: 'there is no table "absent"' } });
  expect(done).toEqual([]);
});

it('writes nothing where nobody can be asked, or where the tool is denied', async () => {
  const done: string[] = [];
  const statuses: string[] = [];
  for (const permissions of [{}, { deny: ['drop_*'], allow: ['drop_table'] }]) {
    const { events } = await runScripted({ model: calling({ table: 'orders', dry_run: false }), tools: [dropTool(done)], permissions });
    statuses.push(...events.flatMap(({ body }) => (body.type === 'tool.finished' ? [body.status] : [])));
  }
  expect(statuses).toEqual(['refused', 'refused']);
  expect(done).toEqual([]);
  const { events } = await runScripted({ model: calling({ table: 'orders' }), tools: [dropTool(done)], permissions: { deny: ['drop_*'] } });
  expect(events.flatMap(({ body }) => (body.type === 'tool.finished' ? [body.status] : []))).toEqual(['refused']);
});
