import type Database from 'better-sqlite3';
import { SoloistError } from '../core/errors.ts';
import type { SessionSummary } from '../core/event.ts';
import { nearestName } from '../core/nearest.ts';

/** A session's own row as a summary. */
export const SESSION_COLUMNS = 'session, opened_at AS openedAt, last_event_at AS lastEventAt, agent, question, model, status, events';
export const NEWEST_FIRST = 'ORDER BY opened_at DESC, session DESC';
const MOST_NAMED = 5;
/** Among how many of the latest a mistyped id is looked for. */
const MOST_COMPARED = 500;
/** Sorts after every text that begins like what stands before it. */
const LAST_CHARACTER = '\u{10ffff}';

export interface SessionListing {
  list(limit: number): readonly SessionSummary[];
  /** @throws SoloistError `not_found` where nothing fits, `usage` where a prefix fits several. */
  find(reference: string): SessionSummary;
}

export function createSessionListing(database: Database.Database, tenant: string): SessionListing {
  const list = database.prepare<[string, number, number], SessionSummary>(
    `SELECT ${SESSION_COLUMNS} FROM sessions WHERE tenant = ? ${NEWEST_FIRST} LIMIT ? OFFSET ?`,
  );
  const between = database.prepare<[string, string, string, number], SessionSummary>(
    `SELECT ${SESSION_COLUMNS} FROM sessions WHERE tenant = ? AND session BETWEEN ? AND ? ORDER BY session LIMIT ?`,
  );
  const nthLatest = (place: number, reference: string): SessionSummary => {
    const found = list.all(tenant, 1, place - 1)[0];
    if (found) return found;
    const count = list.all(tenant, -1, 0).length;
    const fact = count === 0 ? 'the log has no session yet' : `the log has ${count} sessions, ${reference} goes further back`;
    throw new SoloistError('not_found', fact, { fix: count === 0 ? 'make one with `soloist run`' : `the oldest is -${count}` });
  };
  return {
    list: (limit) => list.all(tenant, limit, 0),
    find: (reference) => {
      if (/^-[1-9]\d{0,8}$/.test(reference)) return nthLatest(Number(reference.slice(1)), reference);
      const found = reference === '' ? [] : between.all(tenant, reference, reference + LAST_CHARACTER, MOST_NAMED + 1);
      const exact = found.find(({ session }) => session === reference);
      const [only, second] = found;
      if (exact ?? (only && !second)) return (exact ?? only) as SessionSummary;
      throw only ? ambiguous(reference, found) : unknown(reference, list.all(tenant, MOST_COMPARED, 0));
    },
  };
}

function ambiguous(reference: string, found: readonly SessionSummary[]): SoloistError {
  const named = found.slice(0, MOST_NAMED).map(({ session }) => session);
  const more = found.length > MOST_NAMED ? ' and others' : '';
  return new SoloistError('usage', `several sessions begin with "${reference}": ${named.join(', ')}${more}`, {
    fix: 'give more of the id',
  });
}

function unknown(reference: string, latest: readonly SessionSummary[]): SoloistError {
  const ids = latest.map(({ session }) => session);
  const near = nearestName(reference, ids);
  const fix = near ? `did you mean ${near}?` : ids[0] === undefined ? 'make one with `soloist run`' : `the latest is ${ids[0]} (also -1)`;
  return new SoloistError('not_found', `no session begins with "${reference}"`, { fix });
}
