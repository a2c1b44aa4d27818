import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { Scope } from '../../../src/core/scope.ts';
import type { Source } from '../../../src/core/source.ts';
import { createAirflowClient } from '../../../src/sources/airflow/airflow-client.ts';
import { openAirflowSource } from '../../../src/sources/airflow/open-airflow-source.ts';

const TOKEN = 'token-that-nobody-may-see';
const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

interface Seen {
  readonly url: URL;
  readonly method: string | undefined;
  readonly authorization: string | undefined;
}

/** A server on a free port; `answer` gives a body, or writes the response itself and gives undefined. */
async function serve(answer: (seen: Seen, response: ServerResponse) => unknown): Promise<{ readonly url: string; readonly seen: Seen[] }> {
  const seen: Seen[] = [];
  const server = createServer((request: IncomingMessage, response) => {
    const one = { url: new URL(request.url ?? '/', 'http://here'), method: request.method, authorization: request.headers.authorization };
    seen.push(one);
    const body = answer(one, response);
    if (body !== undefined) response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

async function open(url: string): Promise<Source & { readonly runs: NonNullable<Source['runs']> }> {
  const source = await openAirflowSource({ name: 'live', kind: 'airflow', paths: [], url, token: TOKEN }, { scratch: '' });
  return source as Source & { readonly runs: NonNullable<Source['runs']> };
}

const run = (dag: string, id: string) => ({
  dag_id: dag,
  dag_run_id: id,
  run_type: 'scheduled',
  state: 'success',
  start_date: '2026-03-01T02:00:00Z',
  end_date: '2026-03-01T03:00:00Z',
  duration: 3600,
});
const task = (index: number, extra: object = {}) => ({
  dag_id: 'nightly',
  dag_run_id: 'r/1',
  task_id: 'load',
  map_index: index,
  try_number: 1,
  state: 'success',
  scheduled_when: '2026-03-01T02:00:00Z',
  start_date: '2026-03-01T02:01:00Z',
  end_date: '2026-03-01T02:02:00Z',
  duration: 60,
  pool: 'p',
  pool_slots: 2,
  ...extra,
});

function page(all: readonly unknown[], field: string, { url }: Seen): Record<string, unknown> {
  const [offset, limit] = [Number(url.searchParams.get('offset')), Number(url.searchParams.get('limit'))];
  return { [field]: all.slice(offset, offset + limit), total_entries: all.length };
}

describe('a running Airflow', () => {
  it('reads every page of a listing with GET and the token', async () => {
    const all = Array.from({ length: 250 }, (_, index) => run('nightly', `r${index}`));
    const { url, seen } = await serve((one) => page(all, 'dag_runs', one));
    const { runs, location } = await open(url);
    const listing = await runs.listRuns({ pipeline: 'nightly' }, new Scope());
    expect([listing.runs.length, listing.total, listing.complete]).toEqual([250, 250, true]);
    expect(seen.map((one) => one.url.pathname)).toEqual(Array(3).fill('/api/v2/dags/nightly/dagRuns'));
    expect(seen.every((one) => one.method === 'GET' && one.authorization === `Bearer ${TOKEN}`)).toBe(true);
    expect(location).not.toContain(TOKEN);
  });

  it('says that a listing is not complete when a later page fails', async () => {
    const all = Array.from({ length: 250 }, (_, index) => run('nightly', `r${index}`));
    const { url } = await serve((one, response) => {
      if (one.url.searchParams.get('offset') !== '200') return page(all, 'dag_runs', one);
      response.writeHead(503).end('busy');
      return undefined;
    });
    const { runs } = await open(url);
    const listing = await runs.listRuns({}, new Scope());
    expect([listing.runs.length, listing.total, listing.complete]).toEqual([200, 250, false]);
    expect(listing.warnings[0]?.message).toMatch(/200 of 250.*503/);
  });

  it('reads a run with the earlier tries of its retried tasks', async () => {
    const last = [...Array.from({ length: 120 }, (_, index) => task(index)), task(120, { try_number: 2 })];
    const { url } = await serve((one) => {
      if (one.url.pathname.endsWith('/dagRuns/r%2F1')) return run('nightly', 'r/1');
      if (one.url.pathname.endsWith('/load/120/tries'))
        return { task_instances: [task(120, { state: 'failed' }), last[120]], total_entries: 2 };
      return page(last, 'task_instances', one);
    });
    const detail = await (await open(url)).runs.getRun('r/1', 'nightly', new Scope());
    expect([detail.tries.length, detail.total, detail.complete]).toEqual([122, 122, true]);
    expect(detail.tries.filter((one) => one.map_index === 120).map((one) => [one.try_number, one.state])).toEqual([
      [1, 'failed'],
      [2, 'success'],
    ]);
  });

  it('finds a run without its pipeline, and asks where the id repeats', async () => {
    const { url } = await serve((one) => {
      if (one.url.pathname.endsWith('taskInstances')) return { task_instances: [], total_entries: 0 };
      return page([run('a', 'same'), run('b', 'same'), run('c', 'only')], 'dag_runs', one);
    });
    const { runs } = await open(url);
    expect((await runs.getRun('only', undefined, new Scope())).run.pipeline).toBe('c');
    await expect(runs.getRun('same', undefined, new Scope())).rejects.toThrow(/a, b/);
    await expect(runs.getRun('onyl', undefined, new Scope())).rejects.toThrow(/did you mean "only"/);
  });

  it('counts running tasks among those that overlap a window', async () => {
    const running = task(1, { state: 'running', end_date: null, duration: null });
    const { url } = await serve((one) => {
      if (one.url.pathname.endsWith('/pools')) return { pools: [{ name: 'p', slots: 4 }], total_entries: 1 };
      return page(one.url.searchParams.get('state') === 'running' ? [running] : [task(0)], 'task_instances', one);
    });
    const { runs } = await open(url);
    const { tries, complete } = await runs.triesBetween('2026-03-01T02:00:00Z', '2026-03-01T02:01:30Z', new Scope());
    expect([tries.map((one) => one.map_index).sort(), complete]).toEqual([[0, 1], true]);
    expect(await runs.pools(new Scope())).toEqual([{ name: 'p', slots: 4 }]);
  });

  it.each([
    [401, /401.*token/],
    [403, /403.*may not read/],
    [404, /404/],
    [500, /500.*server failed/],
  ])('explains the answer %i without the token', async (status, message) => {
    const { url } = await serve((_, response) => {
      response.writeHead(status).end(`{"detail": "${TOKEN}"}`);
      return undefined;
    });
    const source = await open(url);
    const failure = await source.runs.listRuns({}, new Scope()).catch((error: unknown) => error);
    expect(String(failure)).toMatch(message);
    const check = await source.check(new Scope());
    expect(check.ok).toBe(false);
    expect(`${failure}${JSON.stringify(check)}`).not.toContain(TOKEN);
  });

  it('follows a redirect on its own host and none to another', async () => {
    const other = await serve(() => ({ pools: [], total_entries: 0 }));
    const { url } = await serve((one, response) => {
      if (one.url.pathname === '/moved/pools') return { pools: [{ name: 'p', slots: 1 }], total_entries: 1 };
      const away = one.url.pathname.includes('dagRuns') ? `${other.url}/api/v2/dags/~/dagRuns` : '/moved/pools';
      response.writeHead(307, { location: away }).end();
      return undefined;
    });
    const { runs } = await open(url);
    expect(await runs.pools(new Scope())).toEqual([{ name: 'p', slots: 1 }]);
    await expect(runs.listRuns({}, new Scope())).rejects.toThrow(/not followed/);
    expect(other.seen).toEqual([]);
  });

  it('gives up on a server that does not answer, and when the scope stops', async () => {
    const { url } = await serve(() => undefined);
    const client = createAirflowClient({ url, timeoutMs: 100 });
    expect(await client.get('/pools', {}, new Scope())).toMatchObject({
      ok: false,
      reason: 'unreachable',
      message: expect.stringContaining('no answer within 0.1 s'),
    });
    const scope = new Scope();
    const asked = createAirflowClient({ url }).get('/pools', {}, scope);
    scope.stop({ kind: 'interrupted' });
    expect(await asked).toMatchObject({ ok: false, reason: 'unreachable' });
  });

  it('names an answer that is no JSON, and a port where nothing listens', async () => {
    const { url } = await serve((_, response) => {
      response.end('<html>sign in</html>');
      return undefined;
    });
    expect(await createAirflowClient({ url }).get('/pools', {}, new Scope())).toMatchObject({ ok: false, reason: 'not_json' });
    const closed = await serve(() => ({}));
    const server = servers.pop();
    await new Promise((resolve) => server?.close(resolve));
    expect(await createAirflowClient({ url: closed.url }).get('/pools', {}, new Scope())).toMatchObject({
      message: expect.stringContaining('nothing listens'),
    });
  });

  it('keeps user and password out of its location and refuses what is no web address', async () => {
    const client = createAirflowClient({ url: 'https://user:secret@airflow.example/team/?key=secret' });
    expect(client.location).toBe('https://airflow.example/team/api/v2');
    await expect(open('postgres://u:secret@host/db')).rejects.toThrow(/http/);
    await expect(open('postgres://u:secret@host/db')).rejects.not.toThrow(/secret/);
  });
});
