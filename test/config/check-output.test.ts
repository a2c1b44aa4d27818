import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { loadToolFiles } from '../../src/config/load-tools.ts';
import type { ToolOutcome } from '../../src/core/tool-result.ts';
import { runCli } from '../support/run-cli.ts';
import { folderWith, removeFolders } from './project-folder.ts';

afterAll(removeFolders);

const toolFile = (returned: string) => `import { complete, defineTool, refused, z } from 'soloist';
export const readIds = defineTool({
  name: 'read_ids',
  description: 'Reads ids.',
  effect: 'read',
  input: z.object({}),
  output: z.object({ rows: z.array(z.object({ id: z.number(), note: z.any().optional() })) }),
  run: async () => ${returned},
});
`;

async function call(returned: string) {
  const folder = folderWith({ 'ids.ts': toolFile(returned) });
  const { tools } = await loadToolFiles([join(folder, 'ids.ts')], folder);
  return (await tools[0]?.tool.run({}, {} as never)) as ToolOutcome<{ message: string }>;
}

it.each([
  [
    'a wrong type',
    "complete({ rows: [{ id: 1 }, { id: '7' }] } as never)",
    'read_ids returned data that do not fit its output: data.rows.1.id: Invalid input: expected number, received string, found "7"',
  ],
  ['a missing part', 'complete({} as never)', 'data.rows: Invalid input: expected array, received undefined, found nothing'],
  [
    'a number that JSON has no form for',
    'complete({ rows: [{ id: Number.NaN }] })',
    'data.rows.0.id: Invalid input: expected number, received NaN, found number NaN',
  ],
  [
    'no outcome at all',
    '({ rows: [] }) as never',
    'read_ids returned no outcome (make one with complete, partial, noData, refused or failed): outcome.status',
  ],
  ['nothing', 'undefined as never', 'read_ids returned no outcome'],
  ['what JSON cannot hold', 'complete({ rows: [{ id: 1, note: 5n }] })', 'read_ids returned data that cannot be written as JSON'],
])('answers an error that names the tool, the place and what was found for %s', async (_what, returned, message) => {
  const result = await call(returned);
  expect(result).toMatchObject({ status: 'error', complete: false, warnings: [{ code: 'invalid_output' }] });
  expect(result.data.message).toContain(message);
});

it('passes on data that fit as they are, and a refusal without looking at its data', async () => {
  expect(await call("complete({ rows: [{ id: 1 }], more: 'kept' } as never)")).toMatchObject({
    status: 'ok',
    data: { rows: [{ id: 1 }], more: 'kept' },
  });
  expect(await call("refused('no_day', 'name a day')")).toMatchObject({ status: 'refused', data: { message: 'name a day' } });
});

it('shows the error where a person calls the tool', async () => {
  const folder = folderWith({ 'soloist.yaml': 'name: own\ntools:\n  - ids.ts\n', 'ids.ts': toolFile('complete({} as never)') });
  const { stdout } = await runCli(['tools', 'call', 'read_ids', '--project', folder]);
  expect(JSON.parse(stdout)).toMatchObject({ status: 'error', tool: 'read_ids', warnings: [{ code: 'invalid_output' }] });
});
