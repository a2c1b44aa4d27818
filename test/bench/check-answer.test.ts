import { describe, expect, it } from 'vitest';
import { checkAnswer, type OutsideChecks, type Subject } from '../../src/bench/check-answer.ts';
import { readNumbers } from '../../src/bench/read-numbers.ts';
import type { CheckSpec } from '../../src/bench/suite-spec.ts';

const NONE: OutsideChecks = {
  callFunction: async () => ({ passed: true, detail: 'called' }),
  askJudge: async () => undefined,
};

/** The outcome of one check on an answer. */
async function outcome(check: Partial<CheckSpec> & { readonly kind: CheckSpec['kind'] }, answer: string, more: Partial<Subject> = {}) {
  const whole = { label: 'check', within: 'answer', ignoreCase: true, tolerance: 0, percent: 0, near: undefined, flags: 'i', ...check };
  const [one] = await checkAnswer([whole as CheckSpec], { answer, findings: [], ...more }, NONE);
  return one!.outcome;
}

describe('contains, any of and must not', () => {
  it('wants every text, whatever the case of its letters', async () => {
    expect(await outcome({ kind: 'contains', texts: ['Pool', 'warehouse'] }, 'the pool `warehouse` was full')).toBe('passed');
    expect(await outcome({ kind: 'contains', texts: ['pool', 'disk'] }, 'the pool was full')).toBe('failed');
    expect(await outcome({ kind: 'contains', texts: ['Pool'], ignoreCase: false }, 'the pool was full')).toBe('failed');
  });

  it('wants one of several texts', async () => {
    expect(await outcome({ kind: 'any_of', texts: ['copy', 'duplicate'] }, 'rows that are duplicates')).toBe('passed');
    expect(await outcome({ kind: 'any_of', texts: ['copy', 'duplicate'] }, 'nothing')).toBe('failed');
  });

  it('fails on a claim that must not be made, also by pattern', async () => {
    expect(await outcome({ kind: 'must_not', texts: ['no duplicates'] }, 'There are NO duplicates.')).toBe('failed');
    expect(await outcome({ kind: 'must_not', texts: ['/took \\d+ h/'] }, 'it took 3 h')).toBe('failed');
    expect(await outcome({ kind: 'must_not', texts: ['/took \\d+ h/'] }, 'it took long')).toBe('passed');
  });

  it('looks where it is told: the answer, the findings, or both', async () => {
    const findings = ['the disk was full'];
    expect(await outcome({ kind: 'contains', texts: ['disk'] }, 'done', { findings })).toBe('failed');
    expect(await outcome({ kind: 'contains', texts: ['disk'], within: 'findings' }, 'done', { findings })).toBe('passed');
    expect(await outcome({ kind: 'contains', texts: ['disk', 'done'], within: 'report' }, 'done', { findings })).toBe('passed');
  });
});

describe('figures', () => {
  it('are read with signs, groups of three and exponents, and not out of names or citations', () => {
    expect(readNumbers('-3, 1,234.5 and 6e3; run_12 of v2 [r3] [c1.r14], 2026-03-17')).toEqual([-3, 1234.5, 6000, 2026, 3, 17]);
  });

  it('may be off by the tolerance, to the last digit and no further', async () => {
    const near = { kind: 'number', value: 6494.8, tolerance: 0.5 } as const;
    expect(await outcome(near, 'it took 6,495.3 s')).toBe('passed');
    expect(await outcome(near, 'it took 6495.31 s')).toBe('failed');
    expect(await outcome({ kind: 'number', value: 200, percent: 1 }, 'about 202')).toBe('passed');
    expect(await outcome({ kind: 'number', value: 200, percent: 1 }, 'about 202.1')).toBe('failed');
    expect(await outcome({ kind: 'number', value: 0.3 }, 'it is 0.30000000000000004')).toBe('passed');
  });

  it('count only in the sentence that is meant', async () => {
    const check = { kind: 'number', value: 12, near: 'slots' } as const;
    expect(await outcome(check, 'It held 12 slots. The run took 99 s.')).toBe('passed');
    expect(await outcome(check, 'It held 4 slots. The run took 12 s.')).toBe('failed');
    expect(await outcome(check, 'It took 12 s.')).toBe('failed');
  });

  it('may be given as text, as a generator answers them', async () => {
    expect(await outcome({ kind: 'number', value: '1,905' }, 'in all 1905')).toBe('passed');
    expect(await outcome({ kind: 'number', value: 'many' }, 'in all 1905')).toBe('failed');
  });

  it('are grounded, not grounded, or were not looked up', async () => {
    expect(await outcome({ kind: 'grounded' }, 'x', { unsupportedFigures: [] })).toBe('passed');
    expect(await outcome({ kind: 'grounded' }, 'x', { unsupportedFigures: ['12'] })).toBe('failed');
    expect(await outcome({ kind: 'grounded' }, 'x')).toBe('not available');
  });
});

describe('JSON, patterns and sets', () => {
  it('reads JSON from a fence, or from within text, and compares at a path', async () => {
    const answer = 'Here:\n```json\n{"rows": [{"total": 1.5, "name": "a"}]}\n```';
    expect(await outcome({ kind: 'json', path: 'rows[0].total', equals: 1.5 }, answer)).toBe('passed');
    expect(await outcome({ kind: 'json', path: 'rows[0]', equals: { name: 'a', total: 1.51 }, tolerance: 0.02 }, answer)).toBe('passed');
    expect(await outcome({ kind: 'json', path: 'rows[0]', equals: { name: 'a' } }, answer)).toBe('failed');
    expect(await outcome({ kind: 'json', path: 'rows[1].total', equals: 1.5 }, answer)).toBe('failed');
    expect(await outcome({ kind: 'json', path: 'n', equals: 1 }, 'it is {"n": 1} then')).toBe('passed');
    expect(await outcome({ kind: 'json', path: 'n', equals: 1 }, 'one')).toBe('failed');
  });

  it('matches a pattern', async () => {
    expect(await outcome({ kind: 'regex', pattern: 'held \\d+ of \\d+' }, 'it HELD 12 of 16')).toBe('passed');
    expect(await outcome({ kind: 'regex', pattern: '^held' }, 'it held')).toBe('failed');
  });

  it('wants the very set, in any order, no item more and none less', async () => {
    const check = { kind: 'set', items: 'orders, stock', pattern: '`(\\w+)` is odd' } as const;
    expect(await outcome(check, '`stock` is odd, `orders` is odd, `stock` is odd')).toBe('passed');
    expect(await outcome(check, '`stock` is odd')).toBe('failed');
    expect(await outcome(check, '`stock` is odd, `orders` is odd, `trips` is odd')).toBe('failed');
    expect(await outcome({ ...check, items: [] }, 'none')).toBe('passed');
  });
});

describe('functions and judges', () => {
  it('count a function that throws as a failed check, with its message', async () => {
    const check = { kind: 'function', file: '/x.ts', parameters: {}, label: 'f', within: 'answer' } as const;
    const failing: OutsideChecks = { ...NONE, callFunction: async () => Promise.reject(new Error('no column')) };
    const [one] = await checkAnswer([check], { answer: '', findings: [] }, failing);
    expect(one).toMatchObject({ outcome: 'failed', detail: 'the function failed: no column' });
  });

  it('say that a judge did not answer rather than that the answer is wrong', async () => {
    expect(await outcome({ kind: 'judge', question: 'Is it right?' }, 'x')).toBe('not available');
  });
});
