import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const BUNDLED_PACKAGES = ['zod'];
const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Bundles the entries, named from the root, into a folder that has the shape of the root: chunks lie as deep as the modules they are made of, so
 * that what they find beside themselves stays where it was. Zod is bundled too, since its many files cost more than all the rest.
 */
export async function bundle(entryPoints, outdir) {
  await build({
    entryPoints,
    absWorkingDir: root,
    outdir,
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
  cpSync(join(root, 'agents'), join(outdir, 'agents'), { recursive: true, filter: (path) => !path.endsWith('.ts') });
}

/** Packages stay packages, but for those named. */
function leaveOutside({ path, kind }) {
  if (kind === 'entry-point' || BUNDLED_PACKAGES.includes(path.split('/', 1)[0])) return undefined;
  return { path, external: true };
}
