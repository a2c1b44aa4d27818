import { statSync } from 'node:fs';
import type { Note } from '../core/note.ts';
import { Scope } from '../core/scope.ts';
import { isStopWord, searchWords } from '../core/search-words.ts';
import { redactionOf } from '../store/redact-secrets.ts';
import type { ProjectMemory } from './memory-project.ts';
import type { Workspace } from './workspace.ts';

export interface Rescanned {
  /** Events that held something that the rules of today take out, and payloads of them. */
  readonly events: number;
  readonly payloads: number;
  readonly notes: number;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}

/** Applies the redaction of today to everything that was logged before, then makes notes and triples again from the clean log. */
export async function rescan(memory: ProjectMemory, { project }: Workspace, now: Date): Promise<Rescanned> {
  const { corrections, file, notes } = memory.store;
  const bytesBefore = statSync(file).size;
  const before = notes.digest();
  const { clean } = redactionOf({ patterns: project.memory.redact });
  const { events, payloads } = corrections.rewrite(clean, now.getTime());
  if (events > 0) await memory.catchUp({ now: () => now, fromStart: true, think: false });
  if (events > 0) corrections.vacuum();
  const changed = notes.digest() === before ? 0 : notes.list().length;
  return { events, payloads, notes: changed, bytesBefore, bytesAfter: statSync(file).size };
}

export interface Rebuilt {
  readonly events: number;
  readonly notes: number;
  readonly triples: number;
  readonly digest: string;
  /** Whether notes and triples are what they were before. */
  readonly unchanged: boolean;
}

/** Makes notes, triples and the index of the log again from the log; model answers are in it, so no model is asked. */
export async function rebuild(memory: ProjectMemory, now: Date): Promise<Rebuilt> {
  const { notes, triples, indexer } = memory.store;
  await memory.catchUp({ now: () => now, think: false });
  const before = `${notes.digest()} ${triples.digest()}`;
  const { events } = await memory.catchUp({ now: () => now, fromStart: true, think: false });
  indexer.reset();
  while (indexer.fill(INDEX_AT_ONCE).lag > 0);
  const after = `${notes.digest()} ${triples.digest()}`;
  return { events, notes: notes.list().length, triples: triples.count(), digest: notes.digest(), unchanged: before === after };
}

const INDEX_AT_ONCE = 2_000;

export interface MemoryCheck {
  readonly check: string;
  readonly ok: boolean;
  readonly found: string;
  readonly fix?: string;
}

/** Whether memory works: caught up, the index filled, vectors there, and a paraphrase of a note finds the note. */
export async function checkMemory(memory: ProjectMemory, now: Date): Promise<readonly MemoryCheck[]> {
  const { store } = memory;
  const lag = memory.lag();
  while (store.indexer.fill(INDEX_AT_ONCE).lag > 0);
  const live = store.notes.list({ statuses: ['current'] });
  return [
    {
      check: 'Projection',
      ok: lag.events === 0,
      found: `${lag.events} events, ${lag.sessions} closed sessions and ${lag.verdicts} rounds of verdicts wait`,
      ...(lag.events === 0 ? {} : { fix: 'run `soloist memory rebuild`' }),
    },
    { check: 'Notes', ok: true, found: `${live.length} current` },
    await checkParaphrase(memory, live, now),
    await checkVectors(memory, live),
  ];
}

const SAMPLE = 5;

async function checkParaphrase(memory: ProjectMemory, live: readonly Note[], now: Date): Promise<MemoryCheck> {
  const check = 'Recall';
  if (live.length === 0) return { check, ok: true, found: 'no note to look for' };
  const sample = live.filter((_, index) => index % Math.ceil(live.length / SAMPLE) === 0);
  const missed: string[] = [];
  for (const note of sample) {
    const options = { now: now.getTime(), budgetTokens: 1_000_000, limit: 5, floor: false, sources: 'notes' as const };
    const { hits } = await memory.recall(paraphrase(note), options);
    if (!hits.some(({ id }) => id === note.id)) missed.push(note.id);
  }
  const found = `a paraphrase of ${sample.length - missed.length} of ${sample.length} notes finds the note`;
  return missed.length === 0
    ? { check, ok: true, found }
    : { check, ok: false, found: `${found}; not ${missed.join(', ')}`, fix: 'run `soloist memory rebuild`' };
}

async function checkVectors({ store, embedding }: ProjectMemory, live: readonly Note[]): Promise<MemoryCheck> {
  const check = 'Vectors';
  if (!store.vectors.available) return { check, ok: true, found: 'sqlite-vec has no build for this machine: recall is lexical' };
  const model = await embedding();
  const active = store.vectors.active();
  if (!model) return { check, ok: true, found: 'no embedding model is named (models.embedding): recall is lexical' };
  if (!active) return { check, ok: false, found: 'no vectors have been made yet', fix: 'run `soloist memory reembed`' };
  const { done, total } = store.vectors.progress(active.generation);
  if (done < total)
    return { check, ok: false, found: `${done} of ${total} notes of ${active.model} have vectors`, fix: 'run `soloist memory reembed`' };
  const [note] = live;
  if (!note) return { check, ok: true, found: `${active.model}: no note to look for` };
  const reply = await model.embed([paraphrase(note)], 'query', new Scope());
  if (!reply.ok) return { check, ok: false, found: `${model.id} did not answer: ${reply.failure.message}`, fix: 'start its server' };
  const vector = reply.vectors[0];
  if (!vector || vector.length !== active.dimensions)
    return {
      check,
      ok: false,
      found: `${model.id} gives vectors of another length than the stored ones`,
      fix: 'run `soloist memory reembed`',
    };
  const near = store.vectors.nearest(active.generation, { vector, limit: 10, statuses: ['current'] });
  const ids = store.words.notes(near.map(({ number }) => number)).map(({ id }) => id);
  const ok = ids.includes(note.id);
  const found = `${store.vectors.count(active.generation)} vectors of ${active.model}; a paraphrase ${ok ? 'finds' : 'does not find'} its note among the nearest 10`;
  return ok ? { check, ok, found } : { check, ok, found, fix: 'run `soloist memory reembed`' };
}

/** The note's telling words without its key and its date, in another order and every fourth left out. */
function paraphrase({ text }: Note): string {
  const words = text.replace(/^\d{4}-\d\d-\d\d: /, '').split(/\s+/);
  const telling = words.filter((word) => searchWords(word).some((one) => !isStopWord(one)));
  return telling
    .filter((_, index) => telling.length < 6 || index % 4 !== 3)
    .toReversed()
    .join(' ');
}
