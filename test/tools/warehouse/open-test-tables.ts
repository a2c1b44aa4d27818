import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import Database from 'better-sqlite3';
import { Scope } from '../../../src/core/scope.ts';
import type { Tool } from '../../../src/core/tool.ts';
import type { ToolOutcome } from '../../../src/core/tool-result.ts';
import { createSourceCatalog } from '../../../src/sources/source-catalog.ts';

export interface TestTables {
  /** Runs a tool with the input as a caller would write it. */
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into data of any tool
  call(tool: Tool, input?: Record<string, unknown>): Promise<ToolOutcome<any>>;
  close(): Promise<void>;
}

/** A catalog of sources `duck` (DuckDB) and `lite` (SQLite), those that statements are given for. */
export async function openTestTables(statements: { duckdb?: readonly string[]; sqlite?: readonly string[] }): Promise<TestTables> {
  const root = mkdtempSync(join(tmpdir(), 'soloist-tables-'));
  const scratch = join(root, 'scratch');
  mkdirSync(scratch);
  const specs = [];
  if (statements.duckdb) {
    const path = join(root, 'test.duckdb');
    const instance = await DuckDBInstance.create(path);
    const connection = await instance.connect();
    for (const statement of statements.duckdb) await connection.run(statement);
    connection.closeSync();
    instance.closeSync();
    specs.push({ name: 'duck', kind: 'duckdb' as const, paths: [path] });
  }
  if (statements.sqlite) {
    const path = join(root, 'test.sqlite');
    const database = new Database(path);
    for (const statement of statements.sqlite) database.exec(statement);
    database.close();
    specs.push({ name: 'lite', kind: 'sqlite' as const, paths: [path] });
  }
  const catalog = createSourceCatalog(specs, { scratch });
  return {
    call: async (tool, input = {}) => {
      const context = {
        sources: catalog,
        scope: new Scope(),
        now: () => new Date('2026-02-12T06:00:00Z'),
        resultId: 'r1',
        resultIds: () => [],
        readReference: () => undefined,
      };
      return tool.run(tool.input.parse(input), context);
    },
    close: async () => {
      await catalog.close();
      rmSync(root, { recursive: true });
    },
  };
}
