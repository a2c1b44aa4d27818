import { readFileSync } from 'node:fs';
import { z } from 'zod';

const time = z.union([z.number(), z.string()]).transform((value, context) => {
  const at = typeof value === 'number' ? value : Date.parse(value);
  if (Number.isNaN(at)) context.addIssue({ code: 'custom', message: 'not a time' });
  return at;
});

const TURN = z.object({
  id: z.string(),
  /** Who speaks; `assistant` turns are an agent's. */
  speaker: z.string().default('user'),
  role: z.enum(['user', 'assistant']).default('user'),
  text: z.string(),
  at: time.optional(),
});

const FACT = z.object({
  id: z.string(),
  key: z.string(),
  text: z.string(),
  kind: z.enum(['decision', 'bug', 'constraint', 'preference', 'goal', 'fact', 'summary']).default('fact'),
  at: time,
  /** Turns that it comes from. */
  turns: z.array(z.string()).default([]),
  verdict: z.enum(['new', 'same', 'update', 'conflict']).default('new'),
  multiValued: z.boolean().default(false),
});

const QUESTION = z.object({
  id: z.string(),
  question: z.string(),
  at: time.optional(),
  kind: z.string().default('plain'),
  answerable: z.boolean().default(true),
  /** Turns that hold the answer. */
  turns: z.array(z.string()).default([]),
  /** Facts that must not come first: superseded ones. */
  stale: z.array(z.string()).default([]),
  /** Facts that must both be shown, one flagged. */
  conflicting: z.array(z.string()).default([]),
});

const SET = z.object({
  name: z.string(),
  sessions: z.array(z.object({ id: z.string(), at: time, turns: z.array(TURN) })),
  facts: z.array(FACT).default([]),
  questions: z.array(QUESTION),
});

/** Sessions, the facts distilled from them in order, and questions with the turns that answer them; the form is in `docs/memory.md`. */
export type QuestionSet = z.output<typeof SET>;
export type QuestionSetInput = z.input<typeof SET>;

/** What is wrong with a question set: where, what, and what to do. */
export class QuestionSetError extends Error {
  override readonly name = 'QuestionSetError';
}

/** @throws QuestionSetError naming up to five places that are wrong. */
export function parseQuestionSet(value: unknown, where = 'the question set'): QuestionSet {
  const read = SET.safeParse(value);
  const problems = read.success ? danglingIn(read.data) : read.error.issues.map(({ path, message }) => `${placeOf(path)}: ${message}`);
  if (read.success && problems.length === 0) return read.data;
  const more = problems.length > 5 ? [`and ${problems.length - 5} more`] : [];
  throw new QuestionSetError(
    [`${where} is no question set; its form is in docs/memory.md, under "Measuring it"`, ...problems.slice(0, 5), ...more].join('\n  '),
  );
}

/** @throws QuestionSetError when the file cannot be read, is no JSON or no question set. */
export function readQuestionSet(file: string): QuestionSet {
  return parseQuestionSet(parsed(file), file);
}

function parsed(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new QuestionSetError(`${file} cannot be read (${(error as Error).message}); give the path of a JSON file`);
  }
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new QuestionSetError(`${file} is no JSON (${(error as Error).message}); one object with name, sessions and questions is read`);
  }
}

function placeOf(path: readonly PropertyKey[]): string {
  const place = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  return place === '' ? 'the file' : place.replace(/^\./, '');
}

/** Ids that are given twice, or point to nothing: measured, they would only look like bad recall. */
function danglingIn({ sessions, facts, questions }: QuestionSet): readonly string[] {
  const turnIds = sessions.flatMap(({ turns }) => turns.map(({ id }) => id));
  const [turns, known] = [new Set(turnIds), new Set(facts.map(({ id }) => id))];
  const unknown = (ids: readonly string[], of: ReadonlySet<string>, where: string, what: string): readonly string[] =>
    ids.filter((id) => !of.has(id)).map((id) => `${where}: there is no ${what} "${id}"`);
  return [
    ...(questions.length === 0 ? ['questions: there is none'] : []),
    ...(turnIds.length === 0 ? ['sessions: there is no turn'] : []),
    ...twice(turnIds).map((id) => `sessions: the turn id "${id}" is given twice; make it unique over all sessions`),
    ...twice(sessions.map(({ id }) => id)).map((id) => `sessions: the session id "${id}" is given twice`),
    ...twice(facts.map(({ id }) => id)).map((id) => `facts: the id "${id}" is given twice`),
    ...facts.flatMap((fact, place) => unknown(fact.turns, turns, `facts[${place}].turns`, 'turn')),
    ...questions.flatMap((question, place) => [
      ...unknown(question.turns, turns, `questions[${place}].turns`, 'turn'),
      ...unknown(question.stale, known, `questions[${place}].stale`, 'fact'),
      ...unknown(question.conflicting, known, `questions[${place}].conflicting`, 'fact'),
    ]),
  ];
}

function twice(ids: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  return [...new Set(ids.filter((id) => seen.size === seen.add(id).size))];
}
