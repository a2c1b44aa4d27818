import { isWrapperMessage } from './classify-message.ts';
import type { LogException, LogRecord } from './log-record.ts';
import { isExceptionLine, readExceptions, readLink, startsTraceback } from './read-exceptions.ts';

const MOST_LINES = 400;

/** The chain that the record carries, in its fields or in the lines below its head. */
export function exceptionsOf(record: LogRecord): readonly LogException[] | undefined {
  if (record.exceptions || !record.rest) return record.exceptions;
  return readExceptions([record.message, ...record.rest]);
}

/** Puts tracebacks together whose every line was logged as a record of its own, as the output of a subprocess is. */
export interface TracebackJoiner {
  /** Answers the chain and its first record when `record` shows that the traceback before it is over. */
  push(record: LogRecord | undefined): { readonly record: LogRecord; readonly chain: readonly LogException[] } | undefined;
}

export function createTracebackJoiner(): TracebackJoiner {
  let first: LogRecord | undefined;
  let lines: string[] = [];
  let inside = false;
  const close = () => {
    const opened = first;
    const chain = opened ? readExceptions(lines) : undefined;
    first = undefined;
    lines = [];
    return opened && chain ? { record: opened, chain } : undefined;
  };
  return {
    push(record) {
      if (!record) return close();
      const { message } = record;
      if (!first) {
        if (message.charCodeAt(0) !== 0x54 || record.rest || !startsTraceback(message)) return undefined;
        first = record;
        lines = [message];
        inside = true;
        return undefined;
      }
      const goesOn =
        lines.length < MOST_LINES &&
        !record.rest &&
        (inside || message.trim() === '' || readLink(message) !== undefined || startsTraceback(message));
      if (!goesOn) return close();
      lines.push(message);
      if (startsTraceback(message) || readLink(message)) inside = true;
      else if (inside && /^\S/.test(message) && isExceptionLine(message)) inside = false;
      return undefined;
    },
  };
}

/** The line that names an error best: its root exception where it has one, else its message. */
export function errorText(message: string, chain: readonly LogException[] | undefined): string {
  const [root] = chain ?? [];
  if (!root) return message;
  return root.message === '' ? root.type : `${root.type}: ${root.message}`;
}

/** True for an error that only passes on that something else failed; see `isWrapperMessage` for the rule. */
export function isLikelyConsequence(message: string, chain: readonly LogException[] | undefined): boolean {
  const [root] = chain ?? [];
  return isWrapperMessage(root ? root.message || root.type : message);
}
