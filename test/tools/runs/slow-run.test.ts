import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compareRuns } from '../../../tools/runs/compare-runs.ts';
import { getRun } from '../../../tools/runs/get-run.ts';
import { listRuns } from '../../../tools/runs/list-runs.ts';
import { whoElseRan } from '../../../tools/runs/who-else-ran.ts';
import { runTool } from './run-tool.ts';

const original = fileURLToPath(new URL('../../cases/slow-run-pool-starvation', import.meta.url));
const SLOW = 'scheduled__2026-03-16T02:00:00+00:00';

interface Expected {
  readonly [name: string]: number;
}

interface Compared {
  readonly run: { readonly duration_s: number };
  readonly baseline: {
    readonly runs: number;
    readonly median_duration_s: number;
    readonly excluded: Record<string, number>;
    readonly with_task_detail: number;
  };
  readonly duration_ratio: number;
  readonly working: { readonly seconds: number; readonly baseline_median_s: number; readonly changed: boolean };
  readonly waiting: { readonly seconds: number; readonly baseline_median_s: number; readonly changed: boolean };
  readonly groups: readonly Record<string, number | string>[];
  readonly retried: readonly { readonly task_id: string; readonly map_index: number; readonly try_number: number }[];
  readonly critical_path: readonly { readonly task_id: string }[];
}

interface Others {
  readonly others: readonly {
    readonly pipeline: string;
    readonly pool: string;
    readonly max_slots: number;
    readonly held_from: string;
    readonly held_until: string;
  }[];
  readonly pools: readonly {
    readonly pool: string;
    readonly slots: number | null;
    readonly others_max_slots: number;
    readonly own_max_slots: number;
    readonly left_for_the_run: number | null;
  }[];
}

let folder = '';
let expected: Expected = {};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'soloist-runs-'));
  expected = JSON.parse(await readFile(join(original, 'expected.json'), 'utf8')) as Expected;
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Within 1 %, the tolerance that the case states. */
function expectNear(actual: unknown, name: string): void {
  const wanted = expected[name] ?? Number.NaN;
  expect(Math.abs(Number(actual) - wanted), `${name}: ${actual} against ${wanted}`).toBeLessThanOrEqual(wanted * 0.01);
}

/** A copy of the case with every JSON file's text passed through `change`; `undefined` drops the file. */
async function variant(name: string, change: (text: string, file: string) => string | undefined): Promise<string> {
  const target = join(folder, name);
  await cp(original, target, { recursive: true });
  for (const file of await readdir(target, { recursive: true })) {
    if (!file.endsWith('.json')) continue;
    const changed = change(await readFile(join(target, file), 'utf8'), file);
    if (changed === undefined) await rm(join(target, file));
    else await writeFile(join(target, file), changed);
  }
  return target;
}

describe('the night that waited for slots', () => {
  it('compares the run with the fourteen like it and tells waiting from working', async () => {
    const { data, status, complete } = await runTool<Compared>(compareRuns, { runs: original }, { run_id: SLOW });
    expect([status, complete]).toEqual(['ok', true]);
    expectNear(data.run.duration_s, 'last_duration_s');
    expect(data.baseline.runs).toBe(14);
    expectNear(data.baseline.median_duration_s, 'baseline_median_s');
    expect(data.duration_ratio).toBe(expected.ratio);
    expectNear(data.working.seconds, 'task_seconds_last');
    expectNear(data.working.baseline_median_s, 'task_seconds_baseline_median');
    expectNear(data.waiting.seconds, 'wait_seconds_last');
    expectNear(data.waiting.baseline_median_s, 'wait_seconds_baseline_median');
    expect([data.working.changed, data.waiting.changed]).toEqual([false, true]);
    expect(data.baseline.with_task_detail).toBe(5);
    expect(data.critical_path.map((step) => step.task_id)).toEqual(['extract', 'load_partition', 'transform', 'publish']);
  });

  it('leaves the failed manual run out of the baseline and counts it', async () => {
    const { data } = await runTool<Compared>(compareRuns, { runs: original }, { run_id: SLOW });
    expect(Object.values(data.baseline.excluded).reduce((sum, count) => sum + count, 0)).toBe(1);
  });

  it('shows what changed in the mapped task and how long the first one waited', async () => {
    const { data } = await runTool<Compared>(compareRuns, { runs: original }, { run_id: SLOW });
    const load = data.groups.find((group) => group.task_id === 'load_partition');
    expect(load).toMatchObject({ max_parallel: 4, baseline_max_parallel: 16 });
    expectNear(load?.span_s, 'load_span_last_s');
    expectNear(load?.baseline_span_s, 'load_span_baseline_s');
    expectNear(load?.median_s, 'median_load_task_s_last');
    expectNear(load?.baseline_median_s, 'median_load_task_s_baseline');
    expectNear(data.groups.find((group) => group.task_id === 'extract')?.waiting_s, 'extract_wait_last_s');
  });

  it('reads the second page, where the retried task is', async () => {
    const { data, total, returned } = await runTool<Compared>(getRun, { runs: original }, { run_id: SLOW });
    expect([total, returned]).toEqual([expected.task_instances_per_run, expected.task_instances_per_run]);
    expect(data.retried).toMatchObject([{ ...(expected.retried as unknown as object), try_number: 2 }]);
  });

  it('names who held the slots, from when until when, and what was left', async () => {
    const { data } = await runTool<Others>(whoElseRan, { runs: original }, { run_id: SLOW });
    expect(data.others[0]).toMatchObject({ pipeline: 'reload_2025', pool: 'warehouse', max_slots: 12 });
    expect(data.others[0]?.held_from).toMatch(/^2026-03-17T01:55:00/);
    expect(data.others[0]?.held_until).toMatch(/^2026-03-17T03:40:17/);
    expect(data.pools[0]).toMatchObject({ pool: 'warehouse', slots: 16, others_max_slots: 12, own_max_slots: 4, left_for_the_run: 4 });
  });

  it('lists the newest run first and keeps types and states apart', async () => {
    const { data, total } = await runTool<{ runs: { run_id: string }[]; pipelines: { by_type_and_state: object }[] }>(
      listRuns,
      { runs: original },
      { pipeline: 'nightly_sales' },
    );
    expect(total).toBe(16);
    expect(data.runs[0]?.run_id).toBe(SLOW);
    expect(data.pipelines[0]?.by_type_and_state).toEqual({ 'scheduled success': 15, 'manual failed': 1 });
  });
});

describe('other nights', () => {
  it('follows the pool by whatever name it has', async () => {
    const path = await variant('renamed', (text) => text.replaceAll('"warehouse"', '"lake_slots"').replaceAll('reload_2025', 'rebuild'));
    const { data } = await runTool<Others>(whoElseRan, { runs: path }, { run_id: SLOW });
    expect(data.others[0]).toMatchObject({ pipeline: 'rebuild', pool: 'lake_slots', max_slots: 12 });
    expect(data.pools[0]).toMatchObject({ pool: 'lake_slots', left_for_the_run: 4 });
  });

  it('names nobody when the other run is absent', async () => {
    const path = await variant('absent', (text, file) => (file.includes('reload_2025') ? undefined : text));
    const { data, status } = await runTool<Others>(whoElseRan, { runs: path }, { run_id: SLOW });
    expect([status, data.others]).toEqual(['no_data', []]);
  });

  it('names nobody when the other run ended before', async () => {
    const path = await variant('before', (text, file) =>
      file.includes('reload_2025') ? text.replaceAll('2026-03-17', '2026-03-16') : text,
    );
    const { data } = await runTool<Others>(whoElseRan, { runs: path }, { run_id: SLOW });
    expect(data.others).toEqual([]);
  });

  it('counts the slots of a run that has no end yet', async () => {
    const path = await variant('running', (text, file) =>
      file.includes('reload_2025')
        ? text.replaceAll(
            /"end_date": "[^"]*", "duration": [\d.]+, "state": "success"/g,
            '"end_date": null, "duration": null, "state": "running"',
          )
        : text,
    );
    const { data } = await runTool<Others>(whoElseRan, { runs: path }, { run_id: SLOW });
    expect(data.others[0]).toMatchObject({ max_slots: 12, held_until: null });
  });

  it('says that a run is not complete when a page is missing', async () => {
    const path = await variant('page-missing', (text, file) => (file.includes('03-16_offset100') ? undefined : text));
    const result = await runTool(getRun, { runs: path }, { run_id: SLOW });
    expect(result).toMatchObject({ complete: false, status: 'partial', total: 123, returned: 100 });
    expect(result.warnings.map((warning) => warning.code)).toContain('pages_missing');
    const others = await runTool(whoElseRan, { runs: path }, { run_id: SLOW });
    expect(others.complete).toBe(false);
  });

  it('reads times with other zones as the same moments', async () => {
    const path = await variant('zones', (text) => text.replaceAll(/"2026-03-17T03:(\d\d:\d\d\.\d+)Z"/g, '"2026-03-17T08:$1+05:00"'));
    const { data } = await runTool<Compared>(compareRuns, { runs: path }, { run_id: SLOW });
    expectNear(data.waiting.seconds, 'wait_seconds_last');
    expect(data.groups.find((group) => group.task_id === 'load_partition')).toMatchObject({ max_parallel: 4 });
  });

  it('refuses a window that cannot be read or that ends before it begins', async () => {
    expect(await runTool(whoElseRan, { runs: original }, { from: 'yesterday', to: '2026-03-17' })).toMatchObject({ status: 'refused' });
    expect(await runTool(whoElseRan, { runs: original }, { from: '2026-03-18', to: '2026-03-17' })).toMatchObject({ status: 'refused' });
  });

  it('takes a window in any zone', async () => {
    const window = { from: '2026-03-17T03:00:00+01:00', to: '2026-03-17T04:00:00+01:00', pool: 'warehouse' };
    const { data } = await runTool<Others>(whoElseRan, { runs: original }, window);
    expect(data.others[0]).toMatchObject({ pipeline: 'reload_2025', max_slots: 12 });
  });

  it('finds the run in whichever source has it', async () => {
    const path = await variant('two', (text, file) => (file.includes('nightly') || file.includes('run_') ? undefined : text));
    const { data } = await runTool<{ source: string }>(getRun, { first: path, second: original }, { run_id: SLOW });
    expect(data.source).toBe('second');
    const all = await runTool<{ pipelines: { source: string }[] }>(listRuns, { first: path, second: original }, {});
    expect(new Set(all.data.pipelines.map((one) => one.source)).size).toBe(2);
    const window = { from: '2026-03-17T02:00:00Z', to: '2026-03-17T03:00:00Z' };
    const several = await runTool(whoElseRan, { first: path, second: original }, window);
    expect(several).toMatchObject({ status: 'refused', data: { message: expect.stringContaining('first, second') } });
  });
});

describe('large exports', () => {
  it('keeps every result below ten thousand characters', async () => {
    const path = join(folder, 'large');
    const at = (day: number, second: number): string => new Date(Date.UTC(2024, 0, 1) + day * 86_400_000 + second * 1000).toISOString();
    const runs = Array.from({ length: 1000 }, (_, day) => ({
      dag_id: `pipeline_with_a_long_name_${day % 40}`,
      dag_run_id: `scheduled__${at(day, 0)}_with_a_rather_long_suffix`,
      run_type: 'scheduled',
      state: day % 9 === 3 ? 'failed' : 'success',
      start_date: at(day, 0),
      end_date: at(day, 900),
      duration: 900,
    }));
    const newest = runs[999];
    const tasks = Array.from({ length: 5000 }, (_, index) => ({
      dag_id: newest?.dag_id,
      dag_run_id: newest?.dag_run_id,
      task_id: `a_task_with_a_long_name_in_some_group.step_${index % 250}`,
      map_index: Math.floor(index / 250),
      try_number: index % 3 === 0 ? 2 : 1,
      state: index % 7 === 0 ? 'failed' : 'success',
      pool: `pool_${index % 30}`,
      pool_slots: 1,
      scheduled_when: at(999, 0),
      start_date: at(999, 1 + (index % 60)),
      end_date: at(999, 100 + index / 10),
      duration: 99,
    }));
    await cp(original, path, { recursive: true });
    await writeFile(join(path, 'runs.json'), JSON.stringify({ dag_runs: runs, total_entries: 1000 }));
    await writeFile(join(path, 'tasks.json'), JSON.stringify({ task_instances: tasks, total_entries: 5000 }));
    const wanted = { run_id: newest?.dag_run_id };
    for (const [tool, input] of [
      [listRuns, { limit: 200 }],
      [getRun, wanted],
      [compareRuns, wanted],
      [whoElseRan, { from: at(998, 0), to: at(1000, 0) }],
    ] as const) {
      const result = await runTool(tool, { runs: path }, input);
      expect(JSON.stringify(result).length, tool.name).toBeLessThan(10_000);
      if (tool === listRuns) expect(result).toMatchObject({ total: 1017, complete: false });
      if (tool === getRun) expect(result).toMatchObject({ status: 'partial', complete: false, total: 5000, returned: 5000 });
    }
  });
});
