import type { Play } from '../../../../src/core/policy.ts';
import type { ToolResult } from '../../../../src/core/tool-result.ts';
import { callIfOffered, usable } from '../part-report.ts';
import { read } from '../read-data.ts';
import { bareName, type ListedTable } from '../tables/choose-tables.ts';
import { type ProfiledTable, readProfile } from '../tables/describe-profile.ts';

/** The columns of one file of a series, with its profile. */
export interface Layout {
  readonly table: ListedTable;
  /** Its name without the folder, unless others of the series are called so too. */
  readonly title: string;
  readonly result: string;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly profile?: ProfiledTable;
  /** What the reader says of the file itself: a last line that was cut, rows that are too short. */
  readonly faults: readonly string[];
}

const FAULTS: ReadonlySet<string> = new Set(['cut_last_line', 'bad_json']);

export async function readLayout(play: Play, table: ListedTable, series: readonly ListedTable[]): Promise<Layout | undefined> {
  const which = { table: table.name, source: table.source };
  const [described, profiled] = await Promise.all([
    callIfOffered(play, 'describe_table', which),
    callIfOffered(play, 'profile_table', which),
  ]);
  if (!usable(described)) return undefined;
  const columns = read(described.data)
    .list('columns')
    .map((column) => ({ name: column.text('name') ?? '', type: column.text('type') ?? '' }));
  const faults = described.warnings.filter(({ code }) => FAULTS.has(code)).map(({ message }) => message);
  const bare = bareName(table.name);
  const title = series.filter(({ name }) => bareName(name) === bare).length > 1 ? table.name : bare;
  return { table, title, result: described.id, columns, faults, ...(isRead(profiled) ? { profile: readProfile(profiled) } : {}) };
}

/** A file of a header alone has a profile without columns. */
function isRead(profiled: ToolResult | undefined): profiled is ToolResult {
  return usable(profiled) || (profiled?.status === 'no_data' && read(profiled.data).number('rows') === 0);
}

/** The middle value of a column, where it is a positive number. */
export function middle(profile: ProfiledTable | undefined, name: string): number | null {
  const value = Number(middleText(profile, name));
  return Number.isFinite(value) && value > 0 ? value : null;
}

/** The middle value as the tool gave it. */
export function middleText(profile: ProfiledTable | undefined, name: string): string {
  const column = profile?.columns.find((one) => one.text('name')?.trim().toLowerCase() === name.trim().toLowerCase());
  const quantiles = column?.at('quantiles').value;
  return Array.isArray(quantiles) ? String(quantiles[2]) : 'unknown';
}

/** The middle of fewer rows moves by chance. */
export const LEAST_ROWS = 12;

/** Of the other files, the one whose middle value of a column is usual; undefined where fewer than two have any. */
export function usualLayout(layout: Layout, all: readonly Layout[], name: string): Layout | undefined {
  const others = all
    .filter((other) => other !== layout && middle(other.profile, name) !== null)
    .sort((left, right) => (middle(left.profile, name) ?? 0) - (middle(right.profile, name) ?? 0));
  return others.length < 2 ? undefined : others[Math.floor(others.length / 2)];
}
