// Bundles src, tools and agents to dist/, which is what ships: a start of the command line reads one file in place of hundreds. Types and checks come
// from the compiler; `--bundle-only` keeps the types that are there. The types of zod are the package's own.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from './bundle.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');
/** What is built comes into its place in one step, and what was there goes out of it in one, so that a command that starts meanwhile finds all of it. */
const fresh = join(root, `build.${process.pid}`);
const stale = `${fresh}.stale`;

if (!process.argv.includes('--bundle-only')) compile();
else if (existsSync(dist))
  cpSync(dist, fresh, { recursive: true, filter: (path) => path.endsWith('.d.ts') || statSync(path).isDirectory() });
await bundle(fresh);
chmodSync(join(fresh, 'src/cli/main.js'), 0o755);
if (existsSync(dist)) renameSync(dist, stale);
renameSync(fresh, dist);
rmSync(stale, { recursive: true, force: true });

/** A mistake in a source leaves what was built before. */
function compile() {
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const argv = [compiler, '-p', join(root, 'tsconfig.build.json'), '--outDir', fresh];
  const { status } = spawnSync(process.execPath, argv, { stdio: 'inherit', cwd: root });
  if (status === 0) return;
  rmSync(fresh, { recursive: true, force: true });
  process.exit(status ?? 1);
}
