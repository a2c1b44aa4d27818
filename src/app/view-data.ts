import type { AuditThresholds } from '../core/audit-thresholds.ts';
import type { Usage } from '../core/usage.ts';
import type { CommandPlace } from '../trace/again-command.ts';
import { type BriefEvent, briefEvent } from '../trace/brief-event.ts';
import type { ViewData } from '../view/view-data.ts';
import { type EarlierRound, type FollowedSession, followSession } from './follow-session.ts';
import type { RunReport } from './run-report.ts';
import { type ListedSession, withState } from './trace-list.ts';
import type { TraceLog } from './trace-log.ts';
import { explainFromReading } from './view-figure.ts';
import { readResult } from './view-result.ts';

/** What `/api/sessions` answers; a public shape. */
export interface SessionsPage {
  readonly sessions: readonly (ListedSession & { readonly used?: Pick<Usage, 'inputTokens' | 'outputTokens'> })[];
  /** The `after` of the next page; absent at the end. */
  readonly next?: string;
}

/** What `/api/sessions/ID` answers; a public shape. */
export interface SessionView {
  readonly session: ListedSession;
  /** The last question; the first is the session's own. */
  readonly question: string;
  /** As `soloist run --json` printed it, but for marks in texts and the notes that were written; without an answer before there is one. */
  readonly report: Omit<RunReport, 'status'> & { readonly status: RunReport['status'] | 'running' };
  readonly concluded: boolean;
  /** The questions before the last. */
  readonly earlier: readonly EarlierRound[];
}

/** What `/api/sessions/ID/events` answers; a public shape. */
export interface EventsPage {
  readonly session: ListedSession;
  readonly events: readonly BriefEvent[];
  /** The `after` of the next page, and of what is still to come. */
  readonly next: number;
  /** Whether the log has more already. */
  readonly more: boolean;
}

/** The most characters of a text in a row. */
const ROW_CHARACTERS = 200;
/** Sessions kept as far as they are read. */
const MOST_FOLLOWED = 8;

export interface ViewSettings {
  readonly thresholds: AuditThresholds;
  /** Where the commands that run calls again are to be typed. */
  readonly place: CommandPlace;
}

/** The pages of the viewer from the log. */
export function createViewData(log: TraceLog, { thresholds, place }: ViewSettings): ViewData {
  const followed = new Map<string, FollowedSession>();
  const follow = (session: string): FollowedSession => {
    const known = followed.get(session) ?? followSession(log, session, thresholds);
    // The one that was looked at longest ago goes first.
    followed.delete(session);
    followed.set(session, known);
    for (const oldest of followed.keys()) if (followed.size > MOST_FOLLOWED) followed.delete(oldest);
    return known;
  };
  return {
    sessions: ({ after, filter, limit }): SessionsPage => {
      const found = log.pages.page({ after, words: filter.split(/\s+/).filter(Boolean), limit: limit + 1 });
      const sessions = found.slice(0, limit).map((summary) => {
        const used = log.pages.used(summary.session);
        return { ...withState(log, summary), ...(used === undefined ? {} : { used }) };
      });
      const last = sessions.at(-1);
      return { sessions, ...(found.length > limit && last ? { next: last.session } : {}) };
    },
    session: async (reference): Promise<SessionView> => {
      // Its state first: one that is over has an answer if there is one.
      const listed = withState(log, log.findSession(reference));
      const { report, concluded, question, rounds } = await follow(listed.session).read();
      const status = !concluded && listed.state === 'running' ? 'running' : report.status;
      return { session: listed, question, report: { ...report, status }, concluded, earlier: rounds };
    },
    events: (reference, { after, limit }): EventsPage => {
      // Its state first: what a session writes before it is closed is then part of this page or of the next.
      const summary = withState(log, log.findSession(reference));
      const { session } = summary;
      const positions = log.pages.positions(session, after);
      const events = log.pages.at(positions.slice(0, limit)).map((event) => briefEvent(event, ROW_CHARACTERS));
      return { session: summary, events, next: events.at(-1)?.position ?? after, more: positions.length > limit };
    },
    result: async (reference, id, page) => {
      const { session } = log.findSession(reference);
      return readResult({ log, session, reading: await follow(session).read(), place }, id, page);
    },
    figure: async (reference, figure) => {
      const { session } = log.findSession(reference);
      return explainFromReading({ log, session, reading: await follow(session).read(), place }, figure);
    },
  };
}
