import type { Play } from '../../../src/core/policy.ts';
import { usable } from '../investigator/part-report.ts';
import { read } from '../investigator/read-data.ts';
import type { NamedTable } from './examine-table.ts';

/** The table of the task's inputs; without them, the one of the list of tables whose name the goal holds. */
export async function chooseTable(play: Play): Promise<NamedTable | undefined> {
  const { table, source } = play.task.inputs ?? {};
  if (typeof table === 'string' && table !== '') return { table, ...(typeof source === 'string' ? { source } : {}) };
  const { goal } = play.task;
  const tables = (await listTables(play)).tables.filter(({ table: name }) => mentions(goal, name));
  return tables.sort((left, right) => right.table.length - left.table.length)[0];
}

function mentions(goal: string, name: string): boolean {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?<!\\w)${escaped}(?!\\w)`, 'i').test(goal);
}

export interface TableList {
  readonly tables: readonly (NamedTable & { readonly source: string })[];
  /** Tables that there are beyond those listed. */
  readonly left: number;
  readonly result: string;
}

/** All tables of all sources, as far as one call lists them. */
export async function listTables(play: Play): Promise<TableList> {
  const result = await play.call('list_tables', { limit: 500 });
  if (!usable(result)) return { tables: [], left: 0, result: result.id };
  const tables = read(result.data)
    .list('tables')
    .map((one) => ({ table: one.text('name') ?? '', source: one.text('source') ?? '' }));
  return { tables, left: Math.max(0, (result.total ?? tables.length) - tables.length), result: result.id };
}
