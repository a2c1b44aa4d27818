import { describe, expect, it } from 'vitest';
import { changed, changeFloor } from '../../../tools/runs/compare-groups.ts';

describe('whether a sum changed', () => {
  it('takes a move of a few seconds as noise, however large its share', () => {
    expect(changed(3, 2, changeFloor(2290))).toEqual({ changed: false, ratio: 1.5 });
  });

  it('takes a move from nothing as a change', () => {
    expect(changed(3000, 0, changeFloor(2290))).toEqual({ changed: true, ratio: null });
    expect(changed(0, 0, changeFloor(2290))).toEqual({ changed: false, ratio: null });
  });

  it('takes a drop as a change too, and does not know where a side is unknown', () => {
    expect(changed(100, 1000, changeFloor(100))).toEqual({ changed: true, ratio: 0.1 });
    expect(changed(null, 1000, 1)).toEqual({ changed: null, ratio: null });
    expect(changed(1100, 1000, 1)).toEqual({ changed: false, ratio: 1.1 });
  });
});
