import type { Cell } from '../../src/core/source.ts';

/** Characters of JSON that the data of one result may take, its envelope and warnings aside. */
export const DATA_CHARACTERS = 8_000;

/** The first items that fit in so many characters of JSON, whole; at least one when there is any. */
export function fitItems<Item>(items: readonly Item[], characters: number): readonly Item[] {
  let used = 2;
  for (const [index, item] of items.entries()) {
    used += JSON.stringify(item).length + 1;
    if (used > characters) return items.slice(0, Math.max(1, index));
  }
  return items;
}

/**
 * The text, or its beginning and how many characters it has in all. Never parts a surrogate pair. Its JSON is at most about
 * twice `most`, also where nearly every character has to be escaped.
 */
export function cutText(text: string, most: number): string {
  let kept = text.slice(0, most);
  while (kept.length > 8 && JSON.stringify(kept).length > most * 2) kept = kept.slice(0, Math.floor(kept.length / 2));
  if (kept.length === text.length) return text;
  return `${/[\uD800-\uDBFF]$/.test(kept) ? kept.slice(0, -1) : kept}… (${text.length} characters)`;
}

/** A cell whose text is no longer than `most`, else cut and saying so. */
export function cutCell(cell: Cell, most: number): Cell {
  return typeof cell === 'string' ? cutText(cell, most) : cell;
}
