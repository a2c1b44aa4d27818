import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { keepResults } from '../../src/app/ground-results.ts';
import { type GroundingInput, groundAnswer } from '../../src/grounding/ground-answer.ts';
import { askAgent } from '../agents/ask-agent.ts';
import { type Mutant, mutate } from './mutate-answer.ts';
import { type RightAnswer, readProse } from './read-prose.ts';

const project = fileURLToPath(new URL('../../examples/nightly-sales', import.meta.url));

function unsupported(input: GroundingInput): string[] {
  return groundAnswer(input).figures.flatMap(({ text, status }) => (status === 'unsupported' ? [text] : []));
}

/** Mutants of the answers, and those of them that have no more unsupported figures than the answer itself. */
function mutantsOf(answers: readonly GroundingInput[], each: number): { readonly made: number; readonly missed: readonly Mutant[] } {
  let made = 0;
  const missed = answers.flatMap((input) => {
    const clean = unsupported(input).length;
    const mutants = mutate(input.answer, { seed: 11, each });
    made += mutants.length;
    return mutants.filter(({ answer }) => unsupported({ ...input, answer }).length <= clean);
  });
  return { made, missed };
}

function told(missed: readonly Mutant[]): string {
  return missed.map(({ kind, from, to }) => `${kind} ${from} -> ${to}`).join('\n');
}

it('finds nothing to object to in an answer about the example, and finds out at least 98 % of what is changed in it', {
  timeout: 120_000,
}, async () => {
  const question = 'Profile the table payments.';
  const { report, events } = await askAgent({ agent: 'table-profiler', question, project });
  expect(report.figures.length).toBeGreaterThan(5);
  expect(report.figures.filter(({ status }) => status === 'unsupported')).toEqual([]);
  const kept = keepResults({ getBlob: () => undefined });
  for (const event of events) kept.take(event);
  const { made, missed } = mutantsOf([{ answer: report.answer, question, results: kept.of('main') }], 15);
  expect(made).toBeGreaterThan(20);
  expect(missed.length / made, told(missed)).toBeLessThanOrEqual(0.02);
});

describe.each([
  { by: 'hand', title: 'answers in free prose', least: 19, each: 3 },
  { by: 'rules', title: 'answers of the rules about the example and the cases', least: 9, each: 4 },
] as const)('$title', { timeout: 120_000 }, ({ by, least, each }) => {
  const answers: readonly RightAnswer[] = readProse(by);

  it('hold at most 2 % of figures that are taken for unsupported', () => {
    const figures = answers.flatMap((input) => groundAnswer(input).figures);
    const alarms = answers.flatMap((input) => unsupported(input).map((text) => `${input.name}: ${text}`));
    expect(answers.length).toBeGreaterThanOrEqual(least);
    expect(figures.length).toBeGreaterThan(200);
    expect(alarms.length / figures.length, alarms.join('\n')).toBeLessThanOrEqual(0.02);
  });

  it('are found out in at least 98 % of the cases once one thing in them is changed', () => {
    const { made, missed } = mutantsOf(answers, each);
    expect(made).toBeGreaterThan(100);
    expect(missed.length / made, told(missed)).toBeLessThanOrEqual(0.02);
  });
});
