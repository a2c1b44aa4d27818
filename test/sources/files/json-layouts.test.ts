import { afterEach, describe, expect, it } from 'vitest';
import { Scope } from '../../../src/core/scope.ts';
import { JsonOutliner } from '../../../src/sources/files/outline-json.ts';
import { openTestFiles, type TestFiles } from './write-files.ts';

let files: TestFiles | undefined;

afterEach(async () => {
  await files?.close();
  files = undefined;
});

const json = JSON.stringify;
const rows = [
  [1, 'ann', 1.5],
  [2, 'bob', null],
  [3, 'eve', 2.5],
];
const TABLE = [
  [1, 'ann', '1.5'],
  [2, 'bob', null],
  [3, 'eve', '2.5'],
];
const names = ['id', 'name', 'price'];
const columns = { id: [1, 2, 3], name: ['ann', 'bob', 'eve'], price: [1.5, null, 2.5] };
const numbered = (values: readonly unknown[]) => Object.fromEntries(values.map((value, index) => [index, value]));
const records = rows.map(([id, name, price]) => ({ id, name, price }));

async function read(text: string, name = 'a.json') {
  files = await openTestFiles({ [name]: text });
  const reading = await files.source.readings!.sniff(name, new Scope());
  return { reading, codes: reading.warnings.map(({ code }) => code), names: reading.columns.map((column) => column.name) };
}

describe('a table in JSON', () => {
  it.each([
    ['lists with a header', json([names, ...rows]), 'rows_from_lists'],
    ['lists a line with a header', [names, ...rows].map((row) => json(row)).join('\n'), 'rows_from_lists'],
    ['lists under names, as pandas writes', json({ columns: names, index: [0, 1, 2], data: rows }), 'rows_from_lists'],
    ['lists beside a description', json({ meta: { fields: names.map((name) => ({ name, type: 't' })) }, rows }), 'rows_from_lists'],
    ['lists with a header in an envelope', json({ range: 'A1:C4', values: [names, ...rows] }), 'rows_from_lists'],
    [
      'lists without the empty values at their ends',
      json({ values: [names, [1, 'ann', 1.5], [2, 'bob'], [3, 'eve', 2.5]] }),
      'rows_from_lists',
    ],
    ['columns', json(columns), 'rows_from_columns'],
    ['columns beside plain values', json({ version: 2, ...columns }), 'rows_from_columns'],
    ['columns one level below', json({ latitude: 52.5, units: { id: 'n' }, hourly: columns }, null, 2), 'rows_from_columns'],
    [
      'columns by row number',
      json(Object.fromEntries(Object.entries(columns).map(([key, list]) => [key, numbered(list)]))),
      'rows_from_columns',
    ],
  ])('is read as rows where it is made of %s', async (_, text, code) => {
    const found = await read(text);
    expect(found.codes).toContain(code);
    expect(found.codes).not.toContain('one_object');
    expect(found.names).toEqual(names);
    expect(found.reading.rows).toEqual({ count: 3, exact: true });
    expect(await files?.rows('SELECT * FROM a ORDER BY id')).toEqual(TABLE);
  });

  it('keeps the keys of records that stand under them as a column', async () => {
    const found = await read(json({ x: { a: 1, b: 2 }, y: { a: 3, b: 4 }, z: { a: 5, b: 6 } }));
    expect(found.names).toEqual(['key', 'a', 'b']);
    expect(await files?.rows('SELECT max(key), sum(b) FROM a')).toEqual([['z', 12]]);
  });

  it('numbers the columns of lists without names, and says which rows have more or fewer values', async () => {
    const lists = [...Array.from({ length: 120 }, (_, n) => [n, n % 2 ? 'x' : 'y']), [120], [121, 'x', 'more']];
    const found = await read(json(lists));
    expect(found.names).toEqual(['column1', 'column2', '_extra']);
    expect(found.codes).toEqual(['rows_from_lists', 'short_rows', 'long_rows']);
    expect(await files?.rows('SELECT sum(column1), count(column2), max(_extra) FROM a')).toEqual([[7381, 121, '["more"]']]);
  });

  it.each([
    ['a list of plain values', json([1, 2, 3]), 3, ['value']],
    [
      'coordinates',
      json({
        type: 'Polygon',
        coordinates: [
          [
            [1, 2],
            [3, 4],
          ],
        ],
      }),
      1,
      ['type', 'coordinates'],
    ],
    ['lists of settings', json({ include: ['a', 'b'], exclude: ['c', 'd'] }), 1, ['include', 'exclude']],
    ['columns of different lengths', json({ a: [1, 2, 3], b: [1, 2, 3, 4] }), 1, ['a', 'b']],
    ['two different objects', json({ database: { host: 'h', port: 1 }, cache: { ttl: 5, size: 3 } }), 1, ['database', 'cache']],
    ['records beside names', json({ columns: names.map((name) => ({ name })), rows: records }), 3, names],
  ])('is left as it is, or read by its records, with %s', async (_, text, count, expected) => {
    const found = await read(text);
    expect({ rows: found.reading.rows?.count, names: found.names }).toEqual({ rows: count, names: expected });
  });

  it('names the line in its file of a record that is not valid', async () => {
    const { reading } = await read('{\n"total": 3,\n"data": [\n{"id": 1},\n{"id": 2,},\n{"id": 3}\n]}\n');
    const said = reading.warnings.map(({ code, message }) => `${code}: ${message.slice(0, 60)}`);
    expect(said.find((line) => line.startsWith('broken_json'))).toContain('line 5');
    expect(reading.rows?.count).toBe(1);
  });
});

describe('the outline of an object', () => {
  const text = json({
    n: 1.5,
    s: 'a"]}\\',
    t: true,
    o: { p: 'x', q: [1, [2], { r: '}' }] },
    data: [{ a: '[{' }, { b: { c: [] } }],
    e: {},
    z: null,
  });
  it.each([1, 2, 3, 7, 1000])('is the same in pieces of %i characters', (size) => {
    const outliner = new JsonOutliner();
    for (let at = 0; at < text.length; at += size) outliner.feed(text.slice(at, at + size));
    const [top, inner] = outliner.result?.objects ?? [];
    expect(top?.plain).toEqual([
      ['n', '1.5'],
      ['s', 'a"]}\\'],
      ['t', 'true'],
    ]);
    expect(inner).toMatchObject({ path: ['o'], plain: [['p', 'x']], lists: [{ key: 'q', objects: 1, lists: 1, others: 1 }] });
    const [list] = top?.lists ?? [];
    expect(list).toMatchObject({ key: 'data', objects: 2, lists: 0, others: 0 });
    expect(JSON.parse(text.slice(list?.start, list?.end))).toEqual([{ a: '[{' }, { b: { c: [] } }]);
  });

  it.each(['[1]', '{"a":1}\n{"a":2}', '{"a":1', '5', '{"a":1}}'])('is none of %s', (other) => {
    const outliner = new JsonOutliner();
    outliner.feed(other);
    expect(outliner.result).toBeUndefined();
  });
});
