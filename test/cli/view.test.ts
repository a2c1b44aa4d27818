import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEventLog } from '../../src/store/open-event-log.ts';
import { eventAt, opened } from '../store/log-folder.ts';
import { runCli } from '../support/run-cli.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const viewers: ChildProcess[] = [];
let home: string;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'soloist-view-'));
  const log = await openEventLog({ folder: home, tenant: 'local' });
  log.append([eventAt(0, opened('Why so late?'), { session: 's-1m8q7ejh3-wkba' })]);
  log.close();
});
afterAll(() => {
  for (const viewer of viewers) viewer.kill('SIGKILL');
  rmSync(home, { recursive: true, force: true });
});

/** The verb as it ships; `said` settles with its first line on stdout, `ended` with its exit code. */
function view(argv: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const viewer = spawn(process.execPath, [join(root, 'dist/src/cli/main.js'), 'view', ...argv], {
    cwd: home,
    env: { ...process.env, NO_COLOR: '1', SOLOIST_HOME: home, SECRET_OF_THE_SHELL: 'hunter2', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  viewers.push(viewer);
  let stdout = '';
  let stderr = '';
  viewer.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const said = new Promise<string>((resolve, reject) => {
    viewer.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      if (stdout.includes('\n')) resolve(stdout.trimEnd());
    });
    viewer.on('close', () => reject(new Error(`it ended: ${stderr}`)));
  });
  const ended = new Promise<number | null>((resolve) => viewer.on('close', resolve));
  return { viewer, said, ended, stderr: () => stderr };
}

const fails = (...argv: string[]) => runCli(['view', ...argv], { environment: { SOLOIST_HOME: home } });

describe('soloist view', () => {
  it('prints where the page is, serves it with its data, and is done when it is interrupted', async () => {
    const { viewer, said, ended } = view(['-1']);
    const address = new URL(await said);
    expect([address.hostname, address.hash]).toEqual(['127.0.0.1', '#/s-1m8q7ejh3-wkba']);
    const page = await (await fetch(address)).text();
    expect(page).toContain('<title>Soloist</title>');
    for (const [, path] of page.matchAll(/(?:src|href)="(\/[^"]+)"/g)) expect((await fetch(new URL(path!, address))).status).toBe(200);
    const { sessions } = (await (await fetch(new URL('/api/sessions', address))).json()) as { sessions: unknown[] };
    expect(sessions).toMatchObject([{ question: 'Why so late?', state: 'killed' }]);
    viewer.kill('SIGINT');
    expect(await ended).toBe(0);
  });

  it('prints address, port and process as JSON, and ends on SIGTERM too', async () => {
    const { viewer, said, ended } = view(['--json']);
    const { url, port, pid } = JSON.parse(await said) as { url: string; port: number; pid: number };
    expect([url, pid]).toEqual([`http://127.0.0.1:${port}/`, viewer.pid]);
    viewer.kill('SIGTERM');
    expect(await ended).toBe(0);
  });

  it('shows nothing of the environment', async () => {
    const { viewer, said, ended } = view(['--json']);
    const { url } = JSON.parse(await said) as { url: string };
    const id = 's-1m8q7ejh3-wkba';
    for (const path of ['', 'api/sessions', `api/sessions/${id}`, `api/sessions/${id}/events`, `api/sessions/${id}/results/@1`]) {
      const answer = await fetch(url + path);
      expect(answer.status, path).toBe(200);
      expect(await answer.text()).not.toMatch(/hunter2|SECRET_OF_THE_SHELL|SOLOIST_HOME/);
    }
    viewer.kill('SIGINT');
    await ended;
  });

  it('says so where there is no browser to open', async () => {
    const { viewer, said, ended, stderr } = view(['--open'], { PATH: home });
    const address = await said;
    await new Promise<void>((resolve) => {
      const look = (): unknown => (stderr().includes('no browser') ? resolve() : setTimeout(look, 20));
      look();
    });
    expect(stderr()).toContain(`open ${address} yourself`);
    expect((await fetch(address)).status).toBe(200);
    viewer.kill('SIGINT');
    expect(await ended).toBe(0);
  });

  it('names a port that is in use', async () => {
    const other = createServer();
    const port = await new Promise<number>((resolve) =>
      other.listen(0, '127.0.0.1', () => resolve((other.address() as { port: number }).port)),
    );
    const { code, stderr } = await fails('--port', String(port));
    other.close();
    expect(code).toBe(1);
    expect(stderr).toBe(`soloist: port ${port} of 127.0.0.1 is in use; choose another with --port N, or leave --port out for a free one\n`);
  });

  it('says what is wrong with a log that cannot be read', async () => {
    const broken = mkdtempSync(join(tmpdir(), 'soloist-view-'));
    writeFileSync(join(broken, 'soloist.db'), 'no database, however long it may be looked at');
    const { code, stdout, stderr } = await runCli(['view', '--json'], { environment: { SOLOIST_HOME: broken } });
    rmSync(broken, { recursive: true, force: true });
    expect([code, JSON.parse(stdout).error.code]).toEqual([1, 'store_unusable']);
    expect(stderr).toContain(`${join(broken, 'soloist.db')}: the log database is damaged`);
  });

  it('names what is wrong with its arguments', async () => {
    expect(await fails('s-1m8q7ejh3-wkbb')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('did you mean s-1m8q7ejh3-wkba?'),
    });
    expect(await fails('--port', '65536')).toMatchObject({ code: 2, stderr: expect.stringContaining('from 0 to 65535') });
    expect(await fails('--project', join(home, 'none'))).toMatchObject({ code: 2, stderr: expect.stringContaining('there is no folder') });
  });
});
