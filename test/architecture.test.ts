import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Which zone may import which others; `core` is open to all, `app` and `cli` sit on top. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  core: [],
  agent: ['core'],
  delegation: ['core'],
  grounding: ['core'],
  memory: ['core'],
  config: ['core'],
  models: ['core'],
  sources: ['core'],
  store: ['core'],
  bench: ['core'],
  trace: ['core'],
  view: ['core'],
  tools: ['core'],
  agents: ['core'],
  app: [
    'core',
    'agent',
    'delegation',
    'grounding',
    'memory',
    'config',
    'models',
    'sources',
    'store',
    'bench',
    'trace',
    'view',
    'tools',
    'agents',
  ],
  cli: ['core', 'app'],
  index: ['core', 'app'],
  testing: ['core', 'app', 'models'],
};

const files = ['src', 'tools', 'agents'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name).replaceAll('\\', '/')),
);

function zoneOf(file: string): string {
  const [top, second = ''] = file.split('/');
  return top === 'src' ? second.replace(/\.ts$/, '') : (top ?? '');
}

function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  const found = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map((match) => match[1] ?? '');
  return found.map((target) => relative(root, resolve(root, dirname(file), target)).replaceAll('\\', '/'));
}

describe('architecture', () => {
  it('finds the source files', () => {
    expect(files.length).toBeGreaterThan(20);
  });

  it('lets no zone import a neighbour', () => {
    const wrong: string[] = [];
    for (const file of files) {
      const zone = zoneOf(file);
      const allowed = MAY_IMPORT[zone];
      if (!allowed) {
        wrong.push(`${file}: zone "${zone}" is not known`);
        continue;
      }
      for (const target of importsOf(file)) {
        const other = zoneOf(target);
        if (other !== zone && !allowed.includes(other)) wrong.push(`${file} imports ${target}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('keeps every source file at 250 lines or fewer', () => {
    const long = files
      .map((file) => ({ file, lines: readFileSync(join(root, file), 'utf8').split('\n').length - 1 }))
      .filter(({ lines }) => lines > 250)
      .map(({ file, lines }) => `${file}: ${lines}`);
    expect(long).toEqual([]);
  });

  it('has no file named after a junk drawer', () => {
    const junk = files.filter((file) => /(^|\/)(utils?|helpers?|common|manager|base|misc)\.ts$/.test(file));
    expect(junk).toEqual([]);
  });

  it('uses no export *, enum, namespace or default export outside policies', () => {
    const wrong = files.filter((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      return (
        /^export \*|^(export )?(const )?enum |^(export )?namespace /m.test(text) ||
        (/^export default/m.test(text) && !file.startsWith('agents/policies/'))
      );
    });
    expect(wrong).toEqual([]);
  });
});
