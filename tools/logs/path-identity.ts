/** What the path of a log says of whose it is. */
export interface PathIdentity {
  readonly pipeline: string | null;
  readonly task: string | null;
  readonly runId: string | null;
  readonly attempt: number | null;
}

const KEYED = /(?:^|\/)(dag_id|run_id|task_id|map_index)=([^/]+)/g;
const ATTEMPT = /(?:^|[/._-])(?:attempt|try)[=_.-]?(\d{1,4})(?=[._\-/]|$)/i;
const NAMED = /^(.+?)[._-](?:attempt|try)[=_.-]?\d/i;
const AIRFLOW_ONE = /(?:^|\/)([^/]+)\/([^/]+)\/([^/]*\d{4}-\d\d-\d\dT[^/]*)\/(\d{1,4})\.log/;

/**
 * Pipeline, task, run and attempt by the layouts that Airflow writes (`dag_id=…/run_id=…/task_id=…/attempt=1.log`,
 * `dag/task/date/1.log`) and by names such as `load.attempt_2.log`.
 */
export function readPathIdentity(path: string): PathIdentity {
  const keyed = Object.fromEntries([...path.matchAll(KEYED)].map(([, key = '', value = '']) => [key, value]));
  const old = AIRFLOW_ONE.exec(path);
  const name = path.slice(path.lastIndexOf('/') + 1);
  const attempt = ATTEMPT.exec(name)?.[1] ?? old?.[4];
  return {
    pipeline: keyed.dag_id ?? old?.[1] ?? null,
    task: keyed.task_id ?? old?.[2] ?? NAMED.exec(name)?.[1] ?? null,
    runId: keyed.run_id ?? old?.[3] ?? null,
    attempt: attempt === undefined ? null : Number(attempt),
  };
}
