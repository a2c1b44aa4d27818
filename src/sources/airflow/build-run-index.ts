import { readInstant } from '../../core/instant.ts';
import type { PipelineRun, TaskTry } from '../../core/source.ts';
import type { ToolWarning } from '../../core/tool-result.ts';
import type { IndexedRun, RunIndex } from '../memory-run-history.ts';
import { typeFromRunId } from './airflow-entries.ts';
import { type EntryCollection, runKey } from './collect-entries.ts';
import { type Coverage, measureCoverage } from './page-coverage.ts';

/** Puts the tasks to their runs and says of each run whether all of it was found. */
export function buildRunIndex(entries: EntryCollection, fileWarnings: readonly ToolWarning[]): RunIndex {
  const triesByRun = new Map<string, TaskTry[]>();
  for (const one of entries.tries.values()) {
    const key = runKey(one.pipeline, one.run_id);
    const list = triesByRun.get(key);
    if (list) list.push(one);
    else triesByRun.set(key, [one]);
  }
  const coverage = measureCoverage(entries.taskClaims);
  const keys = new Set([...entries.runs.keys(), ...triesByRun.keys()]);
  const runs = [...keys].map((key) => {
    const tries = triesByRun.get(key) ?? [];
    const run = entries.runs.get(key) ?? runFromTries(tries);
    return indexRun(run, tries, coverage.get(key));
  });
  const missingRuns = findMissingRuns(entries);
  return { runs, pools: [...entries.pools.values()], missingRuns, warnings: [...fileWarnings, ...describeEntries(entries, missingRuns)] };
}

function indexRun(run: PipelineRun, tries: readonly TaskTry[], coverage: Coverage | undefined): IndexedRun {
  const instances = new Set(tries.map((one) => `${one.task_id}\u0000${one.map_index}`)).size;
  const missing = coverage ? (coverage.shared ? coverage.missing : Math.max(coverage.missing, coverage.total - instances)) : 0;
  const warnings: ToolWarning[] = [];
  if (tries.length === 0) warnings.push({ code: 'no_task_detail', message: `no task instances of ${run.run_id} are in the export` });
  else if (missing > 0)
    warnings.push({
      code: 'pages_missing',
      message: coverage?.shared
        ? `${missing} task instances of a listing over several runs are in no file; some may belong to ${run.run_id}`
        : `${instances} of ${instances + missing} task instances of ${run.run_id} are in the export: pages are missing`,
    });
  if (tries.some((one) => one.started_at !== null && one.scheduled_at === null))
    warnings.push({
      code: 'no_scheduled_time',
      message: 'task instances have no scheduled_when (Airflow 2): waiting counts from queued_when, and what came before is not seen',
    });
  return { run, tries, total: tries.length + missing, complete: tries.length > 0 && missing === 0, warnings };
}

function runFromTries(tries: readonly TaskTry[]): PipelineRun {
  const [first] = tries;
  const earliest = pickTime(
    tries.map((one) => one.started_at),
    (candidate, best) => candidate < best,
  );
  const latest = pickTime(
    tries.map((one) => one.ended_at),
    (candidate, best) => candidate > best,
  );
  const runId = first?.run_id ?? '';
  return {
    pipeline: first?.pipeline ?? '',
    run_id: runId,
    type: typeFromRunId(runId),
    state: 'unknown',
    logical_date: null,
    queued_at: null,
    started_at: earliest,
    ended_at: tries.every((one) => one.ended_at !== null) ? latest : null,
    duration_s: null,
    note: 'no dag run in the export: start and end are those of its tasks',
  };
}

function pickTime(times: readonly (string | null)[], better: (candidate: number, best: number) => boolean): string | null {
  let best: { iso: string; seconds: number } | null = null;
  for (const time of times) {
    const instant = time === null ? undefined : readInstant(time);
    if (instant && (best === null || better(instant.seconds, best.seconds))) best = instant;
  }
  return best?.iso ?? null;
}

function findMissingRuns(entries: EntryCollection): Map<string, number> {
  const missing = new Map<string, number>();
  for (const [pipeline, coverage] of measureCoverage(entries.runClaims)) {
    if (coverage.missing > 0 && coverage.shared) missing.set('*', Math.max(missing.get('*') ?? 0, coverage.missing));
    else missing.set(pipeline, coverage.missing);
  }
  return missing;
}

function describeEntries(entries: EntryCollection, missingRuns: ReadonlyMap<string, number>): ToolWarning[] {
  const warnings: ToolWarning[] = [];
  for (const [pipeline, count] of missingRuns)
    if (count > 0)
      warnings.push({
        code: 'pages_missing',
        message: `${count} dag runs${pipeline === '*' ? '' : ` of ${pipeline}`} that the export counts are in none of its files`,
      });
  if (entries.bad > 0) warnings.push({ code: 'bad_entries', message: `${entries.bad} entries name no dag, run or task and were left out` });
  if (entries.repeated > 0)
    warnings.push({ code: 'repeated_entries', message: `${entries.repeated} entries are in several files and were counted once` });
  return warnings;
}
