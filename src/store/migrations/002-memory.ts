/**
 * Memory: notes, the words of the log and of the notes, what is known of vectors. All of it but `corrections` can be made again from the log.
 * Why each column is there:
 *
 * notes: one row per version of a fact
 * - number: what the word index and the vector tables know a note by.
 * - tenant, id: what people and agents know it by; the id follows from the content, so that a rebuilt table has the same ones.
 * - key: what the note is about.
 * - member: empty, or in a set the fact itself, normalised: with status it makes one current version per key a unique index.
 * - version: of the key, when this note was written under it.
 * - kind, text, agent: what it says, and who says it.
 * - status: `current`, `superseded`, `flagged`, `archived`.
 * - superseded_by: id of the note that stands in its place.
 * - verdict, judged: how it came in, and whether a model said so.
 * - created_at, confirmed_at, expires_at: milliseconds since the epoch.
 *
 * note_keys: one row per key
 * - tenant, key: as in notes.
 * - multi_valued: whether the key collects a set.
 * - version: rises with every write under the key: the compare-and-swap.
 *
 * note_provenance: where in the log a note comes from
 * - number: of the note.
 * - tenant, session, agent, step, sequence: the place of an event.
 *
 * log_pieces: texts of the log as they are searched
 * - piece: what the word index knows it by.
 * - tenant, position: the event that it is from.
 * - session, turn: the how manieth text of its session, to find what was said before and after it.
 * - speaker: name of the agent that said it, `user`, or the tool that answered.
 * - origin: `question`, `reply`, `conclusion`, `result`.
 * - level: `piece` of at most 600 characters, `statement`, or `both` where a text is one short statement.
 * - place, within: the order within the event, and the place of the piece that a statement stands in.
 * - at: time of the event.
 * - text: the text itself.
 *
 * memory_words: the word index over notes and log_pieces in one table, so that their scores compare; contentless
 * - rowid: twice the note's number, or twice the piece plus one.
 * - labels: of notes, kind and agent as words to filter by.
 * - notes, old_notes, log, results: the words, in the one column that tells who may see the row; stems, and words for the dates, each behind
 *   the code of its tenant, so that the filter is part of the search and nobody is told of another's words.
 *
 * cursors: how far a reader of the log has come
 * - tenant, name: of the reader, `log-index` or `projector`; `owed-vacuum` counts what was taken out since the last vacuum.
 * - position: the last event that is done.
 *
 * embedding_generations: one per way of making vectors; its vectors stand in a table `vectors_N` of their own
 * - generation: the N.
 * - provider, model, dimensions, normalisation, prefixes: what makes two vectors comparable.
 * - state: `building` or `active`; at most one is active.
 * - settings: JSON, what the self-test found: weight, calibration, whether bits may be used.
 * - created_at, activated_at: milliseconds since the epoch.
 *
 * embedded_notes: which notes have a vector, so that embedding goes on where it stopped
 * - generation, number: of the vector.
 * - hash: of the embedded text, so that a rebuilt note takes its vector over.
 *
 * dropped_blobs: payloads on their way out
 * - hash: of the payload.
 *
 * corrections: which events were blanked or cleaned after they were written, and why; only these may change
 * - position: of the event.
 * - reason: `forgotten` or `redacted`.
 * - at: milliseconds since the epoch.
 */
export const CREATE_MEMORY = `
CREATE TABLE notes (
  -- A number is never given twice: a vector whose note is gone may still be there.
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant TEXT NOT NULL,
  id TEXT NOT NULL,
  key TEXT NOT NULL,
  member TEXT NOT NULL,
  version INTEGER NOT NULL,
  kind TEXT NOT NULL,
  text TEXT NOT NULL,
  agent TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('current', 'superseded', 'flagged', 'archived')),
  superseded_by TEXT,
  verdict TEXT NOT NULL CHECK (verdict IN ('new', 'same', 'update', 'conflict')),
  judged INTEGER NOT NULL CHECK (judged IN (0, 1)),
  created_at INTEGER NOT NULL,
  confirmed_at INTEGER NOT NULL,
  expires_at INTEGER,
  UNIQUE (tenant, id)
) STRICT;
CREATE UNIQUE INDEX one_current_note ON notes (tenant, key, member) WHERE status = 'current';
CREATE INDEX flagged_notes ON notes (tenant, superseded_by) WHERE status = 'flagged';
CREATE INDEX notes_by_key ON notes (tenant, key, version);

CREATE TABLE note_keys (
  tenant TEXT NOT NULL,
  key TEXT NOT NULL,
  multi_valued INTEGER NOT NULL CHECK (multi_valued IN (0, 1)),
  version INTEGER NOT NULL,
  PRIMARY KEY (tenant, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE note_provenance (
  number INTEGER NOT NULL REFERENCES notes (number) ON DELETE CASCADE,
  tenant TEXT NOT NULL,
  session TEXT NOT NULL,
  agent TEXT NOT NULL,
  step INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  PRIMARY KEY (number, session, agent, step, sequence)
) STRICT, WITHOUT ROWID;
CREATE INDEX notes_from_place ON note_provenance (tenant, session, agent, step, sequence);

CREATE TABLE log_pieces (
  piece INTEGER PRIMARY KEY,
  tenant TEXT NOT NULL,
  position INTEGER NOT NULL,
  session TEXT NOT NULL,
  turn INTEGER NOT NULL,
  speaker TEXT NOT NULL,
  origin TEXT NOT NULL CHECK (origin IN ('question', 'reply', 'conclusion', 'result')),
  level TEXT NOT NULL CHECK (level IN ('piece', 'statement', 'both')),
  place INTEGER NOT NULL,
  within INTEGER NOT NULL,
  at INTEGER NOT NULL,
  text TEXT NOT NULL,
  UNIQUE (position, level, place)
) STRICT;
CREATE INDEX log_pieces_by_turn ON log_pieces (tenant, session, turn);

CREATE VIRTUAL TABLE memory_words USING fts5 (labels, notes, old_notes, log, results, content='', contentless_delete=1, tokenize='unicode61');

CREATE TABLE cursors (
  tenant TEXT NOT NULL,
  name TEXT NOT NULL,
  position INTEGER NOT NULL,
  PRIMARY KEY (tenant, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE embedding_generations (
  generation INTEGER PRIMARY KEY,
  provider TEXT NOT NULL,
  model TEXT NOT NULL,
  dimensions INTEGER NOT NULL,
  normalisation TEXT NOT NULL,
  prefixes TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('building', 'active')),
  settings TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  activated_at INTEGER,
  UNIQUE (provider, model, dimensions, normalisation, prefixes)
) STRICT;
CREATE UNIQUE INDEX one_active_generation ON embedding_generations (state) WHERE state = 'active';

CREATE TABLE embedded_notes (
  generation INTEGER NOT NULL REFERENCES embedding_generations (generation) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  hash TEXT NOT NULL,
  PRIMARY KEY (generation, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE corrections (
  position INTEGER PRIMARY KEY,
  reason TEXT NOT NULL CHECK (reason IN ('forgotten', 'redacted')),
  at INTEGER NOT NULL
) STRICT;

-- An event may be corrected, its body alone, once the reason stands in corrections; nothing else changes it.
DROP TRIGGER events_are_never_changed;
CREATE TRIGGER events_are_never_changed BEFORE UPDATE ON events WHEN
  NOT EXISTS (SELECT 1 FROM corrections WHERE position = OLD.position)
  OR NEW.position IS NOT OLD.position OR NEW.tenant IS NOT OLD.tenant OR NEW.session IS NOT OLD.session OR NEW.round IS NOT OLD.round
  OR NEW.step IS NOT OLD.step OR NEW.agent IS NOT OLD.agent OR NEW.sequence IS NOT OLD.sequence OR NEW.at IS NOT OLD.at
  OR NEW.type IS NOT OLD.type
BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
DROP TRIGGER blobs_are_never_deleted;
-- A payload goes when every event that was written with it has been corrected.
CREATE TABLE dropped_blobs (hash TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
CREATE TRIGGER blobs_are_never_deleted BEFORE DELETE ON blobs WHEN NOT EXISTS (SELECT 1 FROM dropped_blobs WHERE hash = OLD.hash)
BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
`;
