import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import type { FileReading } from '../../../src/core/file-reading.ts';
import { Scope } from '../../../src/core/scope.ts';
import { openTestFiles, type TestFiles } from './write-files.ts';

let files: TestFiles | undefined;

afterEach(async () => {
  await files?.close();
  files = undefined;
});

async function sniff(content: Readonly<Record<string, string | Buffer>>, name = Object.keys(content)[0] ?? ''): Promise<FileReading> {
  await files?.close();
  files = await openTestFiles(content);
  return files.source.readings!.sniff(name, new Scope());
}

const types = (reading: FileReading): Record<string, string> => Object.fromEntries(reading.columns.map(({ name, type }) => [name, type]));
const codes = (reading: FileReading): string[] => reading.warnings.map(({ code }) => code);

describe('what a file is', () => {
  it('goes by the content, not by the name', async () => {
    const zipped = await sniff({ 'orders.csv': gzipSync('id,v\n1,2\n') });
    expect(zipped).toMatchObject({ kind: 'delimited', compression: 'gzip', rows: { count: 1, exact: true } });
    expect(codes(zipped)).toContain('misnamed');
    expect(await sniff({ 'data.csv': 'SQLite format 3\0rest' })).toMatchObject({ kind: 'sqlite' });
    expect(await sniff({ 'data.csv': '<!DOCTYPE html><html><body>404</body></html>' })).toMatchObject({ kind: 'text' });
    expect(await sniff({ 'data.csv': '{"a":1}\n{"a":2}\n' })).toMatchObject({ kind: 'json_lines', rows: { count: 2 } });
    expect(await sniff({ 'notes.txt': 'hello world\nthis is a note, really\nok\n' })).toMatchObject({ kind: 'text' });
    expect(await sniff({ 'data.csv': Buffer.from(Array.from({ length: 4000 }, (_, index) => (index * 7919) % 251)) })).toMatchObject({
      kind: 'binary',
    });
  });

  it('tells empty, blank and header-only files apart', async () => {
    expect(await sniff({ 'a.csv': '' })).toMatchObject({ kind: 'empty' });
    expect(await sniff({ 'a.csv': '\n \n' })).toMatchObject({ kind: 'empty' });
    const header = await sniff({ 'a.csv': 'id,name\n' });
    expect(header).toMatchObject({ kind: 'delimited', rows: { count: 0, exact: true }, delimited: { header_records: 1 } });
    expect(codes(header)).toContain('no_rows');
  });

  it('names the encoding and what decided it', async () => {
    const text = 'ville;prix\nNîmes;3\n';
    expect((await sniff({ 'a.csv': Buffer.from(text, 'latin1') })).encoding).toMatchObject({
      name: 'windows-1252',
      byte_order_mark: false,
    });
    expect((await sniff({ 'a.csv': `\ufeff${text}` })).encoding).toMatchObject({ name: 'utf-8', byte_order_mark: true });
    const wide = await sniff({ 'a.csv': Buffer.from(text, 'utf16le') });
    expect(wide.encoding).toMatchObject({ name: 'utf-16le', byte_order_mark: false });
    expect(wide).toMatchObject({ rows: { count: 1 }, width: 2 });
    const damaged = await sniff({ 'a.csv': Buffer.concat([Buffer.from('v\néà\nü'), Buffer.from([0xff]), Buffer.from('\n')]) });
    expect(damaged.encoding).toMatchObject({ name: 'utf-8', invalid: { first_offset: 9, count: 1 } });
  });

  it('counts line endings and says where they mix', async () => {
    const reading = await sniff({ 'a.csv': 'a,b\r\n1,2\r\n3,4\n' });
    expect(reading.line_endings).toEqual({ crlf: 2, lf: 1, cr: 0, mixed: true, first_change_line: 3, ends_with_newline: true });
    expect(reading.rows).toEqual({ count: 2, exact: true });
  });
});

describe('what is data and what is not', () => {
  it('sets preamble and totals aside', async () => {
    const reading = await sniff({ 'a.csv': 'Report of May\n\nshop;day;sold\nA;01.05.2026;10\nB;02.05.2026;20\nTotal;;30\n' });
    expect(reading).toMatchObject({ rows: { count: 2 }, delimited: { preamble_lines: 2, header_records: 1, footer: [{ line: 6 }] } });
  });

  it('takes a last row in another dialect for a row, not for a note', async () => {
    const reading = await sniff({ 'a.csv': 'a,b,c,d,e\n1,2,3,4,x y\n2,3,4,5,x y\n3;4;5;6;x y\n' });
    expect(reading).toMatchObject({ rows: { count: 3 }, delimited: { footer: [], ragged: { short: 1, lines: [4] } } });
  });

  it('joins several header records', async () => {
    const reading = await sniff({ 'a.csv': 'time,temp,site\n[s],[C],\n1,20.5,a\n2,21.0,b\n' });
    expect(types(reading)).toEqual({ 'time [s]': 'integer', 'temp [C]': 'decimal(3,1)', site: 'text' });
    expect(reading.rows?.count).toBe(2);
  });

  it('does not take a repeated header or a second table for rows', async () => {
    const joined = await sniff({ 'a.csv': 'id,v\n1,2\n2,3\nid,v\n3,4\n' });
    expect(joined).toMatchObject({ rows: { count: 3 }, delimited: { repeated_headers: [4] } });
    const two = await sniff({ 'a.csv': 'id,v\n1,2\n2,3\n3,4\n\nname,city,size\na,b,1\nc,d,2\n' });
    expect(two.rows?.count).toBe(3);
    expect(codes(two)).toContain('second_table');
    const wider = await sniff({ 'a.csv': 'id,v\n1,2\n2,3\n\nid,v,w\n1,2,3\n4,5,6\n' });
    expect(wider).toMatchObject({ rows: { count: 2 }, width: 2 });
  });

  it('gives the lines of ragged rows and says when the last line is cut', async () => {
    const reading = await sniff({ 'a.csv': 'a,b,c\n1,2,3\n4,5\n6,7,8,9\n1,1,1\n7,8' });
    expect(reading.delimited).toMatchObject({ ragged: { short: 2, long: 1, lines: [3, 4, 6] }, cut_last_line: { line: 6 } });
    expect(reading.rows?.count).toBe(5);
  });

  it('sees when there is no header, and when names are doubled or missing', async () => {
    expect(await sniff({ 'a.csv': '1,2026-01-01\n2,2026-01-02\n' })).toMatchObject({
      rows: { count: 2 },
      delimited: { header_records: 0 },
    });
    const odd = await sniff({ 'a.csv': 'id,,ID\n1,2,3\n4,5,6\n' });
    expect(odd.columns.map(({ name }) => name)).toEqual(['id', 'column2', 'ID_2']);
    expect(codes(odd)).toEqual(expect.arrayContaining(['blank_names', 'duplicate_names']));
  });
});

describe('types with their evidence', () => {
  it('keeps leading zeros, big integers and money exact', async () => {
    const reading = await sniff({ 'a.csv': 'zip,id,amount,ratio\n01234,18446744073709551615,10.50,1e-3\n99999,1,1000.25,2.5\n' });
    expect(types(reading)).toEqual({ zip: 'text', id: 'integer', amount: 'decimal(6,2)', ratio: 'double' });
    expect(reading.alternatives).toContainEqual(expect.objectContaining({ about: 'column "zip"', reading: 'integer' }));
  });

  it('reads decimal commas and group signs by what fits all values', async () => {
    const reading = await sniff({ 'a.csv': 'a;b;c\n1.234,56;1,5;12 000\n99,10;2,25;1 500\n' });
    expect(reading.columns.map(({ type, format }) => [type, format])).toEqual([
      ['decimal(6,2)', '1.234,56'],
      ['decimal(3,2)', '1234,56'],
      ['integer', '1 234,56'],
    ]);
  });

  it('decides day and month by values, by another file of the folder, or not at all', async () => {
    const decided = await sniff({ 'a.csv': 'd\n01/02/2026\n25/02/2026\n' });
    expect(decided.columns[0]).toMatchObject({ type: 'date', format: 'dd/mm/yyyy' });
    const alone = await sniff({ 'a.csv': 'd,v\n01/02/2026,1\n02/01/2026,2\n' });
    expect(alone.columns[0]?.type).toBe('text');
    expect(alone.alternatives.map(({ reading }) => reading)).toEqual(['dates as dd/mm/yyyy', 'dates as mm/dd/yyyy']);
    const beside = await sniff({
      'a.csv': 'd,v\n01/02/2026,1\n02/01/2026,2\n',
      'b.csv': 'd,v\n01/31/2026,1\n',
      'c.csv': 'x\n31/01/2026\n',
    });
    expect(beside.columns[0]).toMatchObject({ type: 'date', format: 'mm/dd/yyyy' });
    expect(beside.columns[0]?.evidence).toContain('b.csv');
    expect(beside.alternatives).toContainEqual(expect.objectContaining({ reading: 'dates as dd/mm/yyyy' }));
  });

  it('keeps a column as text for one value that does not fit, and names it', async () => {
    const rows = Array.from({ length: 30 }, (_, index) => `${index},${index}`).join('\n');
    const reading = await sniff({ 'a.csv': `id,v\n${rows}\nA-7,1\n` });
    expect(reading.columns[0]).toMatchObject({ type: 'text', misfits: { type: 'number', count: 1, samples: [{ line: 32, text: 'A-7' }] } });
  });

  it('counts words for missing values and lists other meanings of whole numbers', async () => {
    const reading = await sniff({ 'a.csv': 'age,day,created_at\n7,20260131,1767225600\nNA,20260228,1769904000\n,20260301,1772323200\n' });
    expect(reading.columns[0]).toMatchObject({ type: 'integer', empty: 1, null_words: { NA: 1 } });
    expect(reading.alternatives.map(({ reading: other }) => other)).toEqual(['date as yyyymmdd', 'seconds since 1970']);
  });
});

describe('JSON', () => {
  it('reads on behind a bad line and says what was left out', async () => {
    const reading = await sniff({ 'a.jsonl': '{"a":1}\n{"a":"x\n{"a":3,"a":4}\n{"a":NaN}\n' });
    expect(reading).toMatchObject({
      kind: 'json_lines',
      rows: { count: 3 },
      json: { bad_count: 1, non_finite: 1, duplicate_keys: ['a'], bad: [{ line: 2 }] },
    });
  });

  it('bounds depth and keys', async () => {
    const deep = await sniff({ 'a.json': `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}` });
    expect(deep).toMatchObject({ kind: 'json', json: { max_depth: 5000 }, rows: { count: 1 } });
    const wide = await sniff({
      'a.json': JSON.stringify(Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`k${index}`, index]))),
    });
    expect(wide.width).toBe(3000);
    expect(codes(wide)).toContain('too_wide');
  });

  it('says where a document breaks off', async () => {
    const reading = await sniff({ 'a.json': '[{"a":1},\n{"a":2},\n{"a":' });
    expect(reading).toMatchObject({ complete: false, rows: { count: 2, exact: false } });
    expect(codes(reading)).toContain('broken_json');
  });
});

describe('hostile sizes', () => {
  it('reports the width of a table with 100,000 columns and does not type it', async () => {
    const cells = Array.from({ length: 100_000 }, (_, index) => `c${index}`);
    const reading = await sniff({ 'a.csv': `${cells.join(',')}\n${cells.map((_, index) => index).join(',')}\n` });
    expect(reading).toMatchObject({ width: 100_000, rows: { count: 1 } });
    expect(codes(reading)).toContain('too_wide');
    await expect(files!.source.tables!.relation('a', new Scope())).rejects.toThrow(/100000 columns/);
  });

  it.each([
    ['a header longer than what is looked at first', '\n', 'a_name_of_a_column_that_is_rather_long_indeed_'],
    ['line ends of one carriage return', '\r', 'c'],
  ])('states the true width of a wide table with %s', async (_, end, name) => {
    const cells = Array.from({ length: 100_000 }, (_, index) => `${name}${index}`);
    const reading = await sniff({ 'a.csv': [cells.join(','), cells.map((_, index) => index).join(','), ''].join(end) });
    expect(reading.width).toBe(100_000);
    expect(reading.warnings.find(({ code }) => code === 'too_wide')?.message).toContain('100000 columns');
    await expect(files!.source.tables!.relation('a', new Scope())).rejects.toThrow(/the file has 100000 columns/);
  });

  it('stops at a decompression bomb', async () => {
    const reading = await sniff({ 'a.csv': gzipSync(Buffer.alloc(120 * 1024 * 1024)) });
    expect(reading.complete).toBe(false);
    await expect(files!.source.tables!.relation('a', new Scope())).rejects.toThrow(/grows \d+ times/);
  });

  it('says where compressed data is cut', async () => {
    const whole = gzipSync(Array.from({ length: 20_000 }, (_, index) => `${index},${(index * 7919) % 10_007}`).join('\n'));
    const reading = await sniff({ 'a.csv.gz': whole.subarray(0, whole.length / 2) });
    expect(reading.complete).toBe(false);
    expect(codes(reading)).toContain('damaged');
  });
});
