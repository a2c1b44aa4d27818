import type { Bounds } from './read-bounds.ts';

/** What became of a check, in one word for all tools; `other` keeps its own word in `raw_status`. */
export type CheckStatus = 'passed' | 'failed' | 'warned' | 'error' | 'not_evaluated' | 'other';

/** One check of a data quality tool: an expectation, a Soda check, a dbt test. */
export interface CheckResult {
  /** The same for the same check in another run. */
  readonly key: string;
  readonly check: string;
  readonly target: string | null;
  readonly column: string | null;
  readonly status: CheckStatus;
  readonly rawStatus: string;
  /** Figures as the file has them; text where they are no finite numbers. */
  readonly observed: string | null;
  readonly expected: string | null;
  /** The same as figures, where they are: `expected` may be cut. */
  readonly bounds?: Bounds;
  readonly failingRows: number | string | null;
  readonly message: string | null;
}

export type CheckTool = 'great_expectations' | 'soda' | 'dbt';

/** The checks of one run of one tool. */
export interface CheckRun {
  readonly source: string;
  readonly path: string;
  readonly tool: CheckTool;
  /** Suite, scan or project: runs of the same name are compared with one another. */
  readonly suite: string;
  readonly at: string | null;
  readonly checks: readonly CheckResult[];
  readonly nonFinite: readonly string[];
  readonly nonFiniteCount: number;
  /** What the file says of itself that its checks do not bear out. */
  readonly contradictions: readonly string[];
}

/** A value as text, short: numbers and words plainly, the rest as JSON. */
export function writeValue(value: unknown, most = 160): string | null {
  if (value === undefined || value === null) return null;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length <= most ? text : `${text.slice(0, most)}… (+${text.length - most} characters)`;
}
