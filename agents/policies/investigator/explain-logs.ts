import type { Play } from '../../../src/core/policy.ts';
import type { ToolResult } from '../../../src/core/tool-result.ts';
import type { Account } from './account.ts';

interface LogEvent {
  readonly time: string | null;
  readonly kind: string;
  readonly level?: string;
  readonly file: string;
  readonly line: number;
  readonly task?: string;
  readonly attempt?: number;
  readonly text: string;
  readonly likely_consequence?: boolean;
  readonly times?: number;
  readonly rows?: string;
}

interface Listed<Item> {
  readonly total: number;
  readonly returned: number;
  readonly items: readonly Item[];
}

interface LogSummary {
  readonly totals: {
    readonly files: number;
    readonly records_without_zone: number;
    readonly unparsable_lines: number;
    readonly lines: number;
  };
  readonly first_error: LogEvent | null;
  readonly first_warning: LogEvent | null;
  readonly first_error_below_error_level?: LogEvent | null;
  readonly tasks: Listed<{
    readonly task: string;
    readonly attempts: number;
    readonly final_state: string;
    readonly start: string | null;
    readonly end: string | null;
  }>;
  readonly exceptions: Listed<{
    readonly root: string;
    readonly times: number;
    readonly first: string | null;
    readonly file: string;
    readonly line: number;
    readonly likely_consequence?: boolean;
  }>;
  readonly timeline: Listed<LogEvent>;
}

const MOST_EVENTS = 14;

/** The logs' own story: first cause, consequences, attempts; it leads the answer where the question asks for it. */
export function tellLogs(account: Account, summary: ToolResult<unknown>, { leads }: { readonly leads: boolean }): void {
  if (summary.status !== 'ok' && summary.status !== 'partial') return;
  const logs = (summary as ToolResult<LogSummary>).data;
  tellFirstCause(account, logs, { summary, leads });
  tellTasks(account, logs, { summary, leads });
  if (leads) tellTimeline(account, logs, summary);
  const { records_without_zone: zoneless, unparsable_lines: unparsable } = logs.totals;
  if (unparsable > 0 || zoneless > 0) {
    const claim = `In the logs ${unparsable} lines could not be parsed and ${zoneless} records have no time zone (read as UTC).`;
    if (leads) account.say(claim, summary);
    account.find({ kind: 'observation', claim, evidence: [summary] });
  }
  if (!summary.complete) account.find({ kind: 'not_checked', claim: 'Not all of the logs is in the summary.', evidence: [summary] });
}

interface Telling {
  readonly summary: ToolResult;
  readonly leads: boolean;
}

/** A warning that comes before the first error, and names something that the error names too, is where it began. */
function tellFirstCause(account: Account, logs: LogSummary, { summary, leads }: Telling): void {
  const { first_error: error, first_warning: warning } = logs;
  if (!error) {
    account.find({
      kind: 'ruled_out',
      claim: `The logs (${logs.totals.files} files, ${logs.totals.lines} lines) hold no error.`,
      evidence: [summary],
      confidence: summary.complete ? 'high' : 'low',
    });
    return;
  }
  const before =
    warning !== null && warning.time !== null && error.time !== null && warning.time < error.time && sharesName(warning.text, error.text)
      ? warning
      : undefined;
  const cause = before ?? error;
  const claim = `First cause in the logs: ${describe(cause)}.`;
  if (leads) account.say(before ? `${claim} The first error follows from it: ${describe(error)}.` : claim, summary);
  account.find({
    kind: leads ? 'cause' : 'observation',
    claim: before ? `${claim} First error: ${describe(error)}.` : claim,
    evidence: [summary],
    confidence: 'medium',
    refutedBy: 'an earlier event that the logs do not hold',
  });
  const consequences = logs.timeline.items.filter((event) => event.likely_consequence);
  if (leads && consequences.length > 0)
    account.say(
      `Only consequences: ${consequences
        .slice(0, 4)
        .map((event) => `"${clip(event.text, 100)}" (${event.task ?? event.file})`)
        .join(', ')}.`,
      summary,
    );
}

function sharesName(left: string, right: string): boolean {
  const names = (text: string): string[] => text.toLowerCase().match(/[a-z_][a-z0-9_]{4,}/g) ?? [];
  const theirs = new Set(names(right));
  return names(left).some((name) => theirs.has(name) && (name.includes('_') || name.length > 6));
}

function describe(event: LogEvent): string {
  const where = `${event.file}:${event.line}`;
  const attempt = event.attempt === undefined ? '' : ` attempt ${event.attempt}`;
  return `${event.time ?? 'at an unknown time'}, ${event.task ? `${event.task}${attempt}, ` : ''}"${clip(event.text, 240)}" (${where})`;
}

function tellTasks(account: Account, logs: LogSummary, { summary, leads }: Telling): void {
  const { items } = logs.tasks;
  if (items.length === 0) return;
  const retried = items.filter((task) => task.attempts > 1);
  const shown = leads ? items : items.filter((task) => task.attempts > 1 || /fail/.test(task.final_state));
  if (shown.length === 0) return;
  const claim = `Attempts: ${shown
    .slice(0, 8)
    .map((task) => `\`${task.task}\` ${task.attempts} (${task.final_state})`)
    .join(', ')}${logs.tasks.total > items.length ? `; ${logs.tasks.total} tasks in all` : ''}.`;
  if (leads) account.say(claim, summary);
  account.find({ kind: 'observation', claim, evidence: [summary] });
  if (leads && retried.some((task) => /fail/.test(task.final_state))) account.say('The retry could not help: it failed as well.', summary);
}

function tellTimeline(account: Account, logs: LogSummary, summary: ToolResult): void {
  const { items, total } = logs.timeline;
  if (items.length === 0) return;
  const lines = items.slice(0, MOST_EVENTS).map((event) => {
    const times = event.times && event.times > 1 ? ` (${event.times} times${event.rows ? `, ${event.rows} rows in all` : ''})` : '';
    return `- ${event.time ?? 'unknown time'} ${event.task ? `${event.task}${event.attempt ? ` #${event.attempt}` : ''}: ` : ''}${clip(event.text, 160)}${times}`;
  });
  account.say(
    `In order (UTC${total > lines.length ? `; the first ${lines.length} of ${total} events` : ''}):\n${lines.join('\n')}`,
    summary,
  );
}

function clip(text: string, most: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > most ? `${line.slice(0, most)}…` : line;
}

/** Summaries of every source of logs, asked for together. */
export function readLogs(play: Play, pipeline: string | undefined): Promise<ToolResult<unknown>[]> {
  if (!play.tools.has('summarize_log')) return Promise.resolve([]);
  const sources = play.sources.filter((source) => source.kind === 'logs');
  return Promise.all(
    sources.map((source) => play.call('summarize_log', { source: source.name, ...(pipeline === undefined ? {} : { pipeline }) })),
  );
}
