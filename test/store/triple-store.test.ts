import { afterAll, describe, expect, it } from 'vitest';
import type { NewTriple, TripleStore, TripleWalk } from '../../src/core/triple.ts';
import { type MemoryStore, openMemory } from '../../src/store/open-memory.ts';
import { cleanUp, newFolder } from './log-folder.ts';

const stores: MemoryStore[] = [];
afterAll(() => {
  for (const store of stores) store.close();
  cleanUp();
});

async function triplesIn(folder = newFolder(), tenant = 'local'): Promise<TripleStore> {
  const store = await openMemory({ folder, tenant });
  stores.push(store);
  return store.triples;
}

let sequence = 0;
function triple(subject: string, relation: string, object: string, more: Partial<NewTriple> = {}): NewTriple {
  const place = { session: 's', agent: 'main', step: 0, sequence: sequence++ };
  return { subject, relation, object, agent: 'investigator', place, at: 100, ...more };
}

/** A chain a → b → c → d, and e → b beside it. */
async function chain(): Promise<TripleStore> {
  const triples = await triplesIn();
  for (const [subject, object] of ['ab', 'bc', 'cd', 'eb'].map((pair) => [...pair] as [string, string]))
    triples.add(triple(subject, 'feeds', object));
  return triples;
}

function walked(triples: TripleStore, walk: Partial<TripleWalk>): string[] {
  const { steps } = triples.walk({ from: 'b', depth: 6, direction: 'out', at: 1000, limit: 50, ...walk });
  return steps.map(({ subject, object, depth }) => `${subject}${object}${depth}`).sort();
}

describe('triples', () => {
  it.each([
    ['out', 1, ['bc1']],
    ['out', 2, ['bc1', 'cd2']],
    ['in', 1, ['ab1', 'eb1']],
    ['in', 6, ['ab1', 'eb1']],
    ['both', 1, ['ab1', 'bc1', 'eb1']],
    ['both', 2, ['ab1', 'bc1', 'cd2', 'eb1']],
  ] as const)('are walked %s to a depth of %d', async (direction, depth, expected) => {
    expect(walked(await chain(), { direction, depth })).toEqual(expected);
  });

  it('are walked once each, also around a circle and past a self-reference', async () => {
    const triples = await triplesIn();
    for (const [subject, object] of ['ab', 'bc', 'ca', 'aa'].map((pair) => [...pair] as [string, string]))
      triples.add(triple(subject, 'calls', object));
    expect(walked(triples, { from: 'a' })).toEqual(['aa1', 'ab1', 'bc2', 'ca3']);
    expect(walked(triples, { from: 'a', direction: 'in' })).toEqual(['aa1', 'ab3', 'bc2', 'ca1']);
  });

  it('hold from their begin up to, and not at, their end; without one they hold always', async () => {
    const triples = await triplesIn();
    triples.add(triple('a', 'owned_by', 'x', { validFrom: 10, validUntil: 20 }));
    triples.add(triple('a', 'reads', 'y'));
    const at = (time: number): string[] => walked(triples, { from: 'a', at: time });
    expect([9, 10, 19, 20].map((time) => at(time).includes('ax1'))).toEqual([false, true, true, false]);
    expect([0, 5000].map((time) => at(time).includes('ay1'))).toEqual([true, true]);
  });

  it('end what they replace under the same relation, and nothing else', async () => {
    const triples = await triplesIn();
    triples.add(triple('a', 'owned_by', 'x'));
    triples.add(triple('a', 'reads', 'y'));
    triples.add(triple('b', 'owned_by', 'x'));
    triples.add(triple('a', 'owned_by', 'z', { validFrom: 50, replaces: true }));
    const owners = (from: string, at: number): string[] => walked(triples, { from, relation: 'owned_by', at });
    expect([owners('a', 49), owners('a', 50)]).toEqual([['ax1'], ['az1']]);
    expect([walked(triples, { from: 'a', relation: 'reads' }), owners('b', 1000)]).toEqual([['ay1'], ['bx1']]);
    // Without a begin of its own the time at which it was said counts.
    triples.add(triple('b', 'owned_by', 'w', { replaces: true, at: 70 }));
    expect([owners('b', 69), owners('b', 70)]).toEqual([['bw1', 'bx1'], ['bw1']]);
  });

  it('are one where only case and spacing differ, and keep the name as it was first said', async () => {
    const triples = await triplesIn();
    const first = triples.add(triple('Raw  Orders', 'feeds', 'Daily'));
    expect(triples.add(triple('raw orders', 'feeds', ' daily ')).id).toBe(first.id);
    expect([triples.count(), triples.names()]).toEqual([1, ['Raw  Orders', 'Daily']]);
    expect(triples.walk({ from: 'RAW ORDERS', depth: 1, direction: 'out', at: 0, limit: 9 }).steps.length).toBe(1);
  });

  it('are cut at the limit, nearest first, and say so', async () => {
    const triples = await triplesIn();
    for (let place = 0; place < 5; place++) triples.add(triple('a', 'feeds', `t${place}`));
    triples.add(triple('t0', 'feeds', 'far'));
    const { steps, complete } = triples.walk({ from: 'a', depth: 3, direction: 'out', at: 0, limit: 5 });
    expect([steps.map(({ depth }) => depth), complete]).toEqual([[1, 1, 1, 1, 1], false]);
    expect(triples.walk({ from: 'a', depth: 3, direction: 'out', at: 0, limit: 6 }).complete).toBe(true);
  });

  it('of another tenant are not seen, walked over, counted or forgotten', async () => {
    const folder = newFolder();
    const [mine, theirs] = [await triplesIn(folder), await triplesIn(folder, 'other')];
    mine.add(triple('a', 'feeds', 'b'));
    const foreign = triple('b', 'feeds', 'secret');
    theirs.add(foreign);
    expect(walked(mine, { from: 'a' })).toEqual(['ab1']);
    expect([mine.names(), mine.count(), mine.forget([foreign.place]), theirs.count()]).toEqual([['a', 'b'], 1, 0, 1]);
    mine.clear();
    expect([mine.count(), theirs.count()]).toEqual([0, 1]);
  });

  it('are forgotten by the place they were said at, and equal for equal contents', async () => {
    const [one, other] = [await triplesIn(), await triplesIn()];
    const [first, second] = [triple('a', 'feeds', 'b'), triple('b', 'feeds', 'c')];
    for (const each of [first, second]) one.add(each);
    for (const each of [second, first]) other.add(each);
    expect(one.digest()).toBe(other.digest());
    expect(one.forget([second.place])).toBe(1);
    expect(one.digest()).not.toBe(other.digest());
    expect(walked(one, { from: 'a' })).toEqual(['ab1']);
  });
});
