import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { keepResults } from '../../src/app/ground-results.ts';
import { groundAnswer } from '../../src/grounding/ground-answer.ts';
import { askAgent } from '../agents/ask-agent.ts';
import { mutate } from './mutate-answer.ts';

const project = fileURLToPath(new URL('../../examples/nightly-sales', import.meta.url));

it('finds nothing to object to in an answer about the example, and finds out at least 98 % of what is changed in it', {
  timeout: 120_000,
}, async () => {
  const question = 'Profile the table payments.';
  const { report, events } = await askAgent({ agent: 'table-profiler', question, project });
  expect(report.figures.length).toBeGreaterThan(5);
  expect(report.figures.filter(({ status }) => status === 'unsupported')).toEqual([]);
  const kept = keepResults({ getBlob: () => undefined });
  for (const event of events) kept.take(event);
  const results = kept.of('main');
  const mutants = mutate(report.answer, { seed: 11, each: 30 });
  const missed = mutants.filter(({ answer }) =>
    groundAnswer({ answer, question, results }).figures.every(({ status }) => status !== 'unsupported'),
  );
  expect(mutants.length).toBeGreaterThan(40);
  expect(missed.length / mutants.length, missed.map(({ kind, from, to }) => `${kind} ${from} -> ${to}`).join('\n')).toBeLessThanOrEqual(
    0.02,
  );
});
