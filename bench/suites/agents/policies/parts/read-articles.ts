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

const PIECE = 250;
/** What a piece repeats of the one before, so that no figure is cut in two. */
const OVERLAP = 50;

/** A text over 300 characters is cut in a result, so it is asked for in pieces. */
export async function readArticle(play: Play, subject: string): Promise<{ readonly article: Article; readonly result: string }> {
  const pieces = Array.from({ length: 5 }, (_, piece) => `substr(text, ${piece * (PIECE - OVERLAP) + 1}, ${PIECE})`).join(', ');
  const sql = `SELECT ${pieces} FROM articles WHERE subject = '${subject.replaceAll("'", "''")}'`;
  const result = await play.call('query_sql', { sql });
  const [row = []] = (dataOf(result).rows ?? []) as readonly (readonly unknown[])[];
  const text = row.map((piece, place) => String(piece ?? '').slice(place === 0 ? 0 : OVERLAP)).join('');
  return { article: { subject, text }, result: result.id };
}
