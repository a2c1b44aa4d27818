export type LogLevel = 'debug' | 'info' | 'warning' | 'error' | 'critical';

export type LogFormat =
  | 'airflow_text'
  | 'airflow_json'
  | 'dbt_text'
  | 'dbt_json'
  | 'json_lines'
  | 'iso_text'
  | 'log4j'
  | 'python_logging'
  | 'key_value'
  | 'syslog'
  | 'klog'
  | 'access_log'
  | 'spark_event_log'
  | 'openlineage_json'
  | 'dagster_text'
  | 'dagster_json'
  | 'plain_text';

/** One exception of a chain. `link` says how the one before it (nearer to the root) led to it. */
export interface LogException {
  readonly type: string;
  readonly message: string;
  /** The deepest frame, `file:line`. */
  readonly at?: string;
  readonly link?: 'direct_cause' | 'during_handling' | 'caused_by';
}

/** One entry of a log: its head line, and the lines below that belong to it. */
export interface LogRecord {
  readonly format: LogFormat;
  /** Number of its first line, from 1. */
  line: number;
  /** ISO 8601 UTC with every digit the log gave; null when the line gives no full date and time. */
  readonly time: string | null;
  /** The time of the record before it that had one: where a record without a time stands. */
  after: string | null;
  /** The time as written, where no date is known. */
  readonly clock?: string | undefined;
  /** True where the line gives no year. */
  readonly yearInferred?: boolean | undefined;
  readonly zoneGiven: boolean;
  readonly zoneText?: string | undefined;
  level: LogLevel | null;
  readonly logger?: string | undefined;
  /** Where the code that wrote it stands, `file:line`. */
  readonly origin?: string | undefined;
  /** A task or node that the record itself names. */
  readonly task?: string | undefined;
  readonly pipeline?: string | undefined;
  readonly runId?: string | undefined;
  readonly attempt?: number | undefined;
  readonly status?: string | undefined;
  message: string;
  /** Lines that follow the head line: a traceback, a statement. The first 400 are kept. */
  rest: string[] | undefined;
  /** Root first; from a structured record, or from its traceback once it is whole. */
  exceptions: readonly LogException[] | undefined;
}

const LEVELS: Readonly<Record<string, LogLevel>> = {
  TRACE: 'debug',
  DEBUG: 'debug',
  DBG: 'debug',
  VRB: 'debug',
  FINE: 'debug',
  VERBOSE: 'debug',
  INFO: 'info',
  INF: 'info',
  NOTICE: 'info',
  NOTE: 'info',
  LOG: 'info',
  DETAIL: 'info',
  HINT: 'info',
  STATEMENT: 'info',
  CONTEXT: 'info',
  INFORMATION: 'info',
  WARN: 'warning',
  WRN: 'warning',
  WARNING: 'warning',
  WARNUNG: 'warning',
  ERROR: 'error',
  ERR: 'error',
  EROR: 'error',
  FEHLER: 'error',
  ERREUR: 'error',
  FAILURE: 'error',
  DPANIC: 'critical',
  SEVERE: 'error',
  EXCEPTION: 'error',
  CRITICAL: 'critical',
  CRIT: 'critical',
  FATAL: 'critical',
  FTL: 'critical',
  PANIC: 'critical',
  ALERT: 'critical',
  EMERG: 'critical',
};

const RANKS: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warning: 2, error: 3, critical: 4 };

/** The level that a word names in any case, if it names one. */
export function readLevel(word: string): LogLevel | null {
  return LEVELS[word] ?? LEVELS[word.toUpperCase()] ?? null;
}

/** 0 for debug to 4 for critical; -1 where the level is unknown. */
export function levelRank(level: LogLevel | null): number {
  return level === null ? -1 : RANKS[level];
}

/** A copy that does not keep the large text alive which it was cut out of. */
export function keepText(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8');
}

/** At most `most` characters; a cut says how many were left out. */
export function clipText(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}… (+${text.length - most} characters)`;
}

/** True when `longer` only adds zeros to the fraction of `shorter`. */
function onlyZeros(shorter: string, longer: string): boolean {
  return longer.length > shorter.length && longer.startsWith(shorter) && /^\.?0*$/.test(longer.slice(shorter.length));
}

/** Orders ISO UTC times whatever their number of digits; null comes last. */
export function compareTimes(left: string | null, right: string | null): number {
  if (left === right) return 0;
  if (left === null) return 1;
  if (right === null) return -1;
  if (left.length === right.length) return left < right ? -1 : 1;
  const a = left.endsWith('Z') ? left.slice(0, -1) : left;
  const b = right.endsWith('Z') ? right.slice(0, -1) : right;
  if (a === b || onlyZeros(a, b) || onlyZeros(b, a)) return 0;
  return a < b ? -1 : 1;
}
