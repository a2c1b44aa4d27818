const MOST_CELLS = 4_000_000;

/**
 * The lines that differ, in order, `- ` before one that went and `+ ` before one that came: a longest common
 * subsequence, after equal beginnings and ends are taken off. What is too long for that is all gone and all new.
 */
export function diffLines(before: readonly string[], after: readonly string[]): string[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  while (end < before.length - start && end < after.length - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const old = before.slice(start, before.length - end);
  const now = after.slice(start, after.length - end);
  if (old.length * now.length > MOST_CELLS) return [...old.map((line) => `- ${line}`), ...now.map((line) => `+ ${line}`)];
  return walk(old, now, lengths(old, now));
}

/** For each pair of beginnings, from the end: the length of the longest common rest. */
function lengths(old: readonly string[], now: readonly string[]): Uint32Array[] {
  const table = Array.from({ length: old.length + 1 }, () => new Uint32Array(now.length + 1));
  for (let left = old.length - 1; left >= 0; left--) {
    const [row, below] = [table[left] as Uint32Array, table[left + 1] as Uint32Array];
    for (let right = now.length - 1; right >= 0; right--) {
      row[right] = old[left] === now[right] ? (below[right + 1] ?? 0) + 1 : Math.max(below[right] ?? 0, row[right + 1] ?? 0);
    }
  }
  return table;
}

function walk(old: readonly string[], now: readonly string[], table: readonly Uint32Array[]): string[] {
  const lines: string[] = [];
  let [left, right] = [0, 0];
  while (left < old.length || right < now.length) {
    if (left < old.length && right < now.length && old[left] === now[right]) {
      left++;
      right++;
    } else if (left < old.length && (right >= now.length || (table[left + 1]?.[right] ?? 0) >= (table[left]?.[right + 1] ?? 0))) {
      lines.push(`- ${old[left++]}`);
    } else {
      lines.push(`+ ${now[right++]}`);
    }
  }
  return lines;
}
