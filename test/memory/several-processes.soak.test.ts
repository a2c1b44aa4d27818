import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { cleanUpMemories, openTalkingMemory } from './memory-folder.ts';

const SCRIPT = fileURLToPath(new URL('count-until-killed.ts', import.meta.url));
const PROCESSES = 8;
const WRITING_MS = 30_000;
const NOTES = 1500;

afterAll(cleanUpMemories);

interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<unknown>;
  printed(): string;
}

function start(...parameters: readonly string[]): Started {
  const child = spawn(process.execPath, ['--import', 'tsx', SCRIPT, ...parameters], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  let text = '';
  child.stdout?.on('data', (piece: Buffer) => {
    text += piece.toString('latin1');
  });
  return { child, ended: once(child, 'close'), printed: () => text };
}

describe('eight processes writing notes and log at once', () => {
  it('fail nowhere, lose no update and give no sequence twice', async () => {
    const { store, folder } = await openTalkingMemory();
    const writers = Array.from({ length: PROCESSES }, (_, place) => start('count', folder, `w${place}`, String(WRITING_MS)));
    await Promise.all(writers.map(({ ended }) => ended));
    expect(writers.map(({ child }) => child.exitCode)).toEqual(Array(PROCESSES).fill(0));
    const raised = writers.map(({ printed }) => Number(printed().split(' ')[0]));
    const total = raised.reduce((sum, count) => sum + count, 0);
    process.stdout.write(
      `${total} updates by ${PROCESSES} processes in ${WRITING_MS / 1000} s, ${writers.map(({ printed }) => printed().trim()).join(', ')} (done, refused by version)\n`,
    );
    expect(Math.min(...raised)).toBeGreaterThan(0);
    const counters = store.notes.list({ statuses: ['current'] });
    expect(counters.length).toBe(12);
    expect(counters.reduce((sum, { text }) => sum + Number(text), 0)).toBe(total);
    for (const { key, text } of counters)
      expect(store.notes.chain(key).map((note) => note.text)).toEqual(
        Array.from({ length: Number(text) }, (_, place) => String(place + 1)),
      );
    store.indexer.fill();
    const database = new Database(join(folder, 'soloist.db'), { readonly: true });
    expect(database.prepare('SELECT count(*) FROM events').pluck().get()).toBe(total);
    expect(database.prepare('SELECT count(*) FROM log_pieces').pluck().get()).toBe(total);
    expect(database.prepare('SELECT count(*) FROM (SELECT DISTINCT session, sequence FROM events)').pluck().get()).toBe(total);
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
    database.close();
  });
});

describe('an embedding of all notes that is killed again and again', () => {
  it('goes on where it stopped: each note has one vector in the end', async () => {
    const { store, folder, note } = await openTalkingMemory();
    for (let place = 0; place < NOTES; place++) note(`facts.k${place}`, `Fact number ${place} of the feed f${place % 90}.`);
    const done: number[] = [];
    for (let kills = 0; kills < 4; kills++) {
      const started = start('embed', folder);
      while (started.printed().split('\n').length < 3 + 2 * kills && started.child.exitCode === null) await pause(2);
      await pause(Math.random() * 40);
      started.child.kill('SIGKILL');
      await started.ended;
      const [generation] = store.vectors.generations();
      done.push(generation ? store.vectors.progress(generation.generation).done : 0);
      if (generation?.state === 'active') break;
    }
    expect(done[0]).toBeGreaterThan(0);
    expect(done).toEqual(done.toSorted((a, b) => a - b));
    const last = start('embed', folder);
    await last.ended;
    const [generation, ...others] = store.vectors.generations();
    expect([generation?.state, others.length]).toEqual(['active', 0]);
    expect(store.vectors.progress(generation?.generation ?? 0)).toEqual({ done: NOTES, total: NOTES });
    expect(Number(/embedded (\d+)/.exec(last.printed())?.[1])).toBe(NOTES - (done.at(-1) ?? 0));
    process.stdout.write(`embedded after each kill: ${done.join(', ')} of ${NOTES}\n`);
    const database = new Database(join(folder, 'soloist.db'), { readonly: true });
    expect(database.prepare(`SELECT count(*) FROM vectors_${generation?.generation}_rowids`).pluck().get()).toBe(NOTES);
    database.close();
  });
});
