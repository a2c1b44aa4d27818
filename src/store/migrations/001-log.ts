/**
 * The log. Why each column is there:
 *
 * events
 * - position: the order of appending; what a projection remembers as "read up to here".
 * - tenant, session, step, agent, sequence: the place of an event; unique, so that nothing is written twice.
 * - round: the user's turn within a session that goes on.
 * - at: milliseconds since the epoch.
 * - type: of the body, for queries without parsing JSON.
 * - body: JSON; strings over 16 KB stand in `blobs` and are referred to as {"$blob": hash}.
 *
 * blobs
 * - hash: SHA-256 of the text, so that a payload is kept once.
 * - bytes: length of the text in UTF-8.
 * - encoding: `text`, or `deflate` where that is smaller.
 * - content: the payload.
 *
 * sessions: derived from events in the same transaction, so that listing does not read the log.
 */
export const CREATE_LOG = `
CREATE TABLE blobs (
  hash TEXT PRIMARY KEY,
  bytes INTEGER NOT NULL,
  encoding TEXT NOT NULL CHECK (encoding IN ('text', 'deflate')),
  content BLOB NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE events (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant TEXT NOT NULL,
  session TEXT NOT NULL,
  round INTEGER NOT NULL,
  step INTEGER NOT NULL,
  agent TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  at INTEGER NOT NULL,
  type TEXT NOT NULL,
  body TEXT NOT NULL,
  UNIQUE (tenant, session, agent, sequence, step)
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
`;
