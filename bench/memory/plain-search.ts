import Database from 'better-sqlite3';
import type { QuestionSet } from './question-set.ts';

export interface PlainHit {
  /** The turn, or the turns that a fact comes from. */
  readonly turns: readonly string[];
  readonly text: string;
}

/** What FTS5 alone does: whole texts, its own words, BM25. Answers best first. */
export function plainSearch({ sessions, facts }: QuestionSet, withFacts: boolean): (question: string) => readonly PlainHit[] {
  const database = new Database(':memory:');
  database.exec('CREATE VIRTUAL TABLE texts USING fts5 (turns UNINDEXED, text)');
  const insert = database.prepare('INSERT INTO texts (turns, text) VALUES (?, ?)');
  for (const { turns } of sessions)
    for (const { id, speaker, text } of turns) insert.run(JSON.stringify([id]), speaker === 'user' ? text : `${speaker}: ${text}`);
  if (withFacts) for (const { turns, text } of facts) insert.run(JSON.stringify(turns), text);
  const search = database.prepare<[string], { turns: string; text: string }>(
    'SELECT turns, text FROM texts WHERE texts MATCH ? ORDER BY rank LIMIT 100',
  );
  return (question) => {
    const words = [...new Set(question.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])];
    return words.length === 0
      ? []
      : search
          .all(words.map((word) => `"${word}"`).join(' OR '))
          .map(({ turns, text }) => ({ turns: JSON.parse(turns) as string[], text }));
  };
}
