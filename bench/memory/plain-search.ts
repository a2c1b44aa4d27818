import Database from 'better-sqlite3';
import type { QuestionSet } from './question-set.ts';

/** What FTS5 alone does: whole texts, its own words, BM25. Answers turn ids, best first; a fact counts for the turns it comes from. */
export function plainSearch({ sessions, facts }: QuestionSet, withFacts: boolean): (question: string) => readonly (readonly string[])[] {
  const database = new Database(':memory:');
  database.exec('CREATE VIRTUAL TABLE texts USING fts5 (turns UNINDEXED, text)');
  const insert = database.prepare('INSERT INTO texts (turns, text) VALUES (?, ?)');
  for (const { turns } of sessions)
    for (const { id, speaker, text } of turns) insert.run(JSON.stringify([id]), speaker === 'user' ? text : `${speaker}: ${text}`);
  if (withFacts) for (const { turns, text } of facts) insert.run(JSON.stringify(turns), text);
  const search = database.prepare<[string], string>('SELECT turns FROM texts WHERE texts MATCH ? ORDER BY rank LIMIT 100').pluck();
  return (question) => {
    const words = [...new Set(question.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])];
    return words.length === 0
      ? []
      : search.all(words.map((word) => `"${word}"`).join(' OR ')).map((turns) => JSON.parse(turns) as string[]);
  };
}
