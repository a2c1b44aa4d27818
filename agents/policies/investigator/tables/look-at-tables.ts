import type { Play } from '../../../../src/core/policy.ts';
import { callIfOffered, usable } from '../part-report.ts';
import { type Reading, read } from '../read-data.ts';
import { isTime, isWrittenTime, LOADED, nameOf } from './ask-sql.ts';
import type { ListedTable } from './choose-tables.ts';
import { type ProfiledTable, readProfile } from './describe-profile.ts';

/** A table with its profile and its two times. */
export interface LookedAt {
  readonly table: ListedTable;
  readonly profile: ProfiledTable;
  /** When what a row tells of happened. */
  readonly happened: Reading | undefined;
  /** When it was loaded. */
  readonly loaded: Reading | undefined;
  /** Where several files are looked at as one: what stands in SQL for the table's name, and what to call them. */
  readonly together?: { readonly from: string; readonly rows: string; readonly title: string };
}

/** So many tables are looked at unless more are asked for. */
export const MOST_LOOKED = 6;

/** The columns of tables, those that could be read. */
export async function describeTables(play: Play, tables: readonly ListedTable[]) {
  const results = await Promise.all(
    tables.map((table) => callIfOffered(play, 'describe_table', { table: table.name, source: table.source })),
  );
  return tables.flatMap((table, at) => {
    const result = results[at];
    return usable(result) ? [{ table, columns: read(result.data).list('columns') }] : [];
  });
}

/** Profiles of the first few tables, those that could be read. */
export async function lookAtTables(play: Play, tables: readonly ListedTable[], most = MOST_LOOKED): Promise<readonly LookedAt[]> {
  const chosen = tables.slice(0, most);
  const results = await Promise.all(
    chosen.map((table) => callIfOffered(play, 'profile_table', { table: table.name, source: table.source })),
  );
  return results.flatMap((result, index) => {
    const table = chosen[index];
    if (!usable(result) || !table) return [];
    const profile = readProfile(result);
    const times = profile.columns.filter((column) => isTime(column) || isWrittenTime(column));
    const loaded = times.find((column) => LOADED.test(nameOf(column)));
    return [{ table, profile, happened: times.find((column) => column !== loaded) ?? loaded, loaded }];
  });
}
