import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import type { LogPlace, NoteStore, NoteWrite } from '../../src/core/note.ts';
import { type MemoryStore, openMemory } from '../../src/store/open-memory.ts';
import { cleanUp, failureOf, newFolder } from './log-folder.ts';

const stores: MemoryStore[] = [];
afterAll(() => {
  for (const store of stores) store.close();
  cleanUp();
});

async function memoryIn(folder = newFolder(), tenant = 'local'): Promise<MemoryStore> {
  const store = await openMemory({ folder, tenant });
  stores.push(store);
  return store;
}

function place(sequence: number): LogPlace {
  return { session: 's1', agent: 'main', step: sequence, sequence };
}

function fact(notes: NoteStore, text: string, more: Partial<NoteWrite> = {}): NoteWrite {
  const key = more.key ?? 'ingest.retry_policy';
  return {
    key,
    text,
    kind: 'decision',
    agent: 'investigator',
    at: 1_750_000_000_000,
    provenance: [place(1)],
    verdict: notes.version(key) === 0 ? 'new' : 'update',
    judged: true,
    expectedVersion: notes.version(key),
    ...more,
  };
}

describe('notes', () => {
  it('have one current version per key and the chain behind it', async () => {
    const { notes } = await memoryIn();
    for (const text of ['retry 3 times', 'retry 5 times', 'do not retry']) expect(notes.write(fact(notes, text)).ok).toBe(true);
    expect(notes.current('ingest.retry_policy').map(({ text }) => text)).toEqual(['do not retry']);
    const chain = notes.chain('ingest.retry_policy');
    expect(chain.map(({ text, status, version }) => [text, status, version])).toEqual([
      ['retry 3 times', 'superseded', 1],
      ['retry 5 times', 'superseded', 2],
      ['do not retry', 'current', 3],
    ]);
    expect(chain.map(({ supersededBy }) => supersededBy)).toEqual([chain[1]?.id, chain[2]?.id, undefined]);
  });

  it('gain provenance and a date when the same is said again, and nothing else', async () => {
    const { notes } = await memoryIn();
    notes.write(fact(notes, 'retry 3 times'));
    const again = notes.write(fact(notes, 'three retries', { verdict: 'same', provenance: [place(9)], at: 1_750_000_000_900 }));
    expect(again).toMatchObject({ ok: true, verdict: 'same', version: 2 });
    expect(notes.chain('ingest.retry_policy')).toMatchObject([
      { text: 'retry 3 times', created: 1_750_000_000_000, lastConfirmed: 1_750_000_000_900, provenance: [place(1), place(9)] },
    ]);
  });

  it('keep what was contradicted flagged beside what stands, until an update settles it', async () => {
    const { notes } = await memoryIn();
    notes.write(fact(notes, 'the feed lands at 02:00'));
    notes.write(fact(notes, 'the feed lands at 04:00', { verdict: 'conflict' }));
    const [old] = notes.chain('ingest.retry_policy');
    expect(old).toMatchObject({ status: 'flagged', text: 'the feed lands at 02:00' });
    expect(notes.current('ingest.retry_policy')[0]?.conflictsWith).toEqual([old?.id]);
    notes.write(fact(notes, 'the feed lands at 05:00', { verdict: 'conflict' }));
    expect(notes.current('ingest.retry_policy')[0]?.conflictsWith.length).toBe(2);
    notes.write(fact(notes, 'the feed lands at 06:00'));
    expect(notes.chain('ingest.retry_policy').map(({ status }) => status)).toEqual(['superseded', 'superseded', 'superseded', 'current']);
  });

  it('collect a set under a key that is declared so, each member with its own versions', async () => {
    const { notes } = await memoryIn();
    notes.declare('user.goals', { multiValued: true });
    const goal = (text: string, more: Partial<NoteWrite> = {}) =>
      notes.write(fact(notes, text, { key: 'user.goals', verdict: 'new', expectedVersion: notes.version('user.goals'), ...more }));
    goal('buy a house');
    goal('run a marathon');
    expect(goal('Run a  marathon')).toMatchObject({ ok: true, verdict: 'same' });
    const [house] = notes.current('user.goals');
    goal('rent a house', { verdict: 'update', target: house?.id ?? '' });
    expect(notes.current('user.goals').map(({ text, multiValued }) => [text, multiValued])).toEqual([
      ['run a marathon', true],
      ['rent a house', true],
    ]);
    expect(await failureOf(() => goal('sell it', { verdict: 'update' }))).toMatchObject({ code: 'usage' });
    expect(await failureOf(() => notes.declare('user.goals', { multiValued: false }))).toMatchObject({ code: 'usage' });
  });

  it('refuse a write whose version has passed, so that no update is lost', async () => {
    const folder = newFolder();
    const [one, two] = [await memoryIn(folder), await memoryIn(folder)];
    const write = fact(one.notes, 'mine');
    expect(two.notes.write(fact(two.notes, 'theirs')).ok).toBe(true);
    expect(one.notes.write(write)).toEqual({ ok: false, reason: 'version_changed', version: 1 });
    expect(one.notes.current('ingest.retry_policy').map(({ text }) => text)).toEqual(['theirs']);
  });

  it('refuse a verdict that does not fit what is there', async () => {
    const { notes } = await memoryIn();
    expect(await failureOf(() => notes.write(fact(notes, 'x', { verdict: 'same' })))).toMatchObject({ code: 'usage' });
    notes.write(fact(notes, 'x'));
    expect(await failureOf(() => notes.write(fact(notes, 'y', { verdict: 'new' })))).toMatchObject({ code: 'usage' });
    expect(notes.version('ingest.retry_policy')).toBe(1);
  });

  it('stay apart by tenant', async () => {
    const folder = newFolder();
    const [mine, theirs] = [await memoryIn(folder, 'mine'), await memoryIn(folder, 'theirs')];
    mine.notes.write(fact(mine.notes, 'mine'));
    theirs.notes.write(fact(theirs.notes, 'theirs'));
    expect(mine.notes.list().map(({ text }) => text)).toEqual(['mine']);
    theirs.notes.clear();
    expect([mine.notes.list().length, theirs.notes.list().length]).toEqual([1, 0]);
  });

  it('are listed by status, kind, key and session, newest first', async () => {
    const { notes } = await memoryIn();
    notes.write(fact(notes, 'a', { key: 'ingest.a', at: 1000, expires: 5000 }));
    notes.write(fact(notes, 'b', { key: 'ingest.b', kind: 'bug', at: 3000, provenance: [{ ...place(1), session: 's2' }] }));
    notes.write(fact(notes, 'c', { key: 'ingested', at: 2000 }));
    const texts = (filter: Parameters<NoteStore['list']>[0]) => notes.list(filter).map(({ text }) => text);
    expect(texts({})).toEqual(['b', 'c', 'a']);
    expect(texts({ key: 'ingest.' })).toEqual(['b', 'a']);
    expect(texts({ kinds: ['bug'] })).toEqual(['b']);
    expect(texts({ session: 's2' })).toEqual(['b']);
    expect(texts({ expiredAt: 5000 })).toEqual(['a']);
    expect(texts({ createdBefore: 3000, limit: 1 })).toEqual(['c']);
    expect(notes.archive(notes.list({ key: 'ingested' }).map(({ id }) => id))).toBe(1);
    expect(texts({ statuses: ['current'] })).toEqual(['b', 'a']);
  });

  it('come back the same from an export, ids and chain included', async () => {
    const [from, to] = [await memoryIn(), await memoryIn()];
    from.notes.declare('goals', { multiValued: true });
    from.notes.write(fact(from.notes, 'a', { key: 'goals', verdict: 'new' }));
    for (const [text, verdict] of [['b'], ['c'], ['d', 'conflict'], ['e', 'same']] as const)
      from.notes.write(fact(from.notes, text, verdict ? { verdict } : {}));
    for (const note of JSON.parse(JSON.stringify([...from.notes.exportRows()]))) expect(to.notes.importRow(note)).toBe(true);
    expect([...to.notes.exportRows()]).toEqual([...from.notes.exportRows()]);
    expect(to.notes.digest()).toBe(from.notes.digest());
    expect(to.notes.importRow([...from.notes.exportRows()][0]!)).toBe(false);
    const [first] = to.notes.exportRows();
    expect(to.notes.forget([first!.id, 'n-unknown']).map(({ id }) => id)).toEqual([first?.id]);
    expect(to.notes.get(first!.id)).toBeUndefined();
    expect(to.notes.digest()).not.toBe(from.notes.digest());
  });

  it('cannot be two current ones under a key, whatever writes them', async () => {
    const folder = newFolder();
    const { notes } = await memoryIn(folder);
    notes.write(fact(notes, 'a'));
    notes.write(fact(notes, 'b'));
    const database = new Database(join(folder, 'soloist.db'));
    expect(() => database.exec("UPDATE notes SET status = 'current'")).toThrow('UNIQUE');
    database.close();
  });
});

describe('a cursor over the log', () => {
  it('advances from where it is believed to stand, and from nowhere else', async () => {
    const folder = newFolder();
    const [one, two] = [await memoryIn(folder), await memoryIn(folder)];
    expect(one.cursor('projector').advance(0, 7)).toBe(true);
    expect(two.cursor('projector').advance(0, 5)).toBe(false);
    expect(two.cursor('projector').position()).toBe(7);
    expect(two.cursor('another').position()).toBe(0);
  });
});
