import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { Scope } from '../../../src/core/scope.ts';
import { type Source, SourceChoiceError } from '../../../src/core/source.ts';
import type { Tool, ToolContext } from '../../../src/core/tool.ts';
import { listFiles } from '../../../tools/files/list-files.ts';
import { sniffFile } from '../../../tools/files/sniff-file.ts';
import { openTestFiles, type TestFiles } from '../../sources/files/write-files.ts';

let files: TestFiles | undefined;

afterEach(async () => {
  await files?.close();
  files = undefined;
});

function contextOf(source: Source): ToolContext {
  return {
    sources: {
      all: [source],
      pick: async (_, name) => {
        if (name !== undefined && name !== source.name) throw new SourceChoiceError(`no source "${name}"; there is "${source.name}"`);
        return source;
      },
      withCapability: async () => [source],
    },
    scope: new Scope(),
    now: () => new Date('2026-05-01T00:00:00Z'),
    resultId: 'r1',
    resultIds: () => [],
    readReference: () => undefined,
  };
}

async function call(tool: Tool, input: Readonly<Record<string, unknown>>, content: Readonly<Record<string, string | Buffer>>) {
  files = await openTestFiles(content);
  const outcome = await tool.run(tool.input.parse(input), contextOf(files.source));
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what the tool's schema describes
  return { ...outcome, data: outcome.data as any };
}

describe('list_files', () => {
  it('lists files by path with what is odd among them', async () => {
    const content = {
      'b/2.csv': 'a\n1\n',
      'a.csv': 'a\n1\n',
      'z.csv': gzipSync('a\n1\n'),
      'empty.json': '',
      'page.csv': '<html>',
      'ok.json': '{}',
    };
    const outcome = await call(listFiles, {}, content);
    expect(outcome).toMatchObject({ status: 'ok', complete: true, total: 6, returned: 6 });
    expect(outcome.data.files.map((file: { path: string }) => file.path)).toEqual([
      'a.csv',
      'b/2.csv',
      'empty.json',
      'ok.json',
      'page.csv',
      'z.csv',
    ]);
    expect(outcome.data.empty).toEqual({ count: 1, paths: ['empty.json'] });
    expect(outcome.data.equal).toMatchObject({
      count: 1,
      all_compared: true,
      groups: [{ bytes: 4, files: 2, paths: ['a.csv', 'b/2.csv'] }],
    });
    expect(outcome.data.misnamed.files).toEqual([
      { path: 'page.csv', named: 'csv', is: 'html' },
      { path: 'z.csv', named: 'csv', is: 'gzip' },
    ]);
    expect(outcome.data.extensions).toEqual({ csv: 4, json: 2 });
  });

  it('says how many there are when it lists fewer, and when nothing matches', async () => {
    const many = Object.fromEntries(Array.from({ length: 120 }, (_, index) => [`day=${index}/${'x'.repeat(100)}.csv`, `v\n${index}\n`]));
    const outcome = await call(listFiles, { limit: 500 }, many);
    expect(outcome).toMatchObject({ status: 'partial', complete: false, total: 120 });
    expect(outcome.returned).toBe(outcome.data.files.length);
    expect(JSON.stringify(outcome).length).toBeLessThan(10_000);
    await files?.close();
    expect(await call(listFiles, { prefix: 'none/' }, many)).toMatchObject({ status: 'no_data', total: 0 });
  });
});

describe('sniff_file', () => {
  it('gives the reading of one file in the shape it declares', async () => {
    const outcome = await call(sniffFile, { path: 'a.csv' }, { 'a.csv': 'id;when;price\n007;25/12/2026;1.000,50\n008;01/02/2026;2,25\n' });
    expect(outcome).toMatchObject({ status: 'ok', complete: true, total: 3, returned: 3 });
    expect(outcome.data).toMatchObject({
      kind: 'delimited',
      rows: { count: 2, exact: true },
      delimited: { delimiter: ';', decimal_mark: ',' },
      columns_by_type: { text: 1, date: 1, 'decimal(6,2)': 1 },
    });
    expect(outcome.data.columns[1]).toMatchObject({ name: 'when', type: 'date', format: 'dd/mm/yyyy' });
    const properties = (sniffFile.outputSchema() as { properties: Record<string, unknown> }).properties;
    expect(Object.keys(outcome.data).filter((key) => !(key in properties))).toEqual([]);
  });

  it('stays small for any width and says what it left out', async () => {
    const names = Array.from({ length: 1500 }, (_, index) => `a rather long column name ${index}`);
    const content = { 'a.csv': `${names.join(',')}\n${names.map((_, index) => (index % 3 ? `0${index}` : '01/02/2026')).join(',')}\n` };
    const outcome = await call(sniffFile, { path: 'a.csv' }, content);
    expect(outcome).toMatchObject({ status: 'partial', complete: false, total: 1500 });
    expect(outcome.returned).toBe(outcome.data.columns.length);
    expect(JSON.stringify(outcome).length).toBeLessThan(10_000);
  });

  it('refuses what is outside, missing or unknown', async () => {
    const content = { 'a.csv': 'v\n1\n' };
    expect(await call(sniffFile, { path: '../../etc/passwd' }, content)).toMatchObject({ status: 'refused' });
    await files?.close();
    expect(await call(sniffFile, { path: 'b.csv' }, content)).toMatchObject({ status: 'refused', warnings: [{ code: 'file_missing' }] });
    await files?.close();
    expect(await call(sniffFile, { path: 'a.csv', source: 'other' }, content)).toMatchObject({
      status: 'refused',
      warnings: [{ code: 'no_source' }],
    });
  });
});
