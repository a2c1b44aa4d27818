import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeExample } from '../../scripts/example/write-example.ts';
import { askInvestigator, claims } from '../agents/ask-investigator.ts';

const committed = fileURLToPath(new URL('../../examples/nightly-sales', import.meta.url));
let fresh = '';

beforeAll(async () => {
  fresh = mkdtempSync(join(tmpdir(), 'soloist-example-'));
  await writeExample(committed, fresh);
});
afterAll(() => rmSync(fresh, { recursive: true, force: true }));

function filesOf(folder: string, parts: readonly string[]): string[] {
  return parts.flatMap((part) =>
    readdirSync(join(folder, part), { recursive: true, encoding: 'utf8' })
      .map((name) => join(part, name))
      .filter((name) => statSync(join(folder, name)).isFile())
      .sort(),
  );
}

/** Every row of every table as text, by table. */
async function contentsOf(file: string): Promise<Record<string, string>> {
  const instance = await DuckDBInstance.create(file, { access_mode: 'READ_ONLY' });
  const connection = await instance.connect();
  try {
    const names = await connection.runAndReadAll('SELECT table_name FROM duckdb_tables() ORDER BY ALL');
    const contents: Record<string, string> = {};
    for (const [name] of names.getRowsJson())
      contents[String(name)] = JSON.stringify((await connection.runAndReadAll(`SELECT * FROM ${String(name)} ORDER BY ALL`)).getRowsJson());
    return contents;
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

async function cellOf(sql: string): Promise<unknown> {
  const instance = await DuckDBInstance.create(join(committed, 'warehouse.duckdb'), { access_mode: 'READ_ONLY' });
  const connection = await instance.connect();
  try {
    return (await connection.runAndReadAll(sql)).getRowsJson()[0]?.[0];
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

describe('the bundled example', () => {
  it('is what its generator writes: the same files with the same text', () => {
    const parts = ['airflow', 'logs', 'dbt'];
    expect(filesOf(fresh, parts)).toEqual(filesOf(committed, parts));
    for (const name of filesOf(committed, parts))
      expect(readFileSync(join(fresh, name), 'utf8'), name).toBe(readFileSync(join(committed, name), 'utf8'));
  });

  it('holds the same rows in the same tables, at least twenty', async () => {
    const [ours, theirs] = [await contentsOf(join(fresh, 'warehouse.duckdb')), await contentsOf(join(committed, 'warehouse.duckdb'))];
    expect(Object.keys(theirs).length).toBeGreaterThanOrEqual(20);
    expect(ours).toEqual(theirs);
  });

  it('is smaller than five megabytes', () => {
    const bytes = filesOf(committed, ['.']).reduce((sum, name) => sum + statSync(join(committed, name)).size, 0);
    expect(bytes).toBeLessThan(5_000_000);
  });

  it('has every row of the slow night, and the oddities that its README tells of', async () => {
    expect(await cellOf('SELECT count(*)::INTEGER FROM load_audit WHERE rows_expected <> rows_loaded')).toBe(0);
    expect(await cellOf("SELECT count(*)::INTEGER FROM orders WHERE placed_at::DATE = '2026-03-16'")).toBe(40);
    expect(await cellOf("SELECT sum(rows_loaded)::INTEGER FROM load_audit WHERE run_id LIKE 'scheduled__2026-03-16%'")).toBe(40);
    expect(await cellOf('SELECT (count(*) - count(DISTINCT payment_id))::INTEGER FROM payments')).toBe(1);
    expect(await cellOf('SELECT count(*)::INTEGER FROM customers WHERE email IS NULL')).toBe(7);
    expect(await cellOf("SELECT count(*) > 0 FROM shipments WHERE delivered_on = '9999-12-31'")).toBe(true);
  });

  it('has dbt results whose times fill the transform task of their night', () => {
    for (const [night, seconds] of [
      ['2026-03-14', 490.1],
      ['2026-03-17', 465.2],
    ] as const) {
      const results = JSON.parse(readFileSync(join(committed, `dbt/night_${night}/run_results.json`), 'utf8')) as {
        readonly elapsed_time: number;
        readonly results: readonly { readonly execution_time: number }[];
      };
      expect(results.elapsed_time).toBeLessThan(seconds);
      expect(results.elapsed_time).toBeGreaterThan(seconds - 5);
      expect(results.results.reduce((sum, result) => sum + result.execution_time, 0)).toBeLessThan(results.elapsed_time);
    }
  });

  it('tells, when asked, why the night was slow', async () => {
    const question = "Why did last night's nightly_sales run take three times as long?";
    const report = await askInvestigator({ question, project: committed });
    for (const part of [
      '`reload_2025`',
      '12 of 16 slots of pool `warehouse`',
      '6494.8 s',
      '2290.2 s',
      '2.84 times',
      '297015 s',
      '67200 s',
      '21178 s',
      '21323 s',
    ])
      expect(report.answer).toContain(part);
    expect(report.answer).toContain('working time did not change');
    expect(report.answer).toContain('`load_partition` index 117 was on try 2');
    expect(claims(report, 'cause')).toHaveLength(1);
    expect(claims(report, 'ruled_out').join('\n')).toContain('`shop`');
    expect(report.status).toBe('ok');
    // What the list of runs rules out is not compared, and what a source of runs tells is not read again from its files.
    expect(report.usage.toolCalls).toBeLessThan(30);
  });
});
