import { describe, expect, it } from 'vitest';
import type { Difference } from '../../src/bench/bench-report.ts';
import type { CellResult } from '../../src/bench/cell.ts';
import { compareCells, pairCells } from '../../src/bench/compare-designs.ts';
import { verdictOf } from '../../src/bench/verdict.ts';

const exactly = (value: number) => ({ value, low: value, high: value });

function difference(more: Partial<Difference>): Difference {
  return {
    ...{ tag: 'wide', design: 'team', baseline: 'solo', pairs: 10, passed: 10, baselinePassed: 10, pairsForSuccess: 155 },
    success: { value: 0, low: -0.28, high: 0.28 },
    ratios: {},
    ...more,
  };
}

describe('a verdict', () => {
  it('says in words who saves what for how much, with the intervals', () => {
    const ratios = {
      wallMs: { value: 0.39, low: 0.34, high: 0.45 },
      tokens: { value: 2.1, low: 1.9, high: 2.3 },
      peakOrchestrator: exactly(0.2),
    };
    expect(verdictOf(difference({ ratios }))).toBe(
      'On *wide* tasks team takes 61 % [55, 66] less wall time, 2.1 times [1.9, 2.3] the tokens and 80 % [80, 80] less peak context, compared with solo, at equal success (10 of 10 each; 155 pairs would tell a difference of 5 points) (10 pairs).',
    );
  });

  it('calls one agent better in all only where it is, the window included', () => {
    const ratios = { wallMs: exactly(1.5), tokens: exactly(2), peakOrchestrator: exactly(1.2) };
    expect(verdictOf(difference({ ratios }))).toMatch(/^On \*wide\* tasks solo is better in all: team takes 1.5 times/);
    expect(verdictOf(difference({ ratios: { ...ratios, peakOrchestrator: exactly(0.5) } }))).toMatch(
      /solo is faster and takes fewer tokens: team takes .* and 50 % \[50, 50\] less peak context/,
    );
  });

  it('calls none better that was seen to succeed less', () => {
    const ratios = { wallMs: exactly(0.5), tokens: exactly(0.5), peakOrchestrator: exactly(0.5) };
    expect(verdictOf(difference({ ratios, passed: 8 }))).toMatch(
      /^On \*wide\* tasks team takes 50 %.* success not told apart \(8 against 10 of 10/,
    );
    expect(verdictOf(difference({ ratios, passed: 10, baselinePassed: 10 }))).toMatch(/team is better in all/);
    const worse = { value: -0.5, low: -0.8, high: -0.2 };
    expect(verdictOf(difference({ ratios, passed: 5, success: worse }))).toMatch(
      /with 50 points \[20, 80\] less success \(5 against 10 of 10\)/,
    );
  });

  it('says what cannot be told, and how many pairs would tell it', () => {
    const ratios = { wallMs: { value: 1.1, low: 0.7, high: 1.5 }, tokens: exactly(1) };
    expect(verdictOf(difference({ ratios }))).toMatch(
      /1.1 times \[0.70, 1.5\] the wall time \(not told apart; about 160 pairs would tell\) and the same tokens/,
    );
    const close = { wallMs: { value: 1.001, low: 0.8, high: 1.2 }, tokens: exactly(1) };
    expect(verdictOf(difference({ ratios: close }))).toMatch(/not even 1000 pairs would tell/);
    expect(verdictOf(difference({ pairs: 3, passed: 3, baselinePassed: 3 }))).toMatch(
      /not enough runs to tell team from solo: 3 pairs of the 5/,
    );
  });
});

describe('pairs of cells', () => {
  const cell = (design: string, name: string, seed: number, passed: boolean): CellResult => ({
    ...{
      design,
      case: name,
      seed,
      repeat: 1,
      session: '',
      status: 'ok',
      model: 'rules',
      timing: 'simulated',
      passed,
      checks: [],
      answer: '',
    },
    usage: {
      ...{ inputTokens: 10 * seed, outputTokens: 0, modelCalls: 1, failedCalls: 0, toolCalls: 0, badCalls: 0, wallMs: 100 },
      ...{ peakOrchestrator: 10, peakAny: 10, children: 0 },
    },
    delegations: 0,
    paid: 0,
  });

  it('are made by case and seed, and leave out what has no other half', () => {
    const mine = [cell('team', 'a', 1, true), cell('team', 'a', 2, false), cell('team', 'b', 1, true)];
    const others = [cell('solo', 'a', 2, true), cell('solo', 'a', 1, true), cell('solo', 'c', 1, true)];
    const pairs = pairCells(mine, others);
    expect(pairs.map((pair) => [pair.mine.case, pair.mine.seed, pair.baseline.seed])).toEqual([
      ['a', 1, 1],
      ['a', 2, 2],
    ]);
    expect(compareCells(pairs, { tag: 'all', design: 'team', baseline: 'solo' })).toMatchObject({
      pairs: 2,
      passed: 1,
      baselinePassed: 2,
      ratios: {},
    });
  });

  it('hold when every run of both failed', () => {
    const seeds = [1, 2, 3, 4, 5, 6];
    const failed = (design: string) => seeds.map((seed) => cell(design, 'a', seed, false));
    const found = compareCells(pairCells(failed('team'), failed('solo')), { tag: 'all', design: 'team', baseline: 'solo' });
    expect(found).toMatchObject({
      passed: 0,
      baselinePassed: 0,
      success: { value: 0 },
      ratios: { tokens: exactly(1), wallMs: exactly(1) },
    });
    expect(found.ratios.cost).toBeUndefined();
    expect(verdictOf(found)).toMatch(/the same wall time, the same tokens and the same peak context, .* at equal success \(0 of 6 each/);
  });
});
