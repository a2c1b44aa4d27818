import { createLogParser, type LogParser } from './log-parser.ts';
import type { LogRecord } from './log-record.ts';
import { readPathIdentity } from './path-identity.ts';
import { type LineReading, newLineReading } from './read-line-batches.ts';
import { readLogLines } from './read-log-lines.ts';
import { createExecutionTracker, type Execution, type ExecutionTracker } from './track-executions.ts';

/** A record with the execution it belongs to. */
export interface PlacedRecord {
  readonly record: LogRecord;
  readonly execution: Execution | undefined;
}

/** A log file under reading: what is known of it rises as its records come. */
export interface LogReading {
  readonly path: string;
  readonly lineReading: LineReading;
  readonly parser: LogParser;
  readonly tracker: ExecutionTracker;
  /** The execution that the record read last belongs to. */
  execution: Execution | undefined;
  lines: number;
  /** True once the whole file was read. */
  finished: boolean;
}

export function newLogReading(path: string): LogReading {
  const lineReading = newLineReading();
  return {
    path,
    lineReading,
    parser: createLogParser(() => lineReading.years),
    tracker: createExecutionTracker(path, readPathIdentity(path)),
    execution: undefined,
    lines: 0,
    finished: false,
  };
}

/** The records of one file in order, in batches, each whole: with all lines that belong to it. */
export async function* readLogRecords(absolutePath: string, reading: LogReading): AsyncGenerator<readonly PlacedRecord[]> {
  const { parser, tracker } = reading;
  let pending: PlacedRecord | undefined;
  for await (const { lines, firstLine, unended, counted } of readLogLines(absolutePath, reading.lineReading)) {
    const whole: PlacedRecord[] = [];
    const last = lines.length - 1;
    for (let at = 0; at < lines.length; at++) {
      const record = parser.push(lines[at] as string, firstLine + at, unended && at === last);
      if (parser.isDocument) return;
      if (!record) continue;
      if (pending) whole.push(pending);
      pending = { record, execution: tracker.see(record) };
    }
    reading.lines += counted ?? lines.length;
    yield whole;
  }
  reading.finished = reading.lineReading.problem === null;
  if (pending) yield [pending];
}
