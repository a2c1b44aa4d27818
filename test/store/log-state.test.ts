import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { cleanUp, eventAt, failureOf, newFolder, opened, openLog, said } from './log-folder.ts';

afterAll(cleanUp);

describe('the state of the log', () => {
  it('counts, and leaves nothing behind', async () => {
    const folder = newFolder();
    const log = await openLog({ folder });
    log.append([eventAt(0, opened('q')), eventAt(1, said('a'))]);
    log.append([eventAt(0, opened('q'), { session: 's2' })]);
    expect(log.state()).toMatchObject({ file: join(folder, 'soloist.db'), schema: 5, sessions: 2, events: 3 });
    log.state();
    log.close();
    const database = new Database(join(folder, 'soloist.db'), { readonly: true });
    expect(database.prepare('SELECT count(*) FROM blobs').pluck().get()).toBe(0);
    database.close();
  });

  it('fails while another process holds the lock', async () => {
    const folder = newFolder();
    const log = await openLog({ folder, busyTimeoutMs: 40 });
    const other = new Database(join(folder, 'soloist.db'));
    other.exec('BEGIN IMMEDIATE');
    const failure = await failureOf(() => log.state());
    other.close();
    expect(failure.message).toContain('locked by another process');
  });

  it('fails on damage that no event was read from yet', async () => {
    const folder = newFolder();
    const written = await openLog({ folder });
    written.append([eventAt(0, opened('q')), ...Array.from({ length: 60 }, (_, place) => eventAt(place + 1, said('x'.repeat(2000))))]);
    written.close();
    const file = join(folder, 'soloist.db');
    const page = Math.floor(statSync(file).size / 4096) - 3;
    const handle = openSync(file, 'r+');
    writeSync(handle, Buffer.alloc(4096, 0xa5), 0, 4096, page * 4096);
    closeSync(handle);
    const log = await openLog({ folder });
    const failure = await failureOf(() => log.state());
    expect(failure).toMatchObject({ code: 'store_unusable', where: file });
    expect(failure.message).toContain('damaged');
  });
});
