import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createOutputFolder } from '../../../src/app/output-folder.ts';
import { createWebhooks } from '../../../src/app/webhooks.ts';
import { Scope } from '../../../src/core/scope.ts';
import type { Tool, ToolContext } from '../../../src/core/tool.ts';
import { createSourceCatalog } from '../../../src/sources/source-catalog.ts';
import { addCheck } from '../../../tools/actions/add-check.ts';
import { cancelRun } from '../../../tools/actions/cancel-run.ts';
import { clearTasks } from '../../../tools/actions/clear-tasks.ts';
import { notify } from '../../../tools/actions/notify.ts';
import { pausePipeline } from '../../../tools/actions/pause-pipeline.ts';
import { retryJob } from '../../../tools/actions/retry-job.ts';
import { triggerRun } from '../../../tools/actions/trigger-run.ts';

interface Seen {
  readonly method: string;
  readonly path: string;
  readonly body: Record<string, unknown> | undefined;
  readonly authorization: string | undefined;
}

let folder: string;
let server: Server;
let address: string;
let seen: Seen[] = [];

const instance = (index: number, state: string) => ({ task_id: 'load', map_index: index, state, try_number: 1 });

/** As much of Airflow's REST API v2 as the tools ask for. */
function airflow({ method, path, body }: Seen): readonly [status: number, answer: unknown] {
  if (path.startsWith('/api/v2/dags/absent')) return [404, { detail: 'The DAG was not found' }];
  if (path === '/api/v2/dags/nightly') return [200, { dag_id: 'nightly', is_paused: false }];
  if (path === '/api/v2/dags/nightly/dagRuns' && method === 'POST') {
    if (body?.logical_date === '2026-03-01T02:00:00Z') return [409, { detail: 'A run for this logical date exists' }];
    return [200, { dag_run_id: 'manual__1' }];
  }
  if (path === '/api/v2/dags/nightly/clearTaskInstances') {
    const all = body?.only_failed ? [instance(4, 'failed')] : [instance(4, 'failed'), instance(-1, 'success')];
    return [200, { task_instances: body?.dag_run_id === 'good' ? [] : all, total_entries: all.length }];
  }
  if (path === '/api/v2/dags/nightly/dagRuns/r%2F1') return [200, { state: 'running' }];
  if (path === '/api/v2/dags/nightly/dagRuns/done') return [200, { state: 'success' }];
  if (path === '/hook') return [body?.text === 'moved' ? 302 : 200, { ok: true }];
  if (path.startsWith('/api/v2/dags/nightly')) return [200, {}];
  return [500, {}];
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'soloist-actions-'));
  server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    request.on('end', () => {
      const path = (request.url ?? '').split('?')[0] ?? '';
      const one = {
        method: request.method ?? '',
        path,
        body: text ? JSON.parse(text) : undefined,
        authorization: request.headers.authorization,
      };
      seen.push(one);
      const [status, answer] = airflow(one);
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  seen = [];
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

async function run(tool: Tool, input: Record<string, unknown>) {
  const spec = { name: 'live', kind: 'airflow' as const, paths: [], url: address, token: 'secret-token' };
  const sources = createSourceCatalog([spec], { scratch: '' });
  const context: ToolContext = {
    sources,
    scope: new Scope(),
    now: () => new Date('2026-03-17T06:00:00Z'),
    resultId: 'r1',
    resultIds: () => [],
    readReference: () => undefined,
    folder: createOutputFolder(folder),
    webhooks: createWebhooks({ oncall: `${address}/hook?key=topsecret` }),
  };
  // biome-ignore lint/suspicious/noExplicitAny: results of several tools are read by their own fields
  return (await tool.run(tool.input.parse(input) as Record<string, unknown>, context)) as any;
}

const changesMade = () => seen.filter(({ method, body }) => method === 'PATCH' || (method === 'POST' && body?.dry_run !== true));

describe('a change at the scheduler', () => {
  it.each<[Tool, Record<string, unknown>, RegExp]>([
    [triggerRun, { pipeline: 'nightly' }, /^start a run of nightly without a logical date$/],
    [clearTasks, { pipeline: 'nightly', run_id: 'r1' }, /^clear load index 4, now failed, try 1$/],
    [retryJob, { pipeline: 'nightly', run_id: 'r1' }, /^clear load index 4/],
    [pausePipeline, { pipeline: 'nightly' }, /^pause nightly$/],
    [cancelRun, { pipeline: 'nightly', run_id: 'r/1' }, /^mark run r\/1 of nightly, now running, as failed/],
  ])('is only shown by default: $name', async (tool, input, line) => {
    const result = await run(tool, input);
    expect(result).toMatchObject({ status: 'ok', complete: true, data: { dry_run: true } });
    expect(result.data.changes[0]).toMatch(line);
    expect(changesMade()).toEqual([]);
    expect(tool.effect).toBe('write');
    expect(tool.isDryRun?.(tool.input.parse(input))).toBe(true);
    expect(tool.isDryRun?.({ ...input, dry_run: false })).toBe(false);
  });

  it('is made when asked for, once, with the body that Airflow takes', async () => {
    const triggered = await run(triggerRun, { pipeline: 'nightly', conf: { full: true }, dry_run: false });
    expect(triggered.data).toEqual({ dry_run: false, changes: ['started run manual__1 of nightly'], run_id: 'manual__1' });
    await run(clearTasks, { pipeline: 'nightly', run_id: 'r1', task_ids: ['load'], only_failed: false, dry_run: false });
    await run(pausePipeline, { pipeline: 'nightly', dry_run: false });
    await run(cancelRun, { pipeline: 'nightly', run_id: 'r/1', dry_run: false });
    expect(changesMade().map(({ method, path, body }) => [method, path, body])).toEqual([
      ['POST', '/api/v2/dags/nightly/dagRuns', { logical_date: null, conf: { full: true } }],
      [
        'POST',
        '/api/v2/dags/nightly/clearTaskInstances',
        { dry_run: false, dag_run_id: 'r1', only_failed: false, include_downstream: false, reset_dag_runs: true, task_ids: ['load'] },
      ],
      ['PATCH', '/api/v2/dags/nightly', { is_paused: true }],
      ['PATCH', '/api/v2/dags/nightly/dagRuns/r%2F1', { state: 'failed' }],
    ]);
  });

  it('is refused where there is nothing to change, and never tried', async () => {
    expect(await run(cancelRun, { pipeline: 'nightly', run_id: 'done', dry_run: false })).toMatchObject({
      status: 'refused',
      data: { message: 'run done has ended already: success' },
    });
    expect(await run(retryJob, { pipeline: 'nightly', run_id: 'good', dry_run: false })).toMatchObject({ status: 'refused' });
    expect(await run(pausePipeline, { pipeline: 'nightly', paused: false, dry_run: false })).toMatchObject({ status: 'refused' });
    expect(changesMade()).toEqual([]);
  });

  it("carries the server's own words when it refuses, and no token", async () => {
    const conflict = await run(triggerRun, { pipeline: 'nightly', logical_date: '2026-03-01T02:00:00Z', dry_run: false });
    expect(conflict).toMatchObject({
      status: 'error',
      data: { message: expect.stringMatching(/409.*A run for this logical date exists/) },
    });
    const absent = await run(triggerRun, { pipeline: 'absent', dry_run: false });
    expect(absent).toMatchObject({ status: 'error', data: { message: expect.stringMatching(/404/) } });
    expect(JSON.stringify([conflict, absent])).not.toContain('secret-token');
    expect(await run(triggerRun, { pipeline: '..', dry_run: false })).toMatchObject({ status: 'error' });
    expect(seen.every(({ authorization }) => authorization === 'Bearer secret-token')).toBe(true);
  });
});

describe('notify', () => {
  it('shows host and text first, then sends, and never shows the address', async () => {
    const shown = await run(notify, { webhook: 'oncall', text: 'late' });
    expect(shown.data).toEqual({ dry_run: true, webhook: 'oncall', host: address.replace('http://', ''), text: 'late' });
    expect(seen).toEqual([]);
    const sent = await run(notify, { webhook: 'oncall', text: 'late', dry_run: false });
    expect(sent.data.status).toBe(200);
    expect(seen[0]).toMatchObject({ method: 'POST', path: '/hook', body: { text: 'late' } });
    const moved = await run(notify, { webhook: 'oncall', text: 'moved', dry_run: false });
    expect(moved).toMatchObject({ status: 'error', data: { message: expect.stringMatching(/302, a redirect, which is not followed/) } });
    expect(JSON.stringify([shown, sent, moved])).not.toContain('topsecret');
    expect(await run(notify, { webhook: 'on-call', text: 'x' })).toMatchObject({
      status: 'refused',
      data: { message: expect.stringMatching(/did you mean "oncall"/) },
    });
  });
});

describe('add_check', () => {
  it('shows the change, makes it when asked, and keeps comments', async () => {
    const file = join(folder, 'schema.yml');
    const before = 'version: 2\nmodels:\n  # the core table\n  - name: orders\n    columns:\n      - name: id\n        tests: [not_null]\n';
    writeFileSync(file, before);
    const input = { table: 'orders', column: 'id', check: 'unique', file: 'schema.yml' };
    const shown = await run(addCheck, input);
    expect(shown.data).toMatchObject({ dry_run: true, created: false });
    expect(shown.data.diff.join('\n')).toMatch(/^- +tests: \[not_null\]\n\+ +tests: \[ ?not_null, unique ?\]$/);
    expect(readFileSync(file, 'utf8')).toBe(before);
    await run(addCheck, { ...input, dry_run: false });
    await run(addCheck, { ...input, column: 'state', check: 'accepted_values', arguments: { values: ['open', 'paid'] }, dry_run: false });
    const after = readFileSync(file, 'utf8');
    expect(after).toMatch(/# the core table/);
    expect(after).toMatch(/- name: state\n +data_tests:\n +- accepted_values:\n +values:\n +- open\n +- paid\n/);
    expect(await run(addCheck, input)).toMatchObject({ status: 'refused', warnings: [{ code: 'already_there' }] });
  });

  it('makes the file where there is none, and stays in the project', async () => {
    const made = await run(addCheck, { table: 'raw.orders', check: 'unique_combination', dry_run: false });
    expect(made.data).toMatchObject({ file: 'checks/raw.orders.yml', created: true });
    expect(readFileSync(join(folder, 'checks/raw.orders.yml'), 'utf8')).toBe(
      'version: 2\nmodels:\n  - name: raw.orders\n    data_tests:\n      - unique_combination\n',
    );
    symlinkSync(tmpdir(), join(folder, 'out'));
    const outside = await run(addCheck, { table: 't', check: 'unique', file: 'out/x.yml', dry_run: false });
    expect(outside).toMatchObject({ status: 'error', data: { message: expect.stringMatching(/outside the project's folder/) } });
    expect(addCheck.input.safeParse({ table: 't', check: 'unique', file: '../x.yml' }).success).toBe(false);
  });

  it('leaves a file alone that it does not understand', async () => {
    for (const text of ['- a\n', 'models: 3\n', 'models: [\n']) {
      writeFileSync(join(folder, 'odd.yml'), text);
      expect(await run(addCheck, { table: 't', check: 'unique', file: 'odd.yml', dry_run: false })).toMatchObject({ status: 'refused' });
      expect(readFileSync(join(folder, 'odd.yml'), 'utf8')).toBe(text);
    }
  });
});
