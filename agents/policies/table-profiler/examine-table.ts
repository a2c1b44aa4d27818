import type { Play } from '../../../src/core/policy.ts';
import type { ToolResult } from '../../../src/core/tool-result.ts';
import { callIfOffered, usable } from '../investigator/part-report.ts';
import { read } from '../investigator/read-data.ts';
import { findGaps } from './gap-facts.ts';
import { oddInKeys, pairedKey } from './key-facts.ts';
import { dayColumn, oddInProfile, summaryOf } from './profile-facts.ts';
import type { TableFacts } from './table-facts.ts';

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
  const gaps = await findGaps(play, {
    ...named,
    day: hasProfile ? dayColumn(profile) : null,
    pair: hasKeys ? pairedKey(keys) : undefined,
  });
  return {
    table: named.table,
    summary: hasProfile ? summaryOf(profile) : emptySummary(named.table, profile),
    odd: [...(hasProfile ? oddInProfile(profile) : []), ...(hasKeys ? oddInKeys(keys) : []), ...gaps],
    failed: [profile, keys].flatMap((result) => whyNot(result)),
  };
}

function emptySummary(table: string, result: ToolResult | undefined) {
  const says = result?.status === 'no_data' ? 'has no rows' : 'could not be profiled';
  return { text: `\`${table}\` ${says}`, evidence: result ? [result.id] : [] };
}

/** Only what failed: an empty table has nothing to be looked at, and a tool not on offer was not meant to be used. */
function whyNot(result: ToolResult | undefined): string[] {
  if (result === undefined || usable(result) || result.status === 'no_data') return [];
  return [`${result.tool} (${read(result.data).text('message')?.slice(0, 150) ?? result.status})`];
}
