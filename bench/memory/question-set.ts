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

export function parseQuestionSet(value: unknown): QuestionSet {
  return SET.parse(value);
}

export function readQuestionSet(file: string): QuestionSet {
  return parseQuestionSet(JSON.parse(readFileSync(file, 'utf8')));
}
