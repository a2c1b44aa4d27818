import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compareTables } from '../../../tools/warehouse/compare-tables.ts';
import { ENGINES, type EveryEngine, openEveryEngine, type Value } from './open-every-engine.ts';

let engines: EveryEngine;

const COLUMNS = ['id bigint', 'part integer', 'amount decimal(20,4)', 'said varchar(40)', 'at timestamp', 'flag boolean'];

/** Numbers from a fixed seed. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state / 2147483648;
  };
}

function randomRows(seed: number): Value[][] {
  const next = numbers(seed);
  return Array.from({ length: 200 }, () => [
    next() < 0.1 ? null : Math.floor(next() * 150),
    Math.floor(next() * 2),
    next() < 0.1 ? null : (Math.floor(next() * 3) / 2).toFixed(4),
    next() < 0.1 ? null : `v${Math.floor(next() * 2)}`,
    '2026-01-01 00:00:00',
    next() < 0.5,
  ]);
}

const LEFT_RANDOM = randomRows(7);
const RIGHT_RANDOM = randomRows(8);

/** The counts by a walk over the rows, apart from any code of the tool. */
function countByHand(left: readonly Value[][], right: readonly Value[][]) {
  const groups = new Map<string, { left: Value[][]; right: Value[][] }>();
  for (const [side, rows] of [
    ['left', left],
    ['right', right],
  ] as const)
    for (const row of rows) {
      const name = `${row[0]}|${row[1]}`;
      const group = groups.get(name) ?? { left: [], right: [] };
      groups.set(name, group);
      group[side].push([...row]);
    }
  const all = [...groups.values()];
  const pairs = all.filter((group) => group.left.length === 1 && group.right.length === 1);
  return {
    keys: all.length,
    compared: pairs.length,
    changed: pairs.filter((group) => String(group.left[0]) !== String(group.right[0])).length,
    only_left: {
      keys: all.filter((group) => group.right.length === 0).length,
      rows: all.filter((group) => group.right.length === 0).reduce((sum, group) => sum + group.left.length, 0),
    },
    only_right: {
      keys: all.filter((group) => group.left.length === 0).length,
      rows: all.filter((group) => group.left.length === 0).reduce((sum, group) => sum + group.right.length, 0),
    },
    null_key_rows: { left: left.filter((row) => row[0] === null).length, right: right.filter((row) => row[0] === null).length },
    double_keys: {
      left: {
        keys: all.filter((group) => group.left.length > 1).length,
        rows: all.filter((group) => group.left.length > 1).reduce((sum, group) => sum + group.left.length, 0),
      },
      right: {
        keys: all.filter((group) => group.right.length > 1).length,
        rows: all.filter((group) => group.right.length > 1).reduce((sum, group) => sum + group.right.length, 0),
      },
    },
  };
}

beforeAll(async () => {
  engines = await openEveryEngine({
    before: {
      columns: COLUMNS,
      rows: [
        [1, 1, '1.0000', 'a', '2026-01-01 10:00:00', true],
        [9007199254740993n, 1, '2.0000', 'b', '2026-01-01 10:00:00', true],
        [3, 1, '3.0000', 'c', '2026-01-01 10:00:00', true],
        [4, 1, '4.0000', 'd', '2026-01-01 10:00:00', true],
        [4, 1, '4.0000', 'd', '2026-01-01 10:00:00', true],
        [null, 1, '5.0000', 'e', '2026-01-01 10:00:00', true],
        [6, 1, null, null, null, null],
        [7, 1, '7.0000', 'g', '2026-01-01 10:00:00', false],
      ],
    },
    after: {
      columns: [...COLUMNS.map((column) => column.replace('decimal(20,4)', 'decimal(20,2)')), 'extra integer'],
      rows: [
        [1, 1, '1.00', 'a', '2026-01-01 10:00:00', true, 1],
        [9007199254740992n, 1, '2.00', 'b', '2026-01-01 10:00:00', true, 1],
        [3, 1, '3.01', 'C', '2026-01-01 10:00:01', false, 1],
        [4, 1, '4.00', 'd', '2026-01-01 10:00:00', true, 1],
        [null, 1, '5.00', 'e', '2026-01-01 10:00:00', true, 1],
        [6, 1, null, null, null, null, 1],
        [7, 1, null, 'g', '2026-01-01 10:00:00', false, 1],
      ],
    },
    one: { columns: COLUMNS, rows: LEFT_RANDOM },
    two: { columns: COLUMNS, rows: RIGHT_RANDOM },
    empty: { columns: COLUMNS, rows: [] },
  });
});
afterAll(() => engines.close());

const PAIRS = [
  ...ENGINES.map((engine) => [engine, engine]),
  ['files', 'lite'],
  ['lite', 'duck'],
  ['duck', ENGINES.at(-1) ?? ''],
  [ENGINES.at(-1) ?? '', 'files'],
];

describe.each(PAIRS)('compare_tables from %s to %s', (left_source, right_source) => {
  it('tells apart what is missing, new, changed, double and without a key', async () => {
    const { data, status, warnings } = await engines.call(compareTables, {
      left: 'before',
      right: 'after',
      left_source,
      right_source,
      key: ['id'],
    });
    expect(status).toBe('partial');
    // By hand: ids 1, 3, 6, 7 and NULL are on both sides once; 9007199254740993 and …992 are two ids; 4 is double on the left.
    expect(data).toMatchObject({
      left: { rows: 8 },
      right: { rows: 7 },
      identical: false,
      keys: 8,
      compared: 5,
      equal: 3,
      changed: 2,
      only_left: { keys: 1, rows: 1 },
      only_right: { keys: 1, rows: 1 },
      double_keys: { left: { keys: 1, rows: 2 }, right: { keys: 0, rows: 0 } },
      null_key_rows: { left: 1, right: 1 },
      columns_only_left: [],
      columns_only_right: ['extra'],
    });
    expect(Object.fromEntries(data.changed_columns.map(({ column, rows }: { column: string; rows: number }) => [column, rows]))).toEqual({
      amount: 2,
      said: 1,
      at: 1,
      flag: 1,
    });
    expect(data.samples.only_left).toEqual([['9007199254740993']]);
    expect(data.samples.changed.map(({ key, columns_total }: { key: Value[]; columns_total: number }) => [...key, columns_total])).toEqual([
      [3, 4],
      [7, 1],
    ]);
    expect(data.samples.double).toMatchObject([{ key: [4], left_rows: 2, right_rows: 1 }]);
    expect(warnings.map(({ code }) => code)).toEqual(['double_keys', 'null_keys', 'columns_on_one_side']);
  });

  it('lets numbers within the tolerance count as equal, but never NULL', async () => {
    const { data } = await engines.call(compareTables, {
      left: 'before',
      right: 'after',
      left_source,
      right_source,
      key: ['id'],
      columns: ['amount'],
      tolerance: 0.01,
    });
    expect(data).toMatchObject({ changed: 1, changed_columns: [{ column: 'amount', rows: 1 }] });
    expect(data.samples.changed[0].key).toEqual([7]);
  });

  it('counts what a walk over the rows counts', async () => {
    const { data } = await engines.call(compareTables, { left: 'one', right: 'two', left_source, right_source, key: ['id', 'part'] });
    expect(data).toMatchObject(countByHand(LEFT_RANDOM, RIGHT_RANDOM));
  });

  it('finds a table equal to itself, and all of it missing in an empty one', async () => {
    const same = await engines.call(compareTables, {
      left: 'before',
      right: 'before',
      left_source,
      right_source,
      key: ['id'],
      left_where: 'id <> 4',
      right_where: 'id <> 4',
    });
    expect(same).toMatchObject({ status: 'ok', data: { identical: true, compared: 5, changed: 0 } });
    const gone = await engines.call(compareTables, { left: 'one', right: 'empty', left_source, right_source, key: ['id', 'part'] });
    expect(gone.data.only_left.rows).toBe(200);
  });

  it('compares columns of other names, and proposes a key', async () => {
    const { data } = await engines.call(compareTables, {
      left: 'before',
      right: 'after',
      left_source,
      right_source,
      left_where: 'id <> 4',
      columns: ['part=extra'],
    });
    expect(data).toMatchObject({ key: ['id'], key_from: 'proposed', changed: 0, columns_compared: 1 });
  });

  it('refuses a column that is not there', async () => {
    const outcome = await engines.call(compareTables, { left: 'before', right: 'after', left_source, right_source, key: ['idd'] });
    expect(outcome).toMatchObject({ status: 'refused', data: { message: expect.stringContaining('did you mean "id"') } });
  });
});
