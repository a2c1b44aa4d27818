/** What one line of a window's background may take, in characters. */
const LONGEST_LINE = 280;
/** Ends what goes on elsewhere. */
const MORE = ' […]';

/** A text as one short line: as many of its first sentences as fit, and a mark where it goes on; a longer sentence ends between words. */
export function shortLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  if (line.length <= LONGEST_LINE) return line;
  const cut = line.slice(0, LONGEST_LINE - MORE.length);
  const sentence = [...cut.matchAll(/[.!?;。！？]["'”’)\]]*(?=\s)/gu)]
    .map(({ index, 0: end }) => index + end.length)
    .findLast((end) => end > LONGEST_LINE / 4);
  const end = sentence ?? (cut.lastIndexOf(' ') > LONGEST_LINE / 2 ? cut.lastIndexOf(' ') : cut.length);
  return `${line.slice(0, end).replace(/[\ud800-\udbff]$/, '')}${MORE}`;
}

/** A statement of a text in place of all of it, marked where more stands before or behind it. */
export function statementLine(statement: string, text: string): string {
  if (text.replaceAll(/\s+/g, ' ').trim().length <= LONGEST_LINE) return shortLine(text);
  const place = text.indexOf(statement);
  const line = shortLine(statement);
  const ends = line.endsWith(MORE) || text.trim().endsWith(statement.trim()) ? '' : MORE;
  return `${place > 0 ? `${MORE.trim()} ` : ''}${line}${ends}`;
}
