import { z } from 'zod';
import { FileAccessError, SourceChoiceError } from '../../src/core/source.ts';
import { defineTool, type ToolContext } from '../../src/core/tool.ts';
import { complete, failed, noData, partial, refused, type ToolWarning } from '../../src/core/tool-result.ts';
import { chooseLogFiles, type LogFiles, resolveLogFile } from './choose-log-files.ts';
import { collectFile, type RecordFilter } from './collect-summary.ts';
import { clipText } from './log-record.ts';
import { renderSummary } from './render-summary.ts';
import { summaryOutput } from './summary-schema.ts';
import { newSummaryState, type SummaryState } from './summary-state.ts';
import { readTimeWindow } from './time-window.ts';

/** Milliseconds of reading after which a summary of what was read is answered, well within the tool's own time. */
const READING_BUDGET = 100_000;

const input = z.object({
  source: z.string().optional().describe('Name of the source; may be left out when only one has logs'),
  path: z.string().optional().describe('One file, or the beginning of paths; all files when left out'),
  pipeline: z.string().optional().describe('Leave out records known to belong to another pipeline (dag)'),
  task: z.string().optional().describe('Only records of this task'),
  since: z.string().optional().describe('ISO 8601 time or date; UTC unless it has a zone'),
  until: z.string().optional().describe('ISO 8601, exclusive; a date alone includes that day'),
  limit: z.number().int().min(1).max(200).default(40).describe('Most items of each list'),
});

/** Reads logs of many formats into one account: attempts, first error, exception chains, timeline, message groups. */
export const summarizeLog = defineTool({
  name: 'summarize_log',
  description:
    'Summarises log files (Airflow 2 and 3, dbt, Spark, JSON lines, plain text; gzip too): attempts per task with outcome, first error and first warning in UTC across files, exception chains root first, errors that are likely only consequences, a timeline of notable events (errors, state changes, row counts, waits, connection losses), message groups with counts, and lines that could not be parsed. Use it first on logs; then search_logs for details.',
  input,
  output: summaryOutput,
  effect: 'read',
  example: { source: 'logs', path: 'scheduler/2026-03-17.log' },
  timeoutSeconds: 120,
  async run(request, context) {
    try {
      return await summarize(request, context);
    } catch (error) {
      if (error instanceof SourceChoiceError) return refused('source_choice', error.message);
      if (error instanceof FileAccessError) return failed(`file_${error.reason}`, error.message);
      throw error;
    }
  },
});

async function summarize(request: z.output<typeof input>, context: ToolContext) {
  const window = readTimeWindow(request.since, request.until);
  if ('wrong' in window) return refused('bad_time', `"${clipText(window.wrong, 60)}" is not an ISO 8601 time such as 2026-03-02T01:30:00Z`);
  const source = await context.sources.pick('logs', request.source);
  const files = await chooseLogFiles(source, request.path);
  const filter: RecordFilter = { window, pipeline: request.pipeline, task: request.task };
  const started = performance.now();
  const stop = (): boolean => context.scope.stopped || performance.now() - started > READING_BUDGET;
  const state = newSummaryState();
  let unread = 0;
  for (const entry of files.entries) {
    if (stop()) {
      unread++;
      continue;
    }
    const absolutePath = await resolveLogFile(source, entry.path);
    if (absolutePath === undefined) unread++;
    else await collectFile(state, { path: entry.path, absolutePath, bytes: entry.bytes }, { filter, stop });
  }
  const warnings = listWarnings(state, files, unread);
  const reserved = JSON.stringify(warnings).length;
  const data = renderSummary(state, { limit: request.limit, skipped: files.skipped.total, reserved });
  const nothing = files.entries.length === 0 || (state.records === 0 && unread === 0 && readAll(state));
  const shown = nothing ? [...warnings, nothingFound(request, state, files)] : warnings;
  const extra = { warnings: shown, asOf: context.now(), total: data.timeline.total, returned: data.timeline.returned };
  if (!files.complete) return partial(data, extra);
  if (nothing) return noData(data, extra);
  const lists = [data.tasks, data.executions, data.exceptions, data.timeline, data.messages, data.files];
  const shownWhole = lists.every((list) => list.returned === list.total);
  const whole = shownWhole && readAll(state) && unread === 0 && state.droppedNotables + state.ungrouped + state.droppedExecutions === 0;
  return whole ? complete(data, extra) : partial(data, extra);
}

function readAll(state: SummaryState): boolean {
  return state.files.every(({ reading }) => reading.finished || reading.parser.isDocument);
}

function nothingFound(request: z.output<typeof input>, state: SummaryState, files: LogFiles): ToolWarning {
  if (files.entries.length === 0) {
    const skipped =
      files.skipped.total > 0 ? `; ${files.skipped.total} files are no logs by their names, e.g. ${files.skipped.examples[0]}` : '';
    return {
      code: 'no_files',
      message: clipText(`no log file ${request.path ? `begins with "${request.path}"` : 'in the source'}${skipped}`, 300),
    };
  }
  if (state.outsideFilter + state.unknownTask === 0) return { code: 'no_records', message: 'the files hold no log records; see files' };
  return { code: 'no_records', message: `${state.outsideFilter + state.unknownTask} records were read and none passes the filters` };
}

function listWarnings(state: SummaryState, files: LogFiles, unread: number): ToolWarning[] {
  const found: ToolWarning[] = files.warnings.slice(0, 3).map(({ code, message }) => ({ code, message: clipText(message, 160) }));
  const add = (condition: boolean | number, code: string, message: string): void => {
    if (condition) found.push({ code, message });
  };
  const sum = (figure: (file: SummaryState['files'][number]) => number): number =>
    state.files.reduce((total, file) => total + figure(file), 0);
  const withoutZone = sum((file) => file.withoutZone);
  const bad = sum(({ reading }) => reading.parser.unparsable.count);
  const dateless = sum((file) => file.dateUnknown);
  const long = sum(({ reading }) => reading.lineReading.longLines);
  const unfinished = state.files.filter(({ reading }) => !reading.finished && !reading.parser.isDocument).length;
  add(
    unread + unfinished,
    'not_all_read',
    `${unread} files were not read and ${unfinished} not to their end; see files and totals.bytes_read`,
  );
  add(withoutZone, 'zone_assumed', `${withoutZone} records give no zone; their times were read as UTC`);
  add(bad, 'unparsable_lines', `${bad} lines of JSON files are not JSON; see files`);
  add(dateless, 'date_unknown', `${dateless} records give a time of day without a date; they are not placed in time`);
  const inferred = state.files.filter((file) => file.yearInferred > 0);
  const from = [...new Set(inferred.map(({ reading }) => reading.lineReading.years?.from))].slice(0, 3).join(', ');
  add(
    inferred.length,
    'year_inferred',
    clipText(`${sum((file) => file.yearInferred)} records give no year; it was inferred from ${from}`, 240),
  );
  add(long, 'long_lines', `${long} lines are longer than 1 MiB; only their beginnings were read`);
  add(state.unknownTask, 'task_unknown', `${state.unknownTask} records name no task and were left out by the task filter`);
  add(state.ungrouped, 'groups_limited', `${state.ungrouped} records were not grouped: more than 5000 different messages`);
  add(state.droppedNotables, 'timeline_limited', `${state.droppedNotables} notable events were not kept: more than 5000 different ones`);
  add(state.droppedExecutions, 'executions_limited', `${state.droppedExecutions} executions were not kept`);
  return found;
}
