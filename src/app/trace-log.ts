import { accessSync, chmodSync, constants, copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SoloistError } from '../core/errors.ts';
import type { StoredEventLog } from '../store/open-event-log.ts';
import { homeFolder } from './home-folder.ts';

export interface TraceLogRequest {
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
}

/** A log to read. */
export interface TraceLog extends StoredEventLog {
  /** Set where it is a copy of one that may not be written: whether a process runs a session cannot be told then. */
  readonly isCopy?: boolean;
}

/**
 * Opens the log of a folder without its configuration: what a run did can be read whatever state the files are in by now, also
 * where the log may be read only.
 *
 * @throws SoloistError `not_found` for a folder that is not there; as the opening of a log otherwise
 */
export async function withTraceLog<Result>(
  { folder, environment }: TraceLogRequest,
  work: (log: TraceLog) => Result | Promise<Result>,
): Promise<Result> {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new SoloistError('not_found', `there is no folder ${folder}`, { fix: 'check --project' });
  }
  const { openEventLog } = await import('../store/open-event-log.ts');
  const home = homeFolder(folder, environment);
  const copy = isReadOnly(home) ? mkdtempSync(join(tmpdir(), 'soloist-log-')) : undefined;
  try {
    if (copy !== undefined) copyLog(home, copy);
    const log = await openEventLog({ folder: copy ?? home, tenant: 'local' });
    try {
      return await work(copy === undefined ? log : { ...log, isCopy: true });
    } finally {
      log.close();
    }
  } finally {
    if (copy !== undefined) rmSync(copy, { recursive: true, force: true });
  }
}

const DATABASE = 'soloist.db';

/** SQLite writes beside a database even to read it: where nothing may be written, a copy is read. */
function isReadOnly(home: string): boolean {
  const file = join(home, DATABASE);
  return may(file, constants.R_OK) && !(may(file, constants.W_OK) && may(home, constants.W_OK));
}

function copyLog(home: string, copy: string): void {
  for (const name of [DATABASE, `${DATABASE}-wal`]) {
    if (!existsSync(join(home, name))) continue;
    copyFileSync(join(home, name), join(copy, name));
    chmodSync(join(copy, name), 0o600);
  }
}

function may(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}
