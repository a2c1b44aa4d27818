import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { bounded, type DoctorCheck, runDoctor } from '../../src/app/doctor.ts';
import { checkNode } from '../../src/app/doctor-dependencies.ts';
import { versionCheck } from '../../src/app/doctor-models.ts';
import { openWorkspace } from '../../src/app/workspace.ts';
import { SoloistError } from '../../src/core/errors.ts';
import { type FakeOllama, type FakeOllamaOptions, startFakeOllama } from '../support/fake-ollama.ts';
import { runCli } from '../support/run-cli.ts';

const folders: string[] = [];
const servers: FakeOllama[] = [];
const NOBODY = '127.0.0.1:9';

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A project with a table, and a broken file of each kind to be named as a source. */
function newProject(): { folder: string; home: string } {
  const folder = mkdtempSync(join(tmpdir(), 'soloist-doctor-'));
  folders.push(folder);
  writeFileSync(join(folder, 'orders.csv'), 'id,amount\n1,2\n3,4\n');
  writeFileSync(join(folder, 'broken.db'), 'no database '.repeat(1000));
  writeFileSync(join(folder, 'broken.duckdb'), 'no database '.repeat(1000));
  mkdirSync(join(folder, 'empty'));
  return { folder, home: join(folder, 'home') };
}

interface Examination {
  readonly sources?: readonly string[];
  readonly ollama?: string;
  readonly project?: { folder: string; home: string };
}

async function examine({
  sources = [],
  ollama = NOBODY,
  project = newProject(),
}: Examination = {}): Promise<ReadonlyMap<string, DoctorCheck>> {
  const environment = { SOLOIST_HOME: project.home, OLLAMA_HOST: ollama, HOME: project.folder };
  const workspace = await openWorkspace({ folder: project.folder, sourceFlags: sources, environment });
  const checks = new Map<string, DoctorCheck>();
  try {
    for await (const check of runDoctor(workspace)) checks.set(check.name, check);
  } finally {
    await workspace.close();
  }
  return checks;
}

async function fakeHost(options: FakeOllamaOptions): Promise<string> {
  const server = await startFakeOllama(options);
  servers.push(server);
  return server.host;
}

describe('the doctor', () => {
  it('finds Node, the bindings, a log that can be written and the sources in order', async () => {
    const project = newProject();
    const checks = await examine({ project, sources: ['files:.'] });
    const statuses = Object.fromEntries([...checks].map(([name, { status }]) => [name, status]));
    expect(statuses).toEqual({
      Node: 'ok',
      SQLite: 'ok',
      'sqlite-vec': 'ok',
      DuckDB: 'ok',
      Log: 'ok',
      'Source files': 'ok',
      Ollama: 'warning',
      Models: 'skipped',
    });
    expect(checks.get('Node')?.found).toBe(process.versions.node);
    expect(checks.get('Log')?.found).toBe(`${project.home}/soloist.db: schema 5, 0 sessions, 0 events`);
  });

  it('leaves nothing behind in the log', async () => {
    const project = newProject();
    await examine({ project });
    const database = new Database(join(project.home, 'soloist.db'), { readonly: true });
    const rows = database.prepare('SELECT (SELECT count(*) FROM blobs) + (SELECT count(*) FROM events) + (SELECT count(*) FROM sessions)');
    expect(rows.pluck().get()).toBe(0);
    database.close();
  });

  it('warns of an Ollama that does not answer, and says that rules take its place', async () => {
    const check = (await examine()).get('Ollama');
    expect(check).toMatchObject({ status: 'warning', found: 'nothing answers at http://127.0.0.1:9' });
    expect(check?.fix).toMatch(/ollama serve.*OLLAMA_HOST.*rules/);
  });

  it('fails an OLLAMA_HOST that is no address', async () => {
    const check = (await examine({ ollama: 'http://[half' })).get('Ollama');
    expect(check?.status).toBe('failed');
    expect(check?.fix).toContain('OLLAMA_HOST');
  });

  it('shows the version of Ollama, the model that auto uses, its window, and all that are installed', async () => {
    const tags = ['big:8b', 'small:1b'].map((name) => ({
      name,
      model: name,
      size: 5e9,
      details: { family: 'fake', parameter_size: '8B' },
    }));
    const host = await fakeHost({ version: '0.31.2', tags });
    const checks = await examine({ ollama: host });
    expect(checks.get('Ollama')).toEqual({ name: 'Ollama', status: 'ok', found: `0.31.2 at ${host}` });
    expect(checks.get('Models')?.status).toBe('ok');
    expect(checks.get('Models')?.found).toMatch(
      /^auto uses ollama\/(big:8b|small:1b) \(window 32768 tokens, takes tools\); installed: .*$/,
    );
    for (const name of ['big:8b', 'small:1b']) expect(checks.get('Models')?.found).toContain(name);
  });

  it('warns of an Ollama that has no model', async () => {
    const check = (await examine({ ollama: await fakeHost({ tags: [] }) })).get('Models');
    expect(check).toMatchObject({ status: 'warning', found: 'none installed' });
    expect(check?.fix).toContain('ollama pull');
  });

  it('goes through all sources, and says of each broken one where it is and what to do', async () => {
    const project = newProject();
    const flags = [
      ['files=files', '.'],
      ['lite=sqlite', 'broken.db'],
      ['duck=duckdb', 'broken.duckdb'],
      ['none=logs', 'empty'],
      ['runs=dbt', 'empty'],
    ] as const;
    const checks = await examine({ project, sources: flags.map(([kind, path]) => `${kind}:${join(project.folder, path)}`) });
    for (const [name, place, fix] of [
      ['lite', 'broken.db', /SQLite file/],
      ['duck', 'broken.duckdb', /\.duckdb file/],
      ['none', 'empty', /log files/],
      ['runs', 'empty', /target folder/],
    ] as const) {
      const check = checks.get(`Source ${name}`);
      expect(check?.status, name).toBe('failed');
      expect(check?.found, name).toContain(place);
      expect(check?.fix, name).toMatch(fix);
    }
    expect(checks.get('Source files')?.status).toBe('ok');
    expect(checks.has('Ollama')).toBe(true);
  });

  it('fails a log that is no database, and goes on', async () => {
    const project = newProject();
    mkdirSync(project.home);
    writeFileSync(join(project.home, 'soloist.db'), 'no database '.repeat(1000));
    const checks = await examine({ project });
    expect(checks.get('Log')).toMatchObject({ status: 'failed', found: expect.stringContaining(`${project.home}/soloist.db: `) });
    expect(checks.get('Log')?.fix).toMatch(/move the file away/);
    expect(checks.has('Ollama')).toBe(true);
    expect(readFileSync(join(project.home, 'soloist.db'), 'utf8')).toBe('no database '.repeat(1000));
  });

  it('fails a SOLOIST_HOME that is a file', async () => {
    const project = newProject();
    writeFileSync(project.home, '');
    expect((await examine({ project })).get('Log')).toMatchObject({ status: 'failed', fix: expect.stringContaining('SOLOIST_HOME') });
  });
});

describe('a check', () => {
  it.each([
    ['18.20.0', 'failed'],
    ['20.18.9', 'failed'],
    ['20.19.0', 'ok'],
    ['22.0.0', 'ok'],
  ])('of Node %s is %s', (version, status) => {
    const check = checkNode(version);
    expect(check).toMatchObject({ status, found: version });
    expect(check.fix === undefined).toBe(status === 'ok');
  });

  it.each([
    ['0.9.9', 'warning'],
    ['0.12.9', 'warning'],
    ['0.12.10', 'warning'],
    ['0.30.0', 'warning'],
    ['0.30.1', 'ok'],
    ['0.31.0-rc1', 'ok'],
    ['1.0.0', 'ok'],
    [undefined, 'warning'],
  ])('of Ollama %s is %s', (version, status) => {
    const check = versionCheck('http://h', version);
    expect(check.status).toBe(status);
    expect(check.fix === undefined).toBe(status === 'ok');
  });

  it('of an Ollama that lets a full window pass unseen says so', () => {
    expect(versionCheck('http://h', '0.12.9').fix).toContain('full window');
    expect(versionCheck('http://h', '0.12.10').fix).not.toContain('full window');
  });

  it('that throws fails, with the place and the fix that the error names, else those of the check', async () => {
    const known = new SoloistError('store_unusable', 'it is full', { where: '/x', fix: 'free it' });
    expect(await bounded('A', () => Promise.reject(known), { fix: 'other' })).toEqual({
      name: 'A',
      status: 'failed',
      found: '/x: it is full',
      fix: 'free it',
    });
    const unknown = new Error('first\nsecond');
    expect(await bounded('A', () => Promise.reject(unknown), { fix: 'other' })).toEqual({
      name: 'A',
      status: 'failed',
      found: 'first',
      fix: 'other',
    });
    expect(await bounded('A', () => Promise.reject('a text'))).toEqual({ name: 'A', status: 'failed', found: 'a text' });
  });

  it('that never answers fails in its time', async () => {
    const check = await bounded('A', () => new Promise<DoctorCheck>(() => undefined), { seconds: 0.05, fix: 'start it' });
    expect(check).toEqual({ name: 'A', status: 'failed', found: 'no answer within 0.05 s', fix: 'start it' });
  });
});

describe('soloist doctor', () => {
  it('exits 0 with nothing worse than a warning, one line a check', async () => {
    const { folder, home } = newProject();
    const { code, stdout, stderr } = await runCli(['doctor', '--source', 'files:.'], { cwd: folder, environment: { SOLOIST_HOME: home } });
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^ok +Node +\d/m);
    expect(stdout).toMatch(/^warning +Ollama .*\n +→ start it/m);
    expect(code).toBe(0);
  });

  it('exits 1 when a check failed, with all of them as one JSON object on request', async () => {
    const { folder, home } = newProject();
    const { code, stdout } = await runCli(['doctor', '--json', '--source', 'lite=sqlite:broken.db'], {
      cwd: folder,
      environment: { SOLOIST_HOME: home },
    });
    const { checks } = JSON.parse(stdout) as { checks: DoctorCheck[] };
    expect(checks.filter(({ status }) => status === 'failed').map(({ name }) => name)).toEqual(['Source lite']);
    expect(checks.map(({ name }) => name)).toEqual(expect.arrayContaining(['Node', 'Log', 'Ollama', 'Models']));
    expect(code).toBe(1);
  });
});
