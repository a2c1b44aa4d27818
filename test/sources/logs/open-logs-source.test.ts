import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Scope } from '../../../src/core/scope.ts';
import { openLogsSource } from '../../../src/sources/logs/open-logs-source.ts';

describe('logs source', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'soloist-logs-source-'));
    await mkdir(join(folder, 'logs'));
    await writeFile(join(folder, 'logs', 'a.log'), 'one\n');
    await mkdir(join(folder, 'empty'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const open = (path: string) => openLogsSource({ name: 'night', kind: 'logs', paths: [path] }, { scratch: folder });

  it('lists a folder and refuses what is outside', async () => {
    const source = await open(join(folder, 'logs'));
    expect(source).toMatchObject({ name: 'night', kind: 'logs', hasLogs: true });
    expect((await source.files?.list())?.entries.map((entry) => entry.path)).toEqual(['a.log']);
    await expect(source.files?.resolve('../empty')).rejects.toMatchObject({ reason: 'outside' });
    expect(await source.check(new Scope())).toEqual({ ok: true, summary: '1 files, 4 bytes' });
  });

  it('takes one file alone', async () => {
    const source = await open(join(folder, 'logs', 'a.log'));
    expect((await source.files?.list())?.entries).toMatchObject([{ path: 'a.log', bytes: 4 }]);
  });

  it('fails its check when there is nothing and refuses to open what is missing', async () => {
    expect(await (await open(join(folder, 'empty'))).check(new Scope())).toMatchObject({ ok: false, summary: 'no files' });
    await expect(open(join(folder, 'nowhere'))).rejects.toMatchObject({ reason: 'missing' });
  });
});
