import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const SOURCES = [
  'src',
  'tools',
  'agents',
  'schemas',
  'scripts/build.mjs',
  'scripts/bundle.mjs',
  'scripts/load-script.mjs',
  'scripts/warm.mjs',
  'package.json',
  'tsconfig.build.json',
];

/** The command line is tested as it is shipped: compiled, and compiled anew where a source is younger. */
export function setup(): void {
  const built = join(root, 'dist/src/cli/main.js');
  if (existsSync(built) && SOURCES.every((path) => youngest(join(root, path)) <= statSync(built).mtimeMs)) return;
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'scripts/build.mjs'), '--bundle-only'], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the build failed: ${stderr}`);
}

function youngest(path: string): number {
  if (!statSync(path).isDirectory()) return statSync(path).mtimeMs;
  const inside = readdirSync(path, { recursive: true, encoding: 'utf8' });
  return Math.max(...inside.map((name) => statSync(join(path, name)).mtimeMs));
}
