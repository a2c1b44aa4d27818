import type Database from 'better-sqlite3';
import type { Event } from '../core/event.ts';
import type { BlobStore, PackedText } from './blob-store.ts';
import { encodeBody } from './event-body.ts';
import type { Redaction } from './redact-secrets.ts';

const QUESTION_SHOWN = 500;
/** What people do to notes is on record in sessions of their own, which nothing opens. */
const STANDS_ALONE = /^notes?\.(?:written|imported|archived|forgotten)$/;

export interface AppendOptions {
  readonly tenant: string;
  readonly memory: string | undefined;
  readonly blobs: BlobStore;
  readonly redaction: Redaction;
}

/** A function that appends events, their payloads and the change to their session in one transaction. */
export function createAppend(database: Database.Database, options: AppendOptions): (events: readonly Event[]) => void {
  const { tenant, blobs, redaction } = options;
  const insert = database.prepare(
    'INSERT INTO events (tenant, session, round, step, agent, sequence, at, type, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const sessions = createSessionWriter(database, options);
  const claim = createClaim(database, options);
  const write = database.transaction((events: readonly Event[], bodies: readonly string[], payloads: readonly PackedText[]) => {
    for (const payload of payloads) blobs.write(payload);
    events.forEach(({ session, round, step, agent, sequence, at, body }, place) => {
      insert.run(tenant, session, round, step, agent, sequence, at, body.type, bodies[place]);
    });
    sessions(events);
    claim?.(events);
  });
  return (events) => {
    if (events.length === 0) return;
    const payloads: PackedText[] = [];
    const encoding = { blobs, redaction, payloads };
    const bodies = events.map((event) => encodeBody(event.body, encoding));
    write.immediate(events, bodies, payloads);
  };
}

/** Keeps the `sessions` table in step with the events just inserted; runs inside their transaction. */
function createSessionWriter(database: Database.Database, { tenant, redaction }: AppendOptions): (events: readonly Event[]) => void {
  const open = database.prepare(
    'INSERT INTO sessions (tenant, session, opened_at, last_event_at, project, agent, question, model, status, events) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0)',
  );
  const count = database.prepare(
    'UPDATE sessions SET events = events + ?, last_event_at = max(last_event_at, ?), status = coalesce(?, status) WHERE tenant = ? AND session = ?',
  );
  return (events) => {
    let from = 0;
    let status: string | null = null;
    events.forEach(({ session, at, body }, place) => {
      if (body.type === 'session.opened')
        open.run(tenant, session, at, at, body.project, body.agent, shorten(redaction.clean(body.question, '')), body.model, 'open');
      if (body.type === 'session.closed') status = body.status;
      if (body.type === 'agent.resumed' || (body.type === 'user.said' && body.why === 'follow_up')) status = 'open';
      if (events[place + 1]?.session === session) return;
      count.run(place + 1 - from, at, status, tenant, session);
      from = place + 1;
      status = null;
    });
  };
}

/** Says whose memory a session belongs to; nothing where all sessions share one. */
function createClaim(database: Database.Database, { tenant, memory }: AppendOptions): ((events: readonly Event[]) => void) | undefined {
  if (memory === undefined) return undefined;
  const insert = database.prepare('INSERT INTO session_memories (tenant, session, memory) VALUES (?, ?, ?) ON CONFLICT DO NOTHING');
  return (events) => {
    for (const { session, sequence, step, body } of events) {
      // With its first event alone: one that is gone on with belongs to whom it belonged before.
      const begins = step === 0 && sequence === 0 && (body.type === 'session.opened' || STANDS_ALONE.test(body.type));
      if (begins) insert.run(tenant, session, memory);
    }
  };
}

/** Whole characters only: half of a surrogate pair is no text. */
function shorten(question: string): string {
  return question.length <= QUESTION_SHOWN ? question : `${question.slice(0, QUESTION_SHOWN).replace(/[\ud800-\udbff]$/, '')}…`;
}
