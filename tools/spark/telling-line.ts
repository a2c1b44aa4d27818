import { isExceptionLine } from '../logs/read-exceptions.ts';

const TRACEBACK = /:?\s*Traceback \(most recent call last\):\s*$/;

/** The first line of a message; where that only announces a Python traceback, with the error that the traceback ends in. */
export function tellingLine(text: string): string {
  const [first = '', ...rest] = text.split('\n');
  if (!TRACEBACK.test(first)) return first;
  const error = rest.map((line) => line.trimEnd()).find(isExceptionLine);
  return [first.replace(TRACEBACK, ''), error ?? ''].filter((part) => part !== '').join(': ');
}
