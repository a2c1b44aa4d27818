import type { Ask } from './ask-vectors.ts';
import type { TestedQuestion } from './choose-weight.ts';
import { rankByWords } from './rank-words.ts';
import type { RecallSources } from './recall.ts';
import { cosineOf } from './similarity.ts';

const NOTES = 200;
const QUESTIONS = 100;

export interface OwnQuestionsOptions {
  readonly memory: RecallSources;
  readonly generation: number;
  readonly ask: Ask;
}

/** What sessions were asked, each with the notes that came out of it: the test that is closest to what recall will be asked. */
export async function ownQuestions({ memory, generation, ask }: OwnQuestionsOptions): Promise<readonly TestedQuestion[]> {
  const notes = memory.vectors.sample(generation, NOTES);
  const relevant = new Map<string, Set<number>>();
  for (const [place, { number }] of notes.entries()) {
    const question = questionOf(memory, number);
    if (question !== undefined) relevant.set(question, (relevant.get(question) ?? new Set()).add(place));
  }
  const questions = [...relevant.keys()].slice(0, QUESTIONS);
  const reply = questions.length === 0 ? undefined : await ask(questions, 'query');
  if (!reply?.ok) return [];
  const rank = rankByWords(notes.map(({ text }) => text));
  return questions.map((question, place) => {
    const scores = rank(question);
    const best = Math.max(...scores, 0);
    const own = reply.vectors[place] ?? new Float32Array();
    return {
      lexical: scores.map((score) => (best > 0 ? score / best : 0)),
      cosines: notes.map(({ vector }) => cosineOf(own, vector)),
      relevant: relevant.get(question) ?? new Set(),
    };
  });
}

function questionOf({ words }: RecallSources, number: number): string | undefined {
  const session = words.notes([number])[0]?.provenance[0]?.session;
  const first = session === undefined ? undefined : words.turns(session, [0])[0];
  return first?.origin === 'question' ? first.text : undefined;
}
