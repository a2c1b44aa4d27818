import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { coerceArguments } from '../../src/agent/coerce-arguments.ts';

const SCHEMA = {
  type: 'object',
  properties: {
    count: { type: 'integer' },
    share: { type: 'number' },
    deep: { type: 'boolean' },
    ids: { type: 'array', items: { type: 'integer' } },
    id: { type: 'string' },
    mode: { enum: ['fast', 'slow'] },
    either: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
    maybe: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
    filter: { type: 'object', properties: { limit: { type: 'integer' }, tags: { type: 'array', items: { type: 'string' } } } },
    leaf: { $ref: '#/$defs/leaf' },
  },
  required: ['id'],
  $defs: { leaf: { type: 'object', properties: { size: { type: 'integer' } } } },
};

function coerced(raw: unknown): { value: unknown; coercions: readonly string[] } {
  const result = coerceArguments(raw, SCHEMA);
  if (!result.ok) throw new Error(result.problem);
  return result;
}

describe('coerceArguments', () => {
  it.each([
    ['behaviour 44: text of an integer', { count: '12' }, { count: 12 }],
    ['behaviour 44: text of a truth value', { deep: 'true' }, { deep: true }],
    ['behaviour 44: JSON text of a list', { ids: '[1,2]' }, { ids: [1, 2] }],
    ['behaviour 44: a number where only text is wanted', { id: 5 }, { id: '5' }],
    ['text of a fraction', { share: ' 0.25 ' }, { share: 0.25 }],
    ['a single value where a list is wanted', { ids: 7 }, { ids: [7] }],
    ['text of a single value where a list is wanted', { ids: '7' }, { ids: [7] }],
    ['texts in a list of integers', { ids: ['1', 2] }, { ids: [1, 2] }],
    ['JSON text of an object', { filter: '{"limit":"3","tags":"a"}' }, { filter: { limit: 3, tags: ['a'] } }],
    ['null for an optional argument', { count: null, id: 'x' }, { id: 'x' }],
    ['a value behind a reference', { leaf: { size: '3' } }, { leaf: { size: 3 } }],
  ])('%s is made to fit, and told', (_, raw, value) => {
    const result = coerced(raw);
    expect(result.value).toEqual(value);
    expect(result.coercions.length).toBeGreaterThan(0);
    expect(result.coercions[0]).toContain(Object.keys(raw)[0]);
  });

  it.each([
    ['text that looks like a number, where text is wanted', { id: '12' }],
    ['a text that either alternative could be', { either: '12' }],
    ['a number too large to hold', { count: '12345678901234567890' }],
    ['a fraction where a whole number is wanted', { count: '1.5' }],
    ['words where a number is wanted', { count: 'many' }],
    ['empty text where a number is wanted', { share: '' }],
    ['hexadecimal', { count: '0x10' }],
    ['yes for a truth value', { deep: 'yes' }],
    ['null where null is allowed', { maybe: null }],
    ['null for what is required', { id: null }],
    ['a number of a truth value', { deep: 1 }],
    ['what is not in the list of choices', { mode: 'FAST' }],
  ])('%s is left alone', (_, raw) => {
    expect(coerced(raw)).toEqual({ ok: true, value: raw, coercions: [] });
  });

  it.each([
    ['{"id":"x"}', { id: 'x' }],
    [JSON.stringify('{"id":"x"}'), { id: 'x' }],
    ['', {}],
    [null, {}],
    [undefined, {}],
  ])('behaviour 43: arguments as %j are read as an object', (raw, value) => {
    expect(coerced(raw).value).toEqual(value);
  });

  it.each([['{"id": "x"'], ['[1]'], [[1]], [7], ['"7"'], ['prose']])('behaviour 43: %j is reported as no object', (raw) => {
    expect(coerceArguments(raw, SCHEMA)).toMatchObject({ ok: false, problem: expect.stringContaining('not a JSON object') });
  });

  it('names an unknown argument and the nearest known one', () => {
    expect(coerceArguments({ id: 'x', cuont: 3 }, SCHEMA)).toMatchObject({
      ok: false,
      problem: expect.stringContaining('"cuont" (did you mean "count"?)'),
    });
    expect(coerceArguments({ whatever: 3 }, { type: 'object', properties: {}, additionalProperties: {} })).toMatchObject({ ok: true });
  });

  it('does not change its input', () => {
    const raw = { filter: { limit: '3' }, ids: ['1'] };
    const before = structuredClone(raw);
    coerced(raw);
    expect(raw).toEqual(before);
  });

  it('leaves everything alone that a schema already takes', () => {
    const shape = z.object({
      n: z.number(),
      s: z.string(),
      b: z.boolean(),
      list: z.array(z.string()),
      maybe: z.string().nullable(),
      many: z.union([z.string(), z.number()]),
    });
    const schema = z.toJSONSchema(shape, { io: 'input' }) as Record<string, unknown>;
    const value = fc.record({
      n: fc.double({ noNaN: true, noDefaultInfinity: true }),
      s: fc.string(),
      b: fc.boolean(),
      list: fc.array(fc.string()),
      maybe: fc.option(fc.string()),
      many: fc.oneof(fc.string(), fc.integer()),
    });
    fc.assert(
      fc.property(value, (raw) => {
        expect(coerceArguments(raw, schema)).toEqual({ ok: true, value: raw, coercions: [] });
      }),
    );
  });
});
