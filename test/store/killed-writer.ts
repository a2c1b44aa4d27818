import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { expect } from 'vitest';
import { openLog } from './log-folder.ts';

const SCRIPT = fileURLToPath(new URL('append-until-killed.ts', import.meta.url));

export interface Writer {
  readonly child: ChildProcess;
  /** The highest sequence that was acknowledged so far, -1 before the first. */
  acknowledged(): number;
  readonly ended: Promise<unknown>;
}

/** Another process that appends to `session`; `milliseconds` bounds it where nobody kills it. */
export function startWriter(folder: string, session: string, milliseconds: number): Writer {
  const child = spawn(process.execPath, ['--import', 'tsx', SCRIPT, folder, session, String(milliseconds)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  let text = '';
  child.stdout?.on('data', (piece: Buffer) => {
    text += piece.toString('latin1');
  });
  // A killed process may leave half a line.
  const acknowledged = (): number => Number(text.slice(0, text.lastIndexOf('\n')).split('\n').at(-1) || -1);
  return { child, acknowledged, ended: once(child, 'close') };
}

/** Kills a writer with SIGKILL `milliseconds` after its first acknowledgement, and answers what it had acknowledged. */
export async function killAfter(writer: Writer, milliseconds: number): Promise<number> {
  while (writer.acknowledged() < 0 && writer.child.exitCode === null) await pause(2);
  await pause(milliseconds);
  writer.child.kill('SIGKILL');
  await writer.ended;
  expect(writer.child.signalCode).toBe('SIGKILL');
  return writer.acknowledged();
}

/** Holds that the session has every acknowledged event, no gap, no half batch, and that the file is sound. */
export async function expectWhole(folder: string, session: string, acknowledged: number): Promise<number> {
  const log = await openLog({ folder });
  const sequences = [...log.read(session)].map(({ sequence }) => sequence);
  expect(sequences).toEqual(Array.from({ length: sequences.length }, (_, place) => place));
  expect(sequences.length % 3).toBe(0);
  expect(sequences.length - 1).toBeGreaterThanOrEqual(acknowledged);
  expect(log.findSession(session).events).toBe(sequences.length);
  log.close();
  const database = new Database(join(folder, 'soloist.db'), { readonly: true });
  expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
  database.close();
  return sequences.length;
}
