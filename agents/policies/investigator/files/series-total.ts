import type { Play } from '../../../../src/core/policy.ts';
import { callIfOffered, usable } from '../part-report.ts';
import { read } from '../read-data.ts';
import { isKey } from '../tables/ask-sql.ts';
import { type Layout, middle } from './file-layout.ts';

/** A sum of more terms is not read. */
const MOST_TERMS = 8;
const PLAIN_NUMBER = /^-?\d+(\.\d+)?$/;

/** The sum of the series' main amount over all files, each file's column and unit brought to those of the first. */
export async function seriesTotal(
  play: Play,
  layouts: readonly Layout[],
): Promise<{ readonly claim: string; readonly id: string } | undefined> {
  const [first] = layouts;
  const name = first && mainAmount(first);
  if (!first || name === undefined) return undefined;
  const place = first.columns.findIndex((column) => column.name === name);
  const terms = layouts.map((layout) => termOf(layout, { name, place, layouts }));
  const known = terms.filter((term) => term !== undefined);
  if (known.length !== layouts.length) return undefined;
  const [byName, byPlace] = [
    plainSum(layouts, (layout) => layout.columns.find((column) => column.name === name)?.name),
    plainSum(layouts, (layout) => layout.columns[place]?.name),
  ];
  const naive = byName !== undefined && byPlace !== undefined ? [byName, byPlace] : [];
  const result = await callIfOffered(play, 'query_sql', {
    source: first.table.source,
    sql: `SELECT ${[known.join(' + '), ...naive].join(', ')}`,
  });
  if (!usable(result)) return undefined;
  const rows = read(result.data).at('rows').value;
  const [row] = Array.isArray(rows) ? rows : [];
  if (!Array.isArray(row)) return undefined;
  const [right, named, placed] = row.map(String);
  const wrong = [
    ...(named !== undefined && !isSame(named, right) ? [`by that exact name alone one would get ${named}`] : []),
    ...(placed !== undefined && !isSame(placed, right) ? [`by position ${placed}`] : []),
  ];
  return {
    claim: `Read by the first file's columns and unit, \`${name}\` comes to ${right} over ${known.length > MOST_TERMS ? 'the files' : `${layouts.length} files (${known.join(' + ')})`}${wrong.length === 0 ? '' : `; ${wrong.join(', ')}`}`,
    id: result.id,
  };
}

/** The sum of one column of each file as it stands, files without it left out; undefined where a column is no number. */
function plainSum(layouts: readonly Layout[], columnOf: (layout: Layout) => string | undefined): string | undefined {
  const sums = layouts.flatMap((layout) => {
    const own = columnOf(layout);
    const column = layout.profile?.columns.find((one) => one.text('name') === own);
    return own === undefined ? [] : [String(column?.at('sum').value)];
  });
  return sums.length > 0 && sums.every((sum) => PLAIN_NUMBER.test(sum)) ? sums.join(' + ') : undefined;
}

function isSame(left: string, right: string | undefined): boolean {
  return Number(left) === Number(right);
}

/** The number column with the greatest sum that is no key. */
function mainAmount({ profile }: Layout): string | undefined {
  const amounts = (profile?.columns ?? []).flatMap((column) => {
    const name = column.text('name') ?? '';
    const sum = Number(column.at('sum').value);
    return Number.isFinite(sum) && !isKey(column) ? [{ name, sum }] : [];
  });
  return amounts.sort((left, right) => right.sum - left.sum)[0]?.name;
}

interface Wanted {
  readonly name: string;
  readonly place: number;
  readonly layouts: readonly Layout[];
}

function termOf(layout: Layout, { name, place, layouts }: Wanted): string | undefined {
  const same = layout.columns.find((column) => column.name.trim().toLowerCase() === name.trim().toLowerCase());
  const own = same?.name ?? layout.columns[place]?.name;
  const column = layout.profile?.columns.find((one) => one.text('name') === own);
  const sum = String(column?.at('sum').value);
  if (own === undefined || !PLAIN_NUMBER.test(sum)) return undefined;
  const middles = layouts
    .flatMap((other) => (other === layout ? [] : (middle(other.profile, name) ?? [])))
    .sort((left, right) => left - right);
  const usual = middles[Math.floor(middles.length / 2)];
  const mine = middle(layout.profile, own);
  // Whole cents that became a decimal of a hundredth of the size are the same amounts in units.
  const inUnits =
    usual !== undefined && mine !== null && usual / mine > 50 && usual / mine < 200 && /decimal/i.test(column?.text('type') ?? '');
  return inUnits ? `${sum} * 100` : sum;
}
