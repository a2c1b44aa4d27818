import {
  asFields,
  asList,
  asPlain,
  between,
  type Contract,
  type ContractCheck,
  type Fields,
  numberText,
  type SkippedCheck,
} from './contract-check.ts';

/** The checks of a Great Expectations suite. */
export function readSuite(suite: Fields): Contract {
  const checks: ContractCheck[] = [];
  const skipped: SkippedCheck[] = [];
  for (const item of asList(suite.expectations).map(asFields)) {
    const name = String(item.expectation_type ?? item.type ?? 'unnamed');
    const values = asFields(item.kwargs);
    const column = typeof values.column === 'string' ? values.column : undefined;
    const label = column === undefined ? name : `${name} on ${column}`;
    const found = readExpectation(name, values);
    if (found === undefined) skipped.push({ label, because: 'this expectation is not known here' });
    for (const check of found ?? []) checks.push({ label, ...(column === undefined ? {} : { column }), ...check });
  }
  return { checks, skipped };
}

type Rules = readonly Pick<ContractCheck, 'rule' | 'allow'>[];

/** One expectation by its name; undefined for one that is not known, or lacks what it needs. */
export function readExpectation(name: string, values: Fields): Rules | undefined {
  const allow = allowance(values.mostly);
  const one = (rule: ContractCheck['rule']): Rules => [{ rule, ...allow }];
  const strict = {
    low: values.strict_min === true || values.strictly === true,
    high: values.strict_max === true || values.strictly === true,
  };
  const bounds = between(values.min_value, values.max_value, strict);
  const column = String(values.column ?? '');
  switch (name) {
    case 'expect_column_to_exist':
      return one({ kind: 'column_exists' });
    case 'expect_column_values_to_not_be_null':
      return one({ kind: 'not_null' });
    case 'expect_column_values_to_be_unique':
      return one({ kind: 'unique', columns: [column] });
    case 'expect_compound_columns_to_be_unique':
      return one({ kind: 'unique', columns: asList(values.column_list).map(String) });
    case 'expect_column_values_to_be_in_set':
      return one({ kind: 'accepted_values', values: asPlain(values.value_set) });
    case 'expect_column_values_to_not_be_in_set':
      return one({ kind: 'rejected_values', values: asPlain(values.value_set) });
    case 'expect_column_values_to_be_between':
      return bounds.length === 0 ? undefined : one({ kind: 'range', bounds });
    case 'expect_column_value_lengths_to_be_between':
      return bounds.length === 0 ? undefined : one({ kind: 'length', bounds });
    case 'expect_column_values_to_match_regex':
      return typeof values.regex === 'string' ? one({ kind: 'pattern', pattern: values.regex }) : undefined;
    case 'expect_column_values_to_be_of_type':
      return typeof (values.type_ ?? values.column_type) === 'string'
        ? one({ kind: 'type', expected: String(values.type_ ?? values.column_type) })
        : undefined;
    case 'expect_table_row_count_to_be_between':
      return bounds.length === 0 ? undefined : [{ rule: { kind: 'metric', metric: 'row_count', bounds } }];
    case 'expect_table_row_count_to_equal':
      return between(values.value, values.value).length === 0
        ? undefined
        : [{ rule: { kind: 'metric', metric: 'row_count', bounds: between(values.value, values.value) } }];
    default:
      return readColumnMetric(name, bounds);
  }
}

const METRICS: Readonly<Record<string, 'min' | 'max' | 'avg' | 'sum' | 'distinct_count'>> = {
  expect_column_min_to_be_between: 'min',
  expect_column_max_to_be_between: 'max',
  expect_column_mean_to_be_between: 'avg',
  expect_column_sum_to_be_between: 'sum',
  expect_column_unique_value_count_to_be_between: 'distinct_count',
};

function readColumnMetric(name: string, bounds: ReturnType<typeof between>): Rules | undefined {
  const metric = METRICS[name];
  return metric === undefined || bounds.length === 0 ? undefined : [{ rule: { kind: 'metric', metric, bounds } }];
}

/** `mostly: 0.95` lets five per cent of the rows be in breach. */
function allowance(mostly: unknown): Pick<ContractCheck, 'allow'> {
  const share = numberText(mostly);
  if (share === undefined || Number(share) >= 1) return {};
  return { allow: { percent: true, bounds: [{ operator: '<=', value: String(Math.round((1 - Number(share)) * 1e8) / 1e6) }] } };
}
