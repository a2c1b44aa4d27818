import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { renderToolDocs } from '../scripts/generate-tool-docs.ts';

it('docs/tools.md says what the tools are and what their examples answer', async () => {
  const written = readFileSync(new URL('../docs/tools.md', import.meta.url), 'utf8');
  // Written anew with: npx tsx scripts/generate-tool-docs.ts
  expect(written).toBe(await renderToolDocs());
}, 60_000);
