import type { ListedTable } from '../tables/choose-tables.ts';

/** The name that all of a series have in common. Files of one series, as of day after day, hold different rows by their nature. */
export function seriesName({ source, name }: Pick<ListedTable, 'source' | 'name'>): string {
  return `${source} ${name.replace(/\d+/g, '#')}`;
}

/** Files of one series (same name but for digits), the largest series first; nothing where it has fewer than `least`. */
export function seriesOf(tables: readonly ListedTable[], least: number): readonly ListedTable[] {
  const groups = new Map<string, ListedTable[]>();
  for (const table of tables) {
    const key = seriesName(table);
    const group = groups.get(key);
    if (group) group.push(table);
    else groups.set(key, [table]);
  }
  const [largest = []] = [...groups.values()].sort((left, right) => right.length - left.length);
  return largest.length < least ? [] : [...largest].sort((left, right) => (left.name < right.name ? -1 : 1));
}
