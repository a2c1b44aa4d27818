import type Database from 'better-sqlite3';
import type { NumberedNote } from '../core/memory-index.ts';
import type { LogPlace, NoteFilter, NoteKind, NoteStatus, NoteVerdict } from '../core/note.ts';

interface NoteRow {
  readonly number: number;
  readonly id: string;
  readonly tenant: string;
  readonly key: string;
  readonly member: string;
  readonly version: number;
  readonly kind: NoteKind;
  readonly text: string;
  readonly agent: string;
  readonly status: NoteStatus;
  readonly superseded_by: string | null;
  readonly verdict: NoteVerdict;
  readonly judged: number;
  readonly created_at: number;
  readonly confirmed_at: number;
  readonly expires_at: number | null;
  readonly multi_valued: number;
}

const COLUMNS = 'n.*, k.multi_valued';
const SELECT = 'SELECT n.*, k.multi_valued FROM notes n JOIN note_keys k ON k.tenant = n.tenant AND k.key = n.key WHERE n.tenant = @tenant';
const LIVE = JSON.stringify(['current', 'flagged']);
const SUPERSEDED = JSON.stringify(['superseded']);
const EVERYTHING = 1_000_000_000;

export interface NoteReader {
  current(key: string): readonly NumberedNote[];
  chain(key: string): readonly NumberedNote[];
  get(id: string): NumberedNote | undefined;
  numbered(number: number): NumberedNote | undefined;
  list(filter: NoteFilter): readonly NumberedNote[];
  all(): readonly NumberedNote[];
  /** Notes that come from any of these sessions. */
  from(sessions: readonly string[], which: 'live' | 'superseded'): readonly NumberedNote[];
  byNumbers(numbers: readonly number[]): readonly NumberedNote[];
}

export function createNoteReader(database: Database.Database, tenant: string): NoteReader {
  const query = (rest: string) => database.prepare<[Record<string, unknown>], NoteRow>(`${SELECT} ${rest}`);
  const current = query("AND n.key = @key AND n.status = 'current' ORDER BY n.version, n.number");
  const chain = query('AND n.key = @key ORDER BY n.version, n.number');
  const byId = query('AND n.id = @id');
  const byNumber = query('AND n.number = @number');
  const all = query('ORDER BY n.number');
  const fromSessions = query(
    'AND n.number IN (SELECT number FROM note_provenance WHERE tenant = @tenant AND session IN (SELECT value FROM json_each(@sessions))) ' +
      'AND n.status IN (SELECT value FROM json_each(@statuses))',
  );
  // Joined by hand: the planner would rather read all notes of the tenant.
  const byNumbers = database.prepare<[Record<string, unknown>], NoteRow>(
    `SELECT ${COLUMNS} FROM json_each(@numbers) j CROSS JOIN notes n ON n.number = j.value ` +
      'CROSS JOIN note_keys k ON k.tenant = n.tenant AND k.key = n.key WHERE n.tenant = @tenant',
  );
  const places = database.prepare<[string], LogPlace & { number: number }>(
    'SELECT number, session, agent, step, sequence FROM note_provenance WHERE number IN (SELECT value FROM json_each(?)) ' +
      'ORDER BY session, agent, step, sequence',
  );
  const flagged = database.prepare<[string, string], { id: string; by: string }>(
    "SELECT id, superseded_by AS by FROM notes WHERE tenant = ? AND status = 'flagged' AND superseded_by IN (SELECT value FROM json_each(?))",
  );
  const many = (rows: readonly NoteRow[]): readonly NumberedNote[] => {
    if (rows.length === 0) return [];
    const from = grouped(places.all(JSON.stringify(rows.map(({ number }) => number))), ({ number, ...place }) => [number, place]);
    const against = grouped(flagged.all(tenant, JSON.stringify(rows.map(({ id }) => id))), ({ id, by }) => [by, id]);
    return rows.map((row) => noteOf(row, from.get(row.number) ?? [], against.get(row.id) ?? []));
  };
  const one = (row: NoteRow | undefined): NumberedNote | undefined => (row ? many([row])[0] : undefined);
  return {
    current: (key) => many(current.all({ tenant, key })),
    chain: (key) => many(chain.all({ tenant, key })),
    get: (id) => one(byId.get({ tenant, id })),
    numbered: (number) => one(byNumber.get({ tenant, number })),
    list: (filter) => many(query(conditionsOf(filter)).all(parametersOf(tenant, filter))),
    all: () => many(all.all({ tenant })),
    from: (sessions, which) =>
      many(fromSessions.all({ tenant, sessions: JSON.stringify(sessions), statuses: which === 'live' ? LIVE : SUPERSEDED })),
    byNumbers: (numbers) => many(byNumbers.all({ tenant, numbers: JSON.stringify(numbers) })),
  };
}

function grouped<Row, Key, Value>(rows: readonly Row[], split: (row: Row) => readonly [Key, Value]): ReadonlyMap<Key, readonly Value[]> {
  const groups = new Map<Key, Value[]>();
  for (const row of rows) {
    const [key, value] = split(row);
    const group = groups.get(key);
    if (group) group.push(value);
    else groups.set(key, [value]);
  }
  return groups;
}

function conditionsOf({ statuses, kinds, key, session, createdBefore, expiredAt }: NoteFilter): string {
  const conditions = [
    statuses && 'n.status IN (SELECT value FROM json_each(@statuses))',
    kinds && 'n.kind IN (SELECT value FROM json_each(@kinds))',
    key !== undefined && (key.endsWith('.') ? 'substr(n.key, 1, length(@key)) = @key' : 'n.key = @key'),
    session !== undefined && 'n.number IN (SELECT number FROM note_provenance WHERE tenant = @tenant AND session = @session)',
    createdBefore !== undefined && 'n.created_at < @createdBefore',
    expiredAt !== undefined && 'n.expires_at <= @expiredAt',
  ].filter((condition) => condition);
  return `${conditions.map((condition) => `AND ${condition} `).join('')}ORDER BY n.created_at DESC, n.number DESC LIMIT @limit`;
}

function parametersOf(tenant: string, filter: NoteFilter): Record<string, unknown> {
  const { statuses, kinds, limit = EVERYTHING, ...rest } = filter;
  const lists = { ...(statuses ? { statuses: JSON.stringify(statuses) } : {}), ...(kinds ? { kinds: JSON.stringify(kinds) } : {}) };
  return { tenant, limit, ...rest, ...lists };
}

/** Assigned one by one: spreading takes three times the room, and a recall reads many. */
function noteOf(row: NoteRow, provenance: readonly LogPlace[], flagged: readonly string[]): NumberedNote {
  const note: { -readonly [Name in keyof NumberedNote]: NumberedNote[Name] } = {
    number: row.number,
    id: row.id,
    tenant: row.tenant,
    key: row.key,
    version: row.version,
    kind: row.kind,
    text: row.text,
    agent: row.agent,
    status: row.status,
    verdict: row.verdict,
    provenance,
    multiValued: row.multi_valued === 1,
    created: row.created_at,
    lastConfirmed: row.confirmed_at,
    conflictsWith: row.status === 'current' ? flagged : [],
    judged: row.judged === 1,
  };
  if (row.expires_at !== null) note.expires = row.expires_at;
  if (row.superseded_by !== null) note.supersededBy = row.superseded_by;
  return note;
}
