import { asFields, asList, asPlain, between, type Contract, type ContractCheck, type Fields, type SkippedCheck } from './contract-check.ts';
import { readExpectation } from './read-expectations.ts';

/** Tests, constraints and types of one model, source table, seed or snapshot of a dbt `schema.yml`. */
export function readDbtModel(model: Fields): Contract {
  const checks: ContractCheck[] = [];
  const skipped: SkippedCheck[] = [];
  const take = (test: unknown, column: string | undefined): void => {
    const { name, arguments: values, config } = splitTest(test);
    const label = column === undefined ? name : `${name} on ${column}`;
    const found = toChecks(name, values, column);
    if (found === undefined) skipped.push({ label, because: `the test "${name}" is not known here; run it with dbt` });
    const where = config.where ?? values.where;
    const extra = {
      ...(typeof where === 'string' ? { where } : {}),
      ...(String(config.severity ?? values.severity ?? '').toLowerCase() === 'warn' ? { severity: 'warn' as const } : {}),
    };
    for (const check of found ?? []) checks.push({ label, ...(column === undefined ? {} : { column }), ...check, ...extra });
  };
  for (const test of [...asList(model.tests), ...asList(model.data_tests), ...asList(model.constraints)]) take(test, undefined);
  for (const item of asList(model.columns).map(asFields)) {
    const column = String(item.name ?? '');
    if (column === '') continue;
    checks.push({ label: `column ${column} exists`, column, rule: { kind: 'column_exists' } });
    if (typeof item.data_type === 'string')
      checks.push({ label: `type of ${column}`, column, rule: { kind: 'type', expected: item.data_type } });
    for (const test of [...asList(item.tests), ...asList(item.data_tests), ...asList(item.constraints)]) take(test, column);
  }
  return { checks, skipped };
}

/** A test is a name, or a name with its arguments; `arguments` and `config` stand among them or under their own key. */
function splitTest(test: unknown): { readonly name: string; readonly arguments: Fields; readonly config: Fields } {
  if (typeof test === 'string') return { name: test, arguments: {}, config: {} };
  const fields = asFields(test);
  if (typeof fields.type === 'string') return { name: fields.type, arguments: fields, config: {} };
  const named =
    typeof fields.test_name === 'string'
      ? fields.test_name
      : Object.keys(fields).find((key) => !['config', 'name', 'description'].includes(key));
  const own = asFields(fields[named ?? '']);
  return {
    name: named ?? 'unnamed',
    arguments: { ...own, ...asFields(own.arguments) },
    config: { ...asFields(own.config), ...asFields(fields.config) },
  };
}

type Rules = readonly Pick<ContractCheck, 'rule' | 'allow'>[];

function toChecks(name: string, values: Fields, column: string | undefined): Rules | undefined {
  const bare = name.replace(/^(dbt_utils|dbt|dbt_expectations)\./, '');
  if (column !== undefined) {
    if (bare === 'not_null') return [{ rule: { kind: 'not_null' } }];
    if (bare === 'unique') return [{ rule: { kind: 'unique', columns: [column] } }];
    if (bare === 'primary_key') return [{ rule: { kind: 'not_null' } }, { rule: { kind: 'unique', columns: [column] } }];
    if (bare === 'accepted_values') return [{ rule: { kind: 'accepted_values', values: asPlain(values.values) } }];
    if (bare === 'not_accepted_values') return [{ rule: { kind: 'rejected_values', values: asPlain(values.values) } }];
    if (bare === 'relationships' || bare === 'relationships_where') return relationship(values);
    if (bare === 'accepted_range') {
      const strict = values.inclusive === false;
      return [{ rule: { kind: 'range', bounds: between(values.min_value, values.max_value, { low: strict, high: strict }) } }];
    }
    if (bare === 'not_empty_string') return [{ rule: { kind: 'length', bounds: between(1, undefined) } }];
  }
  if (bare === 'unique_combination_of_columns')
    return [{ rule: { kind: 'unique', columns: asList(values.combination_of_columns).map(String) } }];
  if (bare === 'primary_key' || bare === 'unique')
    return values.columns === undefined ? undefined : [{ rule: { kind: 'unique', columns: asList(values.columns).map(String) } }];
  if (bare === 'expression_is_true' || bare === 'check') {
    if (typeof values.expression !== 'string') return undefined;
    return [
      { rule: { kind: 'expression', sql: column !== undefined && bare !== 'check' ? `{column} ${values.expression}` : values.expression } },
    ];
  }
  if (bare.startsWith('expect_')) return readExpectation(bare, { column, ...values });
  return undefined;
}

/** `ref('customers')` and `source('shop', 'customers')` name the last of their words. */
function relationship(values: Fields): Rules | undefined {
  const to = String(values.to ?? '');
  const table = /['"]([^'"]+)['"]\s*\)\s*$/.exec(to)?.[1] ?? to;
  if (table === '' || typeof values.field !== 'string') return undefined;
  return [{ rule: { kind: 'relationship', to: table, field: values.field } }];
}
