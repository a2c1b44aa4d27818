import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { runCli } from '../../support/run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'soloist-lost-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.each([
  ['profile_table', {}],
  ['find_duplicates', { key: ['id'] }],
  ['validate_contract', { checks: [{ check: 'unique', columns: ['id'] }] }],
])(
  '%s says of which table places could not be read, and calls its result a part',
  async (tool, more) => {
    const lines = Array.from({ length: 50 }, (_, id) => `{"id":${id},"v":1}`);
    writeFileSync(join(folder, 'big.jsonl'), [...lines, '{"id":50,"v"', '{"id":51,"v":1}', ''].join('\n'));
    const { stdout } = await runCli([
      'tools',
      'call',
      tool,
      '--source',
      `d=files:${folder}`,
      '--input',
      JSON.stringify({ table: 'big', ...more }),
    ]);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'partial', complete: false, warnings: [{ code: 'bad_json' }] });
  },
  60_000,
);
