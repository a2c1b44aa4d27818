import type Database from 'better-sqlite3';
import type { LogPiece, WordIndex, WordQuery } from '../core/memory-index.ts';
import type { MemoryOwner } from './memory-owner.ts';
import { createNoteReader } from './note-rows.ts';
import { agentWord, kindWord, tenantCode } from './word-index.ts';

interface PieceRow extends Omit<LogPiece, 'from'> {
  readonly session: string;
  readonly agent: string;
  readonly step: number;
  readonly sequence: number;
}

/** Words with fewer letters in common are seldom of one family. */
const FAMILY_LETTERS = 5;
const FAMILY_ENDING = 3;
const MOST_RELATIVES = 500;

const PIECE =
  'SELECT p.piece, p.position, p.turn, p.speaker, p.origin, p.level, p.place, p.within, p.at, p.text, e.session, e.agent, e.step, e.sequence, e.round ';

/** The search over what the word index holds of a tenant. */
export function createWordIndex(database: Database.Database, { tenant, log }: MemoryOwner): WordIndex {
  // A view of the index's words, kept by this connection alone.
  database.exec("CREATE VIRTUAL TABLE IF NOT EXISTS temp.memory_vocabulary USING fts5vocab('main', 'memory_words', 'row')");
  const search = database.prepare<[string, number], { row: number; score: number }>(
    "SELECT rowid AS row, -rank AS score FROM memory_words WHERE memory_words MATCH ? AND rank MATCH 'bm25(0.0, 1.0, 1.0, 1.0, 1.0)' ORDER BY rank LIMIT ?",
  );
  const code = tenantCode(tenant);
  const frequency = database.prepare<[string], number>('SELECT doc FROM temp.memory_vocabulary WHERE term = ?').pluck();
  const family = database
    .prepare<[string, string, number], string>('SELECT term FROM temp.memory_vocabulary WHERE term >= ? AND term < ? LIMIT ?')
    .pluck();
  const rows = database
    .prepare<[], number>('SELECT coalesce((SELECT max(number) FROM notes), 0) + coalesce((SELECT max(piece) FROM log_pieces), 0)')
    .pluck();
  // Joined by hand: the planner would rather read all pieces of the tenant.
  const pieces = database.prepare<[string, string], PieceRow>(
    `${PIECE} FROM json_each(?) j CROSS JOIN log_pieces p ON p.piece = j.value CROSS JOIN events e ON e.position = p.position WHERE p.tenant = ?`,
  );
  const turns = database.prepare<[string, string, string], PieceRow>(
    `${PIECE} FROM json_each(?) j CROSS JOIN log_pieces p ON p.tenant = ? AND p.session = ? AND p.turn = j.value ` +
      'CROSS JOIN events e ON e.position = p.position ORDER BY p.turn, p.place',
  );
  const opened = database.prepare<[string, string], number>('SELECT 1 FROM sessions WHERE tenant = ? AND session = ?').pluck();
  const ending = database
    .prepare<[string, string, string, number], string>(
      "SELECT json_extract(body, '$.conclusion.status') FROM events " +
        "WHERE tenant = ? AND session = ? AND agent = ? AND round = ? AND type = 'agent.concluded' ORDER BY position DESC LIMIT 1",
    )
    .pluck();
  const notes = createNoteReader(database, tenant);
  return {
    search: (query) => {
      const expression = matchOf(code, query);
      if (expression === undefined) return [];
      return search
        .all(expression, query.limit)
        .map(({ row, score }) => ({ source: row % 2 === 0 ? 'note' : 'log', number: Math.floor(row / 2), score }));
    },
    frequencies: (words) => ({ rows: rows.get() ?? 0, of: new Map(words.map((word) => [word, frequency.get(code + word) ?? 0])) }),
    relatives: (word) => {
      if (word.length < FAMILY_LETTERS || !/^[a-z]+$/.test(word)) return [];
      const begin = code + word.slice(0, FAMILY_LETTERS);
      const terms = family.all(begin, `${begin}{`, MOST_RELATIVES).map((term) => term.slice(code.length));
      return terms.filter((term) => isRelative(term, word));
    },
    pieces: (numbers) => pieces.all(JSON.stringify(numbers), tenant).map(pieceOf),
    unfinished: ({ from: { session, agent }, round }) => {
      if (opened.get(log, session) === undefined) return undefined;
      const status = ending.get(log, session, agent, round) ?? 'open';
      return status === 'ok' ? undefined : status;
    },
    turns: (session, wanted) => turns.all(JSON.stringify(wanted), tenant, session).map(pieceOf),
    notes: notes.byNumbers,
    notesFrom: notes.from,
  };
}

/** `{` follows `z`, so that a range of terms ends there. */
function isRelative(term: string, word: string): boolean {
  const [short, long] = term.length < word.length ? [term, word] : [word, term];
  return short !== long && long.startsWith(short) && long.length - short.length <= FAMILY_ENDING && /^[a-z]+$/.test(term);
}

function pieceOf({ session, agent, step, sequence, ...piece }: PieceRow): LogPiece {
  return { ...piece, from: { session, agent, step, sequence } };
}

/** The query in FTS5's language; words are letters and digits alone, so that quoting them is enough. */
function matchOf(code: string, { words, groups, kinds, agent }: WordQuery): string | undefined {
  if (words.length === 0 || groups.length === 0) return undefined;
  const any = (terms: readonly string[]): string => `(${terms.map((term) => `"${code}${term}"`).join(' OR ')})`;
  return [
    `{${groups.join(' ')}} : ${any(words)}`,
    ...(kinds ? [`labels : ${any(kinds.map(kindWord))}`] : []),
    ...(agent === undefined ? [] : [`labels : ${any([agentWord(agent)])}`]),
  ].join(' AND ');
}
