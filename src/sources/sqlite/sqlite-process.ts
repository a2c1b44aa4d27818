import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import type { Cell, QueryOutcome, QueryRequest } from '../../core/source.ts';
import { collectRows } from '../tables/collect-rows.ts';
import { failQuery, refuseQuery, showEngineMessage, watchQuery } from '../tables/query-guard.ts';
import { SQLITE_CHILD_SOURCE } from './sqlite-child-source.ts';

/** Reads one SQLite file in a process of its own, one query after the other. */
export interface SqliteProcess {
  /** Never rejects. Time waiting for the query before it counts too. */
  run(request: QueryRequest): Promise<QueryOutcome>;
  close(): void;
}

interface Answer {
  readonly id: number;
  readonly columns?: readonly { readonly name: string; readonly type: string }[];
  readonly rows?: readonly (readonly Cell[])[];
  readonly refused?: string;
  readonly error?: string;
  readonly code?: string;
}

/** Starts nothing until the first query; a process that was ended is started again at the next. */
export function createSqliteProcess(path: string, scratch: string): SqliteProcess {
  let child: ChildProcess | undefined;
  let closed = false;
  let number = 0;
  let queue: Promise<unknown> = Promise.resolve();
  const ready = (): ChildProcess => {
    child ??= startChild(path, scratch, (gone) => {
      if (child === gone) child = undefined;
    });
    return child;
  };
  const end = (): void => {
    child?.kill('SIGKILL');
    child = undefined;
  };
  const ask = (request: QueryRequest): Promise<Answer> => {
    number += 1;
    return exchange(ready(), { id: number, request });
  };
  return {
    run: async (request) => {
      if (closed) return failQuery('closed', 'the source is closed');
      const started = performance.now();
      let running = false;
      const watch = watchQuery(request, () => {
        if (running) end();
      });
      const turn = queue.then(async () => {
        if (watch.failure) return watch.failure;
        running = true;
        const answer = await ask(request);
        running = false;
        return toOutcome(answer, request, Math.round(performance.now() - started));
      });
      queue = turn.catch(() => undefined);
      const outcome = await Promise.race([turn.catch(lostProcess), watch.abandoned]);
      watch.done();
      return outcome.ok ? outcome : (watch.failure ?? outcome);
    },
    close: () => {
      closed = true;
      end();
    },
  };
}

function lostProcess(error: unknown): QueryOutcome {
  return failQuery('query_failed', showEngineMessage(error));
}

function startChild(path: string, scratch: string, onGone: (child: ChildProcess) => void): ChildProcess {
  const modulePath = createRequire(import.meta.url).resolve('better-sqlite3');
  const child = spawn(process.execPath, ['--max-old-space-size=512', '-e', SQLITE_CHILD_SOURCE, modulePath, path], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
    env: { PATH: process.env.PATH, SQLITE_TMPDIR: scratch },
  });
  // Neither the process nor its channel keeps ours alive while no one waits for an answer.
  child.unref();
  child.channel?.unref();
  child.once('exit', () => onGone(child));
  child.on('error', () => onGone(child));
  return child;
}

function exchange(child: ChildProcess, call: { readonly id: number; readonly request: QueryRequest }): Promise<Answer> {
  const { sql, parameters = [], maxRows, maxBytes } = call.request;
  return new Promise((resolve, reject) => {
    const finish = (): void => {
      child.off('message', onMessage);
      child.off('exit', onExit);
      child.channel?.unref();
    };
    const onMessage = (answer: unknown): void => {
      if ((answer as Answer).id !== call.id) return;
      finish();
      resolve(answer as Answer);
    };
    const onExit = (): void => {
      finish();
      reject(new Error('the process that reads SQLite ended; the query may need more memory than it may use'));
    };
    child.on('message', onMessage);
    child.once('exit', onExit);
    child.channel?.ref();
    const bound = parameters.map((value) => (typeof value === 'boolean' ? Number(value) : value));
    child.send({ id: call.id, sql, parameters: bound, maxRows, maxBytes }, (error) => {
      if (!error) return;
      finish();
      reject(error);
    });
  });
}

function toOutcome(answer: Answer, request: QueryRequest, elapsedMs: number): QueryOutcome {
  if (answer.refused !== undefined) return refuseQuery('not_a_select', answer.refused);
  if (answer.error !== undefined) {
    if (/more than one statement/.test(answer.error))
      return refuseQuery('several_statements', 'only one SELECT can be run at a time; the text holds several statements');
    return failQuery(answer.code ?? 'query_failed', showEngineMessage(answer.error, { sql: request.sql }));
  }
  const collector = collectRows(request);
  for (const row of answer.rows ?? []) if (!collector.add(row)) break;
  const { rows, truncated, warnings } = collector;
  return { ok: true, columns: answer.columns ?? [], rows, truncated, elapsedMs, warnings };
}
