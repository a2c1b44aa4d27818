const TRACEBACK = /:?\s*Traceback \(most recent call last\):\s*$/;
/** `ValueError: text`, at the margin, where the frames of the traceback are indented. */
const ERROR_LINE = /^[A-Za-z_][\w.]*(?:: |$)/;

/** The first line of a message; where that only announces a Python traceback, with the error that the traceback ends in. */
export function tellingLine(text: string): string {
  const [first = '', ...rest] = text.split('\n');
  if (!TRACEBACK.test(first)) return first;
  const error = rest.find((line) => ERROR_LINE.test(line.trimEnd()));
  return [first.replace(TRACEBACK, ''), error?.trimEnd() ?? ''].filter((part) => part !== '').join(': ');
}
