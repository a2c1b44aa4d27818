import type { Play } from 'soloist';
import { dataOf } from './read-result.ts';

export interface Article {
  readonly subject: string;
  readonly text: string;
}

/** What a reader by rules takes out of an article: the sentences that hold a figure. */
export function findingOf({ subject, text }: Article, cited: string): string {
  const sentences = text.split(/(?<=[.!?])\s+(?=[A-Z])/).filter((sentence) => /\d/.test(sentence));
  return `${subject}: ${sentences.join(' ')}${cited}`;
}

export async function subjectsOf(play: Play): Promise<readonly string[]> {
  const result = await play.call('query_sql', { sql: 'SELECT subject FROM articles ORDER BY id', max_rows: 1000 });
  return ((dataOf(result).rows ?? []) as readonly (readonly unknown[])[]).map((row) => String(row[0]));
}

/** A text over 300 characters is cut in a result, so it is asked for in pieces. */
export async function readArticle(play: Play, subject: string): Promise<{ readonly article: Article; readonly result: string }> {
  const pieces = Array.from({ length: 4 }, (_, piece) => `substr(text, ${piece * 250 + 1}, 250)`).join(', ');
  const sql = `SELECT ${pieces} FROM articles WHERE subject = '${subject.replaceAll("'", "''")}'`;
  const result = await play.call('query_sql', { sql });
  const [row = []] = (dataOf(result).rows ?? []) as readonly (readonly unknown[])[];
  return { article: { subject, text: row.map((piece) => String(piece ?? '')).join('') }, result: result.id };
}
