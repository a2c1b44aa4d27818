import type { StoredEventLog } from '../store/open-event-log.ts';
import { type Paint, PLAIN } from '../trace/paint.ts';
import { readSession } from '../trace/read-session.ts';
import { renderSession } from '../trace/render-session.ts';
import { renderWindow } from '../trace/render-window.ts';
import type { SessionTrace } from '../trace/session-trace.ts';
import type { WindowReport } from '../trace/window-report.ts';

const HEAD_CHARACTERS = 120;

/**
 * One session as a tree.
 *
 * @param whole texts and results in full, not their beginnings
 * @throws SoloistError `not_found`, or `usage` where a reference fits several sessions
 */
export function traceSession(log: StoredEventLog, reference: string, whole = false): SessionTrace {
  const { session } = log.findSession(reference);
  return readSession(session, log.read(session), whole ? Number.POSITIVE_INFINITY : HEAD_CHARACTERS);
}

export function renderTrace(trace: SessionTrace, { paint = PLAIN, whole = false }: { paint?: Paint; whole?: boolean }): string {
  return renderSession(trace, { paint, most: whole ? Number.POSITIVE_INFINITY : HEAD_CHARACTERS });
}

/** The window of a step as text. */
export function renderTraceWindow(report: WindowReport, { paint = PLAIN, whole = false }: { paint?: Paint; whole?: boolean }): string {
  return renderWindow(report, { paint, most: whole ? Number.POSITIVE_INFINITY : HEAD_CHARACTERS });
}
