import type { NotableKind } from './classify-message.ts';
import type { LogException, LogLevel } from './log-record.ts';
import type { LogReading } from './read-log-records.ts';
import type { Execution } from './track-executions.ts';

/** Messages of one template. */
export interface MessageGroup {
  readonly template: string;
  level: LogLevel | null;
  readonly kind: NotableKind | undefined;
  readonly wrapper: boolean;
  readonly example: string;
  readonly file: string;
  readonly line: number;
  count: number;
  first: string | null;
  last: string | null;
}

export type TimelineKind = NotableKind | 'error' | 'warning' | 'unparsable';

/** One thing that happened, or several alike of one execution. */
export interface Notable {
  readonly kind: TimelineKind;
  readonly level: LogLevel | null;
  readonly file: string;
  readonly line: number;
  readonly task: string | null;
  readonly attempt: number | null;
  readonly text: string;
  readonly time: string | null;
  /** Where it stands when it has no time itself. */
  readonly after: string | null;
  readonly consequence: boolean;
  times: number;
  last: string | null;
  lastText: string;
  rows: bigint | null;
  /** The first few after the first one, each for itself. */
  readonly more: {
    readonly time: string | null;
    readonly after: string | null;
    readonly line: number;
    readonly text: string;
    readonly rows: bigint | null;
  }[];
}

/** Occurrences of one chain of exceptions. */
export interface ExceptionGroup {
  readonly chain: readonly LogException[];
  readonly file: string;
  readonly line: number;
  readonly task: string | null;
  readonly attempt: number | null;
  readonly consequence: boolean;
  readonly first: string | null;
  last: string | null;
  times: number;
}

/** What was found out about one file's times. */
export interface FileFacts {
  readonly reading: LogReading;
  readonly bytes: number;
  readonly formats: Map<string, { count: number }>;
  readonly zones: Map<string, { count: number }>;
  records: number;
  withoutZone: number;
  withoutTime: number;
  dateUnknown: number;
  yearInferred: number;
  first: string | null;
  last: string | null;
  /** Time of the record before, in the order of the file. */
  before: string | null;
  /** The longest time without a record, and the longest but one. */
  silence: { readonly from: string; readonly to: string; readonly seconds: number } | null;
  secondSilence: number;
  /** How often the next record is more than a minute earlier than the one before, and the first such pair. */
  wentBack: { times: number; readonly from: string; readonly to: string } | null;
}

export interface SummaryState {
  readonly groups: Map<string, MessageGroup>;
  readonly notables: Map<string, Notable>;
  readonly exceptions: Map<string, ExceptionGroup>;
  readonly files: FileFacts[];
  readonly levels: Record<LogLevel | 'unknown', number>;
  readonly executions: Execution[];
  /** Earliest of each; by time across files. */
  firstError: Notable | undefined;
  firstConsequence: Notable | undefined;
  firstErrorText: Notable | undefined;
  firstWarning: Notable | undefined;
  records: number;
  /** Templates, timeline items and exceptions beyond the most that are kept. */
  ungrouped: number;
  droppedNotables: number;
  droppedExecutions: number;
  outsideFilter: number;
  unknownTask: number;
}

export function newSummaryState(): SummaryState {
  return {
    groups: new Map(),
    notables: new Map(),
    exceptions: new Map(),
    files: [],
    levels: { debug: 0, info: 0, warning: 0, error: 0, critical: 0, unknown: 0 },
    executions: [],
    firstError: undefined,
    firstConsequence: undefined,
    firstErrorText: undefined,
    firstWarning: undefined,
    records: 0,
    ungrouped: 0,
    droppedNotables: 0,
    droppedExecutions: 0,
    outsideFilter: 0,
    unknownTask: 0,
  };
}
