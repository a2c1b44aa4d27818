import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitResult, RESULT_CHARACTERS } from '../../src/agent/fit-result.ts';
import type { ToolResult } from '../../src/core/tool-result.ts';

const resultOf = (data: unknown, warnings: ToolResult['warnings'] = []): ToolResult => ({
  id: 'r1',
  tool: 'any_tool',
  status: 'ok',
  complete: true,
  as_of: '2026-03-17T06:00:00.000Z',
  warnings,
  data,
});

describe('a result fitted to the window', () => {
  it('is the result itself while it is small', () => {
    const result = resultOf({ rows: [1, 2, 3] });
    expect(JSON.parse(fitResult(result, () => 'unused').content)).toEqual(result);
  });

  it('is whole JSON within the limit and never called complete, whatever is too large in it', () => {
    const long = fc.string({ minLength: 0, maxLength: 30_000, size: 'max' });
    const data = fc.oneof(
      fc
        .array(fc.record({ name: fc.string(), value: fc.double() }), { minLength: 200, maxLength: 1500, size: 'max' })
        .map((rows) => ({ rows })),
      long.map((text) => ({ text: text.repeat(3) })),
      fc.dictionary(fc.string({ minLength: 1 }), fc.nat(), { minKeys: 500, maxKeys: 1500, size: 'max' }),
      fc
        .array(fc.array(fc.string({ minLength: 5 }), { minLength: 50, maxLength: 200, size: 'max' }), { minLength: 10, maxLength: 40 })
        .map((rows) => ({ rows })),
    );
    const warnings = fc.array(fc.record({ code: fc.string(), message: long }), { maxLength: 6 });
    fc.assert(
      fc.property(data, warnings, (value, told) => {
        let kept: string | undefined;
        const result = resultOf(value, told);
        const { content, reference } = fitResult(result, (text) => {
          kept = text;
          return 'a-reference';
        });
        expect(content.length).toBeLessThanOrEqual(RESULT_CHARACTERS);
        const read = JSON.parse(content) as ToolResult;
        expect(read).toMatchObject({ id: 'r1', tool: 'any_tool' });
        if (JSON.stringify(result).length <= RESULT_CHARACTERS) expect(reference).toBeUndefined();
        else expect([read.complete, read.reference, kept]).toEqual([false, 'a-reference', JSON.stringify(result)]);
      }),
      { numRuns: 60 },
    );
  });
});
