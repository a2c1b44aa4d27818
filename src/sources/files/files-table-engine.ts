import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { Scope } from '../../core/scope.ts';
import {
  type FileTree,
  type QueryOutcome,
  type QueryRequest,
  type TableDescription,
  type TableEngine,
  TableNotFoundError,
} from '../../core/source.ts';
import type { ToolWarning } from '../../core/tool-result.ts';
import type { DuckDbSession } from '../duckdb/duckdb-session.ts';
import { timedOut } from '../tables/query-guard.ts';
import { countFileRows } from './count-file-rows.ts';
import { defineParquet, defineTable, quoteName } from './define-table.ts';
import type { ExamineCache } from './examine-cache.ts';
import { findMentions } from './find-mentions.ts';
import { readPartitions } from './partition-columns.ts';
import { type FileTable, nameTables, type TableNames } from './table-names.ts';

export interface FilesEngine extends TableEngine {
  close(): Promise<void>;
}

interface Defined {
  readonly version: string;
  readonly warnings: readonly ToolWarning[];
  readonly fromSchema: boolean;
}

/** SQL over the files of a folder: each is read once, as its examination decided, into a table of that name. */
export function createFilesEngine(files: FileTree, cache: ExamineCache, scratch: string): FilesEngine {
  return new FolderEngine(files, cache, scratch);
}

class FolderEngine implements FilesEngine {
  readonly dialect = 'duckdb';
  private readonly files: FileTree;
  private readonly cache: ExamineCache;
  private readonly scratch: string;
  private opened: Promise<{ session: DuckDbSession; folder: string }> | undefined;
  private readonly defined = new Map<string, Promise<Defined>>();
  private readonly aliases = new Set<string>();
  private counter = 0;

  constructor(files: FileTree, cache: ExamineCache, scratch: string) {
    this.files = files;
    this.cache = cache;
    this.scratch = scratch;
  }

  quote(identifier: string): string {
    return quoteName(identifier);
  }

  async listTables(scope: Scope): ReturnType<TableEngine['listTables']> {
    const { entries, warnings } = await this.files.list();
    const named = nameTables(entries).tables;
    const counts = await countFileRows(named, this.cache, scope);
    const tables = named.map(({ name, file }) => {
      const rows = counts.get(file.path);
      return { name, kind: 'file' as const, ...(rows ? { rows } : {}), bytes: file.bytes, modified: file.modified };
    });
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
    return { tables: tables.sort((left, right) => (left.name < right.name ? -1 : 1)), warnings: [...warnings, ...more] };
  }

  async relation(name: string, scope: Scope): Promise<string> {
    const table = (await this.names()).get(name);
    await this.define(table, scope);
    return quoteName(table.name);
  }

  async describeTable(name: string, scope: Scope): Promise<TableDescription> {
    const table = (await this.names()).get(name);
    const { warnings, fromSchema } = await this.define(table, scope);
    const { session } = await this.open();
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
      const late = !outcome.ok && scope.reason?.kind === 'timeout' && !asked.scope.stopped;
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
        await this.offer(mention, table, request.scope).then(
          ({ warnings }) => about.push(...warningsOnRows(table.name, warnings)),
          (error: unknown) => failures.push(messageOf(error)),
        );
      }
      const { session } = await this.open();
      const timeoutMs = Math.max(1, request.timeoutMs - (performance.now() - began));
      const outcome = await session.select({ ...request, timeoutMs });
      return outcome.ok ? { ...outcome, warnings: [...outcome.warnings, ...about.slice(0, 8)] } : explain(outcome, failures, names);
    } catch (error) {
      return { ok: false, status: 'error', code: 'engine_failed', message: messageOf(error) };
    }
  }

  async close(): Promise<void> {
    const opened = await this.opened?.catch(() => undefined);
    this.opened = undefined;
    await opened?.session.close();
  }

  private async names(): Promise<TableNames> {
    return nameTables((await this.files.list()).entries);
  }

  /** Makes the table readable under the name that a query uses for it. */
  private async offer(mention: string, table: FileTable, scope: Scope): Promise<Defined> {
    const defined = await this.define(table, scope);
    if (mention.toLowerCase() === table.name.toLowerCase() || this.aliases.has(mention)) return defined;
    const { session } = await this.open();
    await session.define(`CREATE OR REPLACE VIEW ${quoteName(mention)} AS SELECT * FROM ${quoteName(table.name)}`);
    this.aliases.add(mention);
    return defined;
  }

  private open(): Promise<{ session: DuckDbSession; folder: string }> {
    this.opened ??= openSession(this.scratch);
    return this.opened;
  }

  private async define(table: FileTable, scope: Scope): Promise<Defined> {
    const { examination, version } = await this.cache.examine(table.file.path, scope);
    const before = this.defined.get(table.name);
    if (before && (await before.catch(() => undefined))?.version === version) return before;
    const { plan, noTable, reading } = examination;
    const making = (async (): Promise<Defined> => {
      if (plan === undefined && reading.kind !== 'parquet') {
        throw new TableNotFoundError(`${table.file.path} cannot be read as a table: ${noTable ?? reading.kind}`);
      }
      this.aliases.clear();
      const { session, folder } = await this.open();
      const partitions = (own: readonly string[]) => readPartitions(table.file.path, own);
      const target = { session, folder, number: ++this.counter, name: table.name, scope, partitions };
      const path = await this.files.resolve(table.file.path);
      if (plan === undefined) {
        await defineParquet(path, target).catch((error: unknown) => {
          throw new TableNotFoundError(`${table.file.path} cannot be read as a table: ${describeDamage(error, folder)}`);
        });
        return { version, warnings: reading.warnings, fromSchema: true };
      }
      const more = await defineTable(path, plan, target);
      return { version, warnings: [...reading.warnings, ...more], fromSchema: false };
    })();
    this.defined.set(table.name, making);
    making.catch(() => this.defined.delete(table.name));
    return making;
  }
}

async function openSession(scratch: string): Promise<{ session: DuckDbSession; folder: string }> {
  const { openDuckDb } = await import('../duckdb/duckdb-session.ts');
  const folder = await mkdtemp(join(scratch, 'tables-'));
  return { session: await openDuckDb({ folder, scratch }), folder };
}

/** The engine's first line without the place of our copy, of which the caller knows nothing. */
function describeDamage(error: unknown, folder: string): string {
  const [line = ''] = messageOf(error).split('\n');
  return `a damaged Parquet file (${line.replaceAll(`${folder}/`, '').slice(0, 200)})`;
}

/** Warnings that change what the rows of a table are: a result that rests on them must carry them. */
const ON_ROWS = new Set([
  ...['second_table', 'repeated_header', 'footer', 'bad_json', 'broken_json', 'short_rows', 'long_rows', 'odd_quotes', 'cut_last_line'],
  ...['kept_as_text', 'invalid_bytes', 'misfit_values', 'ambiguous_column', 'null_words', 'duplicate_keys'],
]);

function warningsOnRows(table: string, warnings: readonly ToolWarning[]): ToolWarning[] {
  const chosen = warnings.filter(({ code }) => ON_ROWS.has(code)).slice(0, 5);
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
