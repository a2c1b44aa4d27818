import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { groupBy } from '../../src/core/group-by.ts';
import type { Scope } from '../../src/core/scope.ts';
import type { FileEntry, FileTree } from '../../src/core/source.ts';

export interface EqualGroup {
  readonly sha256: string;
  readonly bytes: number;
  readonly paths: readonly string[];
}

const MOST_BYTES = 512 * 1024 * 1024;
const MOST_FILES = 5000;

/** Files with the same content, found by hash among those of the same size. `all` is false when not all could be hashed. */
export async function findEqualFiles(
  files: FileTree,
  entries: readonly FileEntry[],
  scope: Scope,
): Promise<{ readonly groups: readonly EqualGroup[]; readonly all: boolean }> {
  const filled = entries.filter((entry) => entry.bytes > 0);
  const sizes = groupBy(filled, (entry) => entry.bytes);
  const candidates = [...sizes.values()].filter((same) => same.length > 1).flat();
  const groups = new Map<string, { bytes: number; paths: string[] }>();
  let bytes = 0;
  let hashed = 0;
  for (const entry of candidates) {
    if (scope.stopped || hashed >= MOST_FILES || bytes + entry.bytes > MOST_BYTES) return { groups: found(groups), all: false };
    bytes += entry.bytes;
    hashed++;
    const hash = await hashFile(files, entry.path);
    if (hash === undefined) continue;
    const group = groups.get(hash) ?? { bytes: entry.bytes, paths: [] };
    group.paths.push(entry.path);
    groups.set(hash, group);
  }
  return { groups: found(groups), all: true };
}

function found(groups: ReadonlyMap<string, { bytes: number; paths: string[] }>): EqualGroup[] {
  return [...groups].filter(([, group]) => group.paths.length > 1).map(([sha256, group]) => ({ sha256, ...group }));
}

async function hashFile(files: FileTree, path: string): Promise<string | undefined> {
  try {
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(await files.resolve(path))) hash.update(chunk as Buffer);
    return hash.digest('hex');
  } catch {
    return undefined;
  }
}
