import { statSync } from 'node:fs';
import { SoloistError } from '../core/errors.ts';
import type { StoredEventLog } from '../store/open-event-log.ts';
import { homeFolder } from './home-folder.ts';

export interface TraceLogRequest {
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
}

/**
 * Opens the log of a folder without its configuration: what a run did can be read whatever state the files are in by now.
 *
 * @throws SoloistError `not_found` for a folder that is not there; as the opening of a log otherwise
 */
export async function withTraceLog<Result>(
  { folder, environment }: TraceLogRequest,
  work: (log: StoredEventLog) => Result | Promise<Result>,
): Promise<Result> {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new SoloistError('not_found', `there is no folder ${folder}`, { fix: 'check --project' });
  }
  const { openEventLog } = await import('../store/open-event-log.ts');
  const log = await openEventLog({ folder: homeFolder(folder, environment), tenant: 'local' });
  try {
    return await work(log);
  } finally {
    log.close();
  }
}
