import { afterEach, describe, expect, it } from 'vitest';
import { Scope } from '../../../src/core/scope.ts';
import { openTestFiles, type TestFiles } from './write-files.ts';

let files: TestFiles | undefined;

afterEach(async () => {
  await files?.close();
  files = undefined;
});

async function sniff(content: string | Buffer, name = 'a.csv') {
  files = await openTestFiles({ [name]: content });
  const reading = await files.source.readings?.sniff(name, new Scope());
  if (!reading) throw new Error('not read');
  return reading;
}

const column = (name: string, cells: readonly (string | number)[]): string =>
  `id,${name}\n${cells.map((cell, at) => `${at},${cell}\n`).join('')}`;

describe('values that read in more than one way', () => {
  it.each([
    ['codes with an E', column('code', ['12E3', '120E2', '7E1']), 'text', 'double'],
    ['versions', column('version', ['1.1', '1.10', '2.0']), 'text', 'decimal'],
    ['days of a spreadsheet', column('order_date', [46_001, 46_002]), 'integer', 'days as spreadsheets count them, from 1899-12-30'],
    [
      'two units of time',
      column('event_time', [1_767_229_200, 1_767_229_200_000]),
      'integer',
      'seconds and milliseconds since 1970 in one column',
    ],
  ])('%s', async (_, text, type, other) => {
    const { columns, alternatives } = await sniff(text);
    expect(columns[1]?.type).toBe(type);
    expect(alternatives.map(({ reading }) => reading)).toContain(other);
  });

  it.each([
    ['long numbers that a spreadsheet rounded', column('ean', ['4.01234E+12', '4.01234E+12']), 'a.csv', 'the digits behind are lost'],
    [
      'times of which some have a zone',
      column('ts', ['2026-03-01T10:00:00Z', '2026-03-01T10:00:00']),
      'a.csv',
      '1 of 2 times have a time zone',
    ],
    ['numbers and texts under one key', '{"v":1}\n{"v":"1"}\n{"v":2}\n', 'a.jsonl', '2 values are numbers and 1 are texts'],
    ['lines that blanks align', 'id   name   n\n1    a      1\n2    b      2\n3    c      3\n', 'a.dat', 'aligned by blanks'],
  ])('says so of %s', async (_, text, name, said) => {
    expect((await sniff(text, name)).warnings.map(({ message }) => message).join()).toContain(said);
  });
});

describe('dates in other writings', () => {
  it.each([
    ['a weekday in front', ['Fri 01 May 2026', 'Sat 02 May 2026'], 'date', '2026-05-01'],
    ['a long weekday', ['"Friday, May 1, 2026"', '"Saturday, May 2, 2026"'], 'date', '2026-05-01'],
    ['no separators', ['20260501T100000Z', '20260501T120000+02:00'], 'timestamptz', '2026-05-01 10:00:00+00'],
  ])('are dates with %s', async (_, cells, type, least) => {
    expect((await sniff(column('d', cells))).columns[1]?.type).toBe(type);
    expect(await files?.rows('SELECT CAST(min(d) AS VARCHAR) FROM a')).toEqual([[least]]);
  });
});

describe('a file that is no table', () => {
  const zip = (inside: string): Buffer => Buffer.concat([Buffer.from('504b0304', 'hex'), Buffer.alloc(26), Buffer.from(inside)]);
  it.each([
    ['a workbook', zip('[Content_Types].xml'), 'save each sheet that is needed as CSV'],
    ['an old workbook', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'save each sheet that is needed as CSV'],
    ['a pointer of Git LFS', 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n', 'run git lfs pull'],
    ['a page of HTML', '<html><body>403</body></html>\n', 'a page of an error or a login'],
  ])('is refused with what to do: %s', async (_, content, said) => {
    await sniff(content);
    await expect(files?.rows('SELECT * FROM a')).rejects.toThrow(said);
  });

  it('is none for zero bytes inside or behind it', async () => {
    await sniff(Buffer.from(`id,name\n1,a\0b\n2,c\n${'\0'.repeat(4000)}`));
    expect(await files?.rows('SELECT count(*), sum(id) FROM a')).toEqual([[2, 3]]);
    await files?.close();
    expect((await sniff(Buffer.alloc(100))).kind).toBe('binary');
  });
});
