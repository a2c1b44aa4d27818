import type { DbtResults } from '../dbt/dbt-results.ts';
import type { CheckResult, CheckStatus } from './check-result.ts';
import { writeValue } from './check-result.ts';
import type { Validation } from './read-expectations.ts';

const STATUSES: Readonly<Record<string, CheckStatus>> = {
  good: 'passed',
  failed: 'failed',
  partly_failed: 'failed',
  warned: 'warned',
  skipped: 'not_evaluated',
  unknown: 'other',
};

/** The tests among the results of a dbt run; undefined where it ran none. */
export function readDbtTests(results: DbtResults): Validation | undefined {
  const tests = results.nodes.filter(({ type }) => type === 'test' || type === 'unit_test');
  if (tests.length === 0) return undefined;
  const checks = tests.map(
    (one): CheckResult => ({
      key: one.node,
      check: one.node,
      target: null,
      column: null,
      // dbt says "error" of a test that could not run, "fail" of one that found rows.
      status:
        one.status.toLowerCase() === 'error' || one.status.toLowerCase() === 'runtime error' ? 'error' : (STATUSES[one.class] ?? 'other'),
      rawStatus: one.status,
      observed: null,
      expected: null,
      failingRows: one.failures,
      message: writeValue(one.message?.replace(/\s*\n\s*/g, ' | ').trim() ?? null, 240),
    }),
  );
  return { suite: `dbt project ${tests[0]?.node.split('.')[1] ?? ''}`, at: results.generatedAt, checks, contradictions: [] };
}
