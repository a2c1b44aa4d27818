import { open } from 'node:fs/promises';
import { extname } from 'node:path';
import type { Claim } from './check-independently.ts';
import type { Trial } from './render-table.ts';

export type FileKind = 'table' | 'log' | 'sqlite' | 'duckdb' | 'dbt' | 'openlineage' | 'spark' | 'checks' | 'other';

interface Call {
  readonly tool: string;
  readonly input: Record<string, unknown>;
}

type Attempt = (call: Call) => Promise<Trial & { result?: unknown }>;

interface Result {
  readonly data: Record<string, unknown>;
}

/** What a file is, by its first bytes and its name; what a tool makes of it is its own business. */
export async function kindOf(path: string): Promise<FileKind> {
  const handle = await open(path, 'r');
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(4096), 0, 4096, 0);
  await handle.close();
  const head = buffer.subarray(0, bytesRead);
  const text = head.toString('latin1');
  if (text.startsWith('SQLite format 3')) return 'sqlite';
  if (head.subarray(8, 12).toString() === 'DUCK') return 'duckdb';
  if (/schemas\.getdbt\.com\/dbt\//.test(text)) return 'dbt';
  if (/SparkListener/.test(text)) return 'spark';
  if (/openlineage\.io\/spec|"eventType"/.test(text)) return 'openlineage';
  if (/"expectation_config"|"success_percent"|"scanStartTimestamp"/.test(text)) return 'checks';
  if (extname(path) === '.log' || /^\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(text)) return 'log';
  if (text.startsWith('PAR1') || text.startsWith('\x1f\x8b')) return 'table';
  return ['.csv', '.tsv', '.json', '.jsonl', '.ndjson', '.parquet', '.gz', '.txt'].includes(extname(path)) ? 'table' : 'other';
}

/** The calls for a kind, each made with what those before it told; and what was claimed, for another reader to check. */
export function planFor({ kind, path }: { readonly kind: FileKind; readonly path: string }) {
  const claims: Claim[] = [];
  return {
    async *calls(attempt: Attempt): AsyncGenerator<Trial> {
      if (kind !== 'sqlite' && kind !== 'duckdb') {
        const sniffed = await attempt({ tool: 'sniff_file', input: { source: 'data', path } });
        yield sniffed;
        yield* each(attempt, [
          { tool: 'list_files', input: { source: 'data' } },
          { tool: 'read_file', input: { source: 'data', path, lines: 20 } },
          { tool: 'search_files', input: { source: 'data', text: 'a', limit: 5 } },
          { tool: 'list_artifacts', input: { source: 'data' } },
        ]);
        claims.push({ kind: 'file', table: path, sniff: (sniffed.result as Result | undefined)?.data ?? null, rows: null, sums: {} });
      }
      if (kind === 'log') {
        yield* each(attempt, [
          { tool: 'summarize_log', input: { source: 'logs' } },
          { tool: 'search_logs', input: { source: 'logs', text: 'error' } },
        ]);
      }
      const reader =
        { dbt: ['read_dbt_run', 'read_checks'], openlineage: ['read_openlineage'], spark: ['spark_stages'], checks: ['read_checks'] }[
          kind as string
        ] ?? [];
      yield* each(
        attempt,
        reader.map((tool) => ({ tool, input: { source: 'data', path } })),
      );
      if (['table', 'sqlite', 'duckdb'].includes(kind)) yield* tableCalls(attempt, kind, claims);
    },
    claims: (absolute: string, shown: string): Claim[] =>
      claims.filter(({ rows }) => rows !== null).map((claim) => ({ ...claim, path: absolute, shown })),
  };
}

async function* each(attempt: Attempt, calls: readonly Call[]): AsyncGenerator<Trial> {
  for (const call of calls) yield await attempt(call);
}

const MOST_TABLES = 12;
const NUMERIC = /^(?:U?(?:TINY|SMALL|BIG|HUGE)?INT(?:EGER)?|DECIMAL.*|NUMERIC.*)$/i;

async function* tableCalls(attempt: Attempt, kind: FileKind, claims: Claim[]): AsyncGenerator<Trial> {
  const listed = await attempt({ tool: 'list_tables', input: { source: 'data' } });
  yield listed;
  const tables = ((listed.result as Result | undefined)?.data.tables ?? []) as { name: string }[];
  const sniff = claims[0]?.sniff ?? null;
  for (const { name } of tables.slice(0, MOST_TABLES)) {
    const described = await attempt({ tool: 'describe_table', input: { source: 'data', table: name } });
    yield described;
    const columns = ((described.result as Result | undefined)?.data.columns ?? []) as { name: string; type: string }[];
    const numeric = columns.filter(({ type }) => NUMERIC.test(type)).slice(0, 8);
    const sums = numeric.map(({ name: column }, index) => `CAST(SUM(${quote(column)}) AS VARCHAR) AS s${index}`);
    const sql = `SELECT ${['CAST(COUNT(*) AS VARCHAR) AS n', ...sums].join(', ')} FROM ${kind === 'duckdb' ? name.split('.').map(quote).join('.') : quote(name)}`;
    const counted = await attempt({ tool: 'query_sql', input: { source: 'data', sql } });
    yield counted;
    const row = ((counted.result as Result | undefined)?.data.rows as unknown[][] | undefined)?.[0];
    if (row) {
      const found = Object.fromEntries(numeric.map(({ name: column }, index) => [column, row[index + 1] as string | null]));
      claims.push({ kind: kind === 'sqlite' ? 'sqlite' : 'file', table: name, sniff, rows: String(row[0]), sums: found });
    }
    yield* each(
      attempt,
      ['profile_table', 'find_duplicates', 'row_counts', 'freshness', 'lateness'].map((tool) => ({
        tool,
        input: { source: 'data', table: name },
      })),
    );
  }
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
