import { createTracebackJoiner, errorText, isLikelyConsequence } from './collect-exceptions.ts';
import { addNotable, collectException, collectRecord, collectTimes } from './collect-record.ts';
import type { LogException, LogRecord } from './log-record.ts';
import { maskMessage } from './mask-message.ts';
import { newLogReading, type PlacedRecord, readLogRecords } from './read-log-records.ts';
import type { FileFacts, SummaryState } from './summary-state.ts';
import { isInWindow, isOpen, type TimeWindow } from './time-window.ts';

/** Which records count. */
export interface RecordFilter {
  readonly window: TimeWindow;
  readonly pipeline: string | undefined;
  readonly task: string | undefined;
}

export interface LogFile {
  readonly path: string;
  readonly absolutePath: string;
  readonly bytes: number;
}

/** Reads one file into the summary until it ends or `stop` says so. */
export async function collectFile(
  state: SummaryState,
  file: LogFile,
  { filter, stop }: { filter: RecordFilter; stop: () => boolean },
): Promise<void> {
  const reading = newLogReading(file.path);
  const facts: FileFacts = {
    reading,
    bytes: file.bytes,
    formats: new Map(),
    zones: new Map(),
    records: 0,
    withoutZone: 0,
    withoutTime: 0,
    dateUnknown: 0,
    yearInferred: 0,
    before: null,
    silence: null,
    secondSilence: 0,
    wentBack: null,
    first: null,
    last: null,
  };
  state.files.push(facts);
  const joiner = createTracebackJoiner();
  let opened: PlacedRecord | undefined;
  const join = (placed: PlacedRecord | undefined): void => {
    const joined = joiner.push(placed?.record);
    if (joined)
      addJoined(state, opened ?? { record: joined.record, execution: undefined }, {
        chain: joined.chain,
        record: joined.record,
        file: file.path,
      });
    if (placed?.record.message.startsWith('Traceback')) opened = placed;
  };
  const everything = isOpen(filter.window) && filter.pipeline === undefined && filter.task === undefined;
  for await (const batch of readLogRecords(file.absolutePath, reading)) {
    for (const placed of batch) {
      collectTimes(facts, placed.record);
      if (!everything && !passes(state, placed, filter)) continue;
      join(placed);
      collectRecord(state, placed, file.path);
    }
    if (stop()) break;
  }
  join(undefined);
  addExecutions(state, facts, filter);
}

interface Joined {
  readonly chain: readonly LogException[];
  readonly record: LogRecord;
  readonly file: string;
}

function addJoined(state: SummaryState, placed: PlacedRecord, { chain, record, file }: Joined): void {
  collectException(state, { placed, chain, file });
  const text = errorText(record.message, chain);
  const consequence = isLikelyConsequence(record.message, chain);
  addNotable(state, { placed, file, kind: 'error_text', text, template: maskMessage(text), consequence });
}

function passes(state: SummaryState, { record, execution }: PlacedRecord, { window, pipeline, task }: RecordFilter): boolean {
  const ownTask = record.task ?? execution?.task ?? null;
  const ownPipeline = record.pipeline ?? execution?.pipeline ?? null;
  if (task !== undefined && ownTask !== task) {
    if (ownTask === null) state.unknownTask++;
    else state.outsideFilter++;
    return false;
  }
  // A log seldom names its pipeline before its end, so only a pipeline that is known to be another is left out.
  const outside =
    (pipeline !== undefined && ownPipeline !== null && ownPipeline !== pipeline) || (!isOpen(window) && !isInWindow(record, window));
  if (outside) state.outsideFilter++;
  return !outside;
}

function addExecutions(state: SummaryState, { reading }: FileFacts, { window, pipeline, task }: RecordFilter): void {
  state.droppedExecutions += reading.tracker.dropped;
  for (const execution of reading.tracker.executions) {
    if (task !== undefined && execution.task !== task) continue;
    if (pipeline !== undefined && execution.pipeline !== null && execution.pipeline !== pipeline) continue;
    const { start, end } = execution;
    const before = window.since !== null && (end === null || end < window.since);
    const after = window.until !== null && (start === null || start >= window.until);
    if (!before && !after) state.executions.push(execution);
  }
}
