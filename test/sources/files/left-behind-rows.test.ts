import { afterEach, expect, it } from 'vitest';
import { Scope } from '../../../src/core/scope.ts';
import { openTestFiles, type TestFiles } from './write-files.ts';

let files: TestFiles | undefined;

afterEach(async () => {
  await files?.close();
  files = undefined;
});

async function ask(content: Parameters<typeof openTestFiles>[0], sql: string) {
  files = await openTestFiles(content);
  const engine = files.source.tables;
  if (!engine) throw new Error('no tables');
  return engine.query({ sql, maxRows: 100, maxBytes: 100_000, timeoutMs: 20_000, scope: new Scope() });
}

it('names the rows that a spreadsheet left behind without a value', async () => {
  const text = 'id,name,amount,,\n1,a,10,,\n,,,,\n2,b,20,,\n,,,,\n,,,,\n';
  const outcome = await ask({ 'sheet.csv': text }, 'SELECT COUNT(*), COUNT(id), SUM(amount) FROM sheet');
  expect(outcome).toMatchObject({ ok: true, rows: [[5, 2, 30]], warnings: [{ code: 'empty_rows' }] });
  expect(outcome.ok && outcome.warnings[0]?.message).toBe(
    'sheet: 3 rows hold nothing but delimiters (lines 3, 5, 6); they count as rows of NULL',
  );
});

it('says nothing of rows of which one field is filled, nor of blank lines', async () => {
  const outcome = await ask({ 'sheet.csv': 'id,name\n1,\n\n,b\n' }, 'SELECT COUNT(*) FROM sheet');
  expect(outcome).toMatchObject({ ok: true, rows: [[2]], warnings: [] });
});

it('reads a sequence of JSON texts, each begun by a record separator', async () => {
  const text = '\u001e{"id":1}\n\u001e{"id":2}\n\u001e{"id":3}\n';
  expect(await ask({ 'records.jsonl': text }, 'SELECT COUNT(*), SUM(id) FROM records')).toMatchObject({
    ok: true,
    rows: [[3, 6]],
    warnings: [],
  });
});

it.each([
  ['zst', '28b52ffd', 'zstd'],
  ['bz2', '425a6839', 'bzip2'],
  ['xz', 'fd377a585a0000', 'xz'],
])('lists a table packed as .%s, and says what to do with it', async (ending, signature, name) => {
  const outcome = await ask({ [`day.csv.${ending}`]: Buffer.from(signature + '00'.repeat(20), 'hex') }, 'SELECT * FROM day');
  expect(outcome).toMatchObject({ ok: false, message: expect.stringContaining(`compressed with ${name}: decompress it first`) });
  const listed = await files?.source.tables?.listTables(new Scope());
  expect(listed?.tables.map((table) => table.name)).toEqual(['day']);
});

it('names rows that begin as the comments of the file do, and reads them', async () => {
  const text = '# made at night\nid,v\n1,2\n#3,4\n5,6\n';
  const outcome = await ask({ 'a.csv': text }, 'SELECT COUNT(*), SUM(v) FROM a');
  const warnings = [{ code: 'comment_like_rows', message: 'a: 1 rows begin with # as the comments do, and are kept as rows (lines 4)' }];
  expect(outcome).toMatchObject({ ok: true, rows: [[3, 12]], warnings });
  await files?.close();
  const tags = '# made at night\nid,v\n#1,2\n#3,4\n';
  expect(await ask({ 'a.csv': tags }, 'SELECT COUNT(*), SUM(v) FROM a')).toMatchObject({ rows: [[2, 6]], warnings: [] });
});

async function describeIt(text: string): Promise<readonly string[]> {
  files = await openTestFiles({ 'a.csv': text });
  const described = await files.source.tables?.describeTable('a', new Scope());
  return described?.warnings.map(({ code }) => code) ?? [];
}

it('takes line ends inside quotes for data, not for another way to end a line', async () => {
  expect(await describeIt('id,t\r\n1,"a\nb"\r\n2,"c\n\nd"\r\n3,e')).toEqual([]);
  await files?.close();
  expect(await describeIt('id,t\r\n1,"a\nb"\r\n2,c\n3,e\r\n')).toEqual(['mixed_line_endings']);
  await files?.close();
  expect(await describeIt('id,t\r\n1,a\r\n2,b\n')).toEqual(['mixed_line_endings']);
});

it('says nothing of the decimal mark of numbers that have none', async () => {
  expect(await describeIt('id,v\n1,1e3\n2,2E-2\n')).toEqual([]);
  await files?.close();
  expect(await describeIt('id;v\n1;1,234\n2;2,500\n')).toEqual(['ambiguous_column']);
});
