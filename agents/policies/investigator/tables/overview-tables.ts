import type { Play } from '../../../../src/core/policy.ts';
import { isNamedAfter } from '../keys/references.ts';
import { callIfOffered, cite, type Finding, mergeReports, NOTHING, notChecked, type PartReport, tell, usable } from '../part-report.ts';
import { enumerate, type Reading, read } from '../read-data.ts';
import { nameOf } from './ask-sql.ts';
import type { ListedTable } from './choose-tables.ts';
import { lookAtTables } from './look-at-tables.ts';

/** So many tables are looked at closely where no question names any; from more on, all are looked at in one line each first. */
export const MOST_CLOSE = 8;
const MOST_SOURCES = 4;
/** What does not fit into one result is asked for again, so often at most. */
const MOST_ASKS = 3;
const SECONDS = 20;
const MOST_COPIES = 6;
const MOST_REFERRED = 6;
const MOST_SHOWN = 8;

/** One table in one line: what is odd in it. */
interface Line {
  readonly table: ListedTable;
  readonly id: string;
  readonly odd: readonly string[];
  /** Columns that tell its rows apart. */
  readonly keys: readonly string[];
  readonly weight: number;
}

export interface Overview {
  /** Those that look odd, the largest where none does, and those that they refer to. */
  readonly close: readonly ListedTable[];
  /** All, those first. */
  readonly ordered: readonly ListedTable[];
  /** Those of which no column tells the rows apart: they may hold copies. */
  readonly keyless: readonly ListedTable[];
  readonly lines: readonly Line[];
}

/** All tables in one line each; undefined where they are few enough to be looked at closely, or cannot be looked at so. */
export async function overviewTables(play: Play, tables: readonly ListedTable[]): Promise<Overview | undefined> {
  if (tables.length <= MOST_CLOSE || !play.tools.has('profile_tables')) return undefined;
  const sources = [...new Set(tables.map(({ source }) => source))].slice(0, MOST_SOURCES);
  const found = await Promise.all(sources.map((source) => linesOf(play, source, tables)));
  const lines = found.flat();
  if (lines.length === 0) return undefined;
  const byWeight = [...lines].sort((left, right) => right.weight - left.weight).map(({ table }) => table);
  const odd = byWeight.slice(0, MOST_CLOSE);
  const close = [...odd, ...(await referredTo(play, odd, lines))];
  return {
    close,
    ordered: [...close, ...tables.filter((table) => !close.includes(table))],
    keyless: lines
      .filter((line) => line.keys.length === 0 && !line.odd.includes('no rows'))
      .map(({ table }) => table)
      .slice(0, MOST_COPIES),
    lines,
  };
}

/** Tables named after a key that these hold: without them a key would be looked for in others that hold it too. */
async function referredTo(play: Play, close: readonly ListedTable[], lines: readonly Line[]): Promise<readonly ListedTable[]> {
  const looked = await lookAtTables(play, close, close.length);
  const held = [...new Set(looked.flatMap(({ profile }) => profile.columns.map(nameOf)))].filter((name) => !/^id$/i.test(name));
  const refers = ({ table, keys }: Line, name: string): boolean =>
    isNamedAfter({ table }, name) && keys.some((key) => /^id$/i.test(key) || key.toLowerCase() === name.toLowerCase());
  return lines
    .filter((line) => !close.includes(line.table) && held.some((name) => refers(line, name)))
    .map(({ table }) => table)
    .slice(0, MOST_REFERRED);
}

async function linesOf(play: Play, source: string, tables: readonly ListedTable[]): Promise<readonly Line[]> {
  const lines: Line[] = [];
  let wanted = tables.filter((table) => table.source === source);
  for (let asked = 0; asked < MOST_ASKS && wanted.length > 0; asked++) {
    const names = wanted.map(({ name }) => name);
    const result = await callIfOffered(play, 'profile_tables', { source, tables: names, budget_seconds: SECONDS });
    if (!usable(result)) break;
    const shown = read(result.data).list('tables');
    const fresh = shown.flatMap((one) => {
      const table = wanted.find(({ name }) => name === one.text('table'));
      return table ? [lineOf(table, one, result.id)] : [];
    });
    if (fresh.length === 0) break;
    lines.push(...fresh);
    wanted = wanted.filter((table) => !fresh.some((line) => line.table === table));
  }
  return lines;
}

function lineOf(table: ListedTable, one: Reading, id: string): Line {
  // A column with one value is no fault.
  const odd = one.texts('odd').filter((text) => !/: one value in all rows$/.test(text));
  const keys = one.texts('unique_columns');
  const weight = (one.text('error') === null ? 0 : 3) + odd.reduce((sum, text) => sum + weightOf(text), 0) + (keys.length > 0 ? 0 : 2);
  return { table, id, odd, keys, weight };
}

/** Values that are none weigh more than empty ones, which may be right. */
function weightOf(odd: string): number {
  return /: all null$|^no rows$/.test(odd) ? 2 : /: \d+ null \(/.test(odd) ? 1 : 3;
}

/** What is odd in the tables that were not looked at closely, and which were looked at so, or not at all. */
export function tellOthers({ lines, close }: Overview, tables: readonly ListedTable[]): PartReport {
  const others = lines.filter(({ table }) => !close.includes(table));
  const odd = others.filter((line) => line.odd.length > 0).sort((left, right) => right.weight - left.weight);
  const [faulty, empty] = [odd.filter((line) => !onlyEmpty(line)), odd.filter(onlyEmpty)];
  const text = ({ table, odd: said }: Line): string => `\`${table.name}\` (${enumerate(said, 3)})`;
  const told = (claim: string, of: readonly Line[]): Finding[] =>
    of.length === 0
      ? []
      : [
          {
            kind: 'observation',
            claim: `${claim}: ${enumerate(of.map(text), MOST_SHOWN)}.`,
            evidence: [...new Set(of.map(({ id }) => id))],
            confidence: 'medium',
          },
        ];
  const names = (list: readonly ListedTable[]): string =>
    enumerate(
      list.map(({ name }) => `\`${name}\``),
      MOST_SHOWN,
    );
  const gap = (claim: string, of: readonly ListedTable[]): PartReport =>
    of.length === 0 ? NOTHING : notChecked(`${claim}: ${names(of)}.`);
  const unseen = tables.filter((table) => !lines.some((line) => line.table === table));
  const ids = [...new Set(lines.map(({ id }) => id))].map((id) => ({ id }));
  const scope = `Looked at closely: ${enumerate(
    close.map(({ name }) => `\`${name}\``),
    MOST_CLOSE + MOST_REFERRED,
  )}; all others in one line each${cite(...ids)}.`;
  return mergeReports([
    tell(...told('Odd in others', faulty), ...told('Empty in others, which may be right', empty)),
    gap(
      'Looked at in one line each, without days, keys and copies',
      others.map(({ table }) => table),
    ),
    gap('Tables that were not looked at at all', unseen),
    { ...NOTHING, detail: [scope] },
  ]);
}

/** Whether nothing is odd but values that are not there. */
function onlyEmpty({ odd }: Line): boolean {
  return odd.every((text) => weightOf(text) === 1);
}
