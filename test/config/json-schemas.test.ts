import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { configurationSchema } from '../../src/config/json-schemas.ts';

const shipped = (name: string) => JSON.parse(readFileSync(new URL(`../../schemas/${name}`, import.meta.url), 'utf8')) as unknown;

it('ships the schemas that the code holds (else: npx tsx scripts/generate-schemas.ts)', () => {
  expect(shipped('agent.schema.json')).toEqual(configurationSchema('agent'));
  expect(shipped('soloist.schema.json')).toEqual(configurationSchema('project'));
});

it('describes every key', () => {
  const bare: string[] = [];
  const visit = (schema: Record<string, unknown>, path: string): void => {
    for (const [key, value] of Object.entries((schema.properties ?? {}) as Record<string, Record<string, unknown>>)) {
      if (typeof value.description !== 'string') bare.push(`${path}.${key}`);
      visit(value, `${path}.${key}`);
    }
    for (const part of ['items', 'additionalProperties'] as const) {
      if (typeof schema[part] === 'object') visit(schema[part] as Record<string, unknown>, `${path}[]`);
    }
    for (const option of (schema.anyOf ?? []) as Record<string, unknown>[]) visit(option, path);
  };
  visit(configurationSchema('agent'), 'agent');
  visit(configurationSchema('project'), 'project');
  expect(bare).toEqual([]);
});

it('knows the keys of an agent, refuses others and accepts either spelling of the instructions', () => {
  const schema = configurationSchema('agent') as { properties: object; additionalProperties: boolean; required: string[]; anyOf: unknown };
  const keys =
    'name description model instructions tools load_tools subagents justification limits memory skills permissions grounding reflect plan returns instruction sub_agents';
  expect(Object.keys(schema.properties).sort()).toEqual(keys.split(' ').sort());
  expect(schema.additionalProperties).toBe(false);
  expect(schema.required).toEqual(['name']);
  expect(schema.anyOf).toEqual([{ required: ['instructions'] }, { required: ['instruction'] }]);
});
