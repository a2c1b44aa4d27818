/**
 * The log. Why each column is there (`docs/database.md` says the same to readers of the file):
 *
 * events, never changed or deleted
 * - position: the order of appending; what a projection remembers as "read up to here". Rows are never deleted, so it only rises.
 * - tenant: whose event it is, so that one database can serve several.
 * - session, step, agent, sequence: the place of an event; unique, so that nothing is written twice.
 * - round: the user's turn within a session that goes on.
 * - at: milliseconds since the epoch.
 * - type: of the body, for queries without parsing JSON.
 * - body: JSON; long strings of a large body stand in `blobs` and are referred to as {"$blob": hash}.
 *
 * blobs, never changed or deleted
 * - hash: SHA-256 of the text, so that a payload is kept once.
 * - bytes: length of the text in UTF-8, to know its size without unpacking it.
 * - encoding: `text`, or `deflate` where that is smaller.
 * - content: the payload.
 *
 * sessions: derived from events in the same transaction, so that listing does not read the log
 * - tenant, session: as in events.
 * - opened_at, last_event_at: to list by time, and to see what was left open.
 * - project, agent, question, model: of the opening event, to tell sessions apart; the question shortened.
 * - status: of the closing event, `open` before it.
 * - events: how many there are.
 */
export const CREATE_LOG = `
CREATE TABLE blobs (
  hash TEXT PRIMARY KEY,
  bytes INTEGER NOT NULL,
  encoding TEXT NOT NULL CHECK (encoding IN ('text', 'deflate')),
  content BLOB NOT NULL
) STRICT;

CREATE TABLE events (
  position INTEGER PRIMARY KEY,
  tenant TEXT NOT NULL,
  session TEXT NOT NULL,
  round INTEGER NOT NULL,
  step INTEGER NOT NULL,
  agent TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  at INTEGER NOT NULL,
  type TEXT NOT NULL,
  body TEXT NOT NULL,
  UNIQUE (tenant, session, step, agent, sequence)
) STRICT;

CREATE TABLE sessions (
  tenant TEXT NOT NULL,
  session TEXT NOT NULL,
  opened_at INTEGER NOT NULL,
  last_event_at INTEGER NOT NULL,
  project TEXT NOT NULL,
  agent TEXT NOT NULL,
  question TEXT NOT NULL,
  model TEXT NOT NULL,
  status TEXT NOT NULL,
  events INTEGER NOT NULL,
  PRIMARY KEY (tenant, session)
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_by_time ON sessions (tenant, opened_at DESC);

CREATE TRIGGER events_are_never_changed BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
CREATE TRIGGER events_are_never_deleted BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
-- INSERT OR REPLACE deletes without firing the trigger above.
CREATE TRIGGER events_are_never_replaced BEFORE INSERT ON events WHEN EXISTS (
  SELECT 1 FROM events WHERE position = NEW.position
  UNION ALL
  SELECT 1 FROM events
  WHERE tenant = NEW.tenant AND session = NEW.session AND step = NEW.step AND agent = NEW.agent AND sequence = NEW.sequence
) BEGIN SELECT RAISE(ABORT, 'the log is append-only and already has an event at this place'); END;
CREATE TRIGGER blobs_are_never_changed BEFORE UPDATE ON blobs BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
CREATE TRIGGER blobs_are_never_deleted BEFORE DELETE ON blobs BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
`;
