/** What kind of caller's mistake a {@link SoloistError} reports; it decides the exit code of the command line. */
export type ErrorCode = 'usage' | 'configuration' | 'not_found' | 'store_unusable' | 'dependency_missing' | 'refused' | 'internal';

/** One thing wrong at one place: `file:line:column`, the fact, and the nearest valid choice where there is one. */
export interface Problem {
  readonly where: string;
  readonly fact: string;
  readonly fix?: string;
  readonly severity?: 'error' | 'warning';
}

/**
 * A mistake of our caller (a wrong argument, a bad file, an unusable folder). The world's failures (a model that
 * stalls, a query that fails) are values and never thrown as this.
 */
export class SoloistError extends Error {
  readonly code: ErrorCode;
  readonly where: string | undefined;
  readonly fix: string | undefined;
  readonly problems: readonly Problem[];

  constructor(
    code: ErrorCode,
    message: string,
    details: { where?: string; fix?: string; problems?: readonly Problem[]; cause?: unknown } = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'SoloistError';
    this.code = code;
    this.where = details.where;
    this.fix = details.fix;
    this.problems = details.problems ?? [];
  }
}

/** `place: fact; fix` in one line, the form in which every problem is shown. */
export function formatProblem(problem: Problem): string {
  return `${problem.where}: ${problem.fact}${problem.fix ? `; ${problem.fix}` : ''}`;
}
