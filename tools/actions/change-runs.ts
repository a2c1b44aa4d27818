import { z } from 'zod';
import type { RunChange } from '../../src/core/run-control.ts';
import type { ToolContext } from '../../src/core/tool.ts';
import { complete, failed, partial, refused } from '../../src/core/tool-result.ts';

/** What every tool takes that changes something at a scheduler. */
export const CHANGE_INPUT = {
  source: z.string().optional().describe('Name of the airflow source; left out when there is only one'),
  dry_run: z.boolean().default(true).describe('true shows what would change; false does it, after approval'),
};

export const CHANGE_OUTPUT = z.object({
  dry_run: z.boolean(),
  changes: z.array(z.string()).describe('What would change, or what did'),
  run_id: z.string().optional(),
});

/** A call with `dry_run` changes nothing. */
export function isDryRun({ dry_run: dryRun }: { readonly dry_run: boolean }): boolean {
  return dryRun;
}

/** Plans a change, or makes it: what does not stand a dry run is not tried. */
export async function changeRuns(
  change: RunChange,
  { source: name, dry_run: dryRun }: { readonly source?: string | undefined; readonly dry_run: boolean },
  { sources, scope, now }: ToolContext,
) {
  const { control } = await sources.pick('control', name);
  if (!control) return refused('no_control', 'this source cannot be asked to change anything');
  const planned = await control.plan(change, scope);
  const report = !planned.ok || dryRun ? planned : await control.apply(change, scope);
  if (!report.ok) return report.code === 'nothing_to_change' ? refused(report.code, report.message) : failed(report.code, report.message);
  const { changes, total, runId } = report;
  const data = { dry_run: dryRun, changes: [...changes], ...(runId === undefined ? {} : { run_id: runId }) };
  const extra = { total, returned: changes.length, asOf: now() };
  return changes.length < total ? partial(data, extra) : complete(data, extra);
}
