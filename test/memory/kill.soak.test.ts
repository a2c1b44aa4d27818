import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { closeDesks, openDesk } from './closed-session.ts';

const SCRIPT = fileURLToPath(new URL('project-until-killed.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'soloist-kill-'));
afterAll(() => {
  closeDesks();
  rmSync(folder, { recursive: true, force: true });
});

/** Starts a projector and kills it `milliseconds` after its first line; answers how many sessions it had said to be on disk. */
async function killed(name: string, count: number, milliseconds: number): Promise<number> {
  const child = spawn(process.execPath, ['--import', 'tsx', SCRIPT, folder, String(count), name], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', (piece: Buffer) => {
    text += piece.toString('latin1');
  });
  const ended = once(child, 'close');
  while (!text.includes('\n') && child.exitCode === null) await pause(2);
  await pause(milliseconds);
  child.kill('SIGKILL');
  await ended;
  return text.match(/written \d+\n/g)?.length ?? 0;
}

describe('writers and projectors that are killed', () => {
  it('lose nothing, write nothing twice, and leave what a replay gives', async () => {
    const names = ['a', 'b'];
    const most = new Map<string, number>();
    for (let round = 0; round < 12; round++)
      await Promise.all(
        names.map(async (name) => {
          const done = await killed(name, 400, 50 + ((round * 137) % 500));
          most.set(name, Math.max(most.get(name) ?? 0, done));
        }),
      );
    const desk = await openDesk({ folder });
    await desk.project();
    const { reader, notes } = desk.memory;
    const events = reader.after(0, ['note.written', 'memory.distilled', 'session.closed'], 1_000_000).map(({ event }) => event);
    const closed = events.filter(({ body }) => body.type === 'session.closed').length;
    const written = events.filter(({ body }) => body.type === 'note.written').map(({ session, sequence }) => `${session} ${sequence}`);
    // How many come through between kills is up to the machine; that some do is not.
    expect(closed).toBeGreaterThan(names.length);
    expect(closed).toBeGreaterThanOrEqual([...most.values()].reduce((sum, count) => sum + count, 0));
    expect(written).toHaveLength(closed * 2);
    expect(new Set(written).size).toBe(written.length);
    expect(notes.list()).toHaveLength(closed * 2);
    for (const name of names) {
      const chain = notes.chain(`ingest.tries_${name}`);
      expect(chain.filter(({ status }) => status === 'current')).toHaveLength(1);
      expect(chain.map(({ version }) => version)).toEqual(chain.map((_, index) => index + 1));
    }
    const digest = notes.digest();
    desk.memory.cursor('projector').reset();
    notes.clear();
    await desk.project();
    expect(notes.digest()).toBe(digest);
  });
});
