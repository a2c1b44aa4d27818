import { type Json, numberOf, objectOf, objectsOf, textOf } from '../artifacts/read-artifact.ts';
import { type CheckResult, type CheckStatus, writeValue } from './check-result.ts';
import { readBounds } from './read-bounds.ts';

/** A validation of one suite on one batch, as Great Expectations 0.8 to 1.x writes it. */
export interface Validation {
  readonly suite: string;
  readonly at: string | null;
  readonly checks: readonly CheckResult[];
  readonly contradictions: readonly string[];
}

/** The validations in the file: one, or those of a checkpoint. */
export function readValidations(value: Json): readonly Validation[] {
  if (Array.isArray(value.results)) return [readValidation(value)];
  const ofCheckpoint = timeOf(value);
  return Object.entries(objectOf(value.run_results)).flatMap(([identifier, one]) => {
    const validation = objectOf(one).validation_result ?? one;
    if (!Array.isArray(objectOf(validation).results)) return [];
    const read = readValidation(objectOf(validation));
    return [{ ...read, at: read.at ?? ofCheckpoint ?? timeInIdentifier(identifier) }];
  });
}

function readValidation(value: Json): Validation {
  const meta = objectOf(value.meta);
  const asset = assetOf(meta);
  const checks = objectsOf(value.results).map((one) => readResult(one, asset));
  const stated = numberOf(objectOf(value.statistics).evaluated_expectations);
  const contradictions: string[] = [];
  if (typeof stated === 'number' && stated !== checks.length)
    contradictions.push(`statistics name ${stated} evaluated expectations and ${checks.length} results are in the file`);
  if (value.success === true && checks.some(({ status }) => status === 'failed' || status === 'error'))
    contradictions.push('the file says success and holds results that failed');
  const name = textOf(value.suite_name) ?? textOf(meta.expectation_suite_name) ?? '';
  return { suite: asset === null ? name : `${name} on ${asset}`.trim(), at: timeOf(meta), checks, contradictions };
}

function assetOf(meta: Json): string | null {
  const [batch, active] = [objectOf(meta.batch_kwargs), objectOf(meta.active_batch_definition)];
  return textOf(meta.data_asset_name) ?? textOf(active.data_asset_name) ?? textOf(batch.table) ?? textOf(batch.data_asset_name) ?? null;
}

function timeOf(meta: Json): string | null {
  const run = objectOf(meta.run_id);
  const found = textOf(run.run_time) ?? textOf(meta.validation_time) ?? textOf(meta.run_id) ?? null;
  const compact = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d(?:\.\d+)?Z?)$/.exec(found ?? '');
  return compact ? `${compact[1]}-${compact[2]}-${compact[3]}T${compact[4]}:${compact[5]}:${compact[6]}` : found;
}

/** `ValidationResultIdentifier::suite/run/20260301T000000.0Z/batch` holds the time of the run. */
function timeInIdentifier(identifier: string): string | null {
  const compact = identifier.split('/').find((part) => /^\d{8}T\d{6}(\.\d+)?Z$/.test(part));
  return compact === undefined ? null : timeOf({ run_id: compact });
}

const NOT_ARGUMENTS = new Set(['column', 'result_format', 'batch_id', 'include_config', 'catch_exceptions', 'column_A', 'column_B']);

function readResult(one: Json, asset: string | null): CheckResult {
  const config = objectOf(one.expectation_config);
  const kwargs = objectOf(config.kwargs);
  const result = objectOf(one.result);
  const type = textOf(config.expectation_type) ?? textOf(config.type) ?? 'unknown expectation';
  const column = textOf(kwargs.column) ?? ([textOf(kwargs.column_A), textOf(kwargs.column_B)].filter(Boolean).join(', ') || null);
  const expected = Object.entries(kwargs).filter(([key, value]) => !NOT_ARGUMENTS.has(key) && value !== null);
  const raised = exceptionOf(one.exception_info);
  const status: CheckStatus =
    raised !== null ? 'error' : one.success === true ? 'passed' : one.success === false ? 'failed' : 'not_evaluated';
  const percent = numberOf(result.unexpected_percent);
  const missing = numberOf(result.missing_percent);
  const parts = [
    percent === null || percent === 0 ? '' : `${percent} % unexpected`,
    missing === null || missing === 0 ? '' : `${missing} % missing`,
    Array.isArray(result.partial_unexpected_list) && result.partial_unexpected_list.length > 0
      ? `e.g. ${writeValue(result.partial_unexpected_list.slice(0, 3), 100)}`
      : '',
  ].filter((part) => part !== '');
  return {
    key: JSON.stringify([type, column, expected.sort(([left], [right]) => (left < right ? -1 : 1))]),
    check: type,
    target: asset,
    column,
    status,
    rawStatus: raised !== null ? 'exception' : `success=${writeValue(one.success) ?? 'null'}`,
    observed: writeValue(result.observed_value),
    expected: expected.length > 0 ? writeValue(Object.fromEntries(expected)) : null,
    bounds: readBounds(result.observed_value, kwargs),
    failingRows: numberOf(result.unexpected_count),
    message: raised ?? (parts.length > 0 ? parts.join('; ') : null),
  };
}

/** The message of an exception; newer versions keep several, by the id of the metric. */
function exceptionOf(info: unknown): string | null {
  const one = objectOf(info);
  const all = 'raised_exception' in one ? [one] : Object.values(one).map(objectOf);
  const raised = all.find((entry) => entry.raised_exception === true);
  return raised ? (writeValue(raised.exception_message, 300) ?? 'an exception without a message') : null;
}
