/** Items in the order in which they are given up last to first, and how they are put in order once chosen. */
export interface Section {
  readonly items: readonly unknown[];
  /** The share of the characters it may take at first. */
  readonly share: number;
  readonly limit: number;
}

/**
 * Takes from each section whole items up to its share of `characters`; what some sections leave unused goes to the
 * others in their order. Answers how many items of each fit.
 */
export function packSections(sections: readonly Section[], characters: number): number[] {
  const counts = sections.map(() => 0);
  const shares = sections.reduce((sum, section) => sum + section.share, 0);
  let left = characters;
  const fill = (place: number, budget: number): number => {
    const { items, limit } = sections[place] as Section;
    let spent = 0;
    for (let at = counts[place] ?? 0; at < Math.min(items.length, limit); at++) {
      const size = JSON.stringify(items[at]).length + 1;
      if (spent + size > budget) break;
      spent += size;
      counts[place] = at + 1;
    }
    return spent;
  };
  sections.forEach(({ share }, place) => {
    left -= fill(place, Math.floor((characters * share) / shares));
  });
  sections.forEach((_, place) => {
    left -= fill(place, left);
  });
  return counts;
}
