// Bundles src, tools and agents to dist/, which is what ships: a start of the command line reads a few files in place of hundreds. Zod is bundled
// too, since its many files cost more than all the rest; its types are the package's own. Types and checks come from the compiler, which also
// writes each module to build/, for measurements; `--bundle-only` leaves it out.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const BUNDLED_PACKAGES = ['zod'];
const root = fileURLToPath(new URL('..', import.meta.url));
const modules = join(root, 'build');
const dist = join(root, 'dist');
/** What is built comes into its place in one step, and what was there goes out of it in one, so that a command that starts meanwhile finds all of it. */
const fresh = join(root, `build.${process.pid}`);
const stale = `${fresh}.stale`;

if (!process.argv.includes('--bundle-only')) compile();
await bundle();
cpSync(join(root, 'agents'), join(fresh, 'agents'), { recursive: true, filter: (path) => !path.endsWith('.ts') });
if (existsSync(modules)) cpSync(modules, fresh, { recursive: true, filter: (path) => !path.endsWith('.js') });
chmodSync(join(fresh, 'src/cli/main.js'), 0o755);
if (existsSync(dist)) renameSync(dist, stale);
renameSync(fresh, dist);
rmSync(stale, { recursive: true, force: true });

/** A mistake in a source leaves what was built before. */
function compile() {
  rmSync(modules, { recursive: true, force: true });
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const { status } = spawnSync(process.execPath, [compiler, '-p', join(root, 'tsconfig.build.json')], { stdio: 'inherit', cwd: root });
  if (status !== 0) process.exit(status ?? 1);
}

/** Chunks lie as deep as the modules they are made of, so that what they find beside themselves stays where it was. */
async function bundle() {
  const policies = readdirSync(join(root, 'agents/policies')).filter((name) => name.endsWith('.ts'));
  await build({
    entryPoints: ['src/cli/main.ts', 'src/index.ts', 'src/testing.ts', ...policies.map((name) => `agents/policies/${name}`)],
    absWorkingDir: root,
    outdir: fresh,
    outbase: root,
    chunkNames: 'src/chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    minifyWhitespace: true,
    plugins: [{ name: 'packages', setup: ({ onResolve }) => onResolve({ filter: /^[^./]/ }, leaveOutside) }],
    logLevel: 'warning',
  });
}

/** Packages stay packages, but for those named. */
function leaveOutside({ path, kind }) {
  if (kind === 'entry-point' || BUNDLED_PACKAGES.includes(path.split('/', 1)[0])) return undefined;
  return { path, external: true };
}
