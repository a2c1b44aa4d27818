import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { joinMultiplicity } from '../../../tools/warehouse/join-multiplicity.ts';
import { ENGINES, type EveryEngine, openEveryEngine } from './open-every-engine.ts';

let engines: EveryEngine;

beforeAll(async () => {
  engines = await openEveryEngine({
    orders: {
      columns: ['id integer', 'customer varchar(20)', 'amount decimal(12,2)'],
      rows: [
        [1, 'ann', '10.10'],
        [2, 'ann', '20.20'],
        [3, 'bob', '30.30'],
        [4, 'cy', '40.40'],
        [5, null, '50.50'],
        [6, 'Dee ', '60.60'],
      ],
    },
    customers: {
      columns: ['name varchar(20)', 'city varchar(20)'],
      rows: [
        ['ann', 'Turin'],
        ['ann', 'Lyon'],
        ['ann', 'Cork'],
        ['bob', 'Lyon'],
        ['dee', 'Lyon'],
        ['eve', 'Lyon'],
        [null, 'Nowhere'],
      ],
    },
    none: { columns: ['id integer', 'customer varchar(20)'], rows: [] },
  });
});
afterAll(() => engines.close());

const PAIRS = [...ENGINES.map((engine) => [engine, engine]), ['files', 'lite'], ['duck', ENGINES.at(-1) ?? '']];

describe.each(PAIRS)('join_multiplicity from %s to %s', (left_source, right_source) => {
  it('counts rows without, with one and with many matches, and the rows after the join', async () => {
    const { data, status, warnings } = await engines.call(joinMultiplicity, {
      left: 'orders',
      right: 'customers',
      left_source,
      right_source,
      on: ['customer=name'],
    });
    expect(status).toBe('ok');
    // By hand: ann has two orders and three rows, bob one and one; cy, Dee and NULL find nothing.
    expect(data).toMatchObject({
      left: { rows: 6, null_key_rows: 1, double_keys: 1 },
      right: { rows: 7, null_key_rows: 1, double_keys: 1, unmatched_rows: 3 },
      relation: 'many_to_many',
      left_rows_with: { no_match: 3, one_match: 1, many_matches: 2 },
      most_matches: 3,
      rows_after: { inner_join: '7', left_join: '10' },
      multiplies: true,
      sample_many: [{ key: ['ann'], left_rows: 2, right_rows: 3 }],
    });
    expect(data.sample_no_match.map(({ key }: { key: string[] }) => String(key[0]).trim())).toEqual(expect.arrayContaining(['cy', 'Dee']));
    expect(warnings.map(({ code }) => code)).toEqual(['join_multiplies', 'null_keys']);
    if (left_source !== right_source) return;
    // 10.1 + 20.2 three times, the other four once.
    expect(
      data.sums.map(({ before, after_left_join: after }: { before: unknown; after_left_join: unknown }) => [Number(before), Number(after)]),
    ).toEqual([[212.1, 272.7]]);
    expect(data.almost_matching_rows).toBe(1);
  });

  it('tells a join that keeps its rows', async () => {
    const input = {
      left: 'customers',
      right: 'orders',
      left_source,
      right_source,
      on: ['name=customer'],
      right_where: 'id > 2',
      left_where: "city <> 'Cork' AND city <> 'Turin'",
    };
    const { data } = await engines.call(joinMultiplicity, input);
    expect(data).toMatchObject({ relation: 'one_to_one', multiplies: false, rows_after: { inner_join: '1', left_join: '5' } });
  });

  it('answers no_data for an empty left table', async () => {
    expect(
      await engines.call(joinMultiplicity, { left: 'none', right: 'customers', left_source, right_source, on: ['customer=name'] }),
    ).toMatchObject({ status: 'no_data' });
  });
});
