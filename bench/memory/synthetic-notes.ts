import type { Note } from '../../src/core/note.ts';
import type { MemoryStore } from '../../src/store/open-memory.ts';
import { seededRandom } from './make-fixture.ts';

const SUBJECTS = (
  'orders payments clicks stock prices contacts refunds visits invoices points devices shipments carts sessions leads tickets meters sensors routes drivers ' +
  'claims policies vouchers surveys scores budgets forecasts quotes trades wages shifts permits parcels pallets recipes courses grades patients doses beds ' +
  'flights seats rooms bookings menus songs plays streams'
).split(' ');
const PARTS = (
  'retry landing owner schema partition retention encoding backfill freshness currency timezone quota checksum snapshot watermark lineage contract alert ' +
  'threshold sampling compaction dedupe masking archive replica failover cache index vacuum throttle batch window cursor offset delimiter header'
).split(' ');
const VERBS = ['caused', 'fixed', 'delayed', 'doubled', 'dropped', 'renamed', 'moved', 'limited', 'explained', 'blocked'];

/** Notes of some sense in any number, the same for the same seed. */
export function syntheticNotes(count: number, seed = 3): readonly Note[] {
  const random = seededRandom(seed);
  const pick = (words: readonly string[]): string => words[Math.floor(random() * words.length)] ?? '';
  return Array.from({ length: count }, (_, place) => ({
    ...{ id: `n-${String(place).padStart(9, '0')}`, tenant: 'local', key: `${pick(SUBJECTS)}.${pick(PARTS)}.k${place}`, version: 1 },
    ...{ multiValued: false, kind: 'fact' as const, agent: 'investigator', created: Date.UTC(2026, 0, 1) + place * 60_000 },
    text: `The ${pick(PARTS)} of ${pick(SUBJECTS)}_${place % 977} ${pick(VERBS)} the ${pick(PARTS)} of ${pick(SUBJECTS)} in run ${place % 4001}.`,
    ...{ lastConfirmed: Date.UTC(2026, 0, 1) + place * 60_000, provenance: [], status: 'current' as const, conflictsWith: [] },
    ...{ verdict: 'new' as const, judged: true },
  }));
}

/** Vectors in clusters, as texts of a few subjects give them: a centre a cluster, and noise half as long again. */
export function clusteredVectors(dimensions: number, clusters: number, seed = 5): () => Float32Array {
  const random = seededRandom(seed);
  const normal = (): number => Math.sqrt(-2 * Math.log(random() || 1e-12)) * Math.cos(2 * Math.PI * random());
  const unit = (values: Float32Array): Float32Array => {
    const length = Math.hypot(...values);
    return values.map((value) => value / length);
  };
  const centres = Array.from({ length: clusters }, () => unit(Float32Array.from({ length: dimensions }, normal)));
  return () => {
    const centre = centres[Math.floor(random() * clusters)] as Float32Array;
    const noise = unit(Float32Array.from({ length: dimensions }, normal));
    return unit(centre.map((value, place) => value + 1.5 * (noise[place] ?? 0)));
  };
}

export function addNotes({ notes }: MemoryStore, added: readonly Note[]): void {
  for (const note of added) notes.importRow(note);
}
