import type { QueryOutcome, QueryRequest } from '../../core/source.ts';

export type QueryFailure = Extract<QueryOutcome, { ok: false }>;

/** A query that is not allowed: nothing was run. */
export function refuseQuery(code: string, message: string): QueryFailure {
  return { ok: false, status: 'refused', code, message };
}

/** What every engine turns down before it looks: engines read a text only up to a zero character, so more could hide behind it. */
export function refuseText(sql: string, words: ReadonlySet<string>): QueryFailure | undefined {
  if (sql.includes('\0')) return refuseQuery('zero_character', 'the text holds a zero character; only one plain SELECT can be run here');
  const word = leadingKeyword(sql);
  if (words.has(word)) return undefined;
  return refuseQuery('not_a_select', `only one SELECT can be run here${word ? `, not ${word}` : ''}: ${adviceFor(word)}`);
}

/** What to do in place of a statement that begins with this word. */
function adviceFor(word: string): string {
  if (word === '') return 'the text holds no statement';
  if (word === 'EXPLAIN') return 'check_sql says whether a statement is valid and which tables it touches';
  if (word === 'PRAGMA' || word === 'SHOW' || /^DESC/.test(word)) return 'list_tables and describe_table show what there is';
  return CHANGES.has(word) ? 'nothing is changed through this tool' : 'write it as SELECT … or WITH … SELECT';
}

const CHANGES: ReadonlySet<string> = new Set(
  (
    'INSERT UPDATE DELETE MERGE REPLACE UPSERT CREATE ALTER DROP TRUNCATE RENAME COPY EXPORT IMPORT ATTACH DETACH INSTALL LOAD SET RESET USE CALL EXECUTE EXEC ' +
    'PREPARE DEALLOCATE DO GRANT REVOKE VACUUM ANALYZE ANALYSE REINDEX CLUSTER REFRESH LOCK BEGIN START COMMIT END ROLLBACK SAVEPOINT RELEASE CHECKPOINT COMMENT ' +
    'LISTEN NOTIFY UNLISTEN DECLARE FETCH MOVE CLOSE DISCARD SECURITY REASSIGN'
  ).split(' '),
);

/** A query that was tried and failed. */
export function failQuery(code: string, message: string): QueryFailure {
  return { ok: false, status: 'error', code, message };
}

/** Stops a query when its time is over or its scope is stopped. */
export interface QueryWatch {
  /** Why it was stopped, as the outcome to give; undefined while it may go on. */
  readonly failure: QueryFailure | undefined;
  /** Resolves with the failure shortly after the stop, for an engine that does not heed it at once. */
  readonly abandoned: Promise<QueryFailure>;
  done(): void;
}

const PATIENCE_MS = 500;
const REPEAT_MS = 50;

/** Calls `interrupt` (again and again, since one may come too early) from the stop on until `done`. */
export function watchQuery(request: Pick<QueryRequest, 'timeoutMs' | 'scope'>, interrupt: () => void): QueryWatch {
  let failure: QueryFailure | undefined;
  let again: NodeJS.Timeout | undefined;
  let patience: NodeJS.Timeout | undefined;
  let abandon: (failure: QueryFailure) => void = () => undefined;
  const abandoned = new Promise<QueryFailure>((resolve) => {
    abandon = resolve;
  });
  const stopWith = (reason: QueryFailure): void => {
    if (failure) return;
    failure = reason;
    interrupt();
    again = setInterval(interrupt, REPEAT_MS);
    patience = setTimeout(() => abandon(reason), PATIENCE_MS);
  };
  const timer = setTimeout(() => stopWith(timedOut(request.timeoutMs)), request.timeoutMs);
  const hook = { stop: () => stopWith(failQuery('stopped', 'the query was stopped before it ended')) };
  request.scope.add(hook);
  return {
    get failure() {
      return failure;
    },
    abandoned,
    done() {
      clearTimeout(timer);
      clearInterval(again);
      clearTimeout(patience);
      request.scope.remove(hook);
    },
  };
}

/** A query whose time was over. */
export function timedOut(timeoutMs: number): QueryFailure {
  return failQuery('timeout', `the query was stopped after ${timeoutMs / 1000} s; ask for less: fewer rows, fewer columns, a filter`);
}

/** The first word of a statement in upper case, comments, spaces and opening brackets before it left out. */
export function leadingKeyword(sql: string): string {
  let rest = sql;
  for (;;) {
    const next = rest.replace(/^[\s\u200B\uFEFF(;]+/u, '').replace(/^--[^\n]*(\n|$)/, '');
    const after = next.startsWith('/*') ? afterBlockComment(next) : next;
    if (after === rest) break;
    rest = after;
  }
  return /^[A-Za-z_]+/.exec(rest)?.[0].toUpperCase() ?? '';
}

/** Block comments nest in PostgreSQL and DuckDB. */
function afterBlockComment(text: string): string {
  let depth = 0;
  for (const mark of text.matchAll(/\/\*|\*\//g)) {
    depth += mark[0] === '/*' ? 1 : -1;
    if (depth === 0) return text.slice(mark.index + 2);
  }
  return '';
}

/**
 * The engine's message as it may be shown: its first lines, the source's folder left out, other absolute paths shortened to
 * their last part unless the statement named them itself.
 */
export function showEngineMessage(error: unknown, shown: { readonly sql?: string; readonly folder?: string | undefined } = {}): string {
  const text = (error instanceof Error ? error.message : String(error)).split('\n').slice(0, 8).join('\n').slice(0, 1_500);
  const inside = shown.folder ? text.replaceAll(`${shown.folder}/`, '').replaceAll(shown.folder, '.') : text;
  const outside = inside.replace(/(?<![\w./:*])\/(?:[^\s"'/:]+\/)+([^\s"'/:]+)/g, (path, last: string) =>
    shown.sql?.includes(path) ? path : last,
  );
  return outside.length > 800 ? `${outside.slice(0, 800)}…` : outside.trim();
}
