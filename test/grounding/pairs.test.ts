import { describe, expect, it } from 'vitest';
import { groundAnswer } from '../../src/grounding/ground-answer.ts';
import { readPairs } from './read-pairs.ts';

const pairs = readPairs().map((pair) => ({ ...pair, figures: groundAnswer(pair.input).figures }));

describe('the pairs of answers and evidence, judged by hand', () => {
  it('are at least 240, with as many figures as the hand counted', () => {
    expect(pairs.length).toBeGreaterThanOrEqual(240);
    for (const { input, expected, figures } of pairs)
      expect(
        figures.map(({ text }) => text),
        input.answer,
      ).toHaveLength(expected.length);
  });

  it('hold no fabricated or swapped answer that is not found out', () => {
    const undetected = pairs.filter(
      ({ expected, figures }) =>
        expected.includes('unsupported') && !figures.some(({ status }, at) => status === 'unsupported' && expected[at] === 'unsupported'),
    );
    expect(undetected.map(({ file, input }) => `${file}: ${input.answer}`)).toEqual([]);
  });

  it('raise a false alarm for at most 2 % of the figures that are right', () => {
    const right = pairs.flatMap(({ expected, figures, input }) =>
      expected.flatMap((status, at) =>
        status === undefined || status === 'unsupported' ? [] : [{ status, found: figures[at], answer: input.answer }],
      ),
    );
    const alarms = right.filter(({ found }) => found?.status === 'unsupported');
    expect(right.length).toBeGreaterThan(200);
    expect(alarms.length / right.length, alarms.map(({ answer }) => answer).join('\n')).toBeLessThanOrEqual(0.02);
  });

  it('tell stated, derived and given figures apart as the hand did', () => {
    const wrong = pairs.flatMap(({ expected, figures, input }) =>
      expected.flatMap((status, at) =>
        status === undefined || status === 'unsupported' || figures[at]?.status === 'unsupported' || figures[at]?.status === status
          ? []
          : [`${input.answer}: ${figures[at]?.text}`],
      ),
    );
    expect(wrong).toEqual([]);
  });

  it('answer the same each time', () => {
    for (const { input, figures } of pairs.slice(0, 40)) expect(groundAnswer(input).figures).toEqual(figures);
  });
});
