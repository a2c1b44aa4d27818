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

const SELECT = 'SELECT n.*, k.multi_valued FROM notes n JOIN note_keys k ON k.tenant = n.tenant AND k.key = n.key WHERE n.tenant = @tenant';
const EVERYTHING = 1_000_000_000;

export interface NoteReader {
  current(key: string): readonly NumberedNote[];
  chain(key: string): readonly NumberedNote[];
  get(id: string): NumberedNote | undefined;
  numbered(number: number): NumberedNote | undefined;
  list(filter: NoteFilter): readonly NumberedNote[];
  all(): readonly NumberedNote[];
  /** Notes that come from a session. */
  from(session: string): readonly NumberedNote[];
}

export function createNoteReader(database: Database.Database, tenant: string): NoteReader {
  const query = (rest: string) => database.prepare<[Record<string, unknown>], NoteRow>(`${SELECT} ${rest}`);
  const current = query("AND n.key = @key AND n.status = 'current' ORDER BY n.version, n.number");
  const chain = query('AND n.key = @key ORDER BY n.version, n.number');
  const byId = query('AND n.id = @id');
  const byNumber = query('AND n.number = @number');
  const all = query('ORDER BY n.number');
  const fromSession = query('AND n.number IN (SELECT number FROM note_provenance WHERE tenant = @tenant AND session = @session)');
  const places = database.prepare<[number], LogPlace>(
    'SELECT session, agent, step, sequence FROM note_provenance WHERE number = ? ORDER BY session, agent, step, sequence',
  );
  const idsOf = database
    .prepare<[string, string, string], string>(
      "SELECT id FROM notes WHERE tenant = ? AND key = ? AND status = 'flagged' AND superseded_by = ?",
    )
    .pluck();
  const read = (row: NoteRow): NumberedNote => noteOf(row, places.all(row.number), idsOf.all(tenant, row.key, row.id));
  const many = (rows: readonly NoteRow[]): readonly NumberedNote[] => rows.map(read);
  const one = (row: NoteRow | undefined): NumberedNote | undefined => row && read(row);
  return {
    current: (key) => many(current.all({ tenant, key })),
    chain: (key) => many(chain.all({ tenant, key })),
    get: (id) => one(byId.get({ tenant, id })),
    numbered: (number) => one(byNumber.get({ tenant, number })),
    list: (filter) => many(query(conditionsOf(filter)).all(parametersOf(tenant, filter))),
    all: () => many(all.all({ tenant })),
    from: (session) => many(fromSession.all({ tenant, session })),
  };
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

function noteOf(row: NoteRow, provenance: readonly LogPlace[], flagged: readonly string[]): NumberedNote {
  const { number, id, tenant, key, version, kind, text, agent, status, verdict } = row;
  return {
    ...{ number, id, tenant, key, version, kind, text, agent, status, verdict, provenance },
    multiValued: row.multi_valued === 1,
    created: row.created_at,
    lastConfirmed: row.confirmed_at,
    ...(row.expires_at === null ? {} : { expires: row.expires_at }),
    ...(row.superseded_by === null ? {} : { supersededBy: row.superseded_by }),
    conflictsWith: status === 'current' ? flagged : [],
    judged: row.judged === 1,
  };
}
