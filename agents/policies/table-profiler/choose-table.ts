import type { Play } from '../../../src/core/policy.ts';
import { cite } from '../investigator/part-report.ts';
import { enumerate } from '../investigator/read-data.ts';
import type { NamedTable } from './examine-table.ts';
import { listTables } from './list-tables.ts';

const MOST_NAMED = 12;

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

/** What to answer where the task's table was not found: the tables that there are, or why none could be read. */
export async function withoutTable(play: Play): Promise<string> {
  const { tables, failed, result } = await listTables(play);
  const why = failed.length > 0 ? [`Not checked: ${failed.join('; ')}`] : [];
  const names = tables.slice(0, MOST_NAMED).map(({ table }) => `\`${table}\``);
  const there =
    tables.length === 0 ? 'The sources hold no table' : `The task names no table that exists; there are ${enumerate(names, MOST_NAMED)}`;
  return [there, ...why].map((line) => `${line}${cite({ id: result })}.`).join('\n');
}
