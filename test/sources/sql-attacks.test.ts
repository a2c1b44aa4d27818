import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import Database from 'better-sqlite3';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Scope } from '../../src/core/scope.ts';
import type { QueryOutcome } from '../../src/core/source.ts';
import type { SourceSpec } from '../../src/core/source-spec.ts';
import { createSourceCatalog, type OpenableCatalog } from '../../src/sources/source-catalog.ts';
import { ATTACKS, FOLDER, OUTSIDE } from './attack-statements.ts';
import { POSTGRES_MISSING, startPostgres, type TemporaryPostgres } from './postgres/temporary-postgres.ts';

const SECRET = 'SECRET-VALUE-42';
const ENGINES = (['files', 'duck', 'lite', 'post'] as const).filter((name) => name !== 'post' || POSTGRES_MISSING === undefined);

let root = '';
let catalog: OpenableCatalog;
let postgres: TemporaryPostgres | undefined;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'soloist-attacks-'));
  for (const folder of ['scratch', 'data', 'other']) mkdirSync(join(root, folder));
  writeFileSync(join(root, 'other', 'outside.csv'), `a,b\n1,${SECRET}\n`);
  writeFileSync(join(root, 'data', 'orders.csv'), 'id,said\n1,a\n2,b\n');
  process.env.SOLOIST_ATTACK_SECRET = SECRET;
  const statements = ['CREATE TABLE orders (id INTEGER, said VARCHAR(20))', "INSERT INTO orders VALUES (1, 'a'), (2, 'b')"];
  const instance = await DuckDBInstance.create(join(root, 'data', 'test.duckdb'));
  const connection = await instance.connect();
  for (const statement of [...statements, 'CREATE SEQUENCE counter']) await connection.run(statement);
  connection.closeSync();
  instance.closeSync();
  const database = new Database(join(root, 'data', 'test.sqlite'));
  for (const statement of statements) database.exec(statement);
  database.close();
  const specs: SourceSpec[] = [
    { name: 'files', kind: 'files', paths: [join(root, 'data')] },
    { name: 'duck', kind: 'duckdb', paths: [join(root, 'data', 'test.duckdb')] },
    { name: 'lite', kind: 'sqlite', paths: [join(root, 'data', 'test.sqlite')] },
  ];
  if (POSTGRES_MISSING === undefined) {
    postgres = await startPostgres();
    const client = new Client({ connectionString: postgres.url });
    await client.connect();
    await client.query([...statements, 'CREATE SEQUENCE counter'].join(';'));
    await client.end();
    specs.push({ name: 'post', kind: 'postgres', paths: [], url: postgres.url });
  }
  catalog = createSourceCatalog(specs, { scratch: join(root, 'scratch') });
});

afterAll(async () => {
  delete process.env.SOLOIST_ATTACK_SECRET;
  await catalog.close();
  postgres?.stop();
  rmSync(root, { recursive: true });
});

async function run(source: string, statement: string, timeoutMs: number): Promise<QueryOutcome> {
  const { tables } = await catalog.pick('tables', source);
  if (!tables) throw new Error('no tables');
  const sql = statement.replaceAll(OUTSIDE, join(root, 'other', 'outside.csv')).replaceAll(FOLDER, join(root, 'other'));
  return tables.query({ sql, maxRows: 20, maxBytes: 1_000_000, timeoutMs, scope: new Scope() });
}

/** Every file of the source and its surroundings, by content. */
function fingerprint(): Record<string, string> {
  const files = ['data', 'other'].flatMap((folder) => readdirSync(join(root, folder)).map((name) => join(folder, name)));
  return Object.fromEntries(
    files.map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(root, name)))
        .digest('hex'),
    ]),
  );
}

async function rowsOf(source: string): Promise<unknown> {
  const outcome = await run(source, 'SELECT id, said FROM orders ORDER BY id', 60_000);
  return outcome.ok ? outcome.rows : outcome;
}

describe.each(ENGINES)('SQL of an attacker on %s', (source) => {
  const { refused, heavy } = ATTACKS[source];

  it('is more than sixty statements', () => {
    expect(new Set(refused).size + heavy.length).toBeGreaterThanOrEqual(60);
  });

  it('changes nothing, reads nothing outside, and learns what is allowed', async () => {
    const before = fingerprint();
    const wrong: string[] = [];
    for (const sql of refused) {
      const outcome = await run(source, sql, 10_000);
      const text = JSON.stringify(outcome);
      if (outcome.ok || text.includes(SECRET) || /root:.*:0:0/.test(text)) wrong.push(`${sql} -> ${text.slice(0, 200)}`);
      else if (
        outcome.status === 'refused' &&
        !/SELECT|cannot be (called|used|run)|nothing is|read by their table name/.test(outcome.message)
      )
        wrong.push(`${sql} -> ${outcome.message}`);
    }
    expect(wrong).toEqual([]);
    expect(fingerprint()).toEqual(before);
    expect(await rowsOf(source)).toEqual([
      [1, 'a'],
      [2, 'b'],
    ]);
  }, 120_000);

  it('is stopped with its time, and the source stays usable', async () => {
    const timeoutMs = 400;
    for (const sql of heavy) {
      const started = performance.now();
      const outcome = await run(source, sql, timeoutMs);
      // The engine's own patience (3 s) and a busy machine on top; without a stop these run for minutes or for ever.
      expect(performance.now() - started, sql).toBeLessThan(30_000);
      if (!outcome.ok)
        expect(outcome.message, sql).toMatch(
          /stopped|memory|too|large|limit|invalid|big|exceed|Out of|cannot|complex|NOMEM|512 MB|at most|nested|written out/i,
        );
    }
    expect(await rowsOf(source)).toEqual([
      [1, 'a'],
      [2, 'b'],
    ]);
  }, 200_000);
});
