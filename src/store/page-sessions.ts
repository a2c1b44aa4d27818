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
  /** What the answers of a session used, over all of its questions; nothing before the first answer. */
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
  const used = database.prepare<[string, string], Pick<Usage, 'inputTokens' | 'outputTokens'>>(
    `SELECT coalesce(json_extract(body, '$.conclusion.usage.inputTokens'), 0) AS inputTokens,
       coalesce(json_extract(body, '$.conclusion.usage.outputTokens'), 0) AS outputTokens
     FROM events WHERE tenant = ? AND session = ? AND agent = 'main' AND type = 'agent.concluded' ORDER BY position DESC LIMIT 1`,
  );
  return {
    page: ({ after, words, limit }) => page.all({ tenant, after: after ?? null, words: JSON.stringify(words.map(lowerAscii)), limit }),
    // A conclusion counts from the session's beginning.
    used: (session) => used.get(tenant, session),
  };
}

/** As SQLite's `lower` does, which knows no other letters. */
function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
