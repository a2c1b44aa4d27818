import { createHash } from 'node:crypto';
import type Database from 'better-sqlite3';
import type { LogPlace } from '../core/note.ts';
import type { NewTriple, Triple, TripleStep, TripleStore, TripleWalk } from '../core/triple.ts';
import type { MemoryOwner } from './memory-owner.ts';

interface TripleRow {
  readonly id: string;
  readonly subject: string;
  readonly relation: string;
  readonly object: string;
  readonly subject_key: string;
  readonly object_key: string;
  readonly valid_from: number | null;
  readonly valid_until: number | null;
  readonly speaker: string;
  readonly session: string;
  readonly agent: string;
  readonly step: number;
  readonly sequence: number;
}

const COLUMNS = 'id, subject, relation, object, subject_key, object_key, valid_from, valid_until, speaker, session, agent, step, sequence';
const HOLDS = '(valid_from IS NULL OR valid_from <= @at) AND (valid_until IS NULL OR valid_until > @at)';
const MOST_AROUND = 500;
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** The triples of a memory in plain tables; each write is one IMMEDIATE transaction. */
export function createTripleStore(database: Database.Database, owner: MemoryOwner): TripleStore {
  const { tenant } = owner;
  const byId = database.prepare<[string, string], TripleRow>(`SELECT ${COLUMNS} FROM triples WHERE tenant = ? AND id = ?`);
  const all = database.prepare<[string], TripleRow>(`SELECT ${COLUMNS} FROM triples WHERE tenant = ? ORDER BY id`);
  const remove = database.prepare('DELETE FROM triples WHERE tenant = ? AND session = ? AND agent = ? AND step = ? AND sequence = ?');
  const add = createAdd(database, owner);
  const forget = database.transaction((places: readonly LogPlace[]) =>
    places.reduce((sum, { session, agent, step, sequence }) => sum + remove.run(tenant, session, agent, step, sequence).changes, 0),
  );
  return {
    add: (triple) => {
      const id = add(triple);
      return tripleOf(byId.get(tenant, id) as TripleRow);
    },
    walk: createWalk(database, tenant),
    names: () => [...new Set(all.all(tenant).flatMap(({ subject, object }) => [subject, object]))],
    forget: (places) => forget.immediate(places),
    count: () => database.prepare<[string], number>('SELECT count(*) FROM triples WHERE tenant = ?').pluck().get(tenant) ?? 0,
    clear: () => {
      database.prepare('DELETE FROM triples WHERE tenant = ?').run(tenant);
    },
    digest: () =>
      createHash('sha256')
        .update(JSON.stringify(all.all(tenant)))
        .digest('hex'),
  };
}

function createAdd(database: Database.Database, { tenant, log }: MemoryOwner): (triple: NewTriple) => string {
  const insert = database.prepare(
    `INSERT INTO triples (tenant, ${COLUMNS}) VALUES (@tenant, @id, @subject, @relation, @object, @subjectKey, @objectKey, @validFrom, @validUntil, @speaker, @session, @agent, @step, @sequence) ON CONFLICT DO NOTHING`,
  );
  const end = database.prepare(
    'UPDATE triples SET valid_until = @from WHERE tenant = @tenant AND subject_key = @subjectKey AND relation = @relation AND id <> @id AND valid_until IS NULL AND coalesce(valid_from, 0) <= @from',
  );
  const write = database.transaction((triple: NewTriple): string => {
    const { subject, relation, object, validFrom, validUntil, agent: speaker, place, at } = triple;
    const [subjectKey, objectKey] = [keyOf(subject), keyOf(object)];
    const id = idOf([log, subjectKey, relation, objectKey, String(validFrom ?? '')]);
    const row = {
      tenant,
      id,
      subject,
      relation,
      object,
      subjectKey,
      objectKey,
      validFrom: validFrom ?? null,
      validUntil: validUntil ?? null,
      speaker,
    };
    const added = insert.run({ ...row, ...place });
    if (triple.replaces && added.changes > 0) end.run({ tenant, subjectKey, relation, id, from: validFrom ?? at });
    return id;
  });
  return (triple) => write.immediate(triple);
}

function createWalk(database: Database.Database, tenant: string) {
  const around = (side: 'subject_key' | 'object_key') =>
    database.prepare<[Record<string, unknown>], TripleRow>(
      `SELECT ${COLUMNS} FROM triples WHERE tenant = @tenant AND ${side} = @name AND (@relation IS NULL OR relation = @relation) AND ${HOLDS} ORDER BY id LIMIT ${MOST_AROUND + 1}`,
    );
  const out = around('subject_key');
  const back = around('object_key');
  return ({ from, depth, direction, relation, at, limit }: TripleWalk): { steps: readonly TripleStep[]; complete: boolean } => {
    const found = new Map<string, TripleStep>();
    const seen = new Set([keyOf(from)]);
    let edge = [keyOf(from)];
    let cut = false;
    for (let step = 1; step <= depth && edge.length > 0; step++) {
      const next: string[] = [];
      for (const name of edge) {
        const query = { tenant, name, relation: relation ?? null, at };
        const rows = [...(direction === 'in' ? [] : out.all(query)), ...(direction === 'out' ? [] : back.all(query))];
        if (rows.length > MOST_AROUND) cut = true;
        for (const row of rows) {
          if (found.has(row.id)) continue;
          if (found.size >= limit) return { steps: [...found.values()], complete: false };
          found.set(row.id, { ...tripleOf(row), depth: step });
          for (const other of [row.subject_key, row.object_key]) {
            if (seen.has(other)) continue;
            seen.add(other);
            next.push(other);
          }
        }
      }
      edge = next;
    }
    return { steps: [...found.values()], complete: !cut };
  };
}

function tripleOf({
  id,
  subject,
  relation,
  object,
  valid_from: from,
  valid_until: until,
  speaker,
  session,
  agent,
  step,
  sequence,
}: TripleRow): Triple {
  return {
    ...{ id, subject, relation, object, agent: speaker, place: { session, agent, step, sequence } },
    ...(from === null ? {} : { validFrom: from }),
    ...(until === null ? {} : { validUntil: until }),
  };
}

/** How a name is compared. */
function keyOf(name: string): string {
  return name.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();
}

function idOf(parts: readonly string[]): string {
  const bytes = createHash('sha256').update(JSON.stringify(parts)).digest().subarray(0, 10);
  return `t-${[...bytes].map((byte) => ALPHABET[byte % 32]).join('')}`;
}
