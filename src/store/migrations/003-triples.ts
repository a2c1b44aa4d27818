/**
 * Knowledge as triples, made again from the log by a replay. Why each column is there:
 *
 * triples
 * - tenant, id: what it is known by; the id follows from the content, so that a rebuilt table has the same ones.
 * - subject, relation, object: what holds, as it was said.
 * - subject_key, object_key: the names in lower case with single spaces, for look-ups.
 * - valid_from, valid_until: milliseconds since the epoch; no end while it holds, no begin where it is not known.
 * - speaker: name of the agent or person that said so.
 * - session, agent, step, sequence: the place of the event that said so.
 */
export const CREATE_TRIPLES = `
CREATE TABLE triples (
  tenant TEXT NOT NULL,
  id TEXT NOT NULL,
  subject TEXT NOT NULL,
  relation TEXT NOT NULL,
  object TEXT NOT NULL,
  subject_key TEXT NOT NULL,
  object_key TEXT NOT NULL,
  valid_from INTEGER,
  valid_until INTEGER,
  speaker TEXT NOT NULL,
  session TEXT NOT NULL,
  agent TEXT NOT NULL,
  step INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  PRIMARY KEY (tenant, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX triples_by_subject ON triples (tenant, subject_key, relation);
CREATE INDEX triples_by_object ON triples (tenant, object_key, relation);
`;
