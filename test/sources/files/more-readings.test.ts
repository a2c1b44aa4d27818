import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Scope } from '../../../src/core/scope.ts';
import type { Source } from '../../../src/core/source.ts';
import { openFilesSource } from '../../../src/sources/files/open-files-source.ts';

let root = '';
let source: Source;

/** こんにちは,東京 in Shift-JIS and 你好世界,北京上海 in GBK, the bytes as Python's codecs write them. */
const SHIFT_JIS = Buffer.from('82b182f182c982bf82cd2c938c8b9e', 'hex');
const GBK = Buffer.from('c4e3bac3cac0bde72cb1b1bea9c9cfbaa3', 'hex');

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'soloist-readings-'));
  mkdirSync(join(root, 'data', 'day=2026-01-02', 'shop=007', 'n=5'), { recursive: true });
  mkdirSync(join(root, 'scratch'));
  const write = (name: string, content: string | Buffer): void => writeFileSync(join(root, 'data', name), content);
  const twoBytes = (line: Buffer): Buffer =>
    Buffer.concat([Buffer.from('greeting,city\n'), ...Array.from({ length: 5 }, () => Buffer.concat([line, Buffer.from('\n')]))]);
  write('japanese.csv', twoBytes(SHIFT_JIS));
  write('chinese.csv', twoBytes(GBK));
  write('french.csv', Buffer.from('nom,ville\nRenée,Orléans\nZoë,Besançon\nAndré,Nîmes\nJérôme,Évry\n', 'latin1'));
  write('day=2026-01-02/shop=007/n=5/part.csv', 'id,shop\n1,x\n2,y\n');
  write('packed.csv', execFileSync('gzip', ['-c'], { input: 'a,b\n1,2\n3,4\n5,6\n' }));
  write('orders.csv.zst', Buffer.from('28b52ffd0058000000', 'hex'));
  write('orders.csv.bz2', Buffer.from('425a683931415926535900', 'hex'));
  write('orders.csv.xz', Buffer.from('fd377a585a000004', 'hex'));
  write('orders.zip', Buffer.from('504b030414000000', 'hex'));
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run(
    `COPY (SELECT i, 'text' || i AS t, [i, i] AS l, {'a': i} AS s, i % 2 = 0 AS f FROM range(123457) r(i)) TO '${join(root, 'data', 'day=2026-01-02', 'many.parquet')}' (FORMAT parquet)`,
  );
  connection.closeSync();
  instance.closeSync();
  source = await openFilesSource({ name: 'data', kind: 'files', paths: [join(root, 'data')] }, { scratch: join(root, 'scratch') });
});
afterAll(async () => {
  await source.close();
  rmSync(root, { recursive: true });
});

const sniff = async (path: string) => source.readings?.sniff(path, new Scope());
const rowsOf = async (sql: string) => {
  const outcome = await source.tables?.query({ sql, maxRows: 50, maxBytes: 1_000_000, timeoutMs: 30_000, scope: new Scope() });
  return outcome?.ok ? outcome.rows : outcome;
};

describe('files of a folder', () => {
  it('are said to fit a two-byte encoding where their bytes stand in pairs, and not where accents stand alone', async () => {
    for (const [name, encoding] of [
      ['japanese.csv', 'shift_jis'],
      ['chinese.csv', 'gb18030'],
    ] as const) {
      const reading = await sniff(name);
      expect(
        reading?.alternatives.filter(({ about }) => about === 'encoding').map((other) => other.reading),
        name,
      ).toContain(encoding);
      expect(
        reading?.warnings.map(({ code }) => code),
        name,
      ).toContain('encoding_unsure');
    }
    expect((await sniff('french.csv'))?.alternatives.filter(({ about }) => about === 'encoding')).toEqual([]);
  });

  it('get the columns that their path gives, but none that they have themselves', async () => {
    expect(await rowsOf('SELECT id, shop, day, n, typeof(day), typeof(n) FROM part ORDER BY id')).toEqual([
      [1, 'x', '2026-01-02', 5, 'DATE', 'BIGINT'],
      [2, 'y', '2026-01-02', 5, 'DATE', 'BIGINT'],
    ]);
    expect(await rowsOf('SELECT COUNT(*), MIN(day), MAX(day) FROM many')).toEqual([[123457, '2026-01-02', '2026-01-02']]);
  });

  it('are listed with their rows, those of Parquet from the footer', async () => {
    const listing = await source.tables?.listTables(new Scope());
    const rows = Object.fromEntries(listing?.tables.map((table) => [table.name, table.rows]) ?? []);
    expect(rows).toMatchObject({
      packed: { count: '3', exact: true },
      french: { count: '4', exact: true },
      'day=2026-01-02/shop=007/n=5/part': { count: '2', exact: true },
      'day=2026-01-02/many': { count: '123457', exact: true },
    });
  });

  it('are refused with the reason where they are packed in a way that is not read', async () => {
    for (const [name, packing] of [
      ['orders.csv.zst', 'zstd'],
      ['orders.csv.bz2', 'bzip2'],
      ['orders.csv.xz', 'xz'],
      ['orders.zip', 'zip'],
    ] as const) {
      const outcome = await rowsOf(`SELECT * FROM "${name}"`);
      expect(outcome, name).toMatchObject({
        ok: false,
        message: expect.stringContaining(`compressed with ${packing}: decompress it first`),
      });
    }
  });
});
