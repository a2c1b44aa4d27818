import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkIndependently } from '../scripts/try/check-independently.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'soloist-try-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const hasPython = spawnSync('python3', ['--version']).status === 0;
const sniff = { kind: 'delimited', encoding: { name: 'utf-8' }, delimited: { delimiter: ',', quote: '"', header_records: 1, footer: [] } };

it.runIf(hasPython)('tells a right claim from a wrong one, to the last digit', () => {
  const path = join(folder, 'numbers.csv');
  writeFileSync(path, 'id,amount\n9007199254740993,0.1\n9007199254740993,0.2\n');
  const claim = { kind: 'file' as const, table: 'numbers', sniff, path, shown: 'numbers.csv' };
  const { trials } = checkIndependently([
    { ...claim, rows: '2', sums: { id: '18014398509481986', amount: '0.3' } },
    { ...claim, rows: '3', sums: {} },
    { ...claim, rows: '2', sums: { id: '18014398509481984' } },
    { ...claim, rows: '2', sums: { amount: '0.30000000000000004' } },
  ]);
  expect(trials.map(({ outcome }) => outcome)).toEqual(['ok', 'wrong', 'wrong', 'wrong']);
  expect(trials[2]!.detail).toBe('sum of id is 18014398509481984, Python adds up 18014398509481986');
});

it.runIf(hasPython)('takes a header that comes again for no row, where the reading says so', () => {
  const path = join(folder, 'joined.csv');
  writeFileSync(path, 'id,v\n1,2\nid,v\n3,4\n');
  const claim = { kind: 'file' as const, table: 'joined', path, shown: 'joined.csv', rows: '2', sums: { v: '6' } };
  const repeated = { ...sniff, delimited: { ...sniff.delimited, repeated_headers: [3] } };
  const { trials } = checkIndependently([
    { ...claim, sniff: repeated },
    { ...claim, sniff },
  ]);
  expect(trials.map(({ outcome }) => outcome)).toEqual(['ok', 'wrong']);
});

it('puts a folder of files through the tools that fit, and finds nothing wrong', () => {
  const run = spawnSync(process.execPath, ['--import', 'tsx', 'scripts/try-tools.ts', 'examples/samples'], {
    ...{ cwd: root, encoding: 'utf8', timeout: 60_000 },
    env: { ...process.env, SOLOIST_HOME: join(folder, 'home') },
  });
  expect(run.stderr).toBe('');
  expect(run.stdout).toMatch(/^sniff_file +table +1 +0 +0/m);
  expect(run.stdout).toMatch(/^spark_stages +spark +1 +0 +0/m);
  expect(run.stdout).toMatch(/^read_openlineage +openlineage +1 +0 +0/m);
  expect(run.stdout).toMatch(/3 files, \d+ calls, 0 wrong\./);
  expect(run.status).toBe(0);
}, 70_000);
