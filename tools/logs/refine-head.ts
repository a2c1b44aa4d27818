import { type LogLevel, readLevel } from './log-record.ts';
import { type Head, parseJsonLine } from './parse-json-line.ts';
import type { Stamp } from './read-timestamp.ts';
import { untimed } from './timed-head.ts';

/** Reads the head of a text record. */
export type HeadReader = (line: string) => Head | undefined;

/** What containers' runtimes and runners put between the time and the line: the stream, and whether the line is whole. */
const STREAM = /^(?:(?:stdout|stderr) [FP](?::\S+)?|\d\d[OE]\+?) /;
/** `host program[12]: `, `app[web.1]: `, `program: `. */
const PROGRAM = /^(?:[\w.-]{1,60} )?([\w./@-]{1,60})\[[\w.-]{1,20}\]: |^([\w./@-]{1,60}): /;
const GITHUB = /^(?:##\[|::)(error|warning|notice|debug)\b[^\]:]*(?:\]|::)/;
const PHP = /^PHP (Fatal error|Parse error|Recoverable fatal error|Warning|Notice|Deprecated|Strict Standards): +/;
const LOWER = /^(error|fatal|warning|warn|critical|notice|info|debug): /;
const PHP_LEVELS: Readonly<Record<string, LogLevel>> = {
  Warning: 'warning',
  Notice: 'info',
  Deprecated: 'info',
  'Strict Standards': 'info',
};

/**
 * What a runtime, a supervisor or a collector wrote around a line keeps the line's own level: the record is read again from its message
 * where the head gave none.
 */
export function refineHead(head: Head, readHead: HeadReader, stamp: Stamp): Head {
  if (head.level !== null || head.message === '') return head;
  const text = head.message.replace(STREAM, '');
  const program = PROGRAM.exec(text);
  const own = readOwn(text, readHead, stamp) ?? (program ? readOwn(text.slice(program[0].length), readHead, stamp) : undefined);
  if (own === undefined) return text === head.message ? head : { ...head, message: text };
  const { time, clock, zoneGiven, zoneText } = own;
  return {
    ...head,
    ...(head.time === null && time !== null ? { time, clock, zoneGiven, zoneText } : {}),
    level: own.level,
    logger: own.logger ?? head.logger ?? program?.[1] ?? program?.[2],
    origin: own.origin ?? head.origin,
    task: own.task ?? head.task,
    pipeline: own.pipeline ?? head.pipeline,
    runId: own.runId ?? head.runId,
    attempt: own.attempt ?? head.attempt,
    status: own.status ?? head.status,
    message: own.message,
    rest: own.rest ?? head.rest,
    exceptions: own.exceptions ?? head.exceptions,
  };
}

function readOwn(text: string, readHead: HeadReader, stamp: Stamp): Head | undefined {
  if (text.startsWith('{')) {
    const inner = parseJsonLine(text, stamp);
    return inner?.level == null ? undefined : inner;
  }
  const marked = GITHUB.exec(text) ?? LOWER.exec(text);
  if (marked) return untimed('plain_text', { level: readLevel(marked[1] ?? ''), message: text.slice(marked[0].length) });
  const php = PHP.exec(text);
  if (php) return untimed('plain_text', { level: PHP_LEVELS[php[1] ?? ''] ?? 'error', message: text.slice(php[0].length) });
  const inner = readHead(text);
  return inner?.level == null ? undefined : inner;
}
