import { rowMeaning } from '../../core/row-warnings.ts';
import { Scope } from '../../core/scope.ts';
import type { FileTree, QueryOutcome, QueryRequest, TableDescription, TableEngine, TableInfo, TableListing } from '../../core/source.ts';
import type { ToolWarning } from '../../core/tool-result.ts';
import { failQuery, timedOut } from '../tables/query-guard.ts';
import { countFileRows } from './count-file-rows.ts';
import type { ExamineCache } from './examine-cache.ts';
import { findMentions } from './find-mentions.ts';
import { quoteName } from './quote-sql.ts';
import { openTableMaker, StillReadingError, type TableMaker } from './table-maker.ts';
import { nameTables, type TableNames } from './table-names.ts';

export interface FilesEngine extends TableEngine {
  close(): Promise<void>;
}

/** SQL over the files of a folder: each is read once, as its examination decided, into a table of that name. */
export function createFilesEngine(files: FileTree, cache: ExamineCache, scratch: string): FilesEngine {
  return new FolderEngine(files, cache, openTableMaker(files, cache, scratch));
}

class FolderEngine implements FilesEngine {
  readonly dialect = 'duckdb';
  private readonly files: FileTree;
  private readonly cache: ExamineCache;
  private readonly maker: TableMaker;

  constructor(files: FileTree, cache: ExamineCache, maker: TableMaker) {
    this.files = files;
    this.cache = cache;
    this.maker = maker;
  }

  quote(identifier: string): string {
    return quoteName(identifier);
  }

  async listTables(scope: Scope): Promise<TableListing> {
    const { entries, warnings, complete } = await this.files.list();
    const named = nameTables(entries).tables;
    const counts = await countFileRows(named, this.cache, scope);
    const tables: TableInfo[] = named.map(({ name, file }) => ({
      ...{ name, kind: 'file', bytes: file.bytes, modified: file.modified },
      ...counts.get(file.path),
    }));
    const uncounted = tables.filter(({ rows }) => rows === undefined).length;
    const more =
      uncounted === 0
        ? []
        : [
            {
              code: 'rows_not_counted',
              message: `the rows of ${uncounted} files are not counted: they are large, many, or no tables; ask for one with COUNT(*)`,
            },
          ];
    return { tables: tables.sort((left, right) => (left.name < right.name ? -1 : 1)), warnings: [...warnings, ...more], complete };
  }

  async relation(name: string, scope: Scope): Promise<string> {
    const table = (await this.names()).get(name);
    await this.maker.define(table, scope);
    return quoteName(table.name);
  }

  async describeTable(name: string, scope: Scope): Promise<TableDescription> {
    const table = (await this.names()).get(name);
    const { warnings, fromSchema } = await this.maker.define(table, scope);
    const { session } = await this.maker.open();
    const sql = `SELECT * FROM ${quoteName(table.name)} LIMIT 0`;
    const outcome = await session.select({ sql, maxRows: 1, maxBytes: 1_000_000, timeoutMs: 30_000, scope });
    if (!outcome.ok) throw new Error(outcome.message);
    const columns = outcome.columns.map((column, index) => ({ ...column, nullable: true, position: index + 1 }));
    return { name: table.name, columns, primaryKey: [], typesFrom: fromSchema ? 'file schema' : 'inferred from all rows', warnings };
  }

  async query(asked: QueryRequest): Promise<QueryOutcome> {
    const began = performance.now();
    const scope = new Scope(asked.scope);
    const timer = setTimeout(() => scope.stop({ kind: 'timeout', seconds: asked.timeoutMs / 1000 }), asked.timeoutMs);
    try {
      const outcome = await this.queryWithin({ ...asked, scope }, began);
      const late = !outcome.ok && outcome.code !== 'still_reading' && scope.reason?.kind === 'timeout' && !asked.scope.stopped;
      return late ? timedOut(asked.timeoutMs) : outcome;
    } finally {
      clearTimeout(timer);
      scope.close();
    }
  }

  /** The time of a query holds for the reading of its files as well. */
  private async queryWithin(request: QueryRequest, began: number): Promise<QueryOutcome> {
    try {
      const names = await this.names();
      const failures: string[] = [];
      const about: ToolWarning[] = [];
      for (const mention of findMentions(request.sql)) {
        const table = names.find(mention);
        if (table === undefined) continue;
        try {
          const { warnings } = await this.maker.offer(mention, table, request.scope);
          about.push(...warningsOnRows(table.name, warnings));
        } catch (error) {
          if (error instanceof StillReadingError) return failQuery('still_reading', error.message);
          failures.push(messageOf(error));
        }
      }
      const { session } = await this.maker.open();
      const timeoutMs = Math.max(1, request.timeoutMs - (performance.now() - began));
      const outcome = await session.select({ ...request, timeoutMs });
      return outcome.ok
        ? { ...outcome, warnings: [...outcome.warnings, ...about.slice(0, 8)] }
        : explain(this.withPaths(outcome), failures, names);
    } catch (error) {
      return { ok: false, status: 'error', code: 'engine_failed', message: messageOf(error) };
    }
  }

  close(): Promise<void> {
    return this.maker.close();
  }

  /** A failure names our copy of a file: the caller knows the file itself. */
  private withPaths(outcome: Failure): Failure {
    return { ...outcome, message: outcome.message.replace(/\b\d+\.parquet\b/g, (copy) => this.maker.pathOf(copy) ?? copy) };
  }

  private async names(): Promise<TableNames> {
    return nameTables((await this.files.list()).entries);
  }
}

/** A result that rests on the rows of a table carries what changes them. */
function warningsOnRows(table: string, warnings: readonly ToolWarning[]): ToolWarning[] {
  const chosen = warnings.filter(({ code }) => rowMeaning(code) !== undefined).slice(0, 5);
  return chosen.map(({ code, message }) => ({ code, message: `${table}: ${message.slice(0, 240)}` }));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

type Failure = QueryOutcome & { readonly ok: false };

/** Adds what a caller can do: why a file is no table, which table was meant, that files are read by name. */
function explain(outcome: Failure, failures: readonly string[], names: TableNames): Failure {
  const [failure] = failures;
  if (failure !== undefined) return { ...outcome, message: failure };
  const missing = /Table with name ("?)(.+?)\1 does not exist/.exec(outcome.message)?.[2];
  if (missing !== undefined) {
    try {
      names.get(missing);
    } catch (error) {
      return { ...outcome, code: 'unknown_table', message: messageOf(error) };
    }
  }
  if (/permission|external access|file system|cannot access|not allowed/i.test(outcome.message)) {
    const first = names.tables[0]?.name ?? 'orders';
    return {
      ...outcome,
      message: `files are read by their table name, e.g. FROM ${quoteName(first)}; reading by path is shut. ${outcome.message}`,
    };
  }
  return outcome;
}
