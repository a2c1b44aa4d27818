import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { asksBroadly } from '../../agents/policies/plain-questions/answer-broadly.ts';
import { readPipeline } from '../../agents/policies/plain-questions/read-pipeline.ts';
import { asksPlainly, readPlain } from '../../agents/policies/plain-questions/read-plain.ts';
import { askInvestigator } from './ask-investigator.ts';

describe('a question that wants to be looked into', () => {
  it.each([
    'The mart has fewer rows than raw, most of all on 2026-01-11. Where did they go, and will a rerun bring them back? Begin with the source tables.',
    'The revenue of March is too high. How many orders are there?',
    'How many rows were loaded twice per table?',
    'Why are sales so low by table?',
    'What happened to the orphaned orders?',
    'Sales doubled since the run of Monday failed most of its tasks. What changed between the runs?',
  ])('is none that one look answers: %s', (text) => {
    expect([asksPlainly(text), asksBroadly(text), readPlain(text), readPipeline(text)]).toEqual([false, false, [], []]);
  });

  it('is looked into, whatever words of a plain one it holds', async () => {
    const data = fileURLToPath(new URL('../cases/late-arriving-watermark', import.meta.url));
    const { answer } = await askInvestigator({
      question: 'The mart has fewer rows than raw, most of all on 2026-01-11. Where did they go? Begin with the source tables.',
      sources: [`tables=files:${data}`],
    });
    // From the expected.json of the case.
    expect(answer).toMatch(/\b174\b/);
    expect(answer).toMatch(/\b85\b/);
  });
});

describe('a plain question', () => {
  it.each(['How many rows has each table?', 'Row counts by table', 'is referential integrity intact', 'which customers spent most?'])(
    'is one: %s',
    (text) => {
      expect([asksPlainly(text), asksBroadly(text)]).toEqual([true, true]);
    },
  );
});
