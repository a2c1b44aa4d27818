import { mkdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { OutputFolder } from '../core/output.ts';
import { FileAccessError } from '../core/source.ts';

/** A folder that is written to and never left: links are resolved before anything is created below them. */
export function createOutputFolder(root: string): OutputFolder {
  return {
    root,
    async read(path) {
      const file = await placeInside(root, path);
      return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined;
        throw new FileAccessError('unreadable', `${path} cannot be read (${error.code})`);
      });
    },
    async write(path, text) {
      const file = await placeInside(root, path);
      const draft = join(dirname(file), `.${process.pid}-${Date.now()}.draft`);
      try {
        await mkdir(dirname(file), { recursive: true });
        await writeFile(draft, text, { flag: 'wx' });
        await rename(draft, file);
      } catch (error) {
        await rm(draft, { force: true });
        throw new FileAccessError('unreadable', `${path} cannot be written (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`);
      }
    },
  };
}

/** The absolute path, once the part of it that exists is known to lie inside. */
async function placeInside(root: string, path: string): Promise<string> {
  const outside = new FileAccessError('outside', `${path} is outside the project's folder`);
  if (path.includes('\0') || isAbsolute(path)) throw outside;
  const wanted = resolve(root, path);
  if (!isInside(resolve(root), wanted)) throw outside;
  const realRoot = await nearestReal(resolve(root));
  if (!isInside(realRoot, await nearestReal(wanted))) throw outside;
  return wanted;
}

/** The real path of the nearest folder that exists, with the rest as it was asked for. */
async function nearestReal(path: string): Promise<string> {
  for (let at = path; ; at = dirname(at)) {
    const real = await realpath(at).catch(() => undefined);
    if (real !== undefined) return resolve(real, relative(at, path));
    if (dirname(at) === at) return path;
  }
}

function isInside(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}
