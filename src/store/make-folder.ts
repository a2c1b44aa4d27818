import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder and those above it. Not with Node's `recursive`, which never returns where a file system answers
 * "no such file" although the parent is there, as /proc does.
 *
 * @throws the system's error (`EACCES`, `ENOTDIR`, `ENOENT`, `EEXIST` for a file of that name)
 */
export function makeFolder(folder: string): void {
  if (makeOne(folder) || dirname(folder) === folder) return;
  makeFolder(dirname(folder));
  if (!makeOne(folder)) mkdirSync(folder);
}

/** False where the folder above is missing. */
function makeOne(folder: string): boolean {
  try {
    mkdirSync(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return false;
    if (code !== 'EEXIST' || !statSync(folder).isDirectory()) throw error;
  }
  return true;
}
