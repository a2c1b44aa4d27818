import { describe, expect, it } from 'vitest';
import { isNamedAfter, references } from '../../agents/policies/investigator/keys/references.ts';
import { read } from '../../agents/policies/investigator/read-data.ts';
import type { LookedAt } from '../../agents/policies/investigator/tables/look-at-tables.ts';

/** A table of so many rows, with how many distinct values each column has. */
function looked(name: string, rows: number, distinct: Readonly<Record<string, number>>): LookedAt {
  const columns = Object.entries(distinct).map(([column, values]) => read({ name: column, type: 'INTEGER', distinct: values }));
  return {
    table: { source: 's', name, kind: 'table', rows: String(rows), bytes: null },
    profile: { result: 'r1', complete: true, table: name, rows, columns },
    happened: undefined,
    loaded: undefined,
  };
}

describe('a table', () => {
  it.each([
    ['warehouses', 'warehouse_id'],
    ['purchases', 'purchase_id'],
    ['movies', 'movie_id'],
    ['movie_ratings', 'movie_rating_id'],
    ['purchase_orders', 'purchase_order_id'],
    ['OrderLine', 'OrderLineId'],
    ['boxes', 'box_no'],
    ['addresses', 'AddressId'],
    ['branches', 'branch_code'],
    ['countries', 'country_code'],
    ['statuses', 'status_id'],
    ['skus', 'sku_id'],
    ['dim_customer', 'customer_id'],
    ['raw.customers_current', 'customer_id'],
    ['codes', 'code'],
  ])('is named after its key in the plural, in words or in humps: %s, %s', (name, key) => {
    expect(isNamedAfter(looked(name, 3, {}), key)).toBe(true);
  });

  it.each([
    ['order_lines', 'order_id'],
    ['customers', 'order_id'],
    ['bosses', 'bos_id'],
  ])('is not named after the key of another thing: %s, %s', (name, key) => {
    expect(isNamedAfter(looked(name, 3, {}), key)).toBe(false);
  });

  it.each([
    ['warehouses', 'warehouse_id'],
    ['movies', 'MovieId'],
    ['customers_current', 'customer_id'],
    ['order_lines', 'order_line_id'],
    ['companies', 'company_id'],
  ])('with the key `id` is referred to by its name before `id`: %s by %s', (name, column) => {
    const found = references([looked(name, 5, { id: 5, size: 4 }), looked('events', 40, { event_no: 40, [column]: 5 })]);
    expect(found.map(({ left, right, column: by, key }) => [left.table.name, by, right.table.name, key])).toEqual([
      ['events', column, name, 'id'],
    ]);
  });

  it('whose name says nothing of what it holds is not referred to by every `id`', () => {
    expect(references([looked('list', 5, { id: 5, size: 4 }), looked('events', 40, { event_no: 40, id: 5 })])).toEqual([]);
  });
});
