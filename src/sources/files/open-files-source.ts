import type { FileReading } from '../../core/file-reading.ts';
import type { Scope } from '../../core/scope.ts';
import { FileAccessError, type Source } from '../../core/source.ts';
import type { SourceEnvironment, SourceSpec } from '../../core/source-spec.ts';
import { openFileTree } from '../file-tree.ts';
import { createExamineCache } from './examine-cache.ts';
import { createFilesEngine, type FilesEngine } from './files-table-engine.ts';
import { readParquet } from './read-parquet.ts';

/** Files up to this many bytes are sniffed in full. */
const SNIFFED_IN_FULL = 64 * 1024 * 1024;

/**
 * A folder of data files (or one file): each is a table.
 *
 * @throws FileAccessError when the path is missing.
 */
export async function openFilesSource(spec: SourceSpec, environment: SourceEnvironment): Promise<Source> {
  const [path] = spec.paths;
  if (path === undefined) throw new FileAccessError('missing', `source "${spec.name}" names no folder`);
  const files = await openFileTree(path);
  const cache = createExamineCache(files);
  const engine: FilesEngine = createFilesEngine(files, cache, environment.scratch);
  const sniff = async (file: string, scope: Scope): Promise<FileReading> => {
    const { examination } = await cache.examine(file, scope, SNIFFED_IN_FULL);
    return examination.reading.kind === 'parquet' ? readParquet(examination.reading, engine, scope) : examination.reading;
  };
  return {
    name: spec.name,
    kind: 'files',
    location: path,
    files,
    readings: { sniff },
    tables: engine,
    check: async (scope) => {
      const { entries } = await files.list();
      const { tables } = await engine.listTables(scope);
      return tables.length > 0
        ? { ok: true, summary: `${entries.length} files, ${tables.length} of them data` }
        : { ok: false, summary: `${entries.length} files, none of them data`, fix: 'name a folder with CSV, JSON or Parquet files' };
    },
    close: () => engine.close(),
  };
}
