import { counted } from '../core/counted.ts';
import { bounded, type DoctorCheck } from './doctor.ts';
import type { Workspace } from './workspace.ts';

/** Opens the log and writes to it in a transaction that is taken back. */
export function checkStore(workspace: Workspace): Promise<DoctorCheck> {
  return bounded(
    'Log',
    async () => {
      const log = await workspace.openLog();
      const { file, schema, sessions, events } = log.state();
      return {
        name: 'Log',
        status: 'ok',
        found: `${file}: schema ${schema}, ${counted(sessions, 'session')}, ${counted(events, 'event')}`,
      };
    },
    // Longer than the log waits for another process's lock, which says more than a check that did not answer.
    { seconds: 15, fix: 'set SOLOIST_HOME to a folder you may write to' },
  );
}
