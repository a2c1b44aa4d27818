/** The first items whose JSON stays within `characters`; always whole items, and at least one. */
export function takeItems<Item>(items: readonly Item[], characters: number, most = Number.POSITIVE_INFINITY): Item[] {
  const taken: Item[] = [];
  let size = 0;
  for (const item of items) {
    size += JSON.stringify(item).length + 1;
    if (taken.length >= most || (taken.length > 0 && size > characters)) break;
    taken.push(item);
  }
  return taken;
}

/** A text cut to `most` characters, with a sign that it was cut. */
export function shorten(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}
