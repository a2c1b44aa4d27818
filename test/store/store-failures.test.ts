import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { SoloistError } from '../../src/core/errors.ts';
import { cleanUp, eventAt, failureOf, newFolder, opened, openLog, said } from './log-folder.ts';

/** By path, being of the system and of no package. */
const [MOUNT, UNMOUNT] = ['/bin/mount', '/bin/umount'] as const;
const mounted: string[] = [];

afterEach(() => {
  for (const folder of mounted.splice(0)) execFileSync(UNMOUNT, ['-l', folder]);
});
afterAll(cleanUp);

function mountTiny(size: string): string {
  const folder = newFolder();
  execFileSync(MOUNT, ['-t', 'tmpfs', '-o', `size=${size}`, 'none', folder], { stdio: 'ignore' });
  mounted.push(folder);
  return folder;
}

/** Whether this process may mount: root with the right, on Linux. */
function canMount(): boolean {
  try {
    execFileSync(UNMOUNT, ['-l', mountTiny('64k')]);
    mounted.pop();
    return true;
  } catch {
    return false;
  }
}

const mayMount = canMount();
const needsMount = mayMount ? '' : ' (skipped: needs the right to mount a tmpfs)';

function expectExplained(error: SoloistError, expected: { place: string; fact: RegExp; fix: RegExp }): void {
  expect(error.code).toBe('store_unusable');
  expect(error.where).toBe(expected.place);
  expect(error.message).toMatch(expected.fact);
  expect(error.fix).toMatch(expected.fix);
}

function fileOf(folder: string): string {
  return join(folder, 'soloist.db');
}

describe('a log that cannot be kept', () => {
  it.skipIf(!mayMount)(`says that the disk is full, keeps what was written and nothing by halves${needsMount}`, async () => {
    const folder = mountTiny('1m');
    const log = await openLog({ folder });
    const kept: number[] = [];
    let error: SoloistError | undefined;
    for (let batch = 0; !error && batch < 2000; batch++) {
      const filler = Array.from({ length: 200 }, (_, place) => ((batch * 7919 + place * 104_729) % 999_983).toString(36)).join(' ');
      const events = [0, 1, 2].map((place) => eventAt(batch * 3 + place, said(`${batch} ${filler}`)));
      await failureOf(() => {
        log.append(events);
        kept.push(batch);
      }).then(
        (failure) => (error = failure),
        () => undefined,
      );
    }
    expectExplained(error as SoloistError, { place: fileOf(folder), fact: /disk is full/, fix: /free some space.*SOLOIST_HOME/ });
    expect(kept.length).toBeGreaterThan(5);
    const expected = kept.flatMap((batch) => [batch * 3, batch * 3 + 1, batch * 3 + 2]);
    expect([...log.read('s1')].map(({ sequence }) => sequence)).toEqual(expected);
    log.close();
    expect([...(await openLog({ folder })).read('s1')].map(({ sequence }) => sequence)).toEqual(expected);
  });

  it.skipIf(!mayMount)(`says that the disk is full when not even an empty log fits${needsMount}`, async () => {
    const folder = mountTiny('64k');
    writeFileSync(join(folder, 'ballast'), Buffer.alloc(15 * 4096));
    expectExplained(await failureOf(() => openLog({ folder })), { place: fileOf(folder), fact: /disk is full/, fix: /free some space/ });
  });

  it.skipIf(!mayMount)(`says that a read-only file system cannot be written${needsMount}`, async () => {
    const folder = mountTiny('4m');
    const log = await openLog({ folder });
    log.append([eventAt(1, said('before'))]);
    log.close();
    execFileSync(MOUNT, ['-o', 'remount,ro', folder]);
    const failure = await failureOf(async () => (await openLog({ folder })).append([eventAt(2, said('after'))]));
    expectExplained(failure, { place: fileOf(folder), fact: /cannot be (written|opened)/, fix: /SOLOIST_HOME/ });
    const below = join(folder, 'new');
    const noFolder = await failureOf(() => openLog({ folder: below }));
    expectExplained(noFolder, { place: fileOf(below), fact: /cannot be made/, fix: /SOLOIST_HOME/ });
  });

  it('says that a file is in the way of its folder', async () => {
    const parent = newFolder();
    writeFileSync(join(parent, 'taken'), '');
    for (const folder of [join(parent, 'taken'), join(parent, 'taken', 'below')])
      expectExplained(await failureOf(() => openLog({ folder })), {
        place: fileOf(folder),
        fact: /a file is in the way/,
        fix: /SOLOIST_HOME/,
      });
  });

  it('says that it cannot be opened where a folder has its name', async () => {
    const folder = newFolder();
    mkdirSync(fileOf(folder));
    expectExplained(await failureOf(() => openLog({ folder })), { place: fileOf(folder), fact: /cannot be opened/, fix: /SOLOIST_HOME/ });
  });

  it('says that another process holds the lock, and works once it is let go', async () => {
    const folder = newFolder();
    const log = await openLog({ folder, busyTimeoutMs: 50 });
    log.append([eventAt(1, said('before'))]);
    const release = await holdLock(fileOf(folder));
    try {
      const failure = await failureOf(() => log.append([eventAt(2, said('during'))]));
      expectExplained(failure, { place: fileOf(folder), fact: /locked by another process/, fix: /wait for it or stop it/ });
      expect([...log.read('s1')].map(({ sequence }) => sequence)).toEqual([1]);
    } finally {
      await release();
    }
    log.append([eventAt(2, said('after'))]);
    expect([...log.read('s1')].map(({ body }) => body)).toEqual([said('before'), said('after')]);
  });

  it('says that another process holds the lock of a database not yet made', async () => {
    const folder = newFolder();
    const release = await holdLock(fileOf(folder));
    try {
      const failure = await failureOf(() => openLog({ folder, busyTimeoutMs: 50 }));
      expectExplained(failure, { place: fileOf(folder), fact: /locked by another process/, fix: /SOLOIST_HOME/ });
    } finally {
      await release();
    }
  });
});

describe('a file that is no log', () => {
  it('is named as damaged when its head is garbage, and left as it is', async () => {
    const folder = newFolder();
    const garbage = Buffer.alloc(8192, 'not a database ');
    writeFileSync(fileOf(folder), garbage);
    expectExplained(await failureOf(() => openLog({ folder })), {
      place: fileOf(folder),
      fact: /damaged or is not a SQLite database/,
      fix: /move the file away.*restore a copy/,
    });
    expect(readFileSync(fileOf(folder)).equals(garbage)).toBe(true);
  });

  it('is named as damaged when its middle is garbage, at the read that meets it', async () => {
    const folder = newFolder();
    const log = await openLog({ folder });
    for (let batch = 0; batch < 60; batch++) log.append([eventAt(batch, said(`${batch} `.repeat(1500)))]);
    log.close();
    overwrite(fileOf(folder), 0.25, 0.75);
    const failure = await failureOf(async () => [...(await openLog({ folder })).read('s1')]);
    expectExplained(failure, { place: fileOf(folder), fact: /damaged/, fix: /restore a copy/ });
  });

  it('is named as damaged when a body or a payload has changed under it', async () => {
    const folder = newFolder();
    const log = await openLog({ folder });
    const hash = log.putBlob('a payload '.repeat(200));
    log.append([eventAt(1, said('soon broken'))]);
    const database = new Database(fileOf(folder));
    database.exec('DROP TRIGGER events_are_never_changed; DROP TRIGGER IF EXISTS blobs_are_never_changed;');
    database.exec("UPDATE events SET body = substr(body, 1, 20); UPDATE blobs SET content = x'00ff00ff'");
    database.close();
    for (const work of [() => [...log.read('s1')], () => log.getBlob(hash)])
      expectExplained(await failureOf(work), { place: fileOf(folder), fact: /damaged/, fix: /restore a copy/ });
  });

  it('is refused when a newer version wrote it, and left as it is', async () => {
    const folder = newFolder();
    (await openLog({ folder })).close();
    const database = new Database(fileOf(folder));
    database.pragma('user_version = 99');
    database.close();
    expectExplained(await failureOf(() => openLog({ folder })), {
      place: fileOf(folder),
      fact: /schema 99.*this version of soloist knows/,
      fix: /use the newer soloist/,
    });
  });

  it('is refused when it belongs to another program', async () => {
    const folder = newFolder();
    const database = new Database(fileOf(folder));
    database.exec('CREATE TABLE events (theirs)');
    database.close();
    expectExplained(await failureOf(() => openLog({ folder })), { place: fileOf(folder), fact: /another program/, fix: /move it away/ });
  });

  it('is refused when a table is missing', async () => {
    const folder = newFolder();
    (await openLog({ folder })).append([eventAt(1, opened('q'))]);
    const database = new Database(fileOf(folder));
    database.exec('DROP TABLE sessions');
    database.close();
    expectExplained(await failureOf(() => openLog({ folder })), {
      place: fileOf(folder),
      fact: /no table sessions/,
      fix: /restore a copy/,
    });
  });

  it('is made anew where it is empty, as an interrupted first start leaves it', async () => {
    const folder = newFolder();
    writeFileSync(fileOf(folder), '');
    const log = await openLog({ folder });
    log.append([eventAt(1, said('fine'))]);
    expect(statSync(fileOf(folder)).size).toBeGreaterThan(0);
  });
});

describe('a missing binding', () => {
  it.each([
    ['not installed', "Cannot find package 'better-sqlite3' imported from /x.js"],
    ['not built', 'Could not locate the bindings file. Tried:\n → /x/build/better_sqlite3.node'],
    ['built for another Node', 'The module was compiled against a different Node.js version using NODE_MODULE_VERSION 1'],
    ['built for another machine', '/x/better_sqlite3.node: invalid ELF header'],
    ['built for another libc', "/lib/libc.so.6: version `GLIBC_2.38' not found (required by /x/better_sqlite3.node)"],
  ])('is told from any other error: %s', async (_case, message) => {
    const folder = newFolder();
    const failure = await failureOf(() => openLog({ folder, loadDriver: () => Promise.reject(new Error(message)) }));
    expect(failure).toMatchObject({ code: 'dependency_missing', where: 'better-sqlite3' });
    expect(failure.message).toContain('better-sqlite3');
    expect(failure.fix).toContain('npm rebuild better-sqlite3');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('leaves an error it does not know as it is', async () => {
    const odd = new Error('odd');
    await expect(openLog({ loadDriver: () => Promise.reject(odd) })).rejects.toBe(odd);
  });
});

/** A process that holds the exclusive lock until it is released. */
async function holdLock(file: string): Promise<() => Promise<void>> {
  const script = `
    const database = new (require('better-sqlite3'))(process.argv[1]);
    database.exec('BEGIN EXCLUSIVE');
    process.stdout.write('held');
    process.stdin.on('end', () => process.exit()).resume();`;
  const child = spawn(process.execPath, ['-e', script, file], { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return async () => {
    child.stdin.end();
    await once(child, 'exit');
  };
}

/** Fills the whole pages between two parts of the file with garbage. */
function overwrite(file: string, from: number, to: number): void {
  const page = 4096;
  const pages = statSync(file).size / page;
  const [first, last] = [Math.floor(pages * from), Math.floor(pages * to)];
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, Buffer.alloc((last - first) * page, 0xa5), 0, (last - first) * page, first * page);
  closeSync(descriptor);
}
