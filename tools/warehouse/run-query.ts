import type { Scope } from '../../src/core/scope.ts';
import type { Cell, TableEngine } from '../../src/core/source.ts';

const MOST_ROWS = 20_000;
const MOST_BYTES = 16_000_000;

/** A question of a tool that failed or was refused by the engine. */
export class QueryError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.name = 'QueryError';
    this.code = code;
  }
}

export interface Asking {
  readonly engine: TableEngine;
  readonly scope: Scope;
  /** `performance.now()` after which no question is asked any more. */
  readonly deadline: number;
}

/** The rows of one of our own questions. @throws QueryError */
export async function runQuery(asking: Asking, sql: string): Promise<readonly (readonly Cell[])[]> {
  const outcome = await askEngine(asking, sql, { maxRows: MOST_ROWS, maxBytes: MOST_BYTES });
  return outcome.rows;
}

/** All rows of one of our own questions. @throws QueryError `too_many_rows` when there are more than the limits allow. */
export async function readAllRows(
  asking: Asking,
  sql: string,
  limits: { readonly maxRows: number; readonly maxBytes: number },
): Promise<readonly (readonly Cell[])[]> {
  const outcome = await askEngine(asking, sql, limits);
  if (outcome.truncated || outcome.warnings.some(({ code }) => code === 'cells_cut'))
    throw new QueryError(
      'too_many_rows',
      `there are more than ${limits.maxRows} rows or ${Math.round(limits.maxBytes / 1_000_000)} MB to be read`,
    );
  return outcome.rows;
}

async function askEngine(asking: Asking, sql: string, limits: { readonly maxRows: number; readonly maxBytes: number }) {
  const timeoutMs = asking.deadline - performance.now();
  if (timeoutMs <= 0) throw new QueryError('timeout', 'the time for this tool is over');
  const outcome = await asking.engine.query({ sql, ...limits, timeoutMs, scope: asking.scope });
  if (!outcome.ok) throw new QueryError(outcome.code, outcome.message);
  return outcome;
}

/** `FROM` part of a table under a filter, and its check. @throws QueryError when the filter is no predicate over the table. */
export async function filteredRelation(asking: Asking, relation: string, where: string | undefined): Promise<string> {
  if (where === undefined) return relation;
  if (!isClosed(where))
    throw new QueryError('bad_where', 'where must be one predicate: brackets and quotes closed, no semicolon, no comment');
  const filtered = `(SELECT * FROM ${relation} WHERE (${where})) AS filtered`;
  try {
    await runQuery(asking, `SELECT 1 FROM ${filtered} LIMIT 0`);
  } catch (error) {
    throw error instanceof QueryError ? new QueryError('bad_where', `where does not work as a predicate: ${error.message}`) : error;
  }
  return filtered;
}

/** Whether brackets and quotes close, so that the text stays inside the brackets put around it. */
export function isClosed(text: string): boolean {
  const bare = text.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"/g, ' ');
  if (/['";\\]|--|\/\*|\$\$/.test(bare)) return false;
  let depth = 0;
  for (const character of bare) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}
