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
