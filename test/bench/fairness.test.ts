import { describe, expect, it } from 'vitest';
import { type ArmFacts, accountFairness, unfairLines } from '../../src/bench/fairness.ts';
import { planCells } from '../../src/bench/plan-cells.ts';
import type { SuiteSpec } from '../../src/bench/suite-spec.ts';

const arm = (design: string, more: Partial<ArmFacts> = {}): ArmFacts => ({
  ...{ design, tools: ['a', 'b'], models: ['ollama/x'], tokens: 1000, seconds: 60, turns: 10, toolCalls: 20 },
  ...more,
});

describe('fairness', () => {
  it('finds what differs and was not meant to', () => {
    const arms = [arm('one'), arm('two', { models: ['ollama/x', 'ollama/y'], tokens: 2000 })];
    expect(unfairLines(accountFairness(arms, [])).map(({ what, detail }) => `${what}: ${detail}`)).toEqual([
      'model: one: ollama/x; two: ollama/x, ollama/y',
      'budget of tokens: one: 1000 tokens; two: 2000 tokens',
    ]);
    expect(unfairLines(accountFairness(arms, ['model', 'budget']))).toEqual([]);
  });

  it('takes fixed rules for a baseline without a model, beside designs that all have the same', () => {
    const [, model] = accountFairness([arm('one'), arm('two'), arm('rules', { models: ['rules'] })], []);
    expect(model).toEqual({ what: 'model', state: 'same', detail: 'ollama/x; without a model: rules' });
  });
});

describe('the plan of a suite', () => {
  const designs = ['a', 'b', 'c'].map((name) => ({ name }));
  const cases = Array.from({ length: 12 }, (_, at) => ({ id: `case${at}`, tags: [] }));
  const suite = { name: 's', designs, cases, seeds: [1, 2], repeat: 2 } as unknown as SuiteSpec;

  it('draws the order of the designs anew for each case, seed and repeat, the same each time', () => {
    const orders = planCells(suite, []).map(({ cells }) => cells.map(({ design }) => design.name).join(''));
    expect(orders).toHaveLength(48);
    expect(new Set(orders).size).toBe(6);
    expect(orders.every((order) => [...order].sort().join('') === 'abc')).toBe(true);
    expect(planCells(suite, []).map(({ cells }) => cells.map(({ design }) => design.name).join(''))).toEqual(orders);
  });
});
