import type { Play } from '../../../src/core/policy.ts';
import { usable, whyUnread } from '../investigator/part-report.ts';
import { read } from '../investigator/read-data.ts';
import { TABLE_KINDS } from '../investigator/source-kinds.ts';
import type { NamedTable } from './examine-table.ts';

export interface TableList {
  readonly tables: readonly (NamedTable & { readonly source: string })[];
  /** Tables that there are beyond those listed. */
  readonly left: number;
  readonly result: string;
  /** Sources that could not be read or hold no table, each with the reason. */
  readonly failed: readonly string[];
}

/** All tables of all sources, as far as one call lists them. */
export async function listTables(play: Play): Promise<TableList> {
  const result = await play.call('list_tables', { limit: 500 });
  if (!usable(result)) {
    const failed = result.status === 'no_data' ? emptySources(play, []) : [whyUnread(result) ?? ''];
    return { tables: [], left: 0, result: result.id, failed };
  }
  const failed = result.warnings.filter(({ code }) => code === 'source_failed').map(({ message }) => message);
  const tables = read(result.data)
    .list('tables')
    .map((one) => ({ table: one.text('name') ?? '', source: one.text('source') ?? '' }));
  const left = Math.max(0, (result.total ?? tables.length) - tables.length);
  const told = [...tables.map(({ source }) => source), ...failed.map((message) => message.slice(0, Math.max(0, message.indexOf(':'))))];
  return { tables, left, result: result.id, failed: [...failed, ...(left === 0 ? emptySources(play, told) : [])] };
}

/** Sources of tables of which nothing was heard. */
function emptySources(play: Play, told: readonly string[]): string[] {
  const silent = play.sources.filter(({ name, kind }) => TABLE_KINDS.has(kind) && !told.includes(name));
  return silent.map(({ name, kind }) => `${name}: this source of kind ${kind} holds no table`);
}
