import type { CommandPlace } from '../trace/again-command.ts';
import type { ReplayReport } from './replay-report.ts';
import { replaySession } from './replay-session.ts';
import { openWorkspace, type WorkspaceOptions } from './workspace.ts';

interface TraceReplay {
  readonly reference: string;
  readonly tools: 'live' | 'recorded';
  readonly place: CommandPlace;
}

/**
 * Replays a session of the project's log.
 *
 * @throws SoloistError `not_found` or `usage` for the session, `configuration` for the project, `refused` as {@link replaySession}
 */
export async function traceReplay(options: WorkspaceOptions, { reference, tools, place }: TraceReplay): Promise<ReplayReport> {
  const workspace = await openWorkspace(options);
  try {
    const log = await workspace.openLog();
    const { session } = log.findSession(reference);
    return await replaySession({ workspace, session, tools, place, events: [...log.read(session)], getBlob: (hash) => log.getBlob(hash) });
  } finally {
    await workspace.close();
  }
}
