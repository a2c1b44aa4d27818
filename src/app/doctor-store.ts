import { bounded, type DoctorCheck } from './doctor.ts';
import type { Workspace } from './workspace.ts';

/** Opens the log and writes to it: a payload that stands for itself, kept once. */
export function checkStore(workspace: Workspace): Promise<DoctorCheck> {
  return bounded('Log', async () => {
    const log = await workspace.openLog();
    log.putBlob('soloist doctor: this text shows that the log can be written');
    const sessions = log.listSessions(1000).length;
    return { name: 'Log', status: 'ok', found: `${workspace.home}/soloist.db, ${sessions === 1000 ? '1000 or more' : sessions} sessions` };
  });
}
