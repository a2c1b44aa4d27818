import { z } from 'zod';
import { AGENT_SYNONYMS, agentSchema } from './agent-schema.ts';
import { projectSchema } from './project-schema.ts';

type Json = Record<string, unknown>;

/** The JSON Schema of an agent file or of `soloist.yaml`, for editors. */
export function configurationSchema(kind: 'agent' | 'project'): Json {
  if (kind === 'project') return { ...z.toJSONSchema(projectSchema, { io: 'input' }), title: 'soloist.yaml' };
  const schema = { ...z.toJSONSchema(agentSchema, { io: 'input' }), title: 'Soloist agent' } as Json & {
    properties: Json;
    required: string[];
  };
  const synonyms = Object.entries(AGENT_SYNONYMS);
  for (const [synonym, key] of synonyms) schema.properties[synonym] = { ...(schema.properties[key] as Json), deprecated: true };
  // An agent has to have its instructions under either spelling.
  const required = schema.required.filter((key) => key !== 'instructions');
  return { ...schema, required, anyOf: [{ required: ['instructions'] }, { required: ['instruction'] }] };
}
