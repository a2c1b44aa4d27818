import { describe, expect, it } from 'vitest';
import { lasting } from '../../agents/policies/investigator/read-data.ts';

describe('lasting', () => {
  it.each([
    [null, 'unknown'],
    [0, '0 s'],
    [599.9, '599.9 s'],
    [600, '600 s (10 min)'],
    [3599, '3599 s (1 h)'],
    [3600, '3600 s (1 h)'],
    [6494.8, '6494.8 s (1 h 48 min)'],
    [297015, '297015 s (82 h 30 min)'],
  ])('says %s seconds as %s', (seconds, words) => {
    expect(lasting(seconds)).toBe(words);
  });
});
