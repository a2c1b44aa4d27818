import {
  asFields,
  asList,
  type Bound,
  between,
  type CheckRule,
  type Contract,
  type ContractCheck,
  type Fields,
  numberText,
  type SkippedCheck,
} from './contract-check.ts';
import { readValidity } from './read-soda-contract.ts';

/** A data contract of Soda 4: `dataset`, `columns` with types and checks, and checks of the whole. */
export function readSodaFour(contract: Fields): Contract {
  const checks: ContractCheck[] = [];
  const skipped: SkippedCheck[] = [];
  const take = (item: unknown, column: string | undefined): void => {
    const [name = '', values] = Object.entries(asFields(item))[0] ?? [typeof item === 'string' ? item : ''];
    const label = column === undefined ? name : `${name} on ${column}`;
    const found = toChecks(name, asFields(values), column);
    if (found === undefined) skipped.push({ label, because: 'this check is not known here' });
    for (const check of found ?? []) checks.push({ label, ...(column === undefined ? {} : { column }), ...check });
  };
  for (const item of asList(contract.columns).map(asFields)) {
    const column = String(item.name ?? '');
    if (column === '') continue;
    checks.push({ label: `column ${column} exists`, column, rule: { kind: 'column_exists' } });
    if (typeof item.data_type === 'string')
      checks.push({ label: `type of ${column}`, column, rule: { kind: 'type', expected: item.data_type } });
    for (const check of asList(item.checks)) take(check, column);
  }
  for (const check of asList(contract.checks)) take(check, undefined);
  return { checks, skipped };
}

type Rules = readonly Omit<ContractCheck, 'label'>[];

function toChecks(name: string, values: Fields, column: string | undefined): Rules | undefined {
  const threshold = asFields(values.threshold);
  const bounds = readThreshold(threshold);
  const allow = bounds.length === 0 ? {} : { allow: { bounds, percent: threshold.metric === 'percent' } };
  const one = (rule: CheckRule): Rules => [{ rule, ...allow }];
  if (name === 'schema') return [];
  if (name === 'row_count')
    return [{ rule: { kind: 'metric', metric: 'row_count', bounds: bounds.length > 0 ? bounds : [{ operator: '>', value: '0' }] } }];
  if (name === 'missing' && column !== undefined) return one({ kind: 'not_null' });
  if (name === 'duplicate') {
    const columns = column === undefined ? asList(values.columns).map(String) : [column];
    return columns.length === 0 ? undefined : one({ kind: 'unique', columns });
  }
  if (name === 'invalid' && column !== undefined) return readInvalid(values, allow);
  if (name === 'aggregate' && column !== undefined && /^(min|max|avg|sum)$/.test(String(values.function)))
    return [{ rule: { kind: 'metric', metric: values.function as 'min', bounds } }];
  if (name === 'freshness') return readFreshness(values, threshold);
  if (name === 'failed_rows' && typeof values.expression === 'string')
    return one({ kind: 'expression', sql: `NOT (${values.expression})` });
  return undefined;
}

function readInvalid(values: Fields, allow: Pick<ContractCheck, 'allow'>): Rules | undefined {
  const reference = asFields(values.valid_reference_data);
  if (typeof reference.dataset === 'string' && typeof reference.column === 'string')
    return [{ rule: { kind: 'relationship', to: reference.dataset, field: reference.column }, ...allow }];
  return readValidity(values)?.map((rule) => ({ rule, ...allow }));
}

function readThreshold(fields: Fields): readonly Bound[] {
  const operators: readonly (readonly [string, Bound['operator']])[] = [
    ['must_be', '='],
    ['must_not_be', '<>'],
    ['must_be_greater_than', '>'],
    ['must_be_greater_than_or_equal', '>='],
    ['must_be_less_than', '<'],
    ['must_be_less_than_or_equal', '<='],
  ];
  const single = operators.flatMap(([key, operator]) => {
    const value = numberText(fields[key]);
    return value === undefined ? [] : [{ operator, value }];
  });
  const range = asFields(fields.must_be_between);
  return [
    ...single,
    ...between(range.greater_than_or_equal ?? range.greater_than, range.less_than_or_equal ?? range.less_than, {
      low: range.greater_than !== undefined,
      high: range.less_than !== undefined,
    }),
  ];
}

const UNITS: Readonly<Record<string, number>> = { minute: 60, hour: 3_600, day: 86_400 };

function readFreshness(values: Fields, threshold: Fields): Rules | undefined {
  const most = numberText(threshold.must_be_less_than ?? threshold.must_be_less_than_or_equal);
  const unit = UNITS[String(threshold.unit ?? 'hour')];
  if (most === undefined || unit === undefined || typeof values.column !== 'string') return undefined;
  return [{ column: values.column, rule: { kind: 'freshness', maxSeconds: Number(most) * unit } }];
}
