import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { Scope } from '../../core/scope.ts';
import { type FileTree, TableNotFoundError } from '../../core/source.ts';
import type { ToolWarning } from '../../core/tool-result.ts';
import type { DuckDbSession } from '../duckdb/duckdb-session.ts';
import { defineDirect, NotDirectError } from './define-direct.ts';
import { defineParquet, defineTable, type TableTarget } from './define-table.ts';
import type { ExamineCache } from './examine-cache.ts';
import { type Examination, LARGE_FILE_BYTES } from './examine-file.ts';
import { readPartitions } from './partition-columns.ts';
import { quoteName } from './quote-sql.ts';
import type { FileTable } from './table-names.ts';

export interface DefinedTable {
  readonly version: string;
  readonly warnings: readonly ToolWarning[];
  readonly fromSchema: boolean;
}

/** A large file is still being read after the asker's time; the reading goes on for the next one who asks. */
export class StillReadingError extends Error {
  constructor(path: string, bytes: number) {
    super(`${path} (${Math.round(bytes / 1e6)} MB) is still being read for the first time; ask again, or with more time`);
    this.name = 'StillReadingError';
  }
}

/** Reads files into tables of one engine, each once as long as it does not change. */
export interface TableMaker {
  /** The file of which the engine holds a copy under this name. */
  pathOf(copy: string): string | undefined;
  open(): Promise<{ readonly session: DuckDbSession; readonly folder: string }>;
  /** @throws TableNotFoundError when the file is no table; StillReadingError. */
  define(table: FileTable, scope: Scope): Promise<DefinedTable>;
  /** As `define`, and makes the table readable under the name that a query uses for it. */
  offer(mention: string, table: FileTable, scope: Scope): Promise<DefinedTable>;
  close(): Promise<void>;
}

export function openTableMaker(files: FileTree, cache: ExamineCache, scratch: string): TableMaker {
  return new Maker(files, cache, scratch);
}

class Maker implements TableMaker {
  private readonly files: FileTree;
  private readonly cache: ExamineCache;
  private readonly scratch: string;
  private opened: Promise<{ session: DuckDbSession; folder: string }> | undefined;
  private readonly defined = new Map<string, Promise<DefinedTable>>();
  private readonly aliases = new Set<string>();
  /** Names of the engine's copies of Parquet files, with the paths of the files. */
  private readonly copies = new Map<string, string>();
  /** Large files are read under it rather than under the scope of who asked first. */
  private readonly background = new Scope();
  private readonly pending = new Set<Promise<unknown>>();
  private counter = 0;

  constructor(files: FileTree, cache: ExamineCache, scratch: string) {
    this.files = files;
    this.cache = cache;
    this.scratch = scratch;
  }

  open(): Promise<{ session: DuckDbSession; folder: string }> {
    this.opened ??= openSession(this.scratch);
    return this.opened;
  }

  async offer(mention: string, table: FileTable, scope: Scope): Promise<DefinedTable> {
    const defined = await this.define(table, scope);
    if (mention.toLowerCase() === table.name.toLowerCase() || this.aliases.has(mention)) return defined;
    const { session } = await this.open();
    await session.define(`CREATE OR REPLACE VIEW ${quoteName(mention)} AS SELECT * FROM ${quoteName(table.name)}`);
    this.aliases.add(mention);
    return defined;
  }

  async define(table: FileTable, scope: Scope): Promise<DefinedTable> {
    if (table.file.bytes < LARGE_FILE_BYTES) return this.make(table, scope);
    const work = this.make(table, this.background);
    this.pending.add(work);
    work.catch(() => undefined).finally(() => this.pending.delete(work));
    const stopped = new Promise<never>((_, reject) => {
      const hook = { stop: () => reject(new StillReadingError(table.file.path, table.file.bytes)) };
      scope.add(hook);
      work.catch(() => undefined).finally(() => scope.remove(hook));
    });
    return Promise.race([work, stopped]);
  }

  async close(): Promise<void> {
    this.background.stop({ kind: 'cancelled', because: 'the source is closed' });
    await Promise.allSettled([...this.pending]);
    const opened = await this.opened?.catch(() => undefined);
    this.opened = undefined;
    await opened?.session.close();
  }

  pathOf(copy: string): string | undefined {
    return this.copies.get(copy);
  }

  private async make(table: FileTable, scope: Scope): Promise<DefinedTable> {
    const { examination, version } = await this.cache.examine(table.file.path, scope);
    const before = this.defined.get(table.name);
    if (before && (await before.catch(() => undefined))?.version === version) return before;
    const making = this.read(table, examination, scope).then((read) => ({ version, ...read }));
    this.defined.set(table.name, making);
    making.catch(() => this.defined.delete(table.name));
    return making;
  }

  private async read(table: FileTable, { plan, noTable, reading }: Examination, scope: Scope): Promise<Omit<DefinedTable, 'version'>> {
    if (plan === undefined && reading.kind !== 'parquet') {
      throw new TableNotFoundError(`${table.file.path} cannot be read as a table: ${noTable ?? reading.kind}`);
    }
    this.aliases.clear();
    const { session, folder } = await this.open();
    const partitions = (own: readonly string[]) => readPartitions(table.file.path, own);
    const target: TableTarget = { session, folder, number: ++this.counter, name: table.name, scope, partitions };
    const path = await this.files.resolve(table.file.path);
    await forget(table.name, session);
    if (plan === undefined) {
      this.copies.set(`${target.number}.parquet`, table.file.path);
      await defineParquet(path, target).catch((error: unknown) => {
        throw new TableNotFoundError(`${table.file.path} cannot be read as a table: ${describeDamage(error, folder, table.file.path)}`);
      });
      return { warnings: reading.warnings, fromSchema: true };
    }
    if (plan.kind === 'json' || plan.direct === undefined) {
      return { warnings: [...reading.warnings, ...(await defineTable(path, plan, target))], fromSchema: false };
    }
    try {
      const more = await defineDirect(path, plan.direct, target);
      return { warnings: [...reading.warnings.filter(({ code }) => code !== 'sampled'), ...more], fromSchema: false };
    } catch (error) {
      if (!(error instanceof NotDirectError)) throw error;
      const { examination } = await this.cache.examine(table.file.path, scope, 'carefully');
      return this.read(table, examination, scope);
    }
  }
}

async function openSession(scratch: string): Promise<{ session: DuckDbSession; folder: string }> {
  const { openDuckDb } = await import('../duckdb/duckdb-session.ts');
  const folder = await mkdtemp(join(scratch, 'tables-'));
  return { session: await openDuckDb({ folder, scratch }), folder };
}

/** A file that has become one of another kind is a view where it was a table, or the other way round. */
async function forget(name: string, session: DuckDbSession): Promise<void> {
  for (const kind of ['VIEW', 'TABLE']) await session.define(`DROP ${kind} IF EXISTS ${quoteName(name)}`).catch(() => undefined);
}

/** The engine's first line without the place of our copy, of which the caller knows nothing. */
function describeDamage(error: unknown, folder: string, path: string): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return `a damaged Parquet file (${line
    .replaceAll(`${folder}/`, '')
    .replace(/\b\d+\.parquet\b/g, path)
    .slice(0, 200)})`;
}
