import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOutputFolder } from '../../../src/app/output-folder.ts';
import { Scope } from '../../../src/core/scope.ts';
import type { Tool, ToolContext } from '../../../src/core/tool.ts';
import { createSourceCatalog } from '../../../src/sources/source-catalog.ts';
import { readFile } from '../../../tools/text/read-file.ts';
import { searchFiles } from '../../../tools/text/search-files.ts';
import { writeReport } from '../../../tools/text/write-report.ts';

let folder: string;
let context: ToolContext;
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`).join('\n');

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'soloist-text-'));
  mkdirSync(join(folder, 'data/models'), { recursive: true });
  writeFileSync(join(folder, 'data/models/orders.sql'), `select *\nfrom raw.orders -- TODO: late rows\n`);
  writeFileSync(join(folder, 'data/models/users.sql'), `select id\nfrom raw.users\n`);
  writeFileSync(join(folder, 'data/long.txt'), `${numbered(1200)}\n`);
  writeFileSync(join(folder, 'data/utf16.txt'), Buffer.from('\ufeffGrüße\r\nzwei\r\n', 'utf16le'));
  writeFileSync(join(folder, 'data/notes.txt.gz'), gzipSync('first\nsecond\n'));
  writeFileSync(join(folder, 'data/image.bin'), Buffer.from([0, 1, 2, 3, 0, 0, 0, 9]));
  writeFileSync(join(folder, 'data/wide.txt'), `${'w'.repeat(50_000)}\nend\n`);
  writeFileSync(join(folder, 'secret.txt'), 'outside\n');
  symlinkSync(join(folder, 'secret.txt'), join(folder, 'data/link.txt'));
  const sources = createSourceCatalog([{ name: 'data', kind: 'files', paths: [join(folder, 'data')] }], { scratch: folder });
  context = {
    sources,
    scope: new Scope(),
    now: () => new Date('2026-03-17T06:00:00Z'),
    resultId: 'r1',
    resultIds: () => [],
    readReference: () => undefined,
    folder: createOutputFolder(join(folder, 'project')),
  };
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = async (tool: Tool, input: Record<string, unknown>) =>
  // biome-ignore lint/suspicious/noExplicitAny: results of several tools are read by their own fields
  (await tool.run(tool.input.parse(input) as Record<string, unknown>, context)) as any;

describe('read_file', () => {
  it('reads a whole small file', async () => {
    const result = await run(readFile, { path: 'models/orders.sql' });
    expect(result).toMatchObject({ status: 'ok', complete: true, total: 2, returned: 2 });
    expect(result.data).toMatchObject({ lines: ['select *', 'from raw.orders -- TODO: late rows'], total_lines: 2, next_line: null });
  });

  it('reads on from a line, and says whether the file goes on', async () => {
    const middle = await run(readFile, { path: 'long.txt', from_line: 700, lines: 3 });
    expect(middle.data).toMatchObject({ from_line: 700, lines: ['line 700', 'line 701', 'line 702'], total_lines: null, next_line: 703 });
    expect(middle).toMatchObject({ status: 'partial', complete: false });
    const end = await run(readFile, { path: 'long.txt', from_line: 1199, lines: 2 });
    expect(end.data).toMatchObject({ lines: ['line 1199', 'line 1200'], total_lines: 1200, next_line: null });
    const past = await run(readFile, { path: 'long.txt', from_line: 1201 });
    expect(past).toMatchObject({ status: 'no_data', warnings: [{ code: 'past_the_end', message: 'the file has 1200 lines' }] });
  });

  it('reads the last lines', async () => {
    const result = await run(readFile, { path: 'long.txt', last: 2 });
    expect(result.data).toMatchObject({ from_line: 1199, lines: ['line 1199', 'line 1200'], total_lines: 1200, next_line: null });
  });

  it('reads UTF-16 and gzip, and refuses what is no text', async () => {
    expect((await run(readFile, { path: 'utf16.txt' })).data).toMatchObject({ lines: ['Grüße', 'zwei'], encoding: 'utf-16le' });
    expect((await run(readFile, { path: 'notes.txt.gz' })).data.lines).toEqual(['first', 'second']);
    expect(await run(readFile, { path: 'image.bin' })).toMatchObject({
      status: 'error',
      data: { message: expect.stringMatching(/zero bytes/) },
    });
  });

  it('cuts a long line and says how long it is; stays within what a result may hold', async () => {
    const result = await run(readFile, { path: 'wide.txt' });
    expect(result.data.lines[0]).toMatch(/^w{2000}… \[50000 characters in all\]$/);
    expect(result.data.lines[1]).toBe('end');
    const many = await run(readFile, { path: 'long.txt', lines: 500 });
    expect(JSON.stringify(many).length).toBeLessThan(10_000);
    expect(many.data.next_line).toBe(many.data.lines.length + 1);
  });

  it('never leaves the source, by dots or by a link', async () => {
    await expect(run(readFile, { path: '../secret.txt' })).rejects.toThrow(/outside/);
    await expect(run(readFile, { path: 'link.txt' })).rejects.toThrow(/outside/);
    await expect(run(readFile, { path: 'absent.txt' })).rejects.toThrow(/does not exist/);
  });
});

describe('search_files', () => {
  it('finds lines with their places, and counts all of them', async () => {
    const result = await run(searchFiles, { text: 'FROM raw', path: 'models/' });
    expect(result).toMatchObject({ status: 'ok', complete: true, total: 2, returned: 2 });
    expect(result.data.matches).toEqual([
      { file: 'models/orders.sql', line: 2, text: 'from raw.orders -- TODO: late rows' },
      { file: 'models/users.sql', line: 2, text: 'from raw.users' },
    ]);
  });

  it('passes over what is no text, and says which file it may not read', async () => {
    const result = await run(searchFiles, { text: 'from raw' });
    expect(result).toMatchObject({ status: 'partial', total: 2, data: { files_searched: 7 } });
    expect(result.warnings).toEqual([{ code: 'unreadable_file', message: expect.stringMatching(/link\.txt.*outside/) }]);
  });

  it('says what was left out', async () => {
    const result = await run(searchFiles, { pattern: '^line \\d+$', path: 'long', limit: 5 });
    expect(result).toMatchObject({ status: 'partial', complete: false, total: 1200, returned: 5 });
    expect(result.data.by_file).toEqual([{ file: 'long.txt', matches: 1200 }]);
  });

  it('answers no_data only when all was read, and refuses an unsafe pattern or none', async () => {
    expect(await run(searchFiles, { text: 'nowhere to be found', path: 'models/' })).toMatchObject({ status: 'no_data', total: 0 });
    expect(await run(searchFiles, { pattern: '(a+)+$' })).toMatchObject({ status: 'refused', warnings: [{ code: 'unsafe_pattern' }] });
    expect(await run(searchFiles, {})).toMatchObject({ status: 'refused', warnings: [{ code: 'nothing_to_search' }] });
  });
});

describe('write_report', () => {
  it('writes below reports/ and never over what is there', async () => {
    const first = await run(writeReport, { name: 'slow-night', markdown: '# One' });
    const second = await run(writeReport, { name: 'slow-night.md', markdown: '# Two\n' });
    expect([first.data.path, second.data.path]).toEqual(['reports/slow-night.md', 'reports/slow-night-2.md']);
    expect(readFileSync(join(folder, 'project/reports/slow-night.md'), 'utf8')).toBe('# One\n');
    expect(readFileSync(join(folder, 'project/reports/slow-night-2.md'), 'utf8')).toBe('# Two\n');
  });

  it('takes no path for a name', () => {
    for (const name of ['../x', 'a/b', '.hidden', '']) expect(writeReport.input.safeParse({ name, markdown: 'x' }).success).toBe(false);
  });
});
