import { afterEach, describe, expect, it } from 'vitest';
import type { FileReading } from '../../../src/core/file-reading.ts';
import { Scope } from '../../../src/core/scope.ts';
import { openTestFiles, type TestFiles } from './write-files.ts';

let files: TestFiles | undefined;

afterEach(async () => {
  await files?.close();
  files = undefined;
});

async function sniff(content: Parameters<typeof openTestFiles>[0], path: string): Promise<FileReading> {
  files = await openTestFiles(content);
  const reading = await files.source.readings?.sniff(path, new Scope());
  if (!reading) throw new Error('not read');
  return reading;
}

const ambiguities = ({ warnings }: FileReading): string[] =>
  warnings.filter(({ code }) => code === 'ambiguous_column').map((one) => one.message);

/** "1,имя\n2,Москва\n3,привет" as Python's codecs write it. */
const CYRILLIC = {
  'windows-1251': '312ce8ecff0a322ccceef1eae2e00a332ceff0e8e2e5f20a',
  'koi8-r': '312cc9cdd10a322cedcfd3cbd7c10a332cd0d2c9d7c5d40a',
} as const;

describe('a text in another alphabet', () => {
  it.each(Object.entries(CYRILLIC))('is said to fit %s best, and not to be sure', async (name, hex) => {
    const reading = await sniff({ 'a.csv': Buffer.from(hex, 'hex') }, 'a.csv');
    expect(reading.alternatives.find(({ about }) => about === 'encoding')?.reading).toBe(name);
    expect(reading.warnings.map(({ code }) => code)).toContain('encoding_unsure');
  });
});

describe('a file for a spreadsheet', () => {
  it.each([
    ['sep=;\nid;v\n1;2,5\n2;3,5\n', ';'],
    ['SEP=,\r\nid,v\r\n1,2.5\r\n2,3.5\r\n', ','],
    ['sep=|\nid|v\n1|2.5\n2|3.5\n', '|'],
  ])('is read with the delimiter that its first line names', async (text, delimiter) => {
    const reading = await sniff({ 'a.csv': text }, 'a.csv');
    expect(reading.delimited).toMatchObject({ delimiter, preamble_lines: 1, header_records: 1 });
    expect(await files?.rows('SELECT id, v FROM a')).toEqual([
      [1, '2.5'],
      [2, '3.5'],
    ]);
  });
});

describe('numbers that a number would change', () => {
  it('are text where each has a plus, as telephone numbers have, but not where signs differ', async () => {
    const reading = await sniff({ 'a.csv': 'phone,delta\n+491234,+5\n+155512,-3\n+331,0\n' }, 'a.csv');
    expect(reading.columns.map(({ type }) => type)).toEqual(['text', 'integer']);
    expect(await files?.rows('SELECT phone, delta FROM a LIMIT 1')).toEqual([['+491234', 5]]);
  });

  it.each(['v\n1e400\n2.5e3\n', 'v\n1e-400\n2.5e3\n'])('are text where a double would make infinity or nothing of them', async (text) => {
    const reading = await sniff({ 'a.csv': text }, 'a.csv');
    expect(reading.columns[0]?.type).toBe('text');
    const lines = await sniff({ 'b.jsonl': '{"v":1e400}\n{"v":2}\n' }, 'b.jsonl');
    expect(lines.columns[0]?.type).toBe('text');
    expect(await files?.rows('SELECT v FROM b')).toEqual([['1e400'], ['2']]);
  });
});

describe('numbers that fit with either decimal mark', () => {
  const thousandths = `id;v\n${Array.from({ length: 20 }, (_, row) => `${row};${row + 1},${String(row * 7).padStart(3, '0')}`).join('\n')}\n`;
  const tenths = `id;v\n${Array.from({ length: 20 }, (_, row) => `${row};${row},${row % 10}`).join('\n')}\n`;

  it('are read in one way with a warning that reaches the results of queries', async () => {
    const reading = await sniff({ 'a.csv': thousandths }, 'a.csv');
    expect(ambiguities(reading)).toEqual([expect.stringContaining('read as 1,234.56')]);
    const outcome = await files?.source.tables?.query({
      sql: 'SELECT v FROM a',
      maxRows: 1,
      maxBytes: 1000,
      timeoutMs: 9_000,
      scope: new Scope(),
    });
    expect(outcome).toMatchObject({ ok: true, rows: [['1000']] });
    expect(outcome?.ok && outcome.warnings.map(({ code }) => code)).toEqual(['ambiguous_column']);
  });

  it('are read as a file beside them shows, which is named as the evidence', async () => {
    const reading = await sniff({ 'day1.csv': thousandths, 'day2.csv': tenths }, 'day1.csv');
    expect(ambiguities(reading)).toEqual([]);
    expect(reading.columns[1]).toMatchObject({ type: 'decimal(5,3)', evidence: expect.stringContaining('day2.csv') });
    expect(await files?.rows('SELECT CAST(max(v) AS VARCHAR) FROM day1')).toEqual([['20.133']]);
  });
});

describe('dates in JSON', () => {
  const lines = (day: (row: number) => string) =>
    Array.from({ length: 20 }, (_, row) => JSON.stringify({ id: row, day: day(row) })).join('\n');
  const open = lines((row) => `0${(row % 9) + 1}/0${(row % 9) + 1}/2024`);

  it('stay text, with the ways to read them named', async () => {
    const reading = await sniff({ 'a.jsonl': open }, 'a.jsonl');
    expect(reading.columns[1]?.type).toBe('text');
    expect(reading.alternatives.map((other) => other.reading)).toEqual(['dates as dd/mm/yyyy', 'dates as mm/dd/yyyy']);
  });

  it('are settled by a file beside them', async () => {
    const reading = await sniff({ 'a.jsonl': open, 'b.jsonl': lines((row) => `01/${Math.min(row + 10, 28)}/2024`) }, 'a.jsonl');
    expect(reading.alternatives[0]).toMatchObject({
      reading: 'dates as mm/dd/yyyy',
      evidence: expect.stringContaining('of b.jsonl fits this order only'),
    });
  });

  it('are no dates where one of them is something else', async () => {
    const reading = await sniff({ 'a.jsonl': `${open}\n{"id":99,"day":"soon"}` }, 'a.jsonl');
    expect(reading.alternatives).toEqual([]);
  });
});
