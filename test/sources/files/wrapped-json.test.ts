import { afterEach, describe, expect, it } from 'vitest';
import { Scope } from '../../../src/core/scope.ts';
import { splitJson } from '../../../src/sources/files/split-json.ts';
import { openTestFiles, type TestFiles } from './write-files.ts';

let files: TestFiles | undefined;

afterEach(async () => {
  await files?.close();
  files = undefined;
});

async function sniff(text: string, name = 'a.json') {
  files = await openTestFiles({ [name]: text });
  const reading = await files.source.readings?.sniff(name, new Scope());
  if (!reading) throw new Error('not read');
  return { reading, codes: reading.warnings.map(({ code }) => code) };
}

const three = [1, 2, 3].map((n) => ({ id: n, n: n * 10 }));
const json = JSON.stringify;

describe('a JSON file of one object', () => {
  it.each([
    ['a list under a usual name', json({ meta: { page: 1 }, results: three })],
    ['a list two levels below', json({ took: 3, hits: { total: { value: 3 }, hits: three } })],
    ['a list that is most of the file', json({ at: 1, orders: three })],
    ['a list written over many lines', json({ version: 1, data: three }, null, 2)],
  ])('gives the records of %s as rows', async (_, text) => {
    const { reading, codes } = await sniff(text);
    expect(codes).toContain('records_inside');
    expect(reading.rows).toEqual({ count: 3, exact: true });
    expect(await files?.rows('SELECT count(*), sum(n) FROM a')).toEqual([[3, 60]]);
  });

  it('says what stands beside the records, and that the file holds only some of them', async () => {
    const { reading } = await sniff(json({ count: 500, next: 'p2', results: three }));
    const messages = reading.warnings.map(({ code, message }) => `${code}: ${message}`);
    expect(messages).toEqual([
      'records_inside: the rows are the 3 records under "results" of the file\'s only object; beside them stand count=500, next=p2',
      'part_of_a_list: the file says count=500 but holds 3 records: other pages may be missing',
    ]);
  });

  it.each([
    ['several lists', json({ customers: three, orders: three }), ['one_object']],
    ['columns in place of rows', json({ id: [1, 2], n: [3, 4] }), ['one_object']],
    ['one record of a list under an unusual name', json({ name: 'x'.repeat(200), owners: [{ id: 1 }, { id: 2 }] }), ['one_object']],
    ['plain values', json({ id: 1, n: 2 }), []],
  ])('stays one row with %s, and says so', async (_, text, expected) => {
    const { reading, codes } = await sniff(text);
    expect(reading.rows?.count).toBe(1);
    expect(codes).toEqual(expected);
  });

  it('gives one record as one row where its list has a usual name', async () => {
    const { reading } = await sniff(json({ count: 1, results: [{ id: 7 }] }));
    expect(reading.columns.map(({ name }) => name)).toEqual(['id']);
  });

  it('keeps one line of JSON lines that wraps a list as it is when others follow', async () => {
    const { reading } = await sniff(`${json({ results: three })}\n${json({ results: three })}\n`, 'a.jsonl');
    expect(reading.rows?.count).toBe(2);
  });
});

describe('lists a line', () => {
  it('are a row each where they hold plain values', async () => {
    const { reading } = await sniff('[1,"a",10]\n[2,"b",20]\n[3,"c",30]\n', 'a.jsonl');
    expect(reading.rows?.count).toBe(3);
    expect(await files?.rows('SELECT * FROM a ORDER BY 1 LIMIT 1')).toEqual([[1, 'a', 10]]);
  });

  it('are taken apart where they hold records, or stand alone', async () => {
    expect((await sniff(`${json(three)}\n${json(three)}\n`, 'a.jsonl')).reading.rows?.count).toBe(6);
    await files?.close();
    expect((await sniff('[1,2,3,4]\n')).reading.rows?.count).toBe(4);
  });
});

describe('a value that goes on behind what was looked at', () => {
  it.each(['{"a": [1, 2', '[{"a": 1}, {"a"'])('is no fault of the file: %s', (text) => {
    const read = (cut: boolean) => {
      const bad: string[] = [];
      const splitter = splitJson(
        () => true,
        (_, line) => bad.push(line),
      );
      splitter.feed(text);
      return { broken: splitter.end(cut).brokenAt !== null, bad: bad.length };
    };
    expect(read(true)).toEqual({ broken: false, bad: 0 });
    expect(read(false)).toEqual({ broken: true, bad: 1 });
  });
});
