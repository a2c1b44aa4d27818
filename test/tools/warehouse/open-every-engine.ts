import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import Database from 'better-sqlite3';
import { Client } from 'pg';
import { Scope } from '../../../src/core/scope.ts';
import type { SourceSpec } from '../../../src/core/source-spec.ts';
import type { Tool } from '../../../src/core/tool.ts';
import type { ToolOutcome } from '../../../src/core/tool-result.ts';
import { createSourceCatalog } from '../../../src/sources/source-catalog.ts';
import { POSTGRES_MISSING, startPostgres } from '../../sources/postgres/temporary-postgres.ts';

export type Value = string | number | bigint | boolean | null;

/** A table that is made alike in every engine: its columns as `name type`, its rows. */
export interface TestTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Value[])[];
}

export interface EveryEngine {
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into data of any tool
  call(tool: Tool, input: Record<string, unknown>): Promise<ToolOutcome<any>>;
  close(): Promise<void>;
}

/** The sources that `openEveryEngine` offers here. */
export const ENGINES: readonly string[] = ['files', 'duck', 'lite', ...(POSTGRES_MISSING === undefined ? ['post'] : [])];

/** A catalog of the same tables as files (CSV), in DuckDB, in SQLite and, where a server can be started, in PostgreSQL. */
export async function openEveryEngine(tables: Readonly<Record<string, TestTable>>, engines = ENGINES): Promise<EveryEngine> {
  const root = mkdtempSync(join(tmpdir(), 'soloist-every-'));
  const scratch = join(root, 'scratch');
  mkdirSync(scratch);
  const specs: SourceSpec[] = [];
  const statements = Object.entries(tables).flatMap(([name, table]) => createStatements(name, table));
  if (engines.includes('files')) {
    mkdirSync(join(root, 'data'));
    for (const [name, table] of Object.entries(tables)) writeFileSync(join(root, 'data', `${name}.csv`), toCsv(table));
    specs.push({ name: 'files', kind: 'files', paths: [join(root, 'data')] });
  }
  if (engines.includes('duck')) {
    const instance = await DuckDBInstance.create(join(root, 'test.duckdb'));
    const connection = await instance.connect();
    for (const statement of statements) await connection.run(statement);
    connection.closeSync();
    instance.closeSync();
    specs.push({ name: 'duck', kind: 'duckdb', paths: [join(root, 'test.duckdb')] });
  }
  if (engines.includes('lite')) {
    const database = new Database(join(root, 'test.sqlite'));
    for (const statement of statements) database.exec(statement);
    database.close();
    specs.push({ name: 'lite', kind: 'sqlite', paths: [join(root, 'test.sqlite')] });
  }
  const postgres = engines.includes('post') ? await startPostgres() : undefined;
  if (postgres) {
    const client = new Client({ connectionString: postgres.url });
    await client.connect();
    await client.query(statements.join(';'));
    await client.end();
    specs.push({ name: 'post', kind: 'postgres', paths: [], url: postgres.url });
  }
  const catalog = createSourceCatalog(specs, { scratch });
  return {
    call: async (tool, input) => tool.run(tool.input.parse(input), { ...callContext(), sources: catalog }),
    close: async () => {
      await catalog.close();
      postgres?.stop();
      rmSync(root, { recursive: true });
    },
  };
}

function callContext() {
  return {
    scope: new Scope(),
    now: () => new Date('2026-04-02T06:00:00Z'),
    resultId: 'r1',
    resultIds: () => [],
    readReference: () => undefined,
  };
}

function createStatements(name: string, { columns, rows }: TestTable): string[] {
  const literal = (value: Value): string => (typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value ?? 'NULL'));
  const named = columns.map((column) => column.replace(/^(\S+)/, '"$1"'));
  const values = rows.map((row) => `(${row.map(literal).join(', ')})`);
  return [
    `CREATE TABLE "${name}" (${named.join(', ')})`,
    ...(rows.length > 0 ? [`INSERT INTO "${name}" VALUES ${values.join(', ')}`] : []),
  ];
}

function toCsv({ columns, rows }: TestTable): string {
  const cell = (value: Value): string =>
    value === null ? '' : /[",\n]|^$/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value);
  return [columns.map((column) => column.split(' ')[0]), ...rows.map((row) => row.map(cell))].map((row) => `${row.join(',')}\n`).join('');
}
