import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openWorkspace } from '../../src/app/workspace.ts';
import * as testing from '../../src/testing.ts';

const root = join(import.meta.dirname, '../..');
const text = readFileSync(join(root, 'docs/models.md'), 'utf8');

function blocks(language: string): string[] {
  return [...text.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map((match) => match[1] ?? '');
}

describe('docs/models.md', () => {
  it('shows settings that load', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'soloist-docs-models-'));
    try {
      const [settings, ...others] = blocks('yaml');
      expect(others).toEqual([]);
      writeFileSync(join(folder, 'soloist.yaml'), `name: docs\n${settings}`);
      const workspace = await openWorkspace({ folder, sourceFlags: [], environment: { SOLOIST_HOME: folder, HOME: folder } });
      expect(workspace.project.models.default).toMatchObject({ model: 'ollama/qwen3:8b', fallback: ['careful', 'rules'] });
      await workspace.close();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('names every kind of failure', () => {
    const source = readFileSync(join(root, 'src/core/model.ts'), 'utf8');
    const [, union = ''] = /export type FailureKind =([\s\S]*?);/.exec(source) ?? [];
    const kinds = [...union.matchAll(/'(\w+)'/g)].map(([, kind]) => kind as string);
    expect(kinds.length).toBeGreaterThan(10);
    expect(kinds.filter((kind) => !text.includes(`| \`${kind}\` |`))).toEqual([]);
  });

  it('names what soloist/testing exports for models, and imports only what is there', () => {
    const names = ['startFakeOllama', 'startFakeOpenAi', 'says', 'callsTools', 'fails', 'json', 'part', 'done', 'scriptedModel'];
    expect(names.filter((name) => !text.includes(`\`${name}\``) || !(name in testing))).toEqual([]);
    const imported = [...text.matchAll(/import \{ ([^}]+) \} from 'soloist\/testing'/g)].flatMap(([, list = '']) => list.split(', '));
    expect(imported.filter((name) => !(name in testing))).toEqual([]);
  });
});
