import type { PipelineRun, SlotPool, TaskTry } from '../../core/source.ts';
import type { PageClaim } from './page-coverage.ts';
import type { AirflowPage } from './read-page.ts';

/** All entries of many pages, each counted once. */
export class EntryCollection {
  readonly runs = new Map<string, PipelineRun>();
  readonly tries = new Map<string, TaskTry>();
  readonly pools = new Map<string, SlotPool>();
  readonly runClaims: PageClaim[] = [];
  readonly taskClaims: PageClaim[] = [];
  bad = 0;
  repeated = 0;

  add(page: AirflowPage): void {
    this.bad += page.bad;
    if (page.lists === 'pools') for (const pool of page.pools) this.pools.set(pool.name, pool);
    else if (page.lists === 'runs') this.addRuns(page.runs, page.total);
    else this.addTries(page.tries, page.total);
  }

  private addRuns(runs: readonly PipelineRun[], total: number | null): void {
    for (const run of runs) {
      const key = runKey(run.pipeline, run.run_id);
      if (this.keep(this.runs.get(key), run)) this.runs.set(key, run);
    }
    if (total === null) return;
    const entries = runs.map((run) => runKey(run.pipeline, run.run_id));
    this.runClaims.push({ scopes: new Set(runs.map((run) => run.pipeline)), entries, total });
  }

  private addTries(tries: readonly TaskTry[], total: number | null): void {
    for (const one of tries) {
      const key = `${instanceKey(one)}\u0000${one.try_number}`;
      if (this.keep(this.tries.get(key), one)) this.tries.set(key, one);
    }
    if (total === null || listsTriesOfOneTask(tries)) return;
    const scopes = new Set(tries.map((one) => runKey(one.pipeline, one.run_id)));
    this.taskClaims.push({ scopes, entries: tries.map(instanceKey), total });
  }

  /** Pages saved at different times may hold an entry twice: the one that had ended is the later one. */
  private keep(before: PipelineRun | TaskTry | undefined, now: PipelineRun | TaskTry): boolean {
    if (!before) return true;
    this.repeated++;
    return before.ended_at === null || now.ended_at !== null;
  }
}

/** One text for a run of a pipeline. */
export function runKey(pipeline: string, runId: string): string {
  return `${pipeline}\u0000${runId}`;
}

function instanceKey(one: TaskTry): string {
  return `${runKey(one.pipeline, one.run_id)}\u0000${one.task_id}\u0000${one.map_index}`;
}

/** The `tries` endpoint answers in the same shape, but its total counts the tries of one task. */
function listsTriesOfOneTask(tries: readonly TaskTry[]): boolean {
  return tries.length > 1 && new Set(tries.map(instanceKey)).size === 1;
}
