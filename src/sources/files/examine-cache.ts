import { stat } from 'node:fs/promises';
import type { Scope } from '../../core/scope.ts';
import type { FileTree } from '../../core/source.ts';
import { type Examination, examineFile } from './examine-file.ts';

/** Examinations by file, done again only when the file has changed. */
export interface ExamineCache {
  /** The absolute path of a file inside the source. @throws FileAccessError */
  resolve(path: string): Promise<string>;
  /**
   * `how` bounds the bytes looked at, or asks for every record to be read by us; an examination of the whole file serves
   * whoever sets a bound.
   */
  examine(path: string, scope: Scope, how?: number | 'carefully'): Promise<{ readonly examination: Examination; readonly version: string }>;
}

export function createExamineCache(files: FileTree): ExamineCache {
  const known = new Map<
    string,
    { readonly version: string; readonly whole: boolean; readonly careful: boolean; readonly found: Promise<Examination> }
  >();
  return {
    resolve: (path) => files.resolve(path),
    async examine(path, scope, how) {
      const limit = typeof how === 'number' ? how : undefined;
      const careful = how === 'carefully';
      const absolute = await files.resolve(path);
      const info = await stat(absolute);
      const version = `${info.size}:${info.mtimeMs}:${info.ino}`;
      const before = known.get(path);
      const serves = before?.version === version && (before.whole || limit !== undefined) && (before.careful || !careful);
      if (before && serves) return { examination: await before.found, version };
      const sisters = await findSisters(files, path);
      const found = examineFile(absolute, { name: path, scope, sisters, careful, ...(limit === undefined ? {} : { limit }) });
      known.set(path, { version, whole: limit === undefined, careful, found });
      found.catch(() => known.delete(path));
      return { examination: await found, version };
    },
  };
}

/** Files in the same folder with the same extension, those with the nearest names first. */
async function findSisters(files: FileTree, path: string): Promise<string[]> {
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const extension = path.slice(path.lastIndexOf('.'));
  const { entries } = await files.list(folder);
  const beside = entries.filter(
    (entry) => entry.path !== path && entry.path.endsWith(extension) && !entry.path.slice(folder.length).includes('/'),
  );
  const shared = (name: string): number => {
    let at = 0;
    while (at < name.length && name[at] === path[at]) at++;
    return at;
  };
  const near = beside.sort((left, right) => shared(right.path) - shared(left.path)).slice(0, 20);
  const resolved = await Promise.all(near.map((entry) => files.resolve(entry.path).catch(() => undefined)));
  return resolved.filter((found) => found !== undefined);
}
