import type { SessionSummary } from '../core/event.ts';
import { clip } from '../trace/clip-text.ts';
import { count, duration, moment } from '../trace/format-figures.ts';
import { type Paint, PLAIN } from '../trace/paint.ts';
import type { TraceLog } from './trace-log.ts';

/** What `soloist trace list --json` prints for each session; a public shape. */
export interface ListedSession extends SessionSummary {
  /** `running` or `killed` for a session that was not closed: whether a process has it in hand; `open` where that cannot be told. */
  readonly state: string;
}

/** The latest sessions, newest first. */
export function listTraces(log: TraceLog, limit: number): readonly ListedSession[] {
  return log.listSessions(limit).map((summary) => withState(log, summary));
}

/** A session with whether a process has it in hand. */
export function withState(log: TraceLog, summary: SessionSummary): ListedSession {
  if (summary.status !== 'open' || log.isCopy) return { ...summary, state: summary.status };
  if (log.isHeld(summary.session)) return { ...summary, state: 'running' };
  // It may have been closed since it was read.
  const now = log.findSession(summary.session);
  return { ...now, state: now.status === 'open' ? 'killed' : now.status };
}

export function renderTraceList(sessions: readonly ListedSession[], paint: Paint = PLAIN): string {
  if (sessions.length === 0) return 'no sessions yet; make one with `soloist run`\n';
  const rows = sessions.map((one) => [
    one.session,
    moment(one.openedAt),
    duration(Math.max(0, one.lastEventAt - one.openedAt)),
    one.state,
    `${count(one.events)} events`,
    one.model,
    one.agent,
  ]);
  const widths = rows.reduce<number[]>((most, row) => row.map((cell, at) => Math.max(most[at] ?? 0, cell.length)), []);
  const lines = rows.map((row, at) => {
    const cells = row.map((cell, place) => {
      const padded = place === 2 || place === 4 ? cell.padStart(widths[place] ?? 0) : cell.padEnd(widths[place] ?? 0);
      if (place !== 3) return padded;
      return cell === 'ok' ? paint.good(padded) : cell === 'running' ? paint.warn(padded) : paint.bad(padded);
    });
    return `${cells.join('  ')}  ${clip(sessions[at]?.question ?? '', 80)}`;
  });
  return `${lines.join('\n')}\n`;
}
