/** A text in one line, no longer than `most` characters, saying that it was cut. Whole where `most` is `Infinity`. */
export function clip(text: string, most: number): string {
  if (most === Number.POSITIVE_INFINITY) return text;
  const line = text
    .slice(0, most * 2 + 80)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > most || text.length > most * 2 + 80
    ? `${line.slice(0, Math.max(1, most - 1)).replace(/[\ud800-\udbff]$/, '')}…`
    : line;
}

/** The data of a result as it stands in its text, without what surrounds it: it comes last. */
export function dataOf(content: string): string {
  const at = content.indexOf('"data":');
  return at < 0 || !content.endsWith('}') ? content : content.slice(at + 7, -1);
}
