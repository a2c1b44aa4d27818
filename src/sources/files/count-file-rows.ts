import type { Scope } from '../../core/scope.ts';
import type { TableInfo } from '../../core/source.ts';
import type { ExamineCache } from './examine-cache.ts';
import { readParquetRows } from './read-parquet-rows.ts';
import type { FileTable } from './table-names.ts';

/** All files counted for one listing together; beyond it only what is known already. */
const MOST_BYTES = 16 * 1024 * 1024;
const MOST_FILES = 200;

/** Rows of files by path, smallest files first, as far as counting is cheap. */
export async function countFileRows(
  tables: readonly FileTable[],
  cache: ExamineCache,
  scope: Scope,
): Promise<ReadonlyMap<string, TableInfo['rows']>> {
  const counts = new Map<string, TableInfo['rows']>();
  let bytes = 0;
  const bySize = [...tables].sort((left, right) => left.file.bytes - right.file.bytes).slice(0, MOST_FILES);
  for (const { file } of bySize) {
    if (scope.stopped) break;
    const isParquet = /\.(parquet|pq|parq)$/i.test(file.path);
    if (!isParquet) bytes += file.bytes;
    if (!isParquet && bytes > MOST_BYTES) continue;
    const count = isParquet
      ? await readParquetRows(await cache.resolve(file.path).catch(() => ''))
      : await countText(file.path, cache, scope);
    if (count !== undefined) counts.set(file.path, { count, exact: true });
  }
  return counts;
}

async function countText(path: string, cache: ExamineCache, scope: Scope): Promise<string | undefined> {
  const found = await cache.examine(path, scope).catch(() => undefined);
  const rows = found?.examination.plan?.rows;
  return rows === undefined ? undefined : String(rows);
}
