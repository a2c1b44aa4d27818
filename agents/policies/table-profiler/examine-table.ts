import type { Play } from '../../../src/core/policy.ts';
import { rowMeaning } from '../../../src/core/row-warnings.ts';
import type { ToolResult } from '../../../src/core/tool-result.ts';
import { callIfOffered, usable, whyUnread } from '../investigator/part-report.ts';
import { read } from '../investigator/read-data.ts';
import { findGaps, quoteTable } from './gap-facts.ts';
import { oddInKeys, pairedKey } from './key-facts.ts';
import { dayColumn, oddInProfile, summaryOf } from './profile-facts.ts';
import type { TableFact, TableFacts } from './table-facts.ts';

export interface NamedTable {
  readonly table: string;
  readonly source?: string | undefined;
}

/** Profiles one table, looks for copies, then for gaps in the days and keys that these showed; all read from results. */
export async function examineTable(play: Play, named: NamedTable): Promise<TableFacts> {
  const input = { table: named.table, ...(named.source ? { source: named.source } : {}) };
  const [profile, keys] = await Promise.all([callIfOffered(play, 'profile_table', input), callIfOffered(play, 'find_duplicates', input)]);
  const hasProfile = usable(profile);
  const hasKeys = usable(keys);
  const empty = profile?.status === 'no_data' ? await confirmEmpty(play, named) : undefined;
  const gaps = await findGaps(play, {
    ...named,
    day: hasProfile ? dayColumn(profile) : null,
    pair: hasKeys ? pairedKey(keys) : undefined,
  });
  return {
    table: named.table,
    summary: hasProfile ? summaryOf(profile) : emptySummary(named.table, profile, empty),
    odd: [
      ...(empty ? [emptyFact(named.table, empty)] : []),
      ...(hasProfile ? oddInProfile(profile) : []),
      ...(hasKeys ? oddInKeys(keys) : []),
      ...gaps,
    ],
    failed: [...new Set([profile, keys].flatMap((result) => whyNot(result)))],
    unread: hasProfile ? unreadParts(profile) : [],
  };
}

/** That a table is empty is an answer of its own: counted, or seen in the list. */
async function confirmEmpty(play: Play, { table, source }: NamedTable): Promise<ToolResult | undefined> {
  const from = source ? { source } : {};
  if (play.tools.has('query_sql')) return play.call('query_sql', { ...from, sql: `SELECT COUNT(*) AS rows FROM ${quoteTable(table)}` });
  return callIfOffered(play, 'list_tables', { ...from, pattern: table });
}

function emptyFact(table: string, { id }: ToolResult): TableFact {
  return { text: `\`${table}\` is empty`, evidence: [id], remedy: `\`${table}\`: find out why it is empty`, about: 'column' };
}

function emptySummary(table: string, result: ToolResult | undefined, empty: ToolResult | undefined) {
  const says = result?.status === 'no_data' ? 'has no rows' : 'could not be read';
  return { text: `\`${table}\` ${says}`, evidence: [result, empty].flatMap((one) => (one ? [one.id] : [])) };
}

/** Only what failed: an empty table has nothing to be looked at, and a tool not on offer was not meant to be used. */
function whyNot(result: ToolResult | undefined): string[] {
  if (result === undefined || usable(result) || result.status === 'no_data') return [];
  return [whyUnread(result) ?? ''];
}

/** Parts of the table that could not be read, and rows that may be none: what was looked at is not all of it, or not what it seems. */
function unreadParts(result: ToolResult): string[] {
  const prefix = `${read(result.data).text('table') ?? ''}: `;
  const said = (meaning: 'unread' | 'doubtful', words: string): string[] =>
    result.warnings.filter(({ code }) => rowMeaning(code) === meaning).map(({ message }) => `${words} (${message.replace(prefix, '')})`);
  return [...said('unread', 'part of it could not be read'), ...said('doubtful', 'its rows may not be what they seem')].slice(0, 3);
}
