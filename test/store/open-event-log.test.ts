import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import type { Event } from '../../src/core/event.ts';
import { openDatabase } from '../../src/store/open-database.ts';
import { bytesOf, cleanUp, eventAt, failureOf, newFolder, opened, openLog, said } from './log-folder.ts';

afterAll(cleanUp);

describe('a database', () => {
  it.each([
    ['NORMAL', undefined, 1],
    ['FULL', 'FULL', 2],
  ] as const)('waits for the disk as is asked: %s', async (_name, synchronous, level) => {
    const { database } = await openDatabase({ folder: newFolder(), ...(synchronous ? { synchronous } : {}) });
    try {
      expect(database.pragma('synchronous', { simple: true })).toBe(level);
      expect(database.pragma('journal_mode', { simple: true })).toBe('wal');
      expect(database.pragma('mmap_size', { simple: true })).toBe(268_435_456);
    } finally {
      database.close();
    }
  });
});

describe('the event log', () => {
  it('reads events in the order they were appended, whatever their time and step say', async () => {
    const log = await openLog();
    const events: Event[] = [
      eventAt(1, opened('why')),
      eventAt(2, said('second'), { at: 5 }),
      eventAt(1, said('of a child'), { agent: 'C7' }),
      eventAt(3, { type: 'interrupted' }, { step: 0 }),
    ];
    log.append(events.slice(0, 2));
    log.append(events.slice(2));
    expect([...log.read('s1')]).toEqual(events);
  });

  it('shows a second reader every event once append has returned', async () => {
    const folder = newFolder();
    const [writer, reader] = [await openLog({ folder }), await openLog({ folder })];
    writer.append([eventAt(1, said('seen'))]);
    expect([...reader.read('s1')]).toEqual([eventAt(1, said('seen'))]);
  });

  it('keeps tenants and sessions apart', async () => {
    const folder = newFolder();
    const [mine, theirs] = [await openLog({ folder }), await openLog({ folder, tenant: 'other' })];
    mine.append([eventAt(1, opened('mine'))]);
    theirs.append([eventAt(1, opened('theirs'))]);
    mine.append([eventAt(1, opened('another'), { session: 's2' })]);
    expect([...theirs.read('s1')].map(({ body }) => body)).toEqual([opened('theirs')]);
    expect(mine.listSessions(10).map(({ question }) => question)).toEqual(['another', 'mine']);
    expect([...mine.read('absent')]).toEqual([]);
  });

  it('refuses a place that is taken and writes nothing of that batch', async () => {
    const log = await openLog();
    log.append([eventAt(1, opened('q')), eventAt(2, said('a'))]);
    const refusal = await failureOf(() => log.append([eventAt(3, said('b')), eventAt(2, said('again'))]));
    expect(refusal).toMatchObject({ code: 'refused', message: 'the log already has an event at this place' });
    expect(refusal.fix).toContain('another process');
    expect([...log.read('s1')].map(({ sequence }) => sequence)).toEqual([1, 2]);
    expect(log.listSessions(1)[0]?.events).toBe(2);
    log.append([eventAt(3, said('b'))]);
    expect([...log.read('s1')].length).toBe(3);
  });

  it('lets nobody change or delete an event', async () => {
    const folder = newFolder();
    (await openLog({ folder })).append([eventAt(1, said('kept'))]);
    const database = new Database(join(folder, 'soloist.db'));
    database.pragma('recursive_triggers = ON');
    expect(() => database.exec("UPDATE events SET body = '{}'")).toThrow('append-only');
    expect(() => database.exec('DELETE FROM events')).toThrow('append-only');
    expect(() => database.exec('INSERT OR REPLACE INTO events SELECT * FROM events')).toThrow('append-only');
    database.close();
    expect([...(await openLog({ folder })).read('s1')]).toEqual([eventAt(1, said('kept'))]);
  });

  it('accepts an empty batch', async () => {
    const log = await openLog();
    log.append([]);
    expect(log.listSessions(5)).toEqual([]);
  });

  it('closes twice without complaint', async () => {
    const log = await openLog();
    log.close();
    log.close();
  });
});

describe('listing sessions', () => {
  it('answers the newest first, with status and count, no more than asked for', async () => {
    const log = await openLog();
    for (const number of [1, 2, 3]) log.append([eventAt(1, opened(`q${number}`), { session: `s${number}`, at: number * 1000 })]);
    log.append([
      eventAt(2, said('x'), { session: 's2', at: 2500 }),
      eventAt(3, { type: 'session.closed', status: 'budget' }, { session: 's2', at: 2600 }),
    ]);
    expect(log.listSessions(2)).toEqual([
      {
        session: 's3',
        openedAt: 3000,
        lastEventAt: 3000,
        agent: 'investigator',
        question: 'q3',
        model: 'rules',
        status: 'open',
        events: 1,
      },
      {
        session: 's2',
        openedAt: 2000,
        lastEventAt: 2600,
        agent: 'investigator',
        question: 'q2',
        model: 'rules',
        status: 'budget',
        events: 3,
      },
    ]);
  });

  it('counts a batch over several sessions under each of them', async () => {
    const log = await openLog();
    log.append([
      eventAt(1, opened('a'), { session: 'a', at: 1 }),
      eventAt(1, opened('b'), { session: 'b', at: 2 }),
      eventAt(2, { type: 'session.closed', status: 'ok' }, { session: 'a' }),
    ]);
    expect(log.listSessions(9).map(({ session, status, events }) => [session, status, events])).toEqual([
      ['b', 'open', 1],
      ['a', 'ok', 2],
    ]);
  });
});

describe('payloads', () => {
  it('come back as they were, each kept once, long ones compressed', async () => {
    const folder = newFolder();
    const log = await openLog({ folder });
    const texts = ['', 'short', 'é'.repeat(511), '漢字 🎼\u0000 end', 'row,1\n'.repeat(50_000)];
    const hashes = texts.map((text) => log.putBlob(text));
    expect(texts.map((text) => log.putBlob(text))).toEqual(hashes);
    expect(hashes.map((hash) => log.getBlob(hash))).toEqual(texts);
    expect(log.getBlob('0'.repeat(64))).toBeUndefined();
    const database = new Database(join(folder, 'soloist.db'), { readonly: true });
    const rows = database.prepare('SELECT hash, bytes, encoding, length(content) AS size FROM blobs ORDER BY bytes').all() as {
      hash: string;
      bytes: number;
      encoding: string;
      size: number;
    }[];
    database.close();
    expect(rows.map(({ bytes, encoding }) => [bytes, encoding])).toEqual([
      [0, 'text'],
      [5, 'text'],
      [16, 'text'],
      [1022, 'deflate'],
      [300_000, 'deflate'],
    ]);
    expect(rows.at(-1)?.size).toBeLessThan(3000);
    // printf short | sha256sum
    expect(rows[1]?.hash).toBe('f9b0078b5df596d2ea19010c001bbd009e651de2c57e8fb7e355f31eb9d3f739');
  });

  it('hold the large strings of an event, which read restores', async () => {
    const folder = newFolder();
    const log = await openLog({ folder });
    const large = 'a line of a result\n'.repeat(40_000);
    const body = {
      type: 'tool.finished',
      callId: 'c',
      resultId: 'R1',
      tool: 't',
      status: 'ok',
      complete: true,
      content: large,
      elapsedMs: 1,
    } as const;
    log.append([eventAt(1, body), eventAt(2, said(large))]);
    expect([...log.read('s1')].map((event) => event.body)).toEqual([body, said(large)]);
    expect(bytesOf(folder).length).toBeLessThan(large.length);
  });

  it('are not mistaken for an argument that looks like a reference to one', async () => {
    const log = await openLog();
    for (const [index, lookalike] of [{ $blob: 'x' }, { $blob: 'a'.repeat(64) }, { $blob: log.putBlob('other') }].entries()) {
      const body = {
        type: 'tool.called',
        callId: 'c',
        resultId: 'R1',
        tool: 't',
        arguments: { lookalike, long: 'y'.repeat(20_000) },
      } as const;
      log.append([eventAt(index, body, { session: `s${index}` })]);
      expect([...log.read(`s${index}`)][0]?.body).toEqual(body);
    }
  });
});
