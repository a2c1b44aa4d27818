import type { EndedBefore } from '../agent/resume-agent.ts';
import { SoloistError } from '../core/errors.ts';
import type { Event, EventBody, SessionSummary } from '../core/event.ts';
import type { Task } from '../core/task.ts';
import type { StoredEventLog } from '../store/open-event-log.ts';

/** What the log has of a session that goes on. */
export interface PastSession {
  readonly session: string;
  readonly opened: Extract<EventBody, { type: 'session.opened' }>;
  /** What the main agent was given, once it had started. */
  readonly task: Task | undefined;
  /** How it ended: `killed` when nothing says so. */
  readonly after: EndedBefore;
  /** Its last question, from 1. */
  readonly round: number;
  /** All events of the main agent. */
  readonly main: readonly Event[];
  /** The last question, where it was not the first, and the events of the main agent before it. */
  readonly further: { readonly question: string; readonly before: readonly Event[] } | undefined;
  /** Whether a delegation to a child of that id had begun. */
  began(id: string): boolean;
  /** Events under a child's path, parted where the delegation of that id began. */
  childPast(id: string, path: string): ChildPast;
  /** The model that an agent of that name ran on, once it had started. */
  modelOf(agent: string): string | undefined;
}

export interface ChildPast {
  readonly before: readonly Event[];
  readonly since: readonly Event[];
}

/** Ends after which a session can go on: the work stopped, not because it was done. */
const GOES_ON: ReadonlySet<EndedBefore> = new Set(['killed', 'budget', 'timeout', 'aborted', 'failed']);

/**
 * Reads a session to go on with; one that is finished only to ask further.
 *
 * @throws SoloistError `not_found` for none, `usage` where a prefix fits several, `refused` for a finished one.
 */
export function readPastSession(log: StoredEventLog, reference: string, askFurther = false): PastSession {
  const summary = log.findSession(reference);
  const books = fold(log.read(summary.session));
  const { opened, after, further } = books;
  const main = books.byPath.get('main') ?? [];
  if (!opened) throw new SoloistError('refused', `session ${summary.session} has no opening event, so there is nothing to go on with`);
  if (!askFurther && !GOES_ON.has(after)) throw finished(summary, after);
  return {
    session: summary.session,
    opened,
    task: books.task,
    after,
    round: books.round,
    main,
    further: further && { question: further.question, before: main.slice(0, further.at) },
    began: (id) => books.startOf.has(id),
    childPast: (id, path) => {
      const events = books.byPath.get(path) ?? [];
      const from = books.startOf.get(id) ?? 0;
      return { before: events.slice(0, from), since: events.slice(from) };
    },
    modelOf: (agent) => books.models.get(agent),
  };
}

interface Books {
  opened: PastSession['opened'] | undefined;
  task: Task | undefined;
  after: EndedBefore;
  round: number;
  /** `at`: how many events of the main agent stood before. */
  further: { readonly question: string; readonly at: number } | undefined;
  readonly byPath: Map<string, Event[]>;
  /** How many events stood under a child's path when its delegation began. */
  readonly startOf: Map<string, number>;
  readonly models: Map<string, string>;
}

function fold(events: Iterable<Event>): Books {
  const books: Books = {
    opened: undefined,
    task: undefined,
    after: 'killed',
    round: 1,
    further: undefined,
    byPath: new Map(),
    startOf: new Map(),
    models: new Map(),
  };
  for (const event of events) {
    const { agent, body } = event;
    books.round = Math.max(books.round, event.round);
    const own = books.byPath.get(agent) ?? [];
    own.push(event);
    books.byPath.set(agent, own);
    const isAskedFurther = agent === 'main' && body.type === 'user.said' && body.why === 'follow_up';
    if (isAskedFurther) books.further = { question: body.content, at: own.length - 1 };
    if (body.type === 'session.opened') books.opened = body;
    else if (body.type === 'session.closed') books.after = body.status;
    else if (isAskedFurther || (body.type === 'agent.resumed' && agent === 'main')) books.after = 'killed';
    else if (body.type === 'agent.started') {
      books.models.set(body.agent, body.model);
      if (agent === 'main') books.task = body.task;
    } else if (body.type === 'delegation.started')
      for (const child of body.children) books.startOf.set(child.id, books.byPath.get(child.path)?.length ?? 0);
  }
  return books;
}

function finished({ session }: SessionSummary, status: EndedBefore): SoloistError {
  return new SoloistError('refused', `session ${session} is finished (${status}): there is nothing to go on with`, {
    fix: `read it with \`soloist trace show ${session}\`, or ask anew with \`soloist run\``,
  });
}
