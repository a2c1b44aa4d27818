import type { Scope } from '../../core/scope.ts';
import type { TableInfo } from '../../core/source.ts';
import type { ExamineCache } from './examine-cache.ts';
import { readParquetRows } from './read-parquet-rows.ts';
import type { FileTable } from './table-names.ts';

type FileRows = Pick<TableInfo, 'rows' | 'warnings'>;

/** All files counted for one listing together; beyond it only what is known already. */
const MOST_BYTES = 16 * 1024 * 1024;
const MOST_FILES = 200;

/** Rows of files by path, and places of them that are no rows, smallest files first, as far as counting is cheap. */
export async function countFileRows(
  tables: readonly FileTable[],
  cache: ExamineCache,
  scope: Scope,
): Promise<ReadonlyMap<string, FileRows>> {
  const counts = new Map<string, FileRows>();
  let bytes = 0;
  const bySize = [...tables].sort((left, right) => left.file.bytes - right.file.bytes).slice(0, MOST_FILES);
  for (const { file } of bySize) {
    if (scope.stopped) break;
    const isParquet = /\.(parquet|pq|parq)$/i.test(file.path);
    if (!isParquet) bytes += file.bytes;
    if (!isParquet && bytes > MOST_BYTES) continue;
    const found = isParquet ? await countParquet(file.path, cache) : await countText(file.path, cache, scope);
    if (found !== undefined) counts.set(file.path, found);
  }
  return counts;
}

async function countParquet(path: string, cache: ExamineCache): Promise<FileRows | undefined> {
  const count = await readParquetRows(await cache.resolve(path).catch(() => ''));
  return count === undefined ? undefined : { rows: { count, exact: true } };
}

async function countText(path: string, cache: ExamineCache, scope: Scope): Promise<FileRows | undefined> {
  const found = await cache.examine(path, scope).catch(() => undefined);
  const rows = found?.examination.plan?.rows;
  if (found === undefined || rows === undefined) return undefined;
  const warnings = found.examination.reading.warnings.filter(({ code }) => code === 'bad_json' || code === 'broken_json');
  return { rows: { count: String(rows), exact: true }, ...(warnings.length === 0 ? {} : { warnings }) };
}
