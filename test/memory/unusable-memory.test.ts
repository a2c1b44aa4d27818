import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, describe, expect, it } from 'vitest';
import { openProject } from '../../src/index.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A project that has run once, and whose notes cannot be read since. */
async function damagedShop(settings: string): Promise<{ readonly folder: string; readonly environment: NodeJS.ProcessEnv }> {
  const folder = mkdtempSync(join(tmpdir(), 'soloist-damaged-'));
  folders.push(folder);
  mkdirSync(join(folder, 'data'));
  writeFileSync(join(folder, 'data/orders.csv'), 'order_id,amount\n1,10\n2,20\n');
  writeFileSync(join(folder, 'soloist.yaml'), `name: shop\nsources:\n  data: { kind: files, path: data }\n${settings}`);
  const environment = { OLLAMA_HOST: 'http://127.0.0.1:9' };
  const project = await openProject({ folder, environment });
  expect((await project.run('investigator', 'how many rows has orders?', { model: 'rules' })).warnings).toEqual([]);
  await project.close();
  const database = new Database(join(folder, '.soloist/soloist.db'));
  database.exec('DROP TABLE memory_words; CREATE TABLE memory_words (other TEXT)');
  database.close();
  return { folder, environment };
}

describe('a memory that cannot be used', () => {
  it('is told, and costs the run nothing else', async () => {
    const project = await openProject(await damagedShop(''));
    const report = await project.run('investigator', 'how many rows has orders?', { model: 'rules' });
    await project.close();
    expect(report.status).toBe('ok');
    expect(report.answer).toMatch(/\b2 rows/);
    expect(report.warnings).toEqual([expect.stringMatching(/^memory could not be used: .*memory_words/)]);
  });

  it('is not even opened where no agent of the run uses one', async () => {
    const project = await openProject(await damagedShop('memory: { recall: false, write: false }\n'));
    const report = await project.run('table-profiler', 'how is orders?', { model: 'rules' });
    await project.close();
    expect(report.status).toBe('ok');
    expect(report.warnings).toEqual([]);
  });
});
