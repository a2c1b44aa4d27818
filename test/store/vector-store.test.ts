import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import type { GenerationSettings } from '../../src/core/memory-index.ts';
import { type MemoryStore, openMemory } from '../../src/store/open-memory.ts';
import { chooseChunkRows } from '../../src/store/vector-table.ts';
import { cleanUp, newFolder, openLog } from './log-folder.ts';

const stores: MemoryStore[] = [];
afterAll(() => {
  for (const store of stores) store.close();
  cleanUp();
});

const IDENTITY = { provider: 'test', model: 'm', dimensions: 8, normalisation: 'unit', prefixes: 'none' } as const;
const SETTINGS: GenerationSettings = {
  weight: 0.5,
  unrelated: { mean: 0, deviation: 0.1 },
  related: { mean: 0.8, deviation: 0.1 },
  quality: { words: 0.5, both: 0.6, questions: 10 },
  bitFactor: 8,
};

async function memoryIn(folder = newFolder(), tenant = 'local'): Promise<MemoryStore> {
  const store = await openMemory({ folder, tenant });
  stores.push(store);
  return store;
}

function add({ notes }: MemoryStore, key: string, text: string, kind: 'bug' | 'decision' = 'bug') {
  const verdict = notes.version(key) === 0 ? 'new' : 'update';
  const written = notes.write({
    key,
    text,
    kind,
    agent: 'a',
    at: 1,
    provenance: [],
    verdict,
    judged: true,
    expectedVersion: notes.version(key),
  });
  if (!written.ok) throw new Error('not written');
  return written.note;
}

/** A vector whose direction is told by its first two numbers, out of a circle. */
function at(degrees: number): Float32Array {
  const vector = new Float32Array(8);
  vector[0] = Math.cos((degrees * Math.PI) / 180);
  vector[1] = Math.sin((degrees * Math.PI) / 180);
  return vector;
}

function embedAll({ vectors }: MemoryStore, generation: number, degrees: (text: string) => number): number {
  let embedded = 0;
  for (let rows = vectors.pending(generation, 3); rows.length > 0; rows = vectors.pending(generation, 3)) {
    vectors.put(
      generation,
      rows.map(({ number, text }) => ({ number, text, vector: at(degrees(text)) })),
    );
    embedded += rows.length;
  }
  return embedded;
}

const degreesIn = (text: string): number => Number(/(\d+)/.exec(text)?.[1]);

function textsNear(memory: MemoryStore, generation: number, degrees: number, more: object = {}): string[] {
  const found = memory.vectors.nearest(generation, { vector: at(degrees), limit: 2, statuses: ['current', 'flagged'], ...more });
  return found.map(({ number }) => memory.words.notes([number])[0]?.text ?? '');
}

describe('vectors of notes', () => {
  it('are found by angle, with the cosine distance, within the tenant and the filters', async () => {
    const folder = newFolder();
    const [memory, other] = [await memoryIn(folder), await memoryIn(folder, 'other')];
    for (const degrees of [10, 40, 90]) add(memory, `k${degrees}`, `at ${degrees}`, degrees === 40 ? 'decision' : 'bug');
    add(other, 'k', 'at 41');
    const { generation } = memory.vectors.begin(IDENTITY, 1);
    expect(embedAll(memory, generation, (text) => degreesIn(text.split(': ')[1] ?? ''))).toBe(4);
    expect(textsNear(memory, generation, 42)).toEqual(['at 40', 'at 10']);
    expect(textsNear(memory, generation, 42, { kinds: ['bug'] })).toEqual(['at 10', 'at 90']);
    expect(textsNear(other, generation, 10)).toEqual(['at 41']);
    const [nearest] = memory.vectors.nearest(generation, { vector: at(100), limit: 1, statuses: ['current'] });
    // 1 - cos 10°
    expect(nearest?.distance).toBeCloseTo(0.015192, 5);
    expect(memory.vectors.count(generation)).toBe(3);
  });

  it('follow their notes: superseded, archived and forgotten ones are not found', async () => {
    const memory = await memoryIn();
    for (const degrees of [10, 20, 30]) add(memory, `k${degrees}`, `at ${degrees}`);
    const { generation } = memory.vectors.begin(IDENTITY, 1);
    embedAll(memory, generation, (text) => degreesIn(text.split(': ')[1] ?? ''));
    add(memory, 'k10', 'at 80');
    memory.notes.archive([memory.notes.current('k20')[0]!.id]);
    expect(textsNear(memory, generation, 10)).toEqual(['at 30']);
    expect(memory.vectors.nearest(generation, { vector: at(10), limit: 5, statuses: ['superseded'] }).length).toBe(1);
    memory.notes.forget([memory.notes.current('k30')[0]!.id]);
    expect(textsNear(memory, generation, 10)).toEqual([]);
    expect(memory.vectors.progress(generation)).toEqual({ done: 0, total: 1 });
    expect(embedAll(memory, generation, () => 80)).toBe(1);
  });

  it('of another way of embedding are built beside, switched to, and the old ones dropped', async () => {
    const folder = newFolder();
    const memory = await memoryIn(folder);
    for (const degrees of [10, 20, 30, 40]) add(memory, `k${degrees}`, `at ${degrees}`);
    const first = memory.vectors.begin(IDENTITY, 1).generation;
    embedAll(memory, first, (text) => degreesIn(text.split(': ')[1] ?? ''));
    memory.vectors.activate(first, SETTINGS, 2);
    const second = memory.vectors.begin({ ...IDENTITY, prefixes: 'other' }, 3).generation;
    memory.vectors.put(
      second,
      memory.vectors.pending(second, 3).map((row) => ({ ...row, vector: at(0) })),
    );
    expect([memory.vectors.active()?.generation, memory.vectors.progress(second)]).toEqual([first, { done: 3, total: 4 }]);
    const again = await memoryIn(folder);
    expect(again.vectors.begin({ ...IDENTITY, prefixes: 'other' }, 9).generation).toBe(second);
    expect(embedAll(again, second, () => 0)).toBe(1);
    again.vectors.activate(second, SETTINGS, 4);
    expect(memory.vectors.generations()).toMatchObject([{ generation: second, state: 'active', settings: SETTINGS }]);
    const database = new Database(join(folder, 'soloist.db'), { readonly: true });
    expect(database.prepare("SELECT name FROM sqlite_schema WHERE name LIKE 'vector%'").pluck().all()).toContain(`vectors_${second}`);
    expect(database.prepare('SELECT count(*) FROM sqlite_schema WHERE name = ?').pluck().get(`vectors_${first}`)).toBe(0);
    database.close();
    expect(memory.vectors.nearest(second, { vector: at(0), limit: 9, statuses: ['current'] }).length).toBe(4);
  });

  it('are taken over by notes that a rebuild makes anew, so that nothing is embedded twice', async () => {
    const memory = await memoryIn();
    for (const degrees of [10, 20]) add(memory, `k${degrees}`, `at ${degrees}`);
    const { generation } = memory.vectors.begin(IDENTITY, 1);
    embedAll(memory, generation, (text) => degreesIn(text.split(': ')[1] ?? ''));
    memory.notes.clear();
    add(memory, 'k20', 'at 20');
    add(memory, 'k30', 'at 30');
    expect(memory.vectors.pending(generation, 9).map(({ text }) => text)).toEqual(['k30: at 30']);
    expect(textsNear(memory, generation, 10)).toEqual(['at 20']);
  });

  it('are found through bits as through the vectors, and a table written anew loses none', async () => {
    const memory = await memoryIn();
    for (let degrees = 0; degrees < 180; degrees++) add(memory, `k${degrees}`, `at ${degrees}`);
    const { generation } = memory.vectors.begin(IDENTITY, 1);
    embedAll(memory, generation, (text) => degreesIn(text.split(': ')[1] ?? ''));
    memory.vectors.fillBits(generation);
    expect(memory.vectors.hasBits(generation)).toBe(true);
    expect(textsNear(memory, generation, 42, { bitFactor: 90 })).toEqual(textsNear(memory, generation, 42));
    const scattered = memory.notes.list().filter((_, place) => place % 6 !== 0);
    memory.notes.forget(scattered.map(({ id }) => id));
    expect(memory.vectors.deadShare(generation)).toBeGreaterThan(0.3);
    const before = textsNear(memory, generation, 10);
    memory.vectors.compact(generation);
    expect(textsNear(memory, generation, 10)).toEqual(before);
    expect(textsNear(memory, generation, 10, { bitFactor: 90 })).toEqual(before);
    expect(memory.vectors.count(generation)).toBe(30);
    expect(memory.vectors.sample(generation, 10).length).toBeGreaterThanOrEqual(10);
  });

  it('stand in a file that a connection without the extension can check, clean and append to', async () => {
    const folder = newFolder();
    const memory = await memoryIn(folder);
    add(memory, 'k', 'at 10');
    const { generation } = memory.vectors.begin(IDENTITY, 1);
    embedAll(memory, generation, () => 10);
    const log = await openLog({ folder });
    expect(log.state().schema).toBeGreaterThan(1);
    log.append([]);
    memory.corrections.vacuum();
    expect(textsNear(memory, generation, 10)).toEqual(['at 10']);
  });

  it('take half the room once there are many tenants of a few notes', async () => {
    const folder = newFolder();
    const first = await memoryIn(folder, 'tenant-0');
    add(first, 'k', 'at 10');
    const { generation } = first.vectors.begin(IDENTITY, 1);
    const chunkRows = (): number => {
      const database = new Database(join(folder, 'soloist.db'), { readonly: true });
      const sql = database.prepare('SELECT sql FROM sqlite_schema WHERE name = ?').pluck().get(`vectors_${generation}`);
      database.close();
      return Number(/chunk_size=(\d+)/.exec(String(sql))?.[1]);
    };
    // 33 tenants of one note: 64 rows each are 2,112, 32 rows are 1,056.
    for (let tenant = 1; tenant < 33; tenant++) add(await memoryIn(folder, `tenant-${tenant}`), 'k', 'at 20');
    embedAll(first, generation, (text) => degreesIn(text.split(': ')[1] ?? ''));
    expect([chunkRows(), first.vectors.deadShare(generation)]).toEqual([64, 0.5]);
    first.vectors.compact(generation);
    expect([chunkRows(), first.vectors.deadShare(generation)]).toEqual([32, 0]);
    expect(textsNear(first, generation, 10)).toEqual(['at 10']);
    expect(textsNear(stores.at(-1)!, generation, 10)).toEqual(['at 20']);
  });

  it.each([
    ['one tenant of any size', [3], 64],
    ['one large tenant', [100_000], 64],
    ['200 tenants of 25', Array.from({ length: 200 }, () => 25), 32],
    ['200 tenants of 40, who need two small chunks', Array.from({ length: 200 }, () => 40), 64],
    ['10 tenants of 25, where little is won', Array.from({ length: 10 }, () => 25), 64],
  ])('stand in chunks that suit %s', (_, byTenant, rows) => {
    expect(chooseChunkRows(byTenant)).toBe(rows);
  });
});
