/** All choices of one to so many of these, the smaller ones first. */
export function combinations<Item>(items: readonly Item[], most: number): readonly (readonly Item[])[] {
  if (most === 0) return [];
  const found = items.flatMap((item, at) => [[item], ...combinations(items.slice(at + 1), most - 1).map((others) => [item, ...others])]);
  return found.sort((left, right) => left.length - right.length);
}
