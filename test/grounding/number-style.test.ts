import { describe, expect, it } from 'vitest';
import { numberStyle } from '../../src/grounding/read-number.ts';

describe('the style that the numbers of a text are written in', () => {
  it('is not told by the width of a decimal type', () => {
    expect(numberStyle('net_value decimal(7,3); 1.277 to 9789.25')).toBe('point');
    expect(numberStyle('net_value NUMERIC(10, 2); 1.277 to 9789.000')).toBe('unknown');
    expect(numberStyle('net_value 1.277,5 to 7,3')).toBe('comma');
  });
});
