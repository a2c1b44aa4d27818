import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { joinTrees } from '../../../src/sources/dbt/join-trees.ts';
import { openFileTree } from '../../../src/sources/file-tree.ts';

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'soloist-trees-'));
  for (const name of ['mon/target', 'tue/target', 'wed']) {
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, 'manifest.json'), name);
  }
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const open = async (...names: readonly string[]) => joinTrees(await Promise.all(names.map((name) => openFileTree(join(folder, name)))));

describe('several target folders as one tree', () => {
  it('names files from the folder above them all', async () => {
    const tree = await open('mon/target', 'tue/target');
    expect((await tree?.list())?.entries.map(({ path }) => path)).toEqual(['mon/target/manifest.json', 'tue/target/manifest.json']);
    expect((await tree?.list('tue'))?.entries.map(({ path }) => path)).toEqual(['tue/target/manifest.json']);
    expect(await tree?.resolve('tue/target/manifest.json')).toBe(join(tree?.root ?? '', 'tue/target/manifest.json'));
  });

  it('reaches nothing beside the folders', async () => {
    const tree = await open('mon/target', 'tue/target');
    await expect(tree?.resolve('wed/manifest.json')).rejects.toMatchObject({ reason: 'missing' });
    await expect(tree?.resolve('mon/target/../../wed/manifest.json')).rejects.toMatchObject({ reason: 'outside' });
    await expect(tree?.resolve(join(folder, 'wed/manifest.json'))).rejects.toMatchObject({ reason: 'outside' });
  });

  it('is the folder itself where there is one', async () => {
    const tree = await open('wed');
    expect((await tree?.list())?.entries.map(({ path }) => path)).toEqual(['manifest.json']);
    expect(joinTrees([])).toBeUndefined();
  });
});
