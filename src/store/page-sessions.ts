import type Database from 'better-sqlite3';
import type { SessionSummary } from '../core/event.ts';
import type { Usage } from '../core/usage.ts';
import { NEWEST_FIRST, SESSION_COLUMNS } from './list-sessions.ts';

export interface SessionPageQuery {
  /** The last session of the page before; the first page without it. */
  readonly after?: string | undefined;
  /** Words that must all stand in a session's id, agent, question, model or status, whatever their case. */
  readonly words: readonly string[];
  readonly limit: number;
}

/** The sessions page by page, newest first, from their own table: the events are not read. */
export interface SessionPages {
  page(query: SessionPageQuery): readonly SessionSummary[];
  /** What the answers of a session used, added up over its questions; nothing before the first answer. */
  used(session: string): Pick<Usage, 'inputTokens' | 'outputTokens'> | undefined;
}

interface PageParameters {
  readonly tenant: string;
  readonly after: string | null;
  readonly words: string;
  readonly limit: number;
}

export function createSessionPages(database: Database.Database, tenant: string): SessionPages {
  const page = database.prepare<[PageParameters], SessionSummary>(
    `SELECT ${SESSION_COLUMNS} FROM sessions
     WHERE tenant = @tenant
       AND (@after IS NULL
         OR (opened_at, session) < (SELECT opened_at, session FROM sessions WHERE tenant = @tenant AND session = @after))
       AND NOT EXISTS (
         SELECT 1 FROM json_each(@words)
         WHERE instr(lower(sessions.session || ' ' || agent || ' ' || question || ' ' || model || ' ' || status), value) = 0)
     ${NEWEST_FIRST} LIMIT @limit`,
  );
  // The agent stands in the index, so that only rows of the main agent are looked at.
  const used = database.prepare<[string, string], { round: number; input: number; output: number }>(
    `SELECT round, json_extract(body, '$.conclusion.usage.inputTokens') AS input, json_extract(body, '$.conclusion.usage.outputTokens') AS output
     FROM events WHERE tenant = ? AND session = ? AND agent = 'main' AND type = 'agent.concluded' ORDER BY position`,
  );
  return {
    page: ({ after, words, limit }) => page.all({ tenant, after: after ?? null, words: JSON.stringify(words.map(lowerAscii)), limit }),
    used: (session) => {
      // A question that was gone on with concludes more than once, the last time for all of it.
      const byRound = new Map(used.all(tenant, session).map((row) => [row.round, row]));
      if (byRound.size === 0) return undefined;
      const rows = [...byRound.values()];
      return {
        inputTokens: rows.reduce((sum, { input }) => sum + (input ?? 0), 0),
        outputTokens: rows.reduce((sum, { output }) => sum + (output ?? 0), 0),
      };
    },
  };
}

/** As SQLite's `lower` does, which knows no other letters. */
function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
