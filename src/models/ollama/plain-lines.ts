const PLAIN =
  /^\{"model":"[^"\\\n]*","created_at":"[^"\\\n]*","message":\{"role":"assistant","content":"([^"\\\r\n]*)"\},"done":false\}\r?\n/gm;
const BORDER = '\u0000';

/**
 * The pieces of text in lines that carry nothing else, which is nearly every line of a long answer, found in one pass
 * instead of parsed one by one. `undefined` when any of the lines differs to the letter, has an escape in its text, or is
 * broken: the parser then looks at each.
 *
 * @param lines whole lines, each with its newline
 */
export function textOfPlainLines(lines: string): string[] | undefined {
  // A line that does not match keeps its newline.
  const texts = lines.replace(PLAIN, `$1${BORDER}`);
  return texts.includes('\n') ? undefined : texts.split(BORDER);
}

/** The same as one text, where nobody wants the pieces. */
export function joinedPlainLines(lines: string): string | undefined {
  const text = lines.replace(PLAIN, '$1');
  return text.includes('\n') ? undefined : text;
}
