import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../support/run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'soloist-breaking-'));
const environment = { SOLOIST_HOME: join(folder, 'home') };
const data = join(folder, 'data');

beforeAll(() => {
  execFileSync('mkdir', [data]);
  execFileSync('mkfifo', [join(data, 'pipe.csv')]);
  writeFileSync(join(data, 'damaged.parquet'), Buffer.concat([Buffer.from('PAR1'), Buffer.alloc(100, 0xff), Buffer.from('PAR1')]));
  writeFileSync(
    join(data, 'wide-characters.csv'),
    Buffer.from([0xff, 0xfe, 0, 0, ...[...'a,b\n1,2\n'].flatMap((letter) => [letter.charCodeAt(0), 0, 0, 0])]),
  );
  const lines = Array.from({ length: 400_000 }, (_, index) => `${index},${(index * 7919) % 10_007},${(index * 104_729) % 1_000_003}`);
  writeFileSync(join(data, 'long.csv.gz'), gzipSync(`a,b,c\n${lines.join('\n')}\n`));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function call(tool: string, input: object): Promise<{ status: string; data: Record<string, unknown>; warnings: { code: string }[] }> {
  const { stdout } = await runCli(['tools', 'call', tool, '--source', `files:${data}`, '--input', JSON.stringify(input)], { environment });
  return JSON.parse(stdout);
}

describe('hostile files', () => {
  it('a pipe is called a pipe and is not waited for', async () => {
    const { status, data: found } = await call('sniff_file', { path: 'pipe.csv' });
    expect([status, found.message]).toEqual(['refused', 'pipe.csv is a pipe, socket or device, not a file']);
  });

  it('a damaged Parquet file is refused by name, without the place of a copy', async () => {
    for (const [tool, input] of [
      ['profile_table', { table: 'damaged.parquet' }],
      ['query_sql', { sql: 'SELECT * FROM "damaged.parquet"' }],
    ] as const) {
      const { status, data: found } = await call(tool, input);
      expect(['refused', 'error']).toContain(status);
      expect(found.message).toContain('damaged.parquet cannot be read as a table: a damaged Parquet file');
      expect(found.message).not.toContain(tmpdir());
    }
  });

  it('UTF-32 is no UTF-16 with zero bytes', async () => {
    const { data: found } = await call('sniff_file', { path: 'wide-characters.csv' });
    expect([found.kind, found.kind_evidence]).toEqual(['binary', 'starts with the byte order mark of UTF-32']);
  });

  it("a query's time holds for the reading of its files as well", async () => {
    const { status, warnings } = await call('query_sql', { sql: 'SELECT count(*) FROM long', timeout_seconds: 0.1 });
    expect([status, warnings.map(({ code }) => code)]).toEqual(['error', ['timeout']]);
  });
});
