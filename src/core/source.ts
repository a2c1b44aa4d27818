import type { FileListing } from './file-listing.ts';
import type { FileReader } from './file-reading.ts';
import type { RunControl } from './run-control.ts';
import type { Scope } from './scope.ts';
import type { TableListing } from './table-listing.ts';
import type { ToolWarning } from './tool-result.ts';

export type { FileEntry, FileListing } from './file-listing.ts';
export type { TableInfo, TableListing } from './table-listing.ts';

export const SOURCE_KINDS = ['files', 'duckdb', 'sqlite', 'postgres', 'airflow', 'airflow-export', 'dbt', 'openlineage', 'logs'] as const;
export type SourceKind = (typeof SOURCE_KINDS)[number];

/** A named place that data comes from. What it can do shows in which parts it has. */
export interface Source {
  readonly name: string;
  readonly kind: SourceKind;
  /** Where it is, fit to be shown: no passwords, no tokens. */
  readonly location: string;
  /** The folder behind it, for kinds that have one. */
  readonly files?: FileTree;
  /** Says what its files are and how they have to be read. */
  readonly readings?: FileReader;
  readonly tables?: TableEngine;
  readonly runs?: RunHistory;
  /** What it can be asked to do; only for a scheduler that is running. */
  readonly control?: RunControl;
  /** True where its files are logs to be read by the log tools. */
  readonly hasLogs?: boolean;
  /** For `doctor`: does it answer? */
  check(scope: Scope): Promise<SourceCheck>;
  close(): Promise<void>;
}

export interface SourceCheck {
  readonly ok: boolean;
  readonly summary: string;
  readonly fix?: string;
}

/** The sources of a project. `get` without a name answers the only source that fits; else the choice is refused. */
export interface SourceCatalog {
  /** Every source of the project by name and kind, opened or not. */
  readonly all: readonly { readonly name: string; readonly kind: SourceKind }[];
  /**
   * The source of that name, or the only one with the capability.
   * @throws SourceChoiceError naming the valid choices.
   */
  pick(capability: SourceCapability, name?: string): Promise<Source>;
  /** All sources with the capability. */
  withCapability(capability: SourceCapability): Promise<readonly Source[]>;
}

export type SourceCapability = 'files' | 'tables' | 'runs' | 'logs' | 'control';

/** No source fits, or several do and none was named; becomes a `refused` result. */
export class SourceChoiceError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SourceChoiceError';
  }
}

/** A folder that nothing leaves: links are resolved and paths outside the root refused. */
export interface FileTree {
  /** Absolute path of the root (or of the single file's folder). */
  readonly root: string;
  /** All files below, sorted by path; what cannot be read, and links that lead to folders, become warnings. */
  list(prefix?: string): Promise<FileListing>;
  /**
   * The absolute path of a file inside the root, links resolved.
   * @throws FileAccessError when it is outside, missing or not a file.
   */
  resolve(path: string): Promise<string>;
}

/** A path that is outside its root, missing, or not a file; becomes a `refused` or `error` result. */
export class FileAccessError extends Error {
  readonly reason: 'outside' | 'missing' | 'not_a_file' | 'unreadable';
  constructor(reason: FileAccessError['reason'], message: string) {
    super(message);
    this.name = 'FileAccessError';
    this.reason = reason;
  }
}

export interface ColumnInfo {
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean | null;
  readonly position: number;
}

export interface TableDescription {
  readonly name: string;
  readonly columns: readonly ColumnInfo[];
  readonly primaryKey: readonly string[];
  /** Where the types come from: `declared`, `file schema`, or `inferred from all rows` / `from a sample of N rows`. */
  readonly typesFrom: string;
  readonly warnings: readonly ToolWarning[];
}

/** A cell as JSON holds it without loss: numbers beyond 2^53, decimals, non-finite numbers and times are text. */
export type Cell = string | number | boolean | null;

export interface QueryRequest {
  readonly sql: string;
  readonly parameters?: readonly (string | number | bigint | boolean | null)[];
  readonly maxRows: number;
  readonly maxBytes: number;
  readonly timeoutMs: number;
  readonly scope: Scope;
}

export type QueryOutcome =
  | {
      readonly ok: true;
      readonly columns: readonly { readonly name: string; readonly type: string }[];
      readonly rows: readonly (readonly Cell[])[];
      /** True when the query had more rows than were read. */
      readonly truncated: boolean;
      readonly elapsedMs: number;
      readonly warnings: readonly ToolWarning[];
    }
  | { readonly ok: false; readonly status: 'refused' | 'error'; readonly code: string; readonly message: string };

/** SQL over a source: one SELECT at a time, read only, bounded. */
export interface TableEngine {
  readonly dialect: 'duckdb' | 'sqlite' | 'postgres';
  listTables(scope: Scope): Promise<TableListing>;
  /** @throws TableNotFoundError naming the nearest tables. */
  describeTable(name: string, scope: Scope): Promise<TableDescription>;
  /** The table's name as it stands in a FROM clause, quoted. @throws TableNotFoundError */
  relation(name: string, scope: Scope): Promise<string>;
  quote(identifier: string): string;
  /** Never rejects: a failed or refused query is a value. */
  query(request: QueryRequest): Promise<QueryOutcome>;
}

export class TableNotFoundError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'TableNotFoundError';
  }
}

/** A run of a pipeline, whatever ran it. Times are ISO 8601 UTC; what is unknown is null. */
export interface PipelineRun {
  readonly pipeline: string;
  readonly run_id: string;
  /** `scheduled`, `manual`, `backfill`, `asset_triggered`, `dbt` … as the source says. */
  readonly type: string;
  readonly state: string;
  readonly logical_date: string | null;
  readonly queued_at: string | null;
  readonly started_at: string | null;
  readonly ended_at: string | null;
  /** Seconds from start to end. */
  readonly duration_s: number | null;
  readonly note?: string;
}

/** One try of one task (or one mapped index of it) in a run; for dbt one node. */
export interface TaskTry {
  readonly pipeline: string;
  readonly run_id: string;
  readonly task_id: string;
  /** -1 where the task is not mapped. */
  readonly map_index: number;
  readonly try_number: number;
  readonly state: string;
  /** When its dependencies were met. */
  readonly scheduled_at: string | null;
  readonly queued_at: string | null;
  readonly started_at: string | null;
  readonly ended_at: string | null;
  /** Working time in seconds: the source's own figure, waiting not included. */
  readonly duration_s: number | null;
  readonly pool: string | null;
  readonly slots: number;
  readonly operator: string | null;
  /** The machine that it ran on, where the source says. */
  readonly host?: string;
  /** What somebody wrote about it by hand. */
  readonly note?: string;
  readonly rows?: string;
  readonly message?: string;
}

export interface SlotPool {
  readonly name: string;
  readonly slots: number;
}

export interface RunListing {
  readonly runs: readonly PipelineRun[];
  /** Runs that match, as the source counts them; more than `runs` holds when not all could be read. */
  readonly total: number;
  readonly complete: boolean;
  readonly warnings: readonly ToolWarning[];
  /** Pipelines that the source says are paused; absent where it does not say. */
  readonly paused?: readonly string[];
}

export interface RunDetail {
  readonly run: PipelineRun;
  readonly tries: readonly TaskTry[];
  readonly total: number;
  readonly complete: boolean;
  readonly warnings: readonly ToolWarning[];
}

export interface RunFilter {
  readonly pipeline?: string;
  /** ISO 8601; runs that start at or after it. */
  readonly since?: string;
  readonly until?: string;
  readonly type?: string;
  readonly state?: string;
}

/** Past runs of pipelines. Every call reads all pages or says that it did not. */
export interface RunHistory {
  listRuns(filter: RunFilter, scope: Scope): Promise<RunListing>;
  /** @throws RunNotFoundError naming the nearest run ids. */
  getRun(runId: string, pipeline: string | undefined, scope: Scope): Promise<RunDetail>;
  /** Tries of any pipeline that overlap the window [from, to) in ISO 8601. */
  triesBetween(
    from: string,
    to: string,
    scope: Scope,
  ): Promise<{ readonly tries: readonly TaskTry[]; readonly complete: boolean; readonly warnings: readonly ToolWarning[] }>;
  pools(scope: Scope): Promise<readonly SlotPool[]>;
}

export class RunNotFoundError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RunNotFoundError';
  }
}
