import { stat } from 'node:fs/promises';
import type { Scope } from '../../core/scope.ts';
import type { FileTree } from '../../core/source.ts';
import { type Examination, examineFile } from './examine-file.ts';

/** Examinations by file, done again only when the file has changed. */
export interface ExamineCache {
  /** The absolute path of a file inside the source. @throws FileAccessError */
  resolve(path: string): Promise<string>;
  /** `limit` bounds the bytes looked at; an examination of the whole file serves both. */
  examine(path: string, scope: Scope, limit?: number): Promise<{ readonly examination: Examination; readonly version: string }>;
}

export function createExamineCache(files: FileTree): ExamineCache {
  const known = new Map<string, { readonly version: string; readonly whole: boolean; readonly found: Promise<Examination> }>();
  return {
    resolve: (path) => files.resolve(path),
    async examine(path, scope, limit) {
      const absolute = await files.resolve(path);
      const info = await stat(absolute);
      const version = `${info.size}:${info.mtimeMs}:${info.ino}`;
      const before = known.get(path);
      if (before?.version === version && (before.whole || limit !== undefined)) return { examination: await before.found, version };
      const sisters = await findSisters(files, path);
      const found = examineFile(absolute, { name: path, scope, sisters, ...(limit === undefined ? {} : { limit }) });
      known.set(path, { version, whole: limit === undefined, found });
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
