import type Database from 'better-sqlite3';
import type { LogPiece, WordIndex, WordQuery } from '../core/memory-index.ts';
import { createNoteReader } from './note-rows.ts';
import { agentWord, groupWord, kindWord } from './word-index.ts';

interface PieceRow extends Omit<LogPiece, 'from'> {
  readonly session: string;
  readonly agent: string;
  readonly step: number;
  readonly sequence: number;
}

const PIECE =
  'SELECT p.piece, p.position, p.turn, p.speaker, p.origin, p.level, p.place, p.within, p.at, p.text, e.session, e.agent, e.step, e.sequence ' +
  'FROM log_pieces p JOIN events e ON e.position = p.position WHERE p.tenant = ?';

/** The search over what the word index holds of a tenant. */
export function createWordIndex(database: Database.Database, tenant: string): WordIndex {
  // A view of the index's words, kept by this connection alone.
  database.exec("CREATE VIRTUAL TABLE IF NOT EXISTS temp.memory_vocabulary USING fts5vocab('main', 'memory_words', 'row')");
  const search = database.prepare<[string, number], { row: number; score: number }>(
    "SELECT rowid AS row, -rank AS score FROM memory_words WHERE memory_words MATCH ? AND rank MATCH 'bm25(0.0, 1.0)' ORDER BY rank LIMIT ?",
  );
  const frequency = database.prepare<[string], number>('SELECT doc FROM temp.memory_vocabulary WHERE term = ?').pluck();
  const rows = database
    .prepare<[], number>('SELECT (SELECT count(*) FROM notes) + coalesce((SELECT max(piece) FROM log_pieces), 0)')
    .pluck();
  const pieces = database.prepare<[string, string], PieceRow>(`${PIECE} AND p.piece IN (SELECT value FROM json_each(?))`);
  const turns = database.prepare<[string, string, string], PieceRow>(
    `${PIECE} AND p.session = ? AND p.turn IN (SELECT value FROM json_each(?)) ORDER BY p.turn, p.place`,
  );
  const notes = createNoteReader(database, tenant);
  return {
    search: (query) => {
      const expression = matchOf(tenant, query);
      if (expression === undefined) return [];
      return search
        .all(expression, query.limit)
        .map(({ row, score }) => ({ source: row % 2 === 0 ? 'note' : 'log', number: Math.floor(row / 2), score }));
    },
    frequencies: (words) => ({ rows: rows.get() ?? 0, of: new Map(words.map((word) => [word, frequency.get(word) ?? 0])) }),
    pieces: (numbers) => pieces.all(tenant, JSON.stringify(numbers)).map(pieceOf),
    turns: (session, wanted) => turns.all(tenant, session, JSON.stringify(wanted)).map(pieceOf),
    notes: notes.byNumbers,
    notesFrom: notes.from,
  };
}

function pieceOf({ session, agent, step, sequence, ...piece }: PieceRow): LogPiece {
  return { ...piece, from: { session, agent, step, sequence } };
}

/** The query in FTS5's language; words are letters and digits alone, so that quoting them is enough. */
function matchOf(tenant: string, { words, groups, kinds, agent }: WordQuery): string | undefined {
  if (words.length === 0 || groups.length === 0) return undefined;
  const any = (terms: readonly string[]): string => `(${terms.map((term) => `"${term}"`).join(' OR ')})`;
  const filters = [
    groups.map((group) => groupWord(tenant, group)),
    ...(kinds ? [kinds.map(kindWord)] : []),
    ...(agent === undefined ? [] : [[agentWord(agent)]]),
  ];
  return [`words : ${any(words)}`, ...filters.map((terms) => `groups : ${any(terms)}`)].join(' AND ');
}
