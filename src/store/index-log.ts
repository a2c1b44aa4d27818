import type Database from 'better-sqlite3';
import type { Event } from '../core/event.ts';
import type { LogIndexer } from '../core/memory-index.ts';
import type { BlobStore } from './blob-store.ts';
import { decodeBody } from './event-body.ts';
import { createLogCursor } from './log-cursor.ts';
import { textsOf } from './log-texts.ts';
import type { MemoryOwner } from './memory-owner.ts';
import { splitText } from './split-text.ts';
import { createWordWriter, rowOfPiece } from './word-index.ts';

const BATCH = 200;
const INDEX = 'log-index';
/** A speaker whose name says nothing is not searched for. */
const UNNAMED = 'agent';

interface EventRow extends Omit<Event, 'body'> {
  readonly position: number;
  readonly body: string;
}

/** Takes single events into the index or out of it; each call belongs into a transaction of its caller. */
export interface PieceWriter {
  put(position: number, event: Event): void;
  /** Answers how many pieces went. */
  remove(position: number): number;
}

export function createPieceWriter(database: Database.Database, { tenant, log }: MemoryOwner): PieceWriter {
  const words = createWordWriter(database, tenant);
  const insert = database.prepare(
    'INSERT INTO log_pieces (tenant, position, session, turn, speaker, origin, level, place, within, at, text) ' +
      'VALUES (@tenant, @position, @session, @turn, @speaker, @origin, @level, @place, @within, @at, @text)',
  );
  const piecesOf = database.prepare<[number], number>('SELECT piece FROM log_pieces WHERE position = ?').pluck();
  const remove = database.prepare('DELETE FROM log_pieces WHERE position = ?');
  const lastTurn = database
    .prepare<[string, string], number>('SELECT turn FROM log_pieces WHERE tenant = ? AND session = ? ORDER BY turn DESC LIMIT 1')
    .pluck();
  const turnOf = database.prepare<[number], number>('SELECT turn FROM log_pieces WHERE position = ? LIMIT 1').pluck();
  const agentName = database
    .prepare<[string, string, string], string>(
      "SELECT json_extract(body, '$.agent') FROM events WHERE tenant = ? AND session = ? AND agent = ? AND type = 'agent.started' LIMIT 1",
    )
    .pluck();
  const lastReply = database.prepare<[string, string, string, number], { position: number; text: string }>(
    "SELECT position, json_extract(body, '$.message.content') AS text FROM events " +
      "WHERE tenant = ? AND session = ? AND agent = ? AND position < ? AND type = 'model.replied' ORDER BY position DESC LIMIT 1",
  );
  const names = new Map<string, string>();
  const nameOf = ({ session, agent }: Event): string => {
    const place = `${session} ${agent}`;
    const name = names.get(place) ?? agentName.get(log, session, agent) ?? UNNAMED;
    if (names.size > 1000) names.clear();
    names.set(place, name);
    return name;
  };
  const removeAt = (position: number): number => {
    for (const piece of piecesOf.all(position)) words.remove(rowOfPiece(piece));
    return remove.run(position).changes;
  };
  const putText = (row: Record<string, unknown> & { text: string; speaker: string; origin: string; at: number }): void => {
    const piece = Number(insert.run(row).lastInsertRowid);
    const group = row.origin === 'result' ? 'results' : 'log';
    const text =
      row.speaker === 'user' || row.speaker === UNNAMED || row.text.startsWith(row.speaker) ? row.text : `${row.speaker} ${row.text}`;
    words.put({ row: rowOfPiece(piece), group, text, at: row.at });
  };
  return {
    remove: removeAt,
    put: (position, event) => {
      const { session, agent, at, body } = event;
      const had = turnOf.get(position);
      removeAt(position);
      const texts = textsOf(event, nameOf(event));
      if (texts.length === 0) return;
      // The conclusion says what the last reply said: one of them is enough, and evidence points to the conclusion.
      const reply = body.type === 'agent.concluded' ? lastReply.get(log, session, agent, position) : undefined;
      if (reply && texts.some(({ text }) => text.startsWith(String(reply.text).trim()))) removeAt(reply.position);
      const turn = had ?? (lastTurn.get(tenant, session) ?? -1) + 1;
      for (const { origin, speaker, text } of texts) {
        const shared = { tenant, position, session, turn, speaker, origin, at };
        let statement = 0;
        for (const [place, piece] of splitText(text).entries()) {
          const level = piece.statements.length === 0 ? 'both' : 'piece';
          putText({ ...shared, level, place, within: place, text: piece.text });
          for (const part of piece.statements) putText({ ...shared, level: 'statement', place: statement++, within: place, text: part });
        }
      }
    },
  };
}

export interface LogIndexOptions {
  readonly owner: MemoryOwner;
  readonly blobs: BlobStore;
}

export function createLogIndexer(database: Database.Database, { owner, blobs }: LogIndexOptions): LogIndexer {
  const { tenant, log, own } = owner;
  const cursor = createLogCursor(database, owner, INDEX);
  const writer = createPieceWriter(database, owner);
  const next = database.prepare<[string, number, number], EventRow>(
    `SELECT position, session, round, step, agent, sequence, at, body FROM events WHERE tenant = ? AND position > ? AND ${own} ORDER BY position LIMIT ?`,
  );
  const move = database.prepare(
    'INSERT INTO cursors (tenant, name, position) VALUES (?, ?, ?) ON CONFLICT (tenant, name) DO UPDATE SET position = excluded.position',
  );
  const takeBatch = database.transaction((size: number) => {
    const rows = next.all(log, cursor.position(), size);
    for (const { position, body, ...event } of rows) writer.put(position, { ...event, body: decodeBody(body, blobs) });
    const last = rows.at(-1);
    if (last) move.run(tenant, INDEX, last.position);
    return rows.length;
  });
  const reset = database.transaction(() => {
    const words = createWordWriter(database, tenant);
    for (const piece of database.prepare<[string], number>('SELECT piece FROM log_pieces WHERE tenant = ?').pluck().all(tenant))
      words.remove(rowOfPiece(piece));
    database.prepare('DELETE FROM log_pieces WHERE tenant = ?').run(tenant);
    move.run(tenant, INDEX, 0);
  });
  return {
    fill: (limit = Number.POSITIVE_INFINITY) => {
      let events = 0;
      while (events < limit) {
        // Readers that find nothing to do take no lock.
        if (next.all(log, cursor.position(), 1).length === 0) return { events, lag: 0 };
        events += takeBatch.immediate(Math.min(BATCH, limit - events));
      }
      return { events, lag: cursor.lag() };
    },
    lag: cursor.lag,
    reset: () => reset.immediate(),
  };
}
