import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { DoctorCheck } from '../../src/app/doctor.ts';
import { examineProject } from '../../src/app/doctor-configuration.ts';
import { runCli } from '../support/run-cli.ts';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function projectWith(settings: string | undefined): string {
  const folder = mkdtempSync(join(tmpdir(), 'soloist-doctor-'));
  folders.push(folder);
  if (settings !== undefined) writeFileSync(join(folder, 'soloist.yaml'), settings);
  return folder;
}

async function examine(folder: string): Promise<readonly DoctorCheck[]> {
  const environment = { SOLOIST_HOME: join(folder, 'home'), OLLAMA_HOST: '127.0.0.1:9', HOME: folder };
  const checks: DoctorCheck[] = [];
  for await (const check of examineProject({ folder, sourceFlags: [], environment })) checks.push(check);
  return checks;
}

describe('the doctor on a project', () => {
  it('shows each problem of wrong files as a check with its place and fix, and does the checks that need no project', async () => {
    const folder = projectWith('sourcs: {}\nsources:\n  lake: { kind: filez, path: . }\n');
    const checks = await examine(folder);
    const problems = checks.filter(({ name }) => name === 'Configuration');
    expect(problems.map(({ status, found }) => [status, /soloist\.yaml:(\d+):/.exec(found)?.[1]])).toEqual([
      ['failed', '1'],
      ['failed', '3'],
    ]);
    expect(problems.map(({ fix }) => fix)).toEqual([expect.stringContaining('sources'), expect.stringContaining('files')]);
    const others = checks.filter(({ name }) => name !== 'Configuration').map(({ name, status }) => `${name} ${status}`);
    expect(others).toEqual([
      'Node ok',
      'SQLite ok',
      'sqlite-vec ok',
      'DuckDB ok',
      'Log skipped',
      'Sources skipped',
      'Ollama warning',
      'Models skipped',
    ]);
  });

  it('names the file that was read, or says that there is none', async () => {
    const folder = projectWith('sources: {}\n');
    expect((await examine(folder))[0]).toEqual({ name: 'Configuration', status: 'ok', found: join(folder, 'soloist.yaml') });
    const bare = projectWith(undefined);
    expect((await examine(bare))[0]).toMatchObject({ status: 'ok', found: expect.stringContaining(bare) });
  });

  it('exits 1 for wrong files, on stdout and without a stack', async () => {
    const folder = projectWith('sources: [\n');
    const { code, stdout, stderr } = await runCli(['doctor'], { cwd: folder, environment: { SOLOIST_HOME: join(folder, 'home') } });
    expect(stdout).toMatch(/^failed +Configuration +\S*soloist\.yaml:\d+:\d+: /m);
    expect(stdout).toMatch(/^ok +Node/m);
    expect(stderr).toBe('');
    expect(code).toBe(1);
  });
});
