import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SoloistError } from '../../src/core/errors.ts';
import type { Event, EventBody } from '../../src/core/event.ts';
import { type EventLogOptions, openEventLog, type StoredEventLog } from '../../src/store/open-event-log.ts';

const folders: string[] = [];
const logs: StoredEventLog[] = [];

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'soloist-store-'));
  folders.push(folder);
  return folder;
}

/** A log that {@link cleanUp} closes. */
export async function openLog(options: Partial<EventLogOptions> = {}): Promise<StoredEventLog> {
  const log = await openEventLog({ folder: options.folder ?? newFolder(), tenant: 'local', ...options });
  logs.push(log);
  return log;
}

export function cleanUp(): void {
  for (const log of logs.splice(0)) log.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

export function eventAt(sequence: number, body: EventBody, more: Partial<Event> = {}): Event {
  return { session: 's1', round: 1, step: sequence, agent: 'main', sequence, at: 1_750_000_000_000 + sequence, body, ...more };
}

export function said(content: string): EventBody {
  return { type: 'user.said', content, why: 'nudge' };
}

export function opened(question: string, more: Partial<EventBody & { type: 'session.opened' }> = {}): EventBody {
  return { type: 'session.opened', project: '/p', agent: 'investigator', question, model: 'rules', version: '0.1.0', sources: [], ...more };
}

/** Everything that stands in the database's files, byte for byte. */
export function bytesOf(folder: string): Buffer {
  return Buffer.concat(readdirSync(folder).map((name) => readFileSync(join(folder, name))));
}

/** The caller's mistake that `work` throws; anything else fails the test. */
export async function failureOf(work: () => unknown): Promise<SoloistError> {
  try {
    await work();
  } catch (error) {
    if (error instanceof SoloistError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}
