import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseLenientJson } from '../../../src/core/lenient-json.ts';
import { Scope } from '../../../src/core/scope.ts';
import { openDbtSource } from '../../../src/sources/dbt/open-dbt-source.ts';

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'soloist-dbt-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('lenient JSON', () => {
  it('gives bare non-finite numbers as text with their places, and leaves texts alone', () => {
    const read = parseLenientJson('\uFEFF{"a":[1,NaN,{"b c":-Infinity}],"text":"NaN and Infinity are fine","d":Infinity}');
    expect(read).toEqual({
      ok: true,
      value: { a: [1, 'NaN', { 'b c': '-Infinity' }], text: 'NaN and Infinity are fine', d: 'Infinity' },
      nonFinite: ['a[1]', 'a[2]["b c"]', 'd'],
      nonFiniteCount: 3,
    });
  });

  it('keeps whole numbers beyond 2^53 and numbers beyond a double as text', () => {
    const read = parseLenientJson('[9007199254740991, 9007199254740993, -12345678901234567890, 1e400, 0.1234567890123456789]');
    expect(read).toMatchObject({
      ok: true,
      value: [9007199254740991, '9007199254740993', '-12345678901234567890', '1e400', 0.12345678901234568],
      nonFinite: ['[3]'],
    });
  });

  it('says where a text is broken', () => {
    expect(parseLenientJson('{"a": 1,\n "b": }')).toMatchObject({ ok: false, line: 2, column: 7 });
    expect(parseLenientJson('{"a": NaN')).toMatchObject({ ok: false });
    expect(parseLenientJson('')).toMatchObject({ ok: false });
    expect(parseLenientJson('{"a": nan}')).toMatchObject({ ok: false });
    expect(parseLenientJson('[NaN, "a\nb"]')).toMatchObject({ ok: false });
    expect(parseLenientJson('[NaN, "a\\n\\u0041\\\\"]')).toMatchObject({ ok: true, value: ['NaN', 'a\nA\\'] });
  });

  it('refuses deep nesting instead of failing on it', () => {
    expect(parseLenientJson('['.repeat(200_000) + ']'.repeat(200_000))).toMatchObject({
      ok: false,
      message: expect.stringContaining('deeper'),
    });
  });

  it('does not let a key change the prototype', () => {
    const read = parseLenientJson('{"__proto__": {"polluted": NaN}}');
    expect(read.ok && Object.hasOwn(read.value as object, '__proto__')).toBe(true);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('agrees with JSON.parse on every JSON text without large numbers', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        fc.pre(!/\d{16}/.test(text));
        // The word makes the careful reader take the text, whatever else it holds.
        expect(parseLenientJson(`[${text}, NaN]`)).toMatchObject({ ok: true, value: [JSON.parse(text), 'NaN'] });
      }),
      { numRuns: 300 },
    );
  });
});

interface Node {
  readonly id: string;
  readonly status: string;
  readonly seconds?: string;
  readonly rows?: string;
  readonly failures?: string;
}

function runResults(invocation: string, day: number, nodes: readonly Node[], elapsed = '30.5'): string {
  const results = nodes.map(
    ({ id, status, seconds = '1.5', rows = '-1', failures = 'null' }) =>
      `{"unique_id":"${id}","status":"${status}","execution_time":${seconds},"failures":${failures},"message":null,` +
      `"timing":[{"name":"execute","started_at":"2026-02-0${day}T02:00:00Z","completed_at":"2026-02-0${day}T02:00:10Z"}],"adapter_response":{"rows_affected":${rows}}}`,
  );
  return `{"metadata":{"dbt_schema_version":"https://schemas.getdbt.com/dbt/run-results/v6.json","generated_at":"2026-02-0${day}T02:00:31Z","invocation_id":"${invocation}"},"results":[${results.join(',')}],"elapsed_time":${elapsed},"args":{"which":"build"}}`;
}

async function openTargets(name: string, targets: Readonly<Record<string, Readonly<Record<string, string>>>>) {
  const root = join(folder, name);
  for (const [target, files] of Object.entries(targets)) {
    await mkdir(join(root, target), { recursive: true });
    for (const [file, text] of Object.entries(files)) await writeFile(join(root, target, file), text);
  }
  const { runs } = await openDbtSource({ name: 'dbt', kind: 'dbt', paths: [root] }, { scratch: '' });
  if (!runs) throw new Error('dbt without runs');
  return runs;
}

describe('dbt target folders', () => {
  it('takes every folder as a run, newest first', async () => {
    const runs = await openTargets('nights', {
      first: { 'run_results.json': runResults('one', 1, [{ id: 'model.shop.orders', status: 'success' }]) },
      second: { 'run_results.json': runResults('two', 2, [{ id: 'model.shop.orders', status: 'error' }]) },
    });
    const { runs: list } = await runs.listRuns({}, new Scope());
    expect(list.map((run) => [run.pipeline, run.run_id, run.type, run.state, run.duration_s])).toEqual([
      ['shop', 'two', 'dbt', 'failed', 30.5],
      ['shop', 'one', 'dbt', 'success', 30.5],
    ]);
  });

  it('keeps statuses that nobody listed, and takes neither as a failure', async () => {
    const nodes = ['reused', 'no-op', 'skipped', 'warn', 'something new'].map((status, index) => ({ id: `model.shop.m${index}`, status }));
    const runs = await openTargets('statuses', { target: { 'run_results.json': runResults('odd', 1, nodes) } });
    const { run, tries } = await runs.getRun('odd', undefined, new Scope());
    expect(tries.map((one) => one.state)).toEqual(['reused', 'no-op', 'skipped', 'warn', 'something new']);
    expect(run.state).toBe('success');
  });

  it('never takes NaN for a number nor -1 for a count of rows', async () => {
    const nodes = [
      { id: 'model.shop.a', status: 'success', rows: 'NaN', seconds: 'NaN' },
      { id: 'model.shop.b', status: 'success', rows: '-1' },
      { id: 'model.shop.c', status: 'success', rows: '12345678901234567890' },
    ];
    const runs = await openTargets('nan', { target: { 'run_results.json': runResults('nan', 1, nodes, '-Infinity') } });
    const { run, tries, warnings } = await runs.getRun('nan', undefined, new Scope());
    expect(tries.map((one) => [one.rows, one.duration_s])).toEqual([
      ['NaN', null],
      [undefined, 1.5],
      ['12345678901234567890', 1.5],
    ]);
    // From the first start, 02:00:00, to the writing of the file, 02:00:31.
    expect(run.duration_s).toBe(31);
    const warning = warnings.find((one) => one.code === 'not_a_number')?.message ?? '';
    expect(warning).toContain('3 places');
    expect(warning).toContain('results[0].adapter_response.rows_affected');
    expect(warning).toContain('elapsed_time');
  });

  it('explains a manifest without results, and goes on past a broken file', async () => {
    const runs = await openTargets('crashed', {
      crashed: { 'manifest.json': '{"metadata":{"dbt_schema_version":"https://schemas.getdbt.com/dbt/manifest/v12.json"}}' },
      broken: { 'run_results.json': '{"metadata": {' },
      good: { 'run_results.json': runResults('good', 3, [{ id: 'model.shop.orders', status: 'success' }]) },
    });
    const { runs: list, warnings } = await runs.listRuns({}, new Scope());
    expect(list.map((run) => run.run_id)).toEqual(['good']);
    expect(warnings.map((one) => one.code).sort()).toEqual(['broken_file', 'no_run_results']);
  });
});
