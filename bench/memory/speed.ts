import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { load } from 'sqlite-vec';
import type { EmbeddingModel } from '../../src/core/embedding-model.ts';
import type { GenerationSettings } from '../../src/core/memory-index.ts';
import { Scope } from '../../src/core/scope.ts';
import { measureBits, NEAREST } from '../../src/memory/measure-bits.ts';
import { recall } from '../../src/memory/recall.ts';
import { type MemoryStore, openMemory } from '../../src/store/open-memory.ts';
import { percentile } from './measures.ts';
import { addNotes, clusteredVectors, syntheticNotes } from './synthetic-notes.ts';

const DIMENSIONS = 768;
const IDENTITY = { provider: 'test', model: 'clustered', dimensions: DIMENSIONS, normalisation: 'unit', prefixes: 'none' } as const;
const SETTINGS: GenerationSettings = {
  weight: 1,
  unrelated: { mean: 0, deviation: 0.05 },
  related: { mean: 0.5, deviation: 0.1 },
  quality: { words: 0, both: 0, questions: 0 },
  bitFactor: 0,
};

/** Each vector is its own and takes no time, so that what is measured is everything but the embedding call. */
function instantModel(next: () => Float32Array): EmbeddingModel {
  return {
    id: 'test/clustered',
    prefixes: 'none',
    embed: async (texts) => ({ ok: true, vectors: texts.map(next), inputTokens: 0, shortened: [] }),
    close: async () => {},
  };
}

/** As `indexVectors` leaves them: with the factor that the self-test of bits chooses. */
function fillVectors({ vectors }: MemoryStore, next: () => Float32Array): { readonly generation: number; readonly bitFactor: number } {
  const begun = vectors.begin(IDENTITY, 0);
  const { generation } = begun;
  for (let rows = vectors.pending(generation, 2000); rows.length > 0; rows = vectors.pending(generation, 2000))
    vectors.put(
      generation,
      rows.map((row) => ({ ...row, vector: next() })),
    );
  const bitFactor = measureBits(vectors, begun, 0);
  vectors.activate(generation, { ...SETTINGS, bitFactor }, 0);
  return { generation, bitFactor };
}

interface Timed {
  readonly name: string;
  readonly settings: GenerationSettings;
  readonly wall: number[];
  readonly processor: number[];
}

/** Bits as the self-test chose them, and an exact search as from fewer rows than the bits begin with: in blocks, in turn. */
async function wholeQuery(folder: string, count: number): Promise<string> {
  const written = await openMemory({ folder, tenant: 'local' });
  const notes = syntheticNotes(count);
  addNotes(written, notes);
  const next = clusteredVectors(DIMENSIONS, 200);
  const { generation, bitFactor } = fillVectors(written, next);
  written.close();
  // As a session finds it: what earlier ones wrote is in the file, and no longer in the write-ahead log.
  const memory = await openMemory({ folder, tenant: 'local' });
  const made = Array.from({ length: 560 }, next);
  const ways = [
    { name: `bits and rescoring of ${bitFactor} x ${NEAREST}`, settings: { ...SETTINGS, bitFactor }, wall: [], processor: [] },
    { name: 'exact search', settings: SETTINGS, wall: [], processor: [] },
  ];
  for (let block = 0; block < 4; block++)
    for (const way of block % 2 === 0 ? ways : ways.toReversed()) {
      memory.vectors.keepSettings(generation, way.settings);
      for (let place = 0; place < 70; place++) {
        const text = notes[((block * 70 + place) * 7919) % notes.length]?.text ?? '';
        const question = `What did the ${text.split(' ').slice(1, 4).join(' ')} do to the ${text.split(' ').slice(6, 9).join(' ')}?`;
        await timeRecall(
          memory,
          question,
          instantModel(() => made.pop() ?? next()),
          place < 20 ? undefined : way,
        );
      }
    }
  memory.close();
  const show = (values: readonly number[]): string =>
    `p50 ${percentile(values, 0.5).toFixed(1)}, p95 ${percentile(values, 0.95).toFixed(1)} ms`;
  return [
    `${count} facts, ${DIMENSIONS} dimensions, whole recall without the embedding call:`,
    ...ways.map(({ name, wall, processor }) => `  ${name}: wall ${show(wall)}; processor ${show(processor)}`),
  ].join('\n');
}

async function timeRecall(memory: MemoryStore, question: string, embedding: EmbeddingModel, way: Timed | undefined): Promise<void> {
  // A recall stands in a turn of the event loop of its own, as in a session.
  await new Promise((resolve) => setImmediate(resolve));
  const before = process.cpuUsage();
  const started = performance.now();
  await recall(question, { memory, embedding, scope: new Scope(), now: Date.UTC(2026, 6, 1), budgetTokens: 1024 });
  const { user, system } = process.cpuUsage(before);
  way?.wall.push(performance.now() - started);
  way?.processor.push((user + system) / 1000);
}

async function bits(folder: string, count: number): Promise<string> {
  const memory = await openMemory({ folder, tenant: 'local' });
  addNotes(memory, syntheticNotes(count));
  const next = clusteredVectors(DIMENSIONS, 500);
  const { generation, bitFactor: chosen } = fillVectors(memory, next);
  const questions = Array.from({ length: 60 }, next);
  const ask = (vector: Float32Array, more: { bitFactor?: number } = {}) => {
    const started = performance.now();
    const found = memory.vectors.nearest(generation, { vector, limit: NEAREST, statuses: ['current', 'flagged'], ...more });
    return { numbers: found.slice(0, 10).map(({ number }) => number), milliseconds: performance.now() - started };
  };
  const exact = questions.map((vector) => ask(vector));
  const lines = [2, 4, 8, 16].map((bitFactor) => {
    const found = questions.map((vector) => ask(vector, { bitFactor }));
    const shared = found.map(({ numbers }, place) => numbers.filter((number) => exact[place]?.numbers.includes(number)).length);
    const share = shared.reduce((sum, value) => sum + value, 0) / (questions.length * 10);
    const times = found.map(({ milliseconds }) => milliseconds);
    return `  bits and rescoring of ${bitFactor} x ${NEAREST}: recall@10 ${share.toFixed(4)}, p50 ${percentile(times, 0.5).toFixed(1)}, p95 ${percentile(times, 0.95).toFixed(1)} ms`;
  });
  memory.close();
  const times = exact.map(({ milliseconds }) => milliseconds);
  return [
    `${count} vectors, ${DIMENSIONS} dimensions: exact p50 ${percentile(times, 0.5).toFixed(1)}, p95 ${percentile(times, 0.95).toFixed(1)} ms; the self-test chooses ${chosen} x ${NEAREST}`,
    ...lines,
  ].join('\n');
}

async function tenants(folder: string, count: number, facts: number): Promise<string> {
  const next = clusteredVectors(DIMENSIONS, 50);
  const all = syntheticNotes(count * facts);
  for (let tenant = 0; tenant < count; tenant++) {
    const memory = await openMemory({ folder, tenant: `tenant-${tenant}` });
    addNotes(memory, all.slice(tenant * facts, (tenant + 1) * facts));
    if (tenant === count - 1) fillVectors(memory, next);
    if (tenant === count - 1) memory.corrections.vacuum();
    memory.close();
  }
  const file = join(folder, 'soloist.db');
  const sizeOf = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB (${(bytes / 1e6).toFixed(1)} MB)`;
  const own = sizeOf(statSync(file).size);
  return [
    `${count} tenants of ${facts} facts with vectors of ${DIMENSIONS} dimensions, notes, words and vectors: ${own}`,
    ...[32, 64].map((rows) => `  in chunks of ${rows} rows: ${sizeOf(sizeInChunks(file, rows))}`),
  ].join('\n');
}

/** The same file with its vectors in chunks of so many rows. */
function sizeInChunks(file: string, rows: number): number {
  const database = new Database(file);
  load(database);
  const [old] = database
    .prepare<[], { name: string; sql: string }>("SELECT name, sql FROM sqlite_schema WHERE sql LIKE '%USING vec0%float%'")
    .all();
  if (!old) throw new Error('the file holds no vectors');
  const name = `chunks_of_${rows}`;
  database.exec(old.sql.replace(old.name, name).replace(/chunk_size=\d+/, `chunk_size=${rows}`));
  database.exec(
    `INSERT INTO ${name} (rowid, tenant, status, kind, embedding) SELECT rowid, tenant, status, kind, embedding FROM ${old.name}; ` +
      `DROP TABLE ${old.name}; VACUUM; PRAGMA wal_checkpoint(TRUNCATE)`,
  );
  database.close();
  return statSync(file).size;
}

const JOBS: Readonly<Record<string, (folder: string) => Promise<string>>> = {
  query: (folder) => wholeQuery(folder, 10_000),
  bits: (folder) => bits(folder, 100_000),
  tenants: (folder) => tenants(folder, 200, 25),
};

for (const name of process.argv.length > 2 ? process.argv.slice(2) : Object.keys(JOBS)) {
  const folder = mkdtempSync(join(tmpdir(), 'soloist-speed-'));
  try {
    console.log(await (JOBS[name] ?? (async () => `no such measurement: ${name} (${Object.keys(JOBS).join(', ')})`))(folder));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
