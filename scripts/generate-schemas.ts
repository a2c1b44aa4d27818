// Writes the JSON Schemas that editors use for soloist.yaml, agent files and suites. Run: npx tsx scripts/generate-schemas.ts
import { mkdirSync, writeFileSync } from 'node:fs';
import { suiteFileSchema } from '../src/bench/suite-schema.ts';
import { configurationSchema } from '../src/config/json-schemas.ts';

const folder = new URL('../schemas/', import.meta.url);
mkdirSync(folder, { recursive: true });
for (const [name, kind] of [
  ['agent.schema.json', 'agent'],
  ['soloist.schema.json', 'project'],
] as const) {
  writeFileSync(new URL(name, folder), `${JSON.stringify(configurationSchema(kind), null, 2)}\n`);
}
writeFileSync(new URL('suite.schema.json', folder), `${JSON.stringify(suiteFileSchema(), null, 2)}\n`);
