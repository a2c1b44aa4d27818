/** Said of lines whose fields only blanks keep apart. */
export const ALIGNED = 'no delimiter: fields seem to be aligned by blanks (fixed width); write it with a delimiter';

/** The line under the names, as clients of databases print it. */
const RULED = /^ *-{2,}(?: +-{2,})+ *\r?$/m;

/** Whether most of the first lines have a run of blanks at one of a few common places, as columns of fixed width do. */
export function isAligned(text: string): boolean {
  if (RULED.test(text.slice(0, 20_000))) return true;
  const lines = text
    .slice(0, 20_000)
    .split(/\r?\n/)
    .slice(0, 100)
    .filter((line) => line.trim() !== '');
  if (lines.length < 3 || lines.some((line) => /^\s/.test(line))) return false;
  const ends = new Map<number, number>();
  for (const line of lines) for (const gap of line.matchAll(/\S( {2,})(?=\S)/g)) count(ends, gap.index + gap[0].length);
  return [...ends.values()].some((times) => times >= lines.length * 0.6);
}

function count(places: Map<number, number>, place: number): void {
  places.set(place, (places.get(place) ?? 0) + 1);
}
