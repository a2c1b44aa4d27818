import Database from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { cleanUp, eventAt, failureOf, newFolder, opened, openLog, said } from './log-folder.ts';

afterAll(cleanUp);

/** The real driver with one setting more, for failures that need no special file system. */
function driverWith(pragma: string): () => Promise<{ default: new (file: string, options: { timeout: number }) => Database.Database }> {
  return async () => ({
    default: class extends Database {
      constructor(file: string, options: { timeout: number }) {
        super(file, options);
        this.pragma(pragma);
      }
    },
  });
}

describe('a database that may not grow', () => {
  it('takes back the whole of a batch that does not fit, and takes one that does', async () => {
    const log = await openLog({ loadDriver: driverWith('max_page_count = 40') });
    log.append([eventAt(0, opened('q'))]);
    // 100 times 3000 bytes are more than 40 pages of 4096.
    const batch = Array.from({ length: 100 }, (_, place) => eventAt(place + 1, said('y'.repeat(3000))));
    const failure = await failureOf(() => log.append(batch));
    expect(failure).toMatchObject({ code: 'store_unusable', message: expect.stringContaining('disk is full') });
    expect(failure.fix).toContain('SOLOIST_HOME');
    expect([...log.read('s1')].length).toBe(1);
    expect(log.findSession('s1').events).toBe(1);
    log.append([eventAt(1, said('small'))]);
    expect([...log.read('s1')].at(-1)?.body).toEqual(said('small'));
  });
});

describe('a database that may only be read', () => {
  it('says so when an event is appended, and can still be read', async () => {
    const folder = newFolder();
    (await openLog({ folder })).append([eventAt(0, opened('q'))]);
    const log = await openLog({ folder, loadDriver: driverWith('query_only = ON') });
    const failure = await failureOf(() => log.append([eventAt(1, said('no'))]));
    expect(failure).toMatchObject({ code: 'store_unusable', message: expect.stringContaining('read-only') });
    expect([...log.read('s1')].length).toBe(1);
  });
});
