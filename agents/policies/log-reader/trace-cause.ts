import type { Play } from '../../../src/core/policy.ts';
import type { ToolResult } from '../../../src/core/tool-result.ts';
import { type LogEvent, type LogFacts, readLogFacts } from '../investigator/logs/log-facts.ts';
import { usable } from '../investigator/part-report.ts';
import { read } from '../investigator/read-data.ts';

/** One thing that the logs say happened, with the results that show it. */
export interface Link {
  readonly time: string | null;
  readonly task: string | null;
  readonly text: string;
  readonly evidence: readonly string[];
  /** What the summary takes for a consequence of an earlier error. */
  readonly follows?: boolean;
}

export interface CauseChain {
  readonly facts: LogFacts;
  readonly summary: ToolResult;
  readonly error: Link | undefined;
  /** Lines before the error that speak of the same thing, the earliest first. */
  readonly before: readonly Link[];
  /** Consequences, and later errors of other tasks. */
  readonly later: readonly Link[];
}

const MOST_NAMES = 4;
/** A pattern may have 200 characters in all. */
const MOST_NAME_CHARACTERS = 40;
const MOST_BEFORE = 2;
const MOST_LATER = 4;

/** Summarises the logs, then searches what came before the first error for the names that it holds. */
export async function traceCause(play: Play, input: Readonly<Record<string, unknown>>): Promise<CauseChain | ToolResult> {
  const summary = await play.call('summarize_log', input);
  if (!usable(summary)) return summary;
  const facts = readLogFacts(summary.data);
  const error = firstOf(facts.firstError, facts.firstQuietError);
  const after = facts.timeline.filter((event) => event.consequence || (error !== null && isLater(event, error)));
  return {
    facts,
    summary,
    error: error ? linkOf(error, summary.id) : undefined,
    before: error ? await linesBefore(play, error, input) : [],
    later: after.slice(0, MOST_LATER).map((event) => linkOf(event, summary.id)),
  };
}

function firstOf(loud: LogEvent | null, quiet: LogEvent | null): LogEvent | null {
  if (!loud || !quiet) return loud ?? quiet;
  return quiet.time !== null && loud.time !== null && quiet.time < loud.time ? quiet : loud;
}

/** A later error of another task. */
function isLater(event: LogEvent, error: LogEvent): boolean {
  const later = event.time !== null && error.time !== null && event.time > error.time;
  return later && /error/.test(event.kind) && event.task !== error.task;
}

async function linesBefore(play: Play, error: LogEvent, input: Readonly<Record<string, unknown>>): Promise<Link[]> {
  const names = namesIn(error.text);
  if (error.time === null || names.length === 0 || !play.tools.has('search_logs')) return [];
  const pattern = names.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  const found = await play.call('search_logs', { ...input, pattern, level: 'warning', until: error.time, limit: 10 });
  if (!usable(found)) return [];
  const matches = read(found.data)
    .list('matches')
    .map((one) => ({ time: one.text('time'), task: one.text('task'), text: messageOf(one.text('text') ?? ''), evidence: [found.id] }));
  const seen = new Set<string>([error.text]);
  return matches.filter(({ text }) => !error.text.includes(text) && !seen.has(text) && seen.add(text)).slice(0, MOST_BEFORE);
}

/** What a line of JSON says; any other line says itself. */
function messageOf(line: string): string {
  if (!line.startsWith('{')) return line;
  try {
    const record = read(JSON.parse(line));
    return record.text('event') ?? record.text('message') ?? record.text('msg') ?? record.at('info').text('msg') ?? line;
  } catch {
    return line;
  }
}

/** Words that look like the name of something: a table, a column, a file, a host. */
function namesIn(text: string): string[] {
  const found = text.match(/[A-Za-z][\w.-]*[_.\d][\w.-]*\w|(?<=")[\w.-]{3,40}(?=")|(?<=')[\w.-]{3,40}(?=')/g) ?? [];
  return [...new Set(found)].filter((name) => name.length <= MOST_NAME_CHARACTERS).slice(0, MOST_NAMES);
}

function linkOf(event: LogEvent, id: string): Link {
  return { time: event.time, task: event.task, text: event.text, evidence: [id], follows: event.consequence };
}
