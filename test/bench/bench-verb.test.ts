import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compareFiles } from '../../src/app/bench-compare.ts';
import { readGate } from '../../src/app/bench-output.ts';
import { suiteFileSchema } from '../../src/bench/suite-schema.ts';
import { runCli } from '../support/run-cli.ts';
import { PROJECT, writeProject } from './suite-project.ts';

let folder: string;
let remove: () => void;
beforeAll(() => {
  ({ folder, remove } = writeProject());
});
afterAll(() => remove());

function soloist(...argv: readonly string[]) {
  return runCli(argv, { cwd: folder, environment: { SOLOIST_HOME: join(folder, 'home') } });
}

describe('soloist bench', () => {
  it('goes on after kill -9 without running finished cells again, and writes every form of the report', async () => {
    const files = ['--save', 'report.json', '--markdown', 'report.md', '--html', 'report.html'];
    const killed = await runCli(['bench', 'counting.yaml'], {
      cwd: folder,
      environment: { SOLOIST_HOME: join(folder, 'home') },
      onStderr: (text, kill) => {
        if (text.includes('3/12')) kill('SIGKILL');
      },
    });
    expect(killed.code).toBeNull();
    const again = await soloist('bench', 'counting.yaml', '--json', '--fail-under', 'success=0.9', ...files);
    expect(again.code).toBe(0);
    const kept = Number(/going on: (\d+) of 12 runs are done/.exec(again.stderr)?.[1]);
    expect(kept).toBeGreaterThanOrEqual(3);
    expect(again.stderr.match(/^ *\d+\/12 /gm)).toHaveLength(12 - kept);
    const report = JSON.parse(again.stdout) as { cells: unknown[]; format: string };
    expect([report.format, report.cells.length]).toEqual(['soloist-bench-1', 12]);
    expect(JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'))).toEqual(report);
    expect(readFileSync(join(folder, 'report.md'), 'utf8')).toMatch(/^# counting\n/);
    expect(readFileSync(join(folder, 'report.html'), 'utf8')).toMatch(/^<!doctype html>/);
  }, 120_000);

  it('looks before the first run whether its reports can be written', async () => {
    const { code, stdout, stderr } = await soloist('bench', 'counting.yaml', '--fresh', '--save', 'nowhere/report.json');
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/nowhere\/report\.json: there is no folder .*nowhere for the report; make it, or name another/);
    expect(stderr).not.toMatch(/1\/12/);
  });

  it('lists past runs, and compares two reports', async () => {
    expect((await soloist('bench', 'history')).stdout).toMatch(/alone: success 100 % \[61, 100\] \(6 of 6\), .* simulated, rules/);
    const unknown = await soloist('bench', 'history', 'countin');
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringMatching(/no suite "countin" has been run here; .*counting/)]);
    const compared = await soloist('bench', 'compare', 'report.json', 'report.json');
    expect(compared.code).toBe(0);
    expect(compared.stdout).toMatch(/lead now takes the same wall time, the same tokens and the same peak context/);
  }, 120_000);

  it('refuses to compare with what is no report, or a report of another suite', () => {
    writeFileSync(join(folder, 'other.json'), '{"cells": []}');
    expect(() => compareFiles('report.json', 'other.json', folder)).toThrow(/the file is not a report of a suite/);
    expect(() => compareFiles('report.json', 'none.json', folder)).toThrow(/cannot be read \(ENOENT\)/);
    const report = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as object;
    writeFileSync(join(folder, 'other.json'), JSON.stringify({ ...report, suite: 'other' }));
    expect(() => compareFiles('report.json', 'other.json', folder)).toThrow(/reports are of two suites, counting and other/);
  });

  it('says that no model answered, and exits with 1', async () => {
    const argv = ['bench', 'counting.yaml', '--only', 'few', '--model', 'ollama/nowhere', '--fresh'];
    const { code, stderr } = await runCli(argv, {
      cwd: folder,
      environment: { SOLOIST_HOME: join(folder, 'home'), OLLAMA_HOST: '127.0.0.1:9' },
    });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/no model answered in any run: /)]);
  }, 120_000);

  it('exits with 1 when a design falls short', async () => {
    const wrong = PROJECT['counting.yaml']!.replace("number: '{{rows}}'", 'number: 7').replace('[1, 2, 3]', '[1]');
    writeFileSync(join(folder, 'wrong.yaml'), wrong);
    const short = await soloist('bench', 'wrong.yaml', '--only', 'few', '--fail-under', 'alone.success=0.5', '--quiet');
    expect([short.code, short.stderr]).toEqual([1, 'falls short of alone.success=0.5: alone has 0.000 (0 of 1)\n']);
    const unknown = await soloist('bench', 'wrong.yaml', '--fail-under', 'alon.success=0.5');
    expect([unknown.code, unknown.stdout, unknown.stderr]).toEqual([
      2,
      '',
      expect.stringMatching(/--fail-under: the suite has no design "alon"; .*alone/),
    ]);
    expect(() => readGate(['speed=1'])).toThrow(/"speed=1" is no rule/);
  }, 120_000);
});

it('ships the schema of a suite that the code holds (else: npx tsx scripts/generate-schemas.ts)', () => {
  const shipped = JSON.parse(readFileSync(new URL('../../schemas/suite.schema.json', import.meta.url), 'utf8')) as unknown;
  expect(shipped).toEqual(suiteFileSchema());
});
