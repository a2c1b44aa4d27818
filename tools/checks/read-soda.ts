import { type Json, numberOf, objectOf, objectsOf, textOf } from '../artifacts/read-artifact.ts';
import { type CheckResult, type CheckStatus, writeValue } from './check-result.ts';
import type { Validation } from './read-expectations.ts';

const OUTCOMES: Readonly<Record<string, CheckStatus>> = {
  pass: 'passed',
  passed: 'passed',
  fail: 'failed',
  failed: 'failed',
  warn: 'warned',
  warned: 'warned',
  error: 'error',
  not_evaluated: 'not_evaluated',
  excluded: 'not_evaluated',
};

/** A Soda scan or contract verification. An outcome of null is a check that was not evaluated: it did not pass. */
export function readSodaScan(value: Json): Validation {
  const checks = [...objectsOf(value.checks), ...objectsOf(value.automatedMonitoringChecks)].map(readCheck);
  const contradictions: string[] = [];
  if (value.hasFailures === false && checks.some(({ status }) => status === 'failed'))
    contradictions.push('the scan says that it has no failures and holds checks that failed');
  if (value.hasErrors === true && checks.every(({ status }) => status !== 'error'))
    contradictions.push('the scan says that it has errors and no check names one; see its log');
  const name =
    textOf(value.definitionName) ?? textOf(objectOf(value.contract).datasetName) ?? textOf(value.defaultDataSource) ?? 'unnamed scan';
  return {
    suite: name,
    at: textOf(value.scanStartTimestamp) ?? textOf(value.dataTimestamp) ?? textOf(value.startedAt) ?? null,
    checks,
    contradictions,
  };
}

function readCheck(one: Json): CheckResult {
  const outcome = one.outcome === null || one.outcome === undefined ? null : String(one.outcome);
  const diagnostics = objectOf(one.diagnostics);
  const value = diagnostics.value;
  const definition = textOf(one.definition) ?? null;
  const target = textOf(one.table) ?? textOf(one.dataset) ?? textOf(objectOf(one.location).table) ?? null;
  const column = textOf(one.column) ?? null;
  const check = textOf(one.name) ?? definition ?? 'unnamed check';
  const reasons = Array.isArray(one.outcomeReasons)
    ? one.outcomeReasons.map((reason) => textOf(objectOf(reason).message) ?? writeValue(reason, 120)).filter(Boolean)
    : [];
  return {
    key: textOf(one.identity) ?? JSON.stringify([target, column, check]),
    check,
    target,
    column,
    status: outcome === null ? 'not_evaluated' : (OUTCOMES[outcome.toLowerCase()] ?? 'other'),
    rawStatus: outcome ?? 'null',
    observed: writeValue(value),
    expected: writeValue(definition === check ? null : definition) ?? writeValue(diagnostics.fail ?? diagnostics.warn),
    failingRows: numberOf(diagnostics.failedRowCount ?? diagnostics.failed_row_count ?? diagnostics.failingRowsCount),
    message: reasons.length > 0 ? writeValue(reasons.join('; '), 240) : null,
  };
}
