import { figure, read } from '../investigator/read-data.ts';
import type { TableFact } from './table-facts.ts';

interface KeyResult {
  readonly id: string;
  readonly data: unknown;
}

/** What find_duplicates says is odd: copies, several versions under a key, keys that are empty. */
export function oddInKeys(result: KeyResult): TableFact[] {
  const data = read(result.data);
  const count = (key: string): number => data.number(key) ?? 0;
  const table = data.text('table') ?? '';
  const keyed = data.text('key_from') === 'all_columns' ? 'over all columns' : `by key ${keyName(data.texts('key'))}`;
  const copies = count('exact_copies') + count('reload_copies');
  const odd: TableFact[] = [];
  const add = (says: string, remedy: string): void => {
    odd.push({ text: `in \`${table}\` ${says}`, evidence: [result.id], remedy: `\`${table}\`: ${remedy}` });
  };
  if (copies > 0) {
    const parts = [
      ...(count('exact_copies') > 0 ? [counted(count('exact_copies'), 'exact')] : []),
      ...(count('reload_copies') > 0 ? [counted(count('reload_copies'), 'reloaded')] : []),
    ];
    add(
      `${parts.join(' and ')} among ${figure(data.number('rows'))} rows ${keyed}${sampleOf(data.list('sample_copies')[0]?.at('key').value)}${addedTo(result)}`,
      `keep one row of each ${keyed} and make the key unique`,
    );
  }
  // Without a key, rows that differ are different rows.
  if (count('versions') > 0 && data.text('key_from') !== 'proposed')
    add(
      `${count('versions')} rows repeat a key with other content ${keyed}${sampleOf(data.list('sample_versions')[0]?.at('key').value)}`,
      `decide which version ${keyed} holds`,
    );
  if (count('null_key_rows') > 0 && data.text('key_from') !== 'all_columns')
    add(`the key is empty in ${count('null_key_rows')} rows ${keyed}`, 'refuse rows without a key at load');
  return odd;
}

function counted(number: number, kind: string): string {
  return `${number} ${kind} ${number === 1 ? 'copy' : 'copies'}`;
}

/** What the copies add to the total of the first summed column. */
function addedTo(result: KeyResult): string {
  const sum = read(result.data).list('sums')[0];
  const { value } = sum?.at('extra_copies') ?? { value: null };
  if (!sum || (typeof value !== 'string' && typeof value !== 'number') || Number(value) === 0) return '';
  return `, which add ${value} to the total of \`${sum.text('column')}\``;
}

function sampleOf(key: unknown): string {
  return Array.isArray(key) && key.length > 0 ? `, e.g. ${key.map(String).join(' / ')}` : '';
}

function keyName(columns: readonly string[]): string {
  return `\`${columns.join(', ')}\``;
}

/** The two columns of a key that is a day and something else, of which every pair may be expected. */
export function pairedKey(result: KeyResult): readonly [string, string] | undefined {
  const data = read(result.data);
  const [first, second, ...more] = data.texts('key');
  if (first === undefined || second === undefined || more.length > 0 || data.text('key_from') === 'all_columns') return undefined;
  return [first, second];
}
