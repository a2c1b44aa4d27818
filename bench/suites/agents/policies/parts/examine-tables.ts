import type { Play } from 'soloist';
import { dataOf, listOf } from './read-result.ts';

export interface NamedTable {
  readonly name: string;
  readonly source: string;
}

/** Tables looked at in one turn: two calls for each. */
const AT_ONCE = 4;

/** Each table's profile and copies, four tables a turn; one text for each odd table, with the id of its result. */
export async function examineTables(play: Play, tables: readonly NamedTable[]): Promise<readonly string[]> {
  const odd: string[] = [];
  for (let start = 0; start < tables.length; start += AT_ONCE) {
    const found = await Promise.all(tables.slice(start, start + AT_ONCE).map((table) => examineTable(play, table)));
    odd.push(...found.flat());
  }
  return odd;
}

async function examineTable(play: Play, { name, source }: NamedTable): Promise<string[]> {
  const input = { table: name, source };
  const [profile, copies] = await Promise.all([play.call('profile_table', input), play.call('find_duplicates', input)]);
  const extra = Number(dataOf(copies).extra_rows ?? 0);
  const words = listOf(profile, 'columns').reduce((sum, column) => sum + Number(column.placeholder_words ?? 0), 0);
  return [
    ...(extra > 0 ? [`\`${name}\` holds ${extra} copied rows [${copies.id}]`] : []),
    ...(words > 0 ? [`\`${name}\` holds ${words} placeholder words [${profile.id}]`] : []),
  ];
}

/** One page of the list. */
export async function listTables(play: Play, page: { readonly limit: number; readonly offset?: number }) {
  const result = await play.call('list_tables', page);
  const tables = listOf(result, 'tables').map(({ name, source }): NamedTable => ({ name: String(name), source: String(source) }));
  return { id: result.id, total: Number(result.total ?? tables.length), tables };
}

/** The whole list, page after page: a result holds only so many. */
export async function listAllTables(play: Play) {
  const first = await listTables(play, { limit: 500 });
  const tables = [...first.tables];
  while (tables.length < first.total) {
    const next = await listTables(play, { limit: 500, offset: tables.length });
    if (next.tables.length === 0) break;
    tables.push(...next.tables);
  }
  return { id: first.id, tables };
}

/** The answer that the checks look at: how many tables, and the odd ones. */
export function answerOf(total: number, listed: string, odd: readonly string[]): string {
  const found = odd.length === 0 ? 'None of them is odd.' : `Odd: ${odd.join('; ')}.`;
  return `${total} tables were looked at [${listed}]. ${found}`;
}
