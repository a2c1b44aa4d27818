import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { Scope } from '../../../src/core/scope.ts';
import { openTestFiles, type TestFiles } from './write-files.ts';

const CASES = fileURLToPath(new URL('../../cases', import.meta.url));
const expectedOf = (name: string) => JSON.parse(readFileSync(join(CASES, name, 'expected.json'), 'utf8'));

let files: TestFiles | undefined;

afterEach(async () => {
  await files?.close();
  files = undefined;
});

describe('one table in four hostile encodings', () => {
  const expected = expectedOf('hostile-csv');

  it.each(['ventes_latin1', 'ventes_mixed_newlines', 'ventes_utf16', 'ventes_utf8_bom'])('%s gives the same rows', async (name) => {
    files = await openTestFiles(join(CASES, 'hostile-csv'));
    const { columns } = await files.source.tables!.describeTable(name, new Scope());
    expect(columns.map((column) => column.name)).toEqual(expected.columns);
    const sql = `SELECT count(*), sum(montant), min(date), max(date), count(*) FILTER ("code postal" LIKE '0%'),
      count(*) FILTER (remarque IS NULL OR remarque = ''), count(*) FILTER (remarque LIKE '%' || chr(10) || '%') FROM ${name}`;
    expect(await files.rows(sql)).toEqual([
      [
        expected.rows,
        expected.total,
        expected.first_date,
        expected.last_date,
        expected.zip_codes_with_leading_zero,
        expected.empty_remarks,
        expected.rows_with_newline_in_field,
      ],
    ]);
    expect(await files.rows(`SELECT remarque FROM ${name} WHERE id = '0004'`)).toEqual([[expected.remark_row_4]]);
  });
});

describe('numbers beyond a JavaScript number', () => {
  const expected = expectedOf('big-integers-and-money');

  it.each(['events.csv', 'events.jsonl'])('%s keeps every digit', async (name) => {
    files = await openTestFiles(join(CASES, 'big-integers-and-money'));
    const sql = `SELECT count(*), count(DISTINCT id), max(id), sum(amount), count(DISTINCT "at") FROM "${name}"`;
    expect(await files.rows(sql)).toEqual([
      [expected.rows, expected.distinct_ids, expected.max_id, expected.sum_amount, expected.distinct_timestamps_ns],
    ]);
  });
});

describe('daily files that drift', () => {
  const expected = expectedOf('schema-drift-daily-files');

  it('are tables of their own, each as its header says', async () => {
    files = await openTestFiles(join(CASES, 'schema-drift-daily-files'));
    for (const [name, total] of Object.entries<string | null>(expected.loaded_by_name)) {
      const { columns } = await files.source.tables!.describeTable(name, new Scope());
      const exact = columns.some((column) => column.name === 'amount_cents');
      const sum = exact ? String((await files.rows(`SELECT sum(amount_cents) FROM "${name}"`))[0]?.[0]) : null;
      expect([name, sum]).toEqual([name, total]);
    }
    const last = await files.source.tables!.describeTable('landing/orders_2026-05-08', new Scope());
    expect(last.columns[0]).toMatchObject({ name: 'ORDER_ID', type: 'VARCHAR' });
    expect(last.warnings.map(({ code }) => code)).toEqual(expect.arrayContaining(['misfit_values', 'padded_names']));
  });
});

describe('how a table is called', () => {
  const content = {
    'landing/orders.csv': 'id,v\n1,2\n',
    'landing/orders.json': '[{"id":5}]',
    'old/sales.tsv': 'id\tv\n1\t2\n3\t4\n',
    'x/sales.csv': 'id\n9\n',
  };

  it('is its path without extension, its path, or its file name where that is unique', async () => {
    files = await openTestFiles(content);
    const { tables } = await files.source.tables!.listTables(new Scope());
    expect(tables.map((table) => table.name)).toEqual(['landing/orders.csv', 'landing/orders.json', 'old/sales', 'x/sales']);
    for (const name of ['"old/sales"', '"OLD/Sales.tsv"', "'old/sales.tsv'", '"sales.tsv"']) {
      expect(await files.rows(`SELECT count(*) FROM ${name}`)).toEqual([[2]]);
    }
    expect(await files.rows('SELECT count(*) FROM "orders.json" AS o JOIN "orders.csv" AS c ON o.id > c.id')).toEqual([[1]]);
  });

  it('is never guessed: several and unknown names are refused with the nearest', async () => {
    files = await openTestFiles(content);
    await expect(files.source.tables!.relation('sales', new Scope())).rejects.toThrow('name one by its path: old/sales, x/sales');
    await expect(files.rows('SELECT * FROM "old/sale"')).rejects.toThrow('did you mean "old/sales"?');
  });

  it('is the only way in: paths and readers of files are shut', async () => {
    files = await openTestFiles(content);
    const path = join(files.folder, 'landing/orders.csv');
    await expect(files.rows(`SELECT * FROM read_csv('${path}')`)).rejects.toThrow(/by their table name/);
    await expect(files.rows(`SELECT * FROM read_text('/etc/hostname')`)).rejects.toThrow(/disabled|by their table name/);
  });
});

describe('rows that are kept', () => {
  it('keeps surplus cells, fills short rows with NULL and tells empty text from nothing', async () => {
    files = await openTestFiles({ 'a.csv': 'a,b,c\n1,x,y\n2\n3,"",z,more,still\n' });
    expect(await files.rows('SELECT * FROM a ORDER BY a')).toEqual([
      [1, 'x', 'y', null],
      [2, null, null, null],
      [3, '', 'z', 'more,still'],
    ]);
  });

  it('casts each type without loss', async () => {
    const rows = ['2,50;31.12.2026 23:59:59;true;1e3', '-1.000,75;01.02.2026 00:00:00;FALSE;-inf'].join('\n');
    files = await openTestFiles({ 'a.csv': `money;moment;flag;measure\n${rows}\n` });
    expect(await files.rows('SELECT * FROM a ORDER BY money')).toEqual([
      ['-1000.75', '2026-02-01 00:00:00', false, '-Infinity'],
      ['2.50', '2026-12-31 23:59:59', true, 1000],
    ]);
  });

  it('keeps JSON numbers as they are written, and nested values as JSON', async () => {
    files = await openTestFiles({ 'a.json': '[{"n":12345678901234567.1234,"o":{"x":[1,2]},"m":1},{"n":0.1,"m":"one"}]' });
    expect(await files.rows('SELECT n, o, m FROM a ORDER BY n')).toEqual([
      ['0.1000', null, 'one'],
      ['12345678901234567.1234', '{"x":[1,2]}', '1'],
    ]);
    expect(await files.rows(`SELECT o ->> '$.x[1]' FROM a WHERE o IS NOT NULL`)).toEqual([['2']]);
  });

  it('keeps single-column blanks apart from NULL words and reads compressed files', async () => {
    files = await openTestFiles({ 'a.csv.gz': gzipSync('v\n1\nNULL\n3\n') });
    expect(await files.rows('SELECT count(*), count(v), sum(v) FROM a')).toEqual([[3, 2, 4]]);
  });

  it('reads a file again when it has changed', async () => {
    files = await openTestFiles({ 'a.csv': 'v\n1\n' });
    expect(await files.rows('SELECT sum(v) FROM a')).toEqual([[1]]);
    appendFileSync(join(files.folder, 'a.csv'), '2\nx\n');
    expect(await files.rows('SELECT count(*), max(v) FROM a')).toEqual([[3, 'x']]);
  });

  it('carries what was left out into every result that rests on the file', async () => {
    files = await openTestFiles({ 'a.jsonl': '{"v":1}\n{"v":\n{"v":3}\n', 'b.csv': 'v\n1\n' });
    const ask = { maxRows: 10, maxBytes: 10_000, timeoutMs: 10_000, scope: new Scope() };
    const warned = await files.source.tables!.query({ ...ask, sql: 'SELECT count(*) FROM a' });
    expect(warned).toMatchObject({ ok: true, rows: [[2]], warnings: [{ code: 'bad_json', message: expect.stringContaining('line 2') }] });
    expect(await files.source.tables!.query({ ...ask, sql: 'SELECT count(*) FROM b' })).toMatchObject({ ok: true, warnings: [] });
  });

  it('says why a file is no table', async () => {
    files = await openTestFiles({ 'a.csv': '', 'b.parquet': 'PAR1 but no more', 'c.csv': 'SQLite format 3\0' });
    await expect(files.rows('SELECT * FROM a')).rejects.toThrow('the file is empty');
    await expect(files.rows('SELECT * FROM b')).rejects.toThrow(/b\.parquet|[Pp]arquet/);
    await expect(files.rows('SELECT * FROM c')).rejects.toThrow('source of kind "sqlite"');
  });
});
