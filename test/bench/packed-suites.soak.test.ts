import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

it('packs all that the suites that ship are made of: agents, rules, skills, generators, checks, tools and cases', () => {
  const packed = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: root, encoding: 'utf8' });
  const [{ files }] = JSON.parse(packed.stdout) as [{ files: { path: string }[] }];
  const paths = new Set(files.map(({ path }) => path));
  for (const folder of ['bench/suites', 'test/cases', 'agents', 'schemas']) {
    const own = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
    expect(own.length).toBeGreaterThan(2);
    expect(
      own.filter((path) => !paths.has(path)),
      folder,
    ).toEqual([]);
  }
  // What is only for the work on the package stays out.
  expect([...paths].filter((path) => /^(?:src|tools|bench\/(?!suites))/.test(path))).toEqual([]);
});
