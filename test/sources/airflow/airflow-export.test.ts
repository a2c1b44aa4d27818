import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Scope } from '../../../src/core/scope.ts';
import { RunNotFoundError } from '../../../src/core/source.ts';
import { openAirflowExportSource } from '../../../src/sources/airflow/open-airflow-export-source.ts';

let root = '';

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'soloist-export-'));
});

afterAll(() => rm(root, { recursive: true, force: true }));

async function openFiles(files: Readonly<Record<string, unknown>>) {
  const folder = await mkdtemp(join(root, 'export-'));
  for (const [name, value] of Object.entries(files))
    await writeFile(join(folder, name), typeof value === 'string' || Buffer.isBuffer(value) ? value : JSON.stringify(value));
  const { runs } = await openAirflowExportSource({ name: 'runs', kind: 'airflow-export', paths: [folder] }, { scratch: '' });
  if (!runs) throw new Error('an export without runs');
  return runs;
}

const run = (dag: string, day: number) => ({
  dag_id: dag,
  dag_run_id: `scheduled__${day}`,
  run_type: 'scheduled',
  state: 'success',
  start_date: `2026-03-0${day}T02:00:00Z`,
  end_date: `2026-03-0${day}T03:00:00Z`,
  duration: 3600,
});
const task = (dag: string, day: number, index: number, extra: object = {}) => ({
  dag_id: dag,
  dag_run_id: `scheduled__${day}`,
  task_id: 'load',
  map_index: index,
  try_number: 1,
  state: 'success',
  scheduled_when: `2026-03-0${day}T01:59:00Z`,
  start_date: `2026-03-0${day}T02:00:00Z`,
  end_date: `2026-03-0${day}T02:01:00Z`,
  duration: 60,
  ...extra,
});
const tasks = (dag: string, day: number, from: number, count: number) =>
  Array.from({ length: count }, (_, index) => task(dag, day, from + index));

describe('an Airflow export', () => {
  it('knows pages by what they hold and goes on past other files', async () => {
    const runs = await openFiles({
      'x.json': { dag_runs: [run('a', 1)], total_entries: 1 },
      'y.json': { task_instances: tasks('a', 1, 0, 2), total_entries: 2 },
      'settings.json': { theme: 'dark' },
      'odd.json': { task_instances: [null, 7, { task_id: 'no dag' }], dag_runs: [null], total_entries: 4 },
      'broken.json': '{"task_instances": [',
      'notes.txt': 'not json',
    });
    const listing = await runs.listRuns({}, new Scope());
    expect(listing).toMatchObject({ total: 1, complete: true });
    expect(listing.warnings.map((one) => one.code).sort()).toEqual(['broken_file', 'other_files', 'unreadable_entries']);
    expect(await runs.getRun('scheduled__1', undefined, new Scope())).toMatchObject({ total: 2, complete: true });
  });

  it('tells a missing page of one run, of a listing over several runs, and of runs', async () => {
    const one = await openFiles({ 'p1.json': { task_instances: tasks('a', 1, 0, 3), total_entries: 5 } });
    expect(await one.getRun('scheduled__1', undefined, new Scope())).toMatchObject({ total: 5, complete: false });
    const mixed = await openFiles({
      'p1.json': { task_instances: tasks('a', 1, 0, 4), total_entries: 9 },
      'p2.json': { task_instances: [task('a', 1, 4), ...tasks('a', 2, 0, 3)], total_entries: 9 },
    });
    expect(await mixed.getRun('scheduled__2', undefined, new Scope())).toMatchObject({ complete: false });
    const list = await openFiles({ 'r.json': { dag_runs: [run('a', 1), run('b', 2)], total_entries: 7 } });
    expect(await list.listRuns({}, new Scope())).toMatchObject({ total: 7, complete: false });
  });

  it('takes a whole listing over several runs as complete, page by page', async () => {
    const runs = await openFiles({
      'p1.json': { task_instances: tasks('a', 1, 0, 4), total_entries: 8 },
      'p2.json': { task_instances: [task('a', 1, 4), ...tasks('a', 2, 0, 3)], total_entries: 8 },
    });
    for (const day of [1, 2]) expect(await runs.getRun(`scheduled__${day}`, undefined, new Scope())).toMatchObject({ complete: true });
  });

  it('does not take the total of one task’s tries for that of the run', async () => {
    const runs = await openFiles({
      'page.json': { task_instances: [task('a', 1, 0, { try_number: 2 }), task('a', 1, 1)], total_entries: 2 },
      'tries.json': { task_instances: [task('a', 1, 0, { state: 'failed' }), task('a', 1, 0, { try_number: 2 })], total_entries: 2 },
    });
    const detail = await runs.getRun('scheduled__1', undefined, new Scope());
    expect([detail.total, detail.tries.length, detail.complete]).toEqual([3, 3, true]);
  });

  it('counts an entry of two pages once and keeps the one that had ended', async () => {
    const running = task('a', 1, 0, { state: 'running', end_date: null, duration: null });
    for (const [first, second] of [
      [running, task('a', 1, 0)],
      [task('a', 1, 0), running],
    ]) {
      const runs = await openFiles({
        '1.json': { task_instances: [first], total_entries: 1 },
        '2.json': { task_instances: [second], total_entries: 1 },
      });
      const { tries } = await runs.getRun('scheduled__1', undefined, new Scope());
      expect(tries.map((one) => one.state)).toEqual(['success']);
    }
  });

  it('reads Airflow 2, where logical dates, types and scheduled times have other names or none', async () => {
    const runs = await openFiles({
      'runs.json': {
        dag_runs: [
          {
            dag_id: 'a',
            dag_run_id: 'manual__1',
            execution_date: '2026-03-01T04:00:00+02:00',
            run_type: 'manual',
            state: 'running',
            start_date: '2026-03-01T02:00:00Z',
            end_date: null,
          },
        ],
        total_entries: 1,
      },
      'tasks.json': {
        task_instances: [
          {
            dag_id: 'a',
            dag_run_id: 'manual__1',
            task_id: 't',
            execution_date: '2026-03-01T02:00:00Z',
            start_date: '2026-03-01T02:00:30Z',
            end_date: null,
            queued_when: '2026-03-01T02:00:10Z',
            try_number: 1,
            state: 'running',
          },
        ],
        total_entries: 1,
      },
    });
    const { run: found, tries, warnings } = await runs.getRun('manual__1', undefined, new Scope());
    expect(found).toMatchObject({ logical_date: '2026-03-01T02:00:00.000000Z', ended_at: null, duration_s: null, type: 'manual' });
    expect(tries[0]).toMatchObject({
      map_index: -1,
      scheduled_at: null,
      queued_at: '2026-03-01T02:00:10.000000Z',
      duration_s: null,
      pool: null,
      slots: 1,
    });
    expect(warnings.map((one) => one.code)).toContain('no_scheduled_time');
  });

  it('names the near run id, and asks which pipeline where ids repeat', async () => {
    const runs = await openFiles({ 'r.json': { dag_runs: [run('a', 1), run('b', 1)], total_entries: 2 } });
    await expect(runs.getRun('scheduled__1', undefined, new Scope())).rejects.toThrow(/several pipelines.*a, b/);
    await expect(runs.getRun('schedulde__1', 'a', new Scope())).rejects.toThrow(/did you mean "scheduled__1"/);
    await expect(runs.getRun('scheduled__1', 'z', new Scope())).rejects.toThrow(RunNotFoundError);
  });

  it('says that it cannot tell who ran where a run overlaps whose tasks were not saved', async () => {
    const runs = await openFiles({ 'r.json': { dag_runs: [run('a', 1)], total_entries: 1 } });
    const inside = await runs.triesBetween('2026-03-01T02:30:00Z', '2026-03-01T02:40:00Z', new Scope());
    expect([inside.complete, inside.warnings.map((one) => one.code)]).toEqual([false, ['tasks_missing']]);
    expect(await runs.triesBetween('2026-03-02', '2026-03-03', new Scope())).toMatchObject({ complete: true, tries: [] });
  });

  it('filters by moment, whatever the zone of the filter', async () => {
    const runs = await openFiles({ 'r.json': { dag_runs: [run('a', 1), run('a', 2), run('a', 3)], total_entries: 3 } });
    const { runs: list } = await runs.listRuns({ since: '2026-03-02T03:00:00+01:00', until: '2026-03-03T02:00:00Z' }, new Scope());
    expect(list.map((one) => one.run_id)).toEqual(['scheduled__2']);
  });
});

describe('an export in another form', () => {
  const command = (day: number) => {
    const { dag_run_id: runId, ...rest } = run('a', day);
    return { ...rest, run_id: runId };
  };
  it.each([
    ['one run a line', { 'runs.jsonl': [run('a', 1), run('a', 2)].map((one) => JSON.stringify(one)).join('\n') }],
    [
      'one page a line',
      { 'pages.ndjson': [run('a', 1), run('a', 2)].map((one) => JSON.stringify({ dag_runs: [one], total_entries: 2 })).join('\n') },
    ],
    ['what the command line prints', { 'runs.json': [command(1), command(2)] }],
    ['one answer a file', { '1.json': run('a', 1), '2.json': run('a', 2) }],
    ['gzip', { 'runs.json.gz': gzipSync(JSON.stringify([run('a', 1), run('a', 2)])) }],
  ])('is read: %s', async (_, files) => {
    const listing = await (await openFiles(files)).listRuns({}, new Scope());
    expect(listing.runs.map((one) => one.run_id)).toEqual(['scheduled__2', 'scheduled__1']);
    expect(listing.warnings).toEqual([]);
  });

  it('says of broken lines and of a folder without JSON what is missing', async () => {
    const broken = await (
      await openFiles({ 'runs.jsonl': `${JSON.stringify(run('a', 1))}\n${JSON.stringify(run('a', 2))}\n{"dag_` })
    ).listRuns({}, new Scope());
    expect([broken.runs.length, broken.warnings[0]?.code]).toEqual([2, 'broken_lines']);
    const none = await (await openFiles({ 'runs.csv': 'id\n1\n' })).listRuns({}, new Scope());
    expect(none.warnings[0]?.code).toBe('no_json_files');
  });
});
