import { afterEach, describe, expect, it } from 'vitest';
import { Scope } from '../../../src/core/scope.ts';
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

describe('one-byte encodings of Europe', () => {
  it.each([
    ['ąćęłńóśźż', 'b9e6eab3f1f39c9fbf', ['windows-1250']],
    ['ąśźąśźł', 'b1b6bcb1b6bcb3', ['iso-8859-2']],
    ['ěščřžýů', 'ec9ae8f89efdf9', ['windows-1250']],
    ['őűáéíóő', 'f5fbe1e9edf3f5', ['windows-1250']],
    ['ğışçöüğ', 'f0fdfee7f6fcf0', ['windows-1254']],
    ['ąčęėįšų', 'e0e8e6ebe1d0f8', ['windows-1257']],
    ['éèêàçôî (French)', 'e9e8eae0e7f4ee', []],
    ['äöüßÄÖÜ (German)', 'e4f6fcdfc4d6dc', []],
    ['ãõçéáêó (Portuguese)', 'e3f5e7e9e1eaf3', []],
    ['åæøäöéÅ (Nordic)', 'e5e6f8e4f6e9c5', []],
    ['éöøãñ€ß of many languages', 'e9f6f8e3f180df', []],
  ])('are told apart by the letters of a language: %s', (_, bytes, expected) => {
    const encoding = { name: 'windows-1252' as const, byte_order_mark: false, evidence: '', zero_bytes: 0 };
    expect(findRivalEncodings(names(bytes), encoding).map(({ reading }) => reading)).toEqual(expected);
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
