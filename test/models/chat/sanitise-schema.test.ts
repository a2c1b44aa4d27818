import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { sanitiseSchema } from '../../../src/models/chat/sanitise-schema.ts';

describe('sanitiseSchema', () => {
  it('keeps what servers keep and tells the limits they drop', () => {
    const schema = {
      $schema: 'x',
      type: 'object',
      required: ['n'],
      additionalProperties: false,
      properties: { n: { type: 'integer', minimum: 1, maximum: 9, description: 'How many.' } },
    };
    expect(sanitiseSchema(schema)).toEqual({
      type: 'object',
      required: ['n'],
      properties: { n: { type: 'integer', description: 'How many. (at least 1, at most 9)' } },
    });
  });

  it('says nothing of the limits that every integer of zod has', () => {
    const schema = z.toJSONSchema(z.object({ n: z.number().int() })) as Record<string, unknown>;
    expect(sanitiseSchema(schema)).toMatchObject({ properties: { n: { type: 'integer' } } });
    expect(JSON.stringify(sanitiseSchema(schema))).not.toContain('9007199254740991');
  });

  it('turns constants and alternatives into forms that servers know', () => {
    const schema = { type: 'object', properties: { k: { const: 'a' }, o: { oneOf: [{ type: 'string' }, { type: 'integer' }] } } };
    expect(sanitiseSchema(schema)).toEqual({
      type: 'object',
      properties: { k: { enum: ['a'] }, o: { anyOf: [{ type: 'string' }, { type: 'integer' }] } },
    });
  });

  it('ends a schema that refers to itself', () => {
    const schema = {
      type: 'object',
      properties: { tree: { $ref: '#/$defs/node' } },
      $defs: { node: { type: 'object', properties: { left: { $ref: '#/$defs/node' } } } },
    };
    const text = JSON.stringify(sanitiseSchema(schema));
    expect(text).not.toContain('$ref');
    expect(text.length).toBeLessThan(2_000);
  });

  it('gives a schema without properties an empty set of them', () => {
    expect(sanitiseSchema({ type: 'object' })).toEqual({ type: 'object', properties: {} });
  });
});
