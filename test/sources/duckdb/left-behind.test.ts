import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { runCli } from '../../support/run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'soloist-left-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('lets the process end with its answer, whether or not a query heeds its interruption', async () => {
  // One batch of rows, each of which takes longer than a second: the engine looks for an interruption behind it.
  const letters = `${'ab'.repeat(15_000)}`;
  writeFileSync(
    join(folder, 'texts.csv'),
    `t,u\n${Array.from({ length: 40 }, (_, row) => `${letters}${row},${row}${letters}`).join('\n')}\n`,
  );
  const input = { sql: 'SELECT SUM(damerau_levenshtein(t, u)) FROM texts', timeout_seconds: 1 };
  const { code, stdout } = await runCli(['tools', 'call', 'query_sql', '--source', `d=files:${folder}`, '--input', JSON.stringify(input)]);
  expect(JSON.parse(stdout)).toMatchObject({ status: 'error', warnings: [{ code: 'timeout' }] });
  // By a signal where its thread could not be waited for.
  expect([1, null]).toContain(code);
});
