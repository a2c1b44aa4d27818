/**
 * Whose memory a session belongs to, where one database serves several folders. Why each column is there (`docs/database.md` says the same to
 * readers of the file):
 *
 * session_memories: one row per session of a folder whose memory is its own; sessions without one share the memory of the database
 * - tenant, session: as in events.
 * - memory: the folder, as a name that does not tell its path.
 */
export const CREATE_SESSION_MEMORIES = `
CREATE TABLE session_memories (
  tenant TEXT NOT NULL,
  session TEXT NOT NULL,
  memory TEXT NOT NULL,
  PRIMARY KEY (tenant, session)
) STRICT, WITHOUT ROWID;
`;
