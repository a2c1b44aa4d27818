import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { validateContract } from '../../../tools/warehouse/validate-contract.ts';
import { ENGINES, type EveryEngine, openEveryEngine } from './open-every-engine.ts';

let engines: EveryEngine;

beforeAll(async () => {
  engines = await openEveryEngine({
    orders: {
      columns: ['id bigint', 'customer integer', 'state varchar(20)', 'amount decimal(12,2)', 'placed date'],
      rows: [
        [1, 1, 'paid', '10.00', '2026-04-01'],
        [2, 2, 'paid', '-5.00', '2026-04-02'],
        [2, 2, 'sent', '7.50', '2026-03-30'],
        [9007199254740993n, 9, 'lost', null, '2026-03-31'],
        [9007199254740992n, null, 'LOST', '3.25', '9999-12-31'],
      ],
    },
    customers: {
      columns: ['id integer', 'name varchar(20)'],
      rows: [
        [1, 'ann'],
        [2, 'bob'],
      ],
    },
    empty: { columns: ['id integer'], rows: [] },
  });
});
afterAll(() => engines.close());

const DBT = `
version: 2
models:
  - name: orders
    tests:
      - dbt_utils.unique_combination_of_columns:
          combination_of_columns: [id, state]
      - dbt_utils.expression_is_true:
          expression: "amount >= 0"
    columns:
      - name: id
        tests: [not_null, unique]
      - name: state
        data_tests:
          - accepted_values: {arguments: {values: [paid, sent, lost]}}
          - accepted_values:
              values: [paid, sent]
              config: {where: "amount is not null", severity: warn}
      - name: customer
        tests:
          - not_null
          - relationships: {to: ref('customers'), field: id}
          - my_package.is_sensible
      - name: missing
        tests: [not_null]
  - name: payments
    columns: []
`;

const SODA = `
checks for orders:
  - row_count between 1 and 10
  - row_count > 5
  - missing_count(amount) = 0
  - missing_percent(amount) < 25 %
  - duplicate_count(id) = 0
  - invalid_count(state) = 0:
      valid values: [paid, sent, lost, LOST]
  - invalid_count(amount) < 2:
      valid min: 0
  - min(amount) >= -5
  - max(amount) < 10
  - freshness(placed) < 2d
  - values in (customer) must exist in customers (id)
  - schema:
      fail:
        when required column missing: [id, channel]
        when forbidden column present: [password]
  - anomaly detection for row_count
`;

interface Outcome {
  readonly results: readonly {
    readonly check: string;
    readonly status: string;
    readonly breaches?: number;
    readonly samples?: readonly unknown[];
    readonly because?: string;
  }[];
}

function byCheck(data: Outcome): Record<string, number | string> {
  return Object.fromEntries(
    data.results.map(({ check, status, breaches }) => [check, status === 'breach' ? (breaches ?? status) : status]),
  );
}

describe.each(ENGINES)('validate_contract on %s', (source) => {
  it('evaluates the tests of a dbt schema and names those it cannot', async () => {
    const { data, status, warnings } = await engines.call(validateContract, { source, table: 'orders', contract: DBT });
    expect(status).toBe('partial');
    expect(data).toMatchObject({ language: 'dbt schema', rows: 5 });
    // By hand: -5 is the only negative amount, id 2 comes twice, LOST is no value of the list, 9 is no customer.
    expect(byCheck(data)).toEqual({
      'dbt_utils.expression_is_true': 1,
      'unique on id': 1,
      'accepted_values on state': 1,
      'not_null on customer': 1,
      'relationships on customer': 1,
      'column missing exists': 'breach',
      'not_null on missing': 'not_evaluated',
      'my_package.is_sensible on customer': 'not_evaluated',
    });
    const accepted = data.results.filter(({ check }: { check: string }) => check === 'accepted_values on state');
    expect(accepted.map(({ severity, samples }: { severity?: string; samples: unknown[] }) => [severity, samples])).toEqual([
      [undefined, ['LOST']],
      ['warn', ['LOST']],
    ]);
    expect(data.breached + data.passed + data.not_evaluated).toBe(data.checks);
    expect(data.passed_checks).toContain('dbt_utils.unique_combination_of_columns');
    expect(warnings.map(({ code }) => code)).toEqual(['not_evaluated', 'other_tables']);
  });

  it('evaluates checks of SodaCL', async () => {
    const { data } = await engines.call(validateContract, { source, table: 'orders', contract: SODA });
    expect(byCheck(data)).toEqual({
      'row_count > 5': 'breach',
      'missing_count(amount) = 0': 1,
      'duplicate_count(id) = 0': 1,
      'max(amount) < 10': 'breach',
      'values in (customer) must exist in customers (id)': 1,
      'required column channel': 'breach',
      'anomaly detection for row_count': 'not_evaluated',
    });
    expect(data.passed_checks).toEqual(
      expect.arrayContaining([
        'missing_percent(amount) < 25 %',
        'invalid_count(amount) < 2',
        'min(amount) >= -5',
        'freshness(placed) < 2d',
        'forbidden column password',
      ]),
    );
  });

  it('evaluates a Soda contract and a Great Expectations suite', async () => {
    const soda = {
      dataset: 'db/schema/orders',
      columns: [
        { name: 'id', checks: [{ duplicate: null }, { missing: { threshold: { must_be: 0 } } }] },
        {
          name: 'state',
          checks: [{ invalid: { valid_values: ['paid', 'sent'], threshold: { metric: 'percent', must_be_less_than: 50 } } }],
        },
      ],
      checks: [{ row_count: { threshold: { must_be_between: { greater_than: 5, less_than: 9 } } } }],
    };
    const contract = await engines.call(validateContract, { source, table: 'orders', contract: JSON.stringify(soda) });
    expect(contract.data.language).toBe('Soda contract');
    expect(byCheck(contract.data)).toEqual({ 'duplicate on id': 1, row_count: 'breach' });
    const suite = {
      expectations: [
        {
          expectation_type: 'expect_column_values_to_be_between',
          kwargs: { column: 'placed', min_value: '2026-03-31', max_value: '2026-12-31' },
        },
        { expectation_type: 'expect_column_values_to_be_between', kwargs: { column: 'amount', min_value: 0, mostly: 0.8 } },
        { type: 'expect_column_max_to_be_between', kwargs: { column: 'id', max_value: '9007199254740992' } },
        { type: 'expect_column_kl_divergence_to_be_less_than', kwargs: { column: 'id' } },
      ],
    };
    const found = await engines.call(validateContract, { source, table: 'orders', contract: JSON.stringify(suite) });
    expect(byCheck(found.data)).toEqual({
      'expect_column_values_to_be_between on placed': 2,
      'expect_column_max_to_be_between on id': 'breach',
      'expect_column_kl_divergence_to_be_less_than on id': 'not_evaluated',
    });
  });

  it('evaluates a list of checks, patterns where the engine has them', async () => {
    const checks = [
      { check: 'pattern', column: 'state', pattern: '^[a-z]+$' },
      { check: 'length', column: 'state', max: 3 },
      { check: 'range', column: 'placed', min: '2026-01-01', max: '2026-12-31' },
      { check: 'accepted_values', column: 'customer', values: ['1', '2'] },
      { check: 'expression', sql: 'amount > 0) OR (1 = 1' },
      { check: 'expression', sql: '1 = 1; DROP TABLE orders' },
      { check: 'accepted_values', column: 'state' },
      { check: 'no_such' },
    ];
    const { data } = await engines.call(validateContract, { source, table: 'orders', checks });
    const results = data.results.map(({ check, status, breaches, samples }: Outcome['results'][number]) => [
      check,
      status === 'breach' ? breaches : status,
      ...(samples ?? []),
    ]);
    expect(results).toEqual([
      ...(source === 'lite' ? [] : [['pattern on state', 1, 'LOST']]),
      ['length on state', 5, expect.anything(), expect.anything(), expect.anything()],
      ['range on placed', 1, expect.stringContaining('9999')],
      ['accepted_values on customer', 1, 9],
      ...(source === 'lite' ? [['pattern on state', 'not_evaluated']] : []),
      ['expression', 'not_evaluated'],
      ['expression', 'not_evaluated'],
      ['accepted_values on state', 'not_evaluated'],
      ['no_such', 'not_evaluated'],
    ]);
  });

  it('refuses what is no contract, and says that checks of an empty table prove nothing', async () => {
    for (const input of [
      { contract: 'a: [1' },
      { contract: 'just: text' },
      {},
      { contract: DBT.replaceAll('name: orders', 'name: sales') },
    ])
      expect(await engines.call(validateContract, { source, table: 'orders', ...input }), JSON.stringify(input)).toMatchObject({
        status: 'refused',
      });
    const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${['b', 'c', 'd', 'e', 'f', 'g'].map((name, index) => `${name}: &${name} [${Array(9).fill(`*${'abcdef'[index]}`).join(',')}]`).join('\n')}`;
    expect(await engines.call(validateContract, { source, table: 'orders', contract: bomb })).toMatchObject({ status: 'refused' });
    const { warnings } = await engines.call(validateContract, { source, table: 'empty', checks: [{ check: 'not_null', column: 'id' }] });
    expect(warnings.map(({ code }) => code)).toEqual(['no_rows']);
  });
});
