import { meaningsOfName } from './label-words.ts';
import type { Mention } from './mention.ts';
import { nameToken } from './name-token.ts';
import type { Piece } from './read-pieces.ts';

/** What stands directly at a figure. */
export const FIRST_WEIGHT = 3;

type Give = (tokens: readonly string[], weight: number) => void;

const LINE_WEIGHT = 1.3;

/** All names of a list item or a table row speak for the figures in it. */
export function addLine(
  text: string,
  mention: Mention,
  { pieces, give }: { readonly pieces: readonly Piece[]; readonly give: Give },
): void {
  const start = text.lastIndexOf('\n', mention.start - 1) + 1;
  if (!/^\s*(?:[-*•|]|\d+[.)])/.test(text.slice(start, mention.start + 1))) return;
  const end = `${text}\n`.indexOf('\n', mention.end);
  if (end - start > 600) return;
  for (const piece of pieces)
    if (piece.start >= start && piece.start < end && piece.kind === 'word')
      give(
        piece.tokens.filter((token) => token.startsWith('=') && token.length > 3),
        LINE_WEIGHT,
      );
}

const LEAD_WEIGHT = 0.6;

/** The line that leads a list in, and the heading above, speak for all that stands below. */
export function addLead(text: string, mention: Mention, give: Give): void {
  let end = text.lastIndexOf('\n', mention.start - 1);
  let inList = /^\s*(?:[-*•|]|\d+[.)])/.test(text.slice(end + 1));
  for (let lines = 0; end > 0 && lines < 200; lines++) {
    const start = text.lastIndexOf('\n', end - 1) + 1;
    const line = text.slice(start, end);
    end = start - 1;
    if (line.trim() === '') continue;
    const isHeading = /^(?:#{1,6}\s|\*\*[^*]+\*\*:?$)/.test(line);
    const leads = inList && !/^\s*(?:[-*•|]|\d+[.)])/.test(line);
    if (isHeading || leads)
      give([...(line.match(/`[^`]+`/g) ?? []).map((name) => nameToken(name.slice(1, -1))), ...meaningsOfName(line)], LEAD_WEIGHT);
    if (isHeading) return;
    if (leads) inList = false;
  }
}

/** In a Markdown table the head of the column and the first cell of the row say what a figure is; answers their words. */
export function addTableCell(text: string, mention: Mention, give: Give): readonly string[] {
  const lineStart = text.lastIndexOf('\n', mention.start - 1) + 1;
  if (!/^\s*\|/.test(text.slice(lineStart, mention.start + 1))) return [];
  const cell = text.slice(lineStart, mention.start).split('|').length - 1;
  let headStart = lineStart;
  for (let before = lineStart; before > 0; ) {
    const start = text.lastIndexOf('\n', before - 2) + 1;
    if (!/^\s*\|/.test(text.slice(start, before))) break;
    headStart = start;
    before = start;
  }
  const cellOf = (start: number, index: number): string =>
    (text.slice(start, `${text}\n`.indexOf('\n', start)).split('|')[index] ?? '').replace(/[*`]/g, '').trim();
  const head = headStart < lineStart ? cellOf(headStart, cell) : '';
  if (head !== '') {
    give([nameToken(head), ...meaningsOfName(head)], FIRST_WEIGHT * 0.95);
  }
  const first = cellOf(lineStart, 1);
  if (cell > 1) give([nameToken(first), ...(/^\d+$/.test(first) ? [`=#${first}`] : []), ...meaningsOfName(first)], FIRST_WEIGHT * 0.9);
  return [...new Set([...meaningsOfName(head), ...(cell > 1 ? meaningsOfName(first) : [])])];
}
