import { countRestarts, isDagsterRecord, stepOutcome } from './dagster-steps.ts';
import { keepText, type LogRecord, levelRank } from './log-record.ts';
import type { PathIdentity } from './path-identity.ts';

const MOST_EXECUTIONS = 20_000;

/** One attempt of a task, or one invocation of dbt, as a log shows it. */
export interface Execution {
  readonly kind: 'task' | 'dbt';
  readonly file: string;
  readonly line: number;
  pipeline: string | null;
  task: string | null;
  runId: string | null;
  attempt: number | null;
  of: number | null;
  start: string | null;
  end: string | null;
  outcome: string | null;
  /** What the outcome was read from. */
  outcomeFrom: 'state' | 'exception' | 'exit_code' | null;
  /** True once a line said that it began. */
  started: boolean;
  executing: boolean;
  errors: number;
  warnings: number;
}

export interface ExecutionTracker {
  readonly executions: readonly Execution[];
  /** Executions beyond the most that are kept. */
  readonly dropped: number;
  /** Answers the execution that the record belongs to, opening or ending one by what it says. */
  see(record: LogRecord): Execution | undefined;
}

interface TrackerState {
  readonly file: string;
  readonly identity: PathIdentity;
  readonly executions: Execution[];
  readonly named: Map<string, Execution>;
  readonly restarts: Map<string, number>;
  current: Execution | undefined;
  dropped: number;
}

/** Splits the records of one file into executions by the markers that Airflow and dbt write, else by the file's name. */
export function createExecutionTracker(file: string, identity: PathIdentity): ExecutionTracker {
  const state: TrackerState = { file, identity, executions: [], named: new Map(), restarts: new Map(), current: undefined, dropped: 0 };
  return {
    executions: state.executions,
    get dropped() {
      return state.dropped;
    },
    see(record) {
      const named = record.task === undefined ? undefined : namedOf(state, record);
      if (named === undefined) readMarker(state, record);
      const execution = named ?? state.current ?? implicitExecution(state, record);
      if (!execution) return undefined;
      execution.start ??= record.time;
      if (record.time !== null) execution.end = record.time;
      const rank = levelRank(record.level);
      if (rank >= 3) execution.errors++;
      else if (rank === 2) execution.warnings++;
      readEnd(execution, record);
      return execution;
    },
  };
}

function open(state: TrackerState, record: LogRecord, kind: Execution['kind']): Execution {
  const { identity, file } = state;
  const execution: Execution = {
    kind,
    file,
    line: record.line,
    pipeline: record.pipeline ?? identity.pipeline,
    task: kind === 'dbt' ? null : (record.task ?? identity.task),
    runId: record.runId ?? identity.runId,
    attempt: kind === 'dbt' ? null : (record.attempt ?? null),
    of: null,
    start: record.time,
    end: record.time,
    outcome: null,
    outcomeFrom: null,
    started: false,
    executing: false,
    errors: 0,
    warnings: 0,
  };
  if (state.executions.length < MOST_EXECUTIONS) state.executions.push(execution);
  else state.dropped++;
  state.current = execution;
  return execution;
}

/** A file named after an attempt holds one, whether or not it says when it began. */
function implicitExecution(state: TrackerState, record: LogRecord): Execution | undefined {
  if (state.identity.attempt === null) return undefined;
  const execution = open(state, record, 'task');
  execution.attempt = state.identity.attempt;
  return execution;
}

function namedOf(state: TrackerState, record: LogRecord): Execution | undefined {
  if (record.attempt !== undefined) return namedExecution(state, record, record.attempt);
  return isDagsterRecord(record) ? namedExecution(state, record, countRestarts(state.restarts, record)) : undefined;
}

/** Logs of several tasks in one file name them in each record. */
function namedExecution(state: TrackerState, record: LogRecord, attempt: number): Execution {
  const key = `${record.pipeline}\0${record.task}\0${record.runId}\0${attempt}`;
  let execution = state.named.get(key);
  if (!execution) {
    execution = open(state, record, 'task');
    state.current = undefined;
    execution.started = true;
    execution.attempt = attempt;
    if (state.named.size < MOST_EXECUTIONS) state.named.set(key, execution);
  }
  return execution;
}

function readMarker(state: TrackerState, record: LogRecord): void {
  const { message } = record;
  switch (message.charCodeAt(0)) {
    case 0x53: // S
      if (message.startsWith('Starting attempt ')) startAttempt(state, record);
      break;
    case 0x44: // D
      if (message.startsWith('Dependencies all met for ')) announce(state, record);
      break;
    case 0x45: // E
      if (message.startsWith('Executing <Task')) execute(state, record);
      break;
    case 0x52: // R
    case 0x64: // d
      if (/^(?:Running with dbt=|dbt invocation )/.test(message) && /^dbt_/.test(record.format)) startDbt(state, record);
      break;
  }
}

function startAttempt(state: TrackerState, record: LogRecord): void {
  const found = /^Starting attempt (\d+)(?: of (\d+))?/.exec(record.message);
  if (!found) return;
  const attempt = Number(found[1]);
  const { current } = state;
  const paused = current?.outcome === 'deferred' || current?.outcome === 'up_for_reschedule';
  if (current && paused && current.attempt === attempt) {
    current.outcome = null;
    current.outcomeFrom = null;
    current.executing = false;
    return;
  }
  const execution = current && !current.started && current.outcome === null ? current : open(state, record, 'task');
  execution.attempt = attempt;
  execution.of = found[2] === undefined ? null : Number(found[2]);
  execution.started = true;
}

function announce(state: TrackerState, record: LogRecord): void {
  const { current } = state;
  const paused = current?.outcome === 'deferred' || current?.outcome === 'up_for_reschedule';
  const execution = current && ((!current.started && current.outcome === null) || paused) ? current : open(state, record, 'task');
  nameByInstance(execution, record.message);
}

/** `<TaskInstance: dag.task run_id [queued]>`; the dag's id may hold dots, a task in a group as well. */
function nameByInstance(execution: Execution, message: string): void {
  const found = /<TaskInstance: (\S+?)\.(\S+) (\S+)/.exec(message);
  if (!found) return;
  execution.pipeline ??= keepText(found[1] ?? '');
  execution.task ??= keepText(found[2] ?? '');
  execution.runId ??= keepText(found[3] ?? '');
}

function execute(state: TrackerState, record: LogRecord): void {
  const { current } = state;
  const reopens = !current || current.executing || (current.outcome !== null && current.outcome !== 'deferred');
  const execution = reopens ? open(state, record, 'task') : current;
  execution.executing = true;
  const task = /^Executing <Task\([^)]*\): ([^>]+)>/.exec(record.message)?.[1];
  if (task !== undefined) execution.task ??= keepText(task);
}

function startDbt(state: TrackerState, record: LogRecord): void {
  const { current } = state;
  if (current?.kind === 'dbt' && !current.started && current.outcome === null) current.started = true;
  else open(state, record, 'dbt').started = record.message.startsWith('Running');
}

const MARKED = /marking task as (\w+)/i;
const FIELDS = /\b(dag_id|task_id|run_id|try_number)='?([^\s,'\])]+)/g;

function readEnd(execution: Execution, record: LogRecord): void {
  const { message } = record;
  const step = stepOutcome(record);
  if (step !== undefined) setOutcome(execution, step, 'state');
  switch (message.charCodeAt(0)) {
    case 0x4d: // M
    case 0x49: // I
    case 0x52: // R
    case 0x50: // P
    case 0x54: // T
      break;
    case 0x44: // D
    case 0x43: // C
      if (execution.kind === 'dbt') readDbtEnd(execution, message);
      return;
    default:
      return;
  }
  const marked = MARKED.exec(message)?.[1] ?? (message.startsWith('Pausing task as DEFERRED') ? 'deferred' : undefined);
  if (marked !== undefined) {
    setOutcome(execution, marked.toLowerCase(), 'state');
    nameByFields(execution, message);
  } else if (message.startsWith('Task finished') && record.status !== undefined)
    setOutcome(execution, record.status.toLowerCase(), 'state');
  else if (message.startsWith('Task failed with exception') && execution.outcome === null) setOutcome(execution, 'failed', 'exception');
  else if (execution.outcome === null) {
    const code = /^Task exited with return code (-?\d+)/.exec(message)?.[1];
    if (code !== undefined) setOutcome(execution, code === '0' ? 'success' : 'failed', 'exit_code');
  }
  if (message.startsWith('Pushing xcom') || message.startsWith('TaskInstance Finished')) nameByFields(execution, message);
}

function setOutcome(execution: Execution, outcome: string, from: Execution['outcomeFrom']): void {
  execution.outcome = keepText(outcome);
  execution.outcomeFrom = from;
}

function nameByFields(execution: Execution, message: string): void {
  for (const [, key, value = ''] of message.matchAll(FIELDS)) {
    if (key === 'dag_id') execution.pipeline ??= keepText(value);
    else if (key === 'task_id') execution.task ??= keepText(value);
    else if (key === 'run_id') execution.runId ??= keepText(value);
    else if (execution.attempt === null) execution.attempt = Number(value) || null;
  }
}

function readDbtEnd(execution: Execution, message: string): void {
  const done = /^Done\. PASS=\d+ WARN=\d+ ERROR=(\d+)/.exec(message)?.[1];
  const completed = /^Completed (?:with (\d+) error|successfully|with \d+ warning)/.exec(message);
  if (done !== undefined) setOutcome(execution, done === '0' ? 'success' : 'failed', 'state');
  else if (completed) setOutcome(execution, (completed[1] ?? '0') === '0' ? 'success' : 'failed', 'state');
}
