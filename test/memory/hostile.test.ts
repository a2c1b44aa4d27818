import { afterEach, describe, expect, it } from 'vitest';
import { addNote } from '../../src/app/memory-change.ts';
import { forget, planForget } from '../../src/app/memory-forget.ts';
import { exportNotes, importNotes } from '../../src/app/memory-transfer.ts';
import type { Note } from '../../src/core/note.ts';
import { MEMORY_PATH } from '../../src/memory/session-facts.ts';
import { closeShops, openShop, type Shop } from './memory-project-folder.ts';

afterEach(closeShops);

const NOW = new Date('2026-05-04T09:00:00Z');
const CHOICE = { references: ['launch.keeper'], allVersions: false, withSessions: false };

function exported(place: number, more: Partial<Note> = {}): Note {
  const at = NOW.getTime() + place;
  return {
    ...{ id: `n-${String(place).padStart(8, '0')}`, tenant: 'elsewhere', key: `subject_${place % 7}.topic_${place}`, version: 1 },
    ...{ multiValued: false, kind: 'fact', text: `The loader of part ${place} waits for the vendor.`, agent: 'a', created: at },
    ...{ lastConfirmed: at, provenance: [], status: 'current', conflictsWith: [], verdict: 'new', judged: true },
    ...more,
  };
}

const lines = (notes: readonly object[]): string => notes.map((note) => `${JSON.stringify(note)}\n`).join('');

async function shopWithSecret(): Promise<Shop> {
  const shop = await openShop();
  await addNote(
    shop.memory,
    { key: 'launch.keeper', text: 'Quentin keeps the code of Zanzibar.', kind: 'fact', several: false },
    { now: NOW },
  );
  await addNote(shop.memory, { key: 'prices.landing', text: 'Prices land at noon.', kind: 'fact', several: false }, { now: NOW });
  return shop;
}

describe('forgetting that was killed', () => {
  it.each([
    ['when the places were blank', 1],
    ['when the notes were gone and the file was not clean yet', 2],
  ] as const)('is finished by whoever opens the memory next: %s', async (_, stage) => {
    const shop = await shopWithSecret();
    const { notes, places } = planForget(shop.memory, CHOICE, NOW);
    shop.memory.store.corrections.tombstone(places, NOW.getTime());
    if (stage === 2) shop.memory.store.notes.forget(notes.map(({ id }) => id));
    await shop.close();
    expect(shop.bytes().toString('latin1').toLowerCase()).toContain('zanzibar');
    const again = await openShop({}, shop.folder);
    await again.memory.catchUp({ now: () => NOW });
    expect(again.memory.store.notes.list().map(({ key }) => key)).toEqual(['prices.landing']);
    await again.close();
    expect(again.bytes().toString('latin1').toLowerCase()).not.toContain('zanzibar');
  });

  it('can be done again when it had only begun to look through the log', async () => {
    const shop = await shopWithSecret();
    const { places } = planForget(shop.memory, CHOICE, NOW);
    shop.memory.store.corrections.rewrite((text) => text.replaceAll('prices', 'costs'), NOW.getTime(), places);
    const gone = await forget(shop.memory, planForget(shop.memory, CHOICE, NOW), NOW);
    expect(gone).toMatchObject({ eventsBlanked: 1, notes: [{ key: 'launch.keeper' }] });
    expect(shop.memory.store.corrections.owesVacuum()).toBe(false);
    expect(shop.bytes().toString('latin1').toLowerCase()).not.toContain('zanzibar');
  });
});

describe('an import', () => {
  it.each([
    ['a time that no date has', { created: 1e300 }, /line 1 is no note: created/],
    ['a time before 1970', { lastConfirmed: -5 }, /line 1 is no note: lastConfirmed/],
    ['half a millisecond', { expires: 12.5 }, /line 1 is no note: expires/],
    ['a key with a line end', { key: 'a.b\n' }, /line 1 is no note: key/],
    ['a text of a megabyte', { text: 'x'.repeat(1_000_000) }, /line 1 is no note: text/],
  ])('refuses %s, and memory works on', async (_, more, message) => {
    const { memory } = await openShop();
    await expect(importNotes(memory, lines([exported(1, more)]), NOW)).rejects.toThrow(message);
    expect(await importNotes(memory, lines([exported(2)]), NOW)).toMatchObject({ imported: 1 });
  });

  it('that stands in the log though no table can hold it stops nothing that comes behind', async () => {
    const { memory } = await openShop();
    const place = { session: 's-bad', agent: MEMORY_PATH, step: 0, round: 1, at: NOW.getTime() };
    const bad = [exported(1, { created: 1e300 }), exported(2, { version: 0.5 }), exported(3)];
    memory.log.append(bad.map((note, sequence) => ({ ...place, sequence, body: { type: 'note.imported', note } })));
    await memory.catchUp({ now: () => NOW });
    expect(memory.store.notes.list().map(({ id }) => id)).toEqual([exported(3).id]);
  });

  it('of many notes comes out as it went in, and a second time changes nothing', async () => {
    const [one, other] = [await openShop(), await openShop()];
    const notes = Array.from({ length: 1200 }, (_, place) => exported(place));
    expect(await importNotes(one.memory, lines(notes), NOW)).toEqual({ imported: 1200, known: 0, refused: [] });
    const out = [...exportNotes(one.memory)];
    expect(out.map((line) => ({ ...(JSON.parse(line) as Note), tenant: 'elsewhere' }))).toEqual(notes);
    await importNotes(other.memory, out.join('\n'), NOW);
    expect([...exportNotes(other.memory)]).toEqual(out);
    expect(await importNotes(other.memory, out.join('\n'), NOW)).toEqual({ imported: 0, known: 1200, refused: [] });
  });

  it('refuses a second current note of a key and a second wording of a set, within the file too, and keeps a set a set', async () => {
    const { memory } = await openShop();
    const goals = { key: 'person.goals', multiValued: true };
    const file = [
      exported(1, { ...goals, text: 'Sleep more.' }),
      exported(2, { ...goals, text: 'Run  a marathon.' }),
      exported(3, { ...goals, text: 'run a Marathon.' }),
      exported(4, { key: 'a.b' }),
      exported(5, { key: 'a.b' }),
      exported(6, { key: 'person.goals', status: 'archived' }),
    ];
    const { imported, refused } = await importNotes(memory, lines(file), NOW);
    expect([imported, refused.map(({ id }) => id)]).toEqual([4, [exported(3).id, exported(5).id]]);
    expect((await importNotes(memory, lines([exported(7, { ...goals, text: 'SLEEP more.' })]), NOW)).refused.length).toBe(1);
    expect(memory.store.notes.isMultiValued('person.goals')).toBe(true);
    expect(memory.store.notes.current('person.goals').length).toBe(2);
  });
});

describe('a note of a person', () => {
  it('that is on record while another process makes the notes again is told so, and not called lost', async () => {
    const shop = await openShop();
    const { memory } = shop;
    const busy = { ...memory, catchUp: async () => ({ written: [], events: 0, lag: memory.lag() }) };
    const note = { key: 'pump.owner', text: 'Anna owns the pump.', kind: 'fact', several: false };
    await expect(addNote(busy, note, { now: NOW })).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringContaining('is on record'),
    });
    await memory.catchUp({ now: () => NOW });
    expect(memory.store.notes.list().map(({ key }) => key)).toEqual(['pump.owner']);
  });
});
