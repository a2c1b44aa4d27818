import { afterEach, describe, expect, it } from 'vitest';
import { Scope } from '../../../src/core/scope.ts';
import { createRecordReader } from '../../../src/sources/files/read-records.ts';
import { findRivalEncodings } from '../../../src/sources/files/rival-encodings.ts';
import { openTestFiles, type TestFiles } from './write-files.ts';

let files: TestFiles | undefined;

afterEach(async () => {
  await files?.close();
  files = undefined;
});

async function sniff(content: Readonly<Record<string, string | Buffer>>) {
  files = await openTestFiles(content);
  const reading = await files.source.readings?.sniff(Object.keys(content)[0] ?? '', new Scope());
  if (!reading) throw new Error('not read');
  return { reading, codes: reading.warnings.map(({ code }) => code) };
}

/** The letters' bytes as Python's codecs write them, in names between plain letters. */
const names = (bytes: string): Buffer =>
  Buffer.concat((bytes.match(/../g) ?? []).map((byte) => Buffer.concat([Buffer.from('ab'), Buffer.from(byte, 'hex'), Buffer.from('c\n')])));

/** Łąś, and ćż before letters. */
const BESIDE = Buffer.from('a3b99c20610ae6bf610aa3b99c20610a', 'hex');

describe('one-byte encodings of Europe', () => {
  it.each([
    ['ąćęłńóśźż', 'b9e6eab3f1f39c9fbf', ['windows-1250']],
    ['ąśźąśźł', 'b1b6bcb1b6bcb3', ['iso-8859-2']],
    ['ěščřžýů', 'ec9ae8f89efdf9', ['windows-1250']],
    ['őűáéíóő', 'f5fbe1e9edf3f5', ['windows-1250']],
    ['ğışçöüğ', 'f0fdfee7f6fcf0', ['windows-1254']],
    ['ąčęėįšų', 'e0e8e6ebe1d0f8', ['windows-1257']],
    ['ąćęłńóśźż', 'side by side', ['windows-1250']],
    ['éèêàçôî (French)', 'e9e8eae0e7f4ee', []],
    ['äöüßÄÖÜ (German)', 'e4f6fcdfc4d6dc', []],
    ['ãõçéáêó (Portuguese)', 'e3f5e7e9e1eaf3', []],
    ['åæøäöéÅ (Nordic)', 'e5e6f8e4f6e9c5', []],
    ['éöøãñ€ß of many languages', 'e9f6f8e3f180df', []],
  ])('are told apart by the letters of a language: %s', (_, bytes, expected) => {
    const encoding = { name: 'windows-1252' as const, byte_order_mark: false, evidence: '', zero_bytes: 0 };
    expect(findRivalEncodings(bytes === 'side by side' ? BESIDE : names(bytes), encoding).map(({ reading }) => reading)).toEqual(expected);
  });
});

describe('texts of digits as spreadsheets keep them', () => {
  it('are what stands inside, in whatever quotes, and formulas stay as they are', async () => {
    const { reading, codes } = await sniff({ 'a.csv': 'code;n;f\n="00123";1;=A1+1\n"=""00007""";2;=B2\n="0042" ;3;="a"&"b"\n' });
    expect(codes).toContain('formula_texts');
    expect(reading.columns[0]).toMatchObject({ name: 'code', type: 'text' });
    expect(await files?.rows('SELECT code, f FROM a ORDER BY n')).toEqual([
      ['00123', '=A1+1'],
      ['00007', '=B2'],
      ['0042', '="a"&"b"'],
    ]);
  });
});

describe('delimiters of other programs', () => {
  it.each([
    ['two colons', '1::a:b::9\n2::c::8\n3::"d::e"::7\n4::f::6\n', ['a:b', 'c', 'd::e', 'f']],
    ['two bars', 'id||name||n\n1||a|b||9\n2||c||8\n3||||7\n4||f||6\n', ['a|b', 'c', null, 'f']],
    ['bars behind a backslash', '1|a\\|b|9\n2|c|8\n3|d\\\\|7\n4|f|6\n', ['a|b', 'c', 'd\\', 'f']],
  ])('are told by their lines: %s', async (_, text, names) => {
    const more = [5, 6, 7, 8, 9].map((row) => text.slice(text.lastIndexOf('4')).replace('4', String(row)).replace('f', 'z')).join('');
    const { reading } = await sniff({ 'a.dat': text + more });
    expect(reading.width).toBe(3);
    const [first, second] = reading.columns.map(({ name }) => name);
    expect(await files?.rows(`SELECT "${second}" FROM a ORDER BY "${first}" LIMIT 4`)).toEqual(names.map((name) => [name]));
  });

  it.each([1, 2, 3, 5])('are found wherever the text is cut into pieces of %i', (size) => {
    const text = 'a::b:c::\n::"d::e"::f\n';
    const records: (readonly string[])[] = [];
    const dialect = { delimiter: '::', quote: '"', escape: 'doubled' as const, skipBlank: false };
    const reader = createRecordReader(dialect, ({ fields }) => records.push(fields));
    for (let at = 0; at < text.length; at += size) reader.feed(text.slice(at, at + size));
    reader.end();
    expect(records).toEqual([
      ['a', 'b:c', ''],
      ['', 'd::e', 'f'],
    ]);
  });

  it('are blanks in what R writes, where texts stand in quotes', async () => {
    const { reading } = await sniff({
      'a.txt': `"id" "name" "n"\n${Array.from({ length: 30 }, (_, row) => `"${row}" ${row} "x y" 1.5\n`).join('')}`,
    });
    expect(reading.columns.map(({ name }) => name)).toEqual(['column1', 'id', 'name', 'n']);
    expect(await files?.rows('SELECT sum(id)::INTEGER, max(name) FROM "a.txt"')).toEqual([[435, 'x y']]);
  });
});

describe('what stands where a table should be', () => {
  it.each([
    [
      'a dump',
      "-- made by a tool\nSET NAMES utf8;\n\nINSERT INTO t (id, v) VALUES (1, 'a');\nINSERT INTO t (id, v) VALUES (2, 'b');\n",
      'statements of SQL',
    ],
    ['a printed table', '\n        ID NAME\n---------- ------\n         1 ann\n         2 bob\n\n2 rows selected.\n', 'aligned by blanks'],
  ])('is named: %s', async (_, text, said) => {
    const { reading } = await sniff({ 'a.txt': text });
    expect(reading.kind).toBe('text');
    expect(reading.kind_evidence).toContain(said);
  });
});

it('takes off all byte order marks in front, of which files put together have several', async () => {
  const { reading } = await sniff({ 'a.csv': '\ufeff\ufeffid,v\n1,2\n3,4\n' });
  expect(reading.columns.map(({ name }) => name)).toEqual(['id', 'v']);
});

it('reads amounts in yen as numbers', async () => {
  await sniff({ 'a.csv': 'id,v\n1,"1,200円"\n2,"30円"\n' });
  expect(await files?.rows('SELECT sum(v)::INTEGER FROM a')).toEqual([[1230]]);
});
