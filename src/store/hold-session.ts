import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { SoloistError } from '../core/errors.ts';

type OpenDatabase = (file: string) => Database.Database;

/**
 * Marks a session as run by this process, until the answered function is called or the process ends, however it ends:
 * the mark is the operating system's lock on a file of its own, which dies with the process and needs no clean-up.
 *
 * @throws SoloistError `refused` when another process, or this one, runs the session already
 */
export function holdSession(folder: string, session: string, open: OpenDatabase): () => void {
  const running = join(folder, 'running');
  mkdirSync(running, { recursive: true });
  const file = join(running, `${session}.lock`);
  const database = open(file);
  try {
    database.pragma('journal_mode = MEMORY');
    database.exec('BEGIN IMMEDIATE');
  } catch (error) {
    database.close();
    if (String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY')) throw runsElsewhere(session);
    throw error;
  }
  return () => {
    // Taken away while the lock still holds: whoever comes next makes a file of its own.
    try {
      rmSync(file, { force: true });
    } catch {
      // Windows removes no open file; an empty one may stay.
    }
    if (database.open) database.close();
  };
}

/** Whether some process holds the session. */
export function isHeld(folder: string, session: string, open: OpenDatabase): boolean {
  if (!existsSync(join(folder, 'running', `${session}.lock`))) return false;
  try {
    holdSession(folder, session, open)();
    return false;
  } catch (error) {
    if (error instanceof SoloistError) return true;
    throw error;
  }
}

function runsElsewhere(session: string): SoloistError {
  return new SoloistError('refused', `session ${session} is being run by another process`, {
    fix: `wait for it, or watch it with \`soloist trace show ${session}\``,
  });
}
