import { z } from 'zod';
import { FileAccessError } from '../../src/core/source.ts';
import { defineTool } from '../../src/core/tool.ts';
import { complete, failed, refused } from '../../src/core/tool-result.ts';
import { diffLines } from '../dbt/diff-lines.ts';
import { isDryRun } from './change-runs.ts';
import type { NewCheck } from './edit-schema-file.ts';

const input = z.object({
  table: z.string().min(1).max(200).describe('The model or table'),
  column: z.string().min(1).max(200).optional().describe('Left out for a check of the whole table'),
  check: z
    .string()
    .regex(/^[a-z][a-z0-9_.]*$/)
    .describe('not_null, unique, accepted_values, relationships, or any test that the project has'),
  arguments: z.record(z.string(), z.unknown()).optional().describe('e.g. {"values": ["open", "paid"]} for accepted_values'),
  file: z
    .string()
    .regex(/^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*\.ya?ml$/)
    .optional()
    .describe('Properties file of dbt, relative to the project; checks/<table>.yml unless set'),
  dry_run: z.boolean().default(true).describe('true shows the change of the file; false makes it, after approval'),
});

/** Adds a test of a table to a properties file of dbt in the project. */
export const addCheck = defineTool({
  name: 'add_check',
  description:
    'Adds a check of a table or column to a dbt properties file (schema.yml) in the project; comments and what stands there are kept. By default it only shows the change; with dry_run false it asks a person first.',
  input,
  output: z.object({ dry_run: z.boolean(), file: z.string(), created: z.boolean(), diff: z.array(z.string()) }),
  effect: 'write',
  example: { table: 'orders', column: 'order_id', check: 'unique' },
  isDryRun,
  async run(request, { folder, now }) {
    if (!folder) return refused('no_folder', 'there is no project folder to write to');
    const file = request.file ?? `checks/${request.table.replace(/[^\w.-]/g, '_')}.yml`;
    try {
      const before = await folder.read(file);
      const { withCheck } = await import('./edit-schema-file.ts');
      const after = withCheck(before, checkOf(request));
      if ('refusal' in after) return refused(after.code, `${file}: ${after.refusal}`);
      if (!request.dry_run) await folder.write(file, after.text);
      const diff = diffLines((before ?? '').split('\n'), after.text.split('\n')).filter((line) => line.length > 2);
      return complete({ dry_run: request.dry_run, file, created: before === undefined, diff }, { asOf: now() });
    } catch (error) {
      if (error instanceof FileAccessError) return failed(`file_${error.reason}`, error.message);
      throw error;
    }
  },
});

function checkOf({ table, column, check, arguments: values }: z.output<typeof input>): NewCheck {
  return { table, check, ...(column === undefined ? {} : { column }), ...(values ? { arguments: values } : {}) };
}
