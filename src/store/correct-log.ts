import type Database from 'better-sqlite3';
import type { Event } from '../core/event.ts';
import type { LogCorrections, LogPlace } from '../core/note.ts';
import { blankBody } from './blank-body.ts';
import { type BlobStore, createBlobStore, type PackedText } from './blob-store.ts';
import { decodeBody, encodeBody } from './event-body.ts';
import { createPieceWriter } from './index-log.ts';
import { FORGOTTEN } from './log-texts.ts';
import type { MemoryOwner } from './memory-owner.ts';

const BATCH = 200;
/** A mark among the cursors: how often something was removed since the last vacuum. */
const OWED = 'owed-vacuum';
const HASH = /"(?:\$blob|reference|fullText)":"([0-9a-f]{64})"/g;

interface StoredEvent extends Omit<Event, 'body'> {
  readonly position: number;
  readonly body: string;
}

interface Correction {
  readonly event: StoredEvent;
  readonly body: string;
  readonly payloads: readonly PackedText[];
}

type Clean = (text: string, key: string) => string;

/** Blanks and cleans events of a memory's sessions. The log keeps its order and its places: what changes is told in `corrections`. */
export function createLogCorrections(database: Database.Database, owner: MemoryOwner): LogCorrections {
  const { tenant, log, own } = owner;
  const blobs = createBlobStore(database);
  const pieces = createPieceWriter(database, owner);
  const columns = 'position, session, round, step, agent, sequence, at, body';
  const at = database.prepare<[string, string, string, number, number], StoredEvent>(
    `SELECT ${columns} FROM events WHERE tenant = ? AND session = ? AND agent = ? AND step = ? AND sequence = ? AND ${own}`,
  );
  const after = database.prepare<[string, number, number], StoredEvent>(
    `SELECT ${columns} FROM events WHERE tenant = ? AND position > ? AND ${own} ORDER BY position LIMIT ?`,
  );
  const correct = createCorrector(database, owner);
  const owed = database.prepare<[string], number>(`SELECT position FROM cursors WHERE tenant = ? AND name = '${OWED}'`).pluck();
  // Where somebody removed more meanwhile it stays owed.
  const paid = database.prepare(`DELETE FROM cursors WHERE tenant = ? AND name = '${OWED}' AND position = ?`);
  const tombstone = database.transaction((places: readonly LogPlace[], time: number) => {
    const events = places.flatMap(({ session, agent, step, sequence }) => at.get(log, session, agent, step, sequence) ?? []);
    let gone = 0;
    const corrections = events.flatMap((event) => {
      gone += pieces.remove(event.position);
      const body = JSON.stringify(blankBody(decodeBody(event.body, blobs)));
      return body === event.body ? [] : [{ event, body, payloads: [] }];
    });
    const payloads = correct(corrections, 'forgotten', time);
    return { events: corrections.length, payloads, pieces: gone };
  });
  const cleanBatch = database.transaction((events: readonly StoredEvent[], clean: Clean, time: number) => {
    const corrections = events.flatMap((event) => cleaned(event, clean, blobs) ?? []);
    const payloads = correct(corrections, 'redacted', time);
    for (const { event, body } of corrections) pieces.put(event.position, { ...event, body: decodeBody(body, blobs) });
    return { events: corrections.length, payloads };
  });
  return {
    tombstone: (places, time) => tombstone.immediate(places, time),
    rewrite: (clean, time, except = []) => {
      const total = { events: 0, payloads: 0 };
      const left = new Set(except.map(nameOf));
      for (let batch = after.all(log, 0, BATCH); batch.length > 0; batch = after.all(log, batch.at(-1)?.position ?? 0, BATCH)) {
        const { events, payloads } = cleanBatch.immediate(
          batch.filter((event) => !left.has(nameOf(event))),
          clean,
          time,
        );
        total.events += events;
        total.payloads += payloads;
      }
      return total;
    },
    owesVacuum: () => owed.get(tenant) !== undefined,
    vacuum: () => {
      const known = owed.get(tenant) ?? 0;
      // Removed words stay in the index's segments until these are merged.
      database.exec("INSERT INTO memory_words (memory_words) VALUES ('optimize')");
      database.exec('VACUUM');
      database.pragma('wal_checkpoint(TRUNCATE)');
      paid.run(tenant, known);
    },
  };
}

function nameOf({ session, agent, step, sequence }: LogPlace): string {
  return JSON.stringify([session, agent, step, sequence]);
}

/** Writes corrected bodies, and drops payloads that no event refers to any more; answers how many went. */
function createCorrector(
  database: Database.Database,
  { tenant, log }: MemoryOwner,
): (corrections: readonly Correction[], reason: 'forgotten' | 'redacted', time: number) => number {
  const blobs = createBlobStore(database);
  const note = database.prepare(
    'INSERT INTO corrections (position, reason, at) VALUES (?, ?, ?) ON CONFLICT (position) DO UPDATE SET reason = excluded.reason, at = excluded.at',
  );
  const update = database.prepare('UPDATE events SET body = ? WHERE position = ?');
  const renameQuestion = database.prepare('UPDATE sessions SET question = ? WHERE tenant = ? AND session = ?');
  const used = database.prepare<[string], number>('SELECT 1 FROM events WHERE instr(body, ?) > 0 LIMIT 1').pluck();
  const allow = database.prepare('INSERT INTO dropped_blobs (hash) VALUES (?) ON CONFLICT DO NOTHING');
  const drop = database.prepare('DELETE FROM blobs WHERE hash = ?');
  const forbid = database.prepare('DELETE FROM dropped_blobs');
  const owe = database.prepare(
    `INSERT INTO cursors (tenant, name, position) VALUES (?, '${OWED}', 1) ON CONFLICT (tenant, name) DO UPDATE SET position = position + 1`,
  );
  return (corrections, reason, time) => {
    if (corrections.length > 0) owe.run(tenant);
    const hashes = new Set<string>();
    for (const { event, body, payloads } of corrections) {
      for (const [, hash = ''] of event.body.matchAll(HASH)) hashes.add(hash);
      for (const payload of payloads) blobs.write(payload);
      note.run(event.position, reason, time);
      update.run(body, event.position);
      const decoded = decodeBody(body, blobs);
      if (decoded.type === 'session.opened') renameQuestion.run(decoded.question.slice(0, 500) || FORGOTTEN, log, event.session);
    }
    let gone = 0;
    for (const hash of hashes) {
      if (used.get(hash) !== undefined) continue;
      allow.run(hash);
      gone += drop.run(hash).changes;
    }
    forbid.run();
    return gone;
  };
}

/** The event with every string cleaned, also in the payloads that it only names; nothing where it is clean. */
function cleaned(event: StoredEvent, clean: Clean, blobs: BlobStore): Correction | undefined {
  const payloads: PackedText[] = [];
  let json = event.body;
  for (const [, hash = ''] of event.body.matchAll(/"(?:reference|fullText)":"([0-9a-f]{64})"/g)) {
    const text = blobs.get(hash);
    const better = text === undefined ? undefined : clean(text, '');
    if (better === undefined || better === text) continue;
    const packed = blobs.pack(better);
    if (typeof packed !== 'string') payloads.push(packed);
    json = json.replaceAll(hash, typeof packed === 'string' ? packed : packed.hash);
  }
  const before = decodeBody(json, blobs);
  const body = encodeBody(before, { blobs, redaction: { suspects: () => true, clean }, payloads });
  // A text that has to be packed was not there before.
  const unchanged = payloads.length === 0 && json === event.body && JSON.stringify(before) === JSON.stringify(decodeBody(body, blobs));
  return unchanged ? undefined : { event, body, payloads };
}
