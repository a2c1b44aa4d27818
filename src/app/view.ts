import { readProject } from '../config/load-project.ts';
import { type AuditThresholds, DEFAULT_THRESHOLDS } from '../core/audit-thresholds.ts';
import { type RunningViewer, startViewer } from '../view/start-viewer.ts';
import { withTraceLog } from './trace-log.ts';
import { createViewData } from './view-data.ts';
import type { WorkspaceOptions } from './workspace.ts';

export interface ViewRequest {
  /** The session to begin with, by any reference; the list of them unless named. */
  readonly session: string | undefined;
  /** 0 for a free one. */
  readonly port: number;
  /** Listens on `::1` as well. */
  readonly ipv6: boolean;
  readonly project: string | undefined;
  /** Told once the viewer answers. */
  readonly onReady: (viewer: ReadyViewer) => void;
  /** Settles when the viewer is to end. */
  readonly ended: Promise<void>;
}

export interface ReadyViewer {
  /** The page to open, at the session where one was named. */
  readonly url: string;
  readonly port: number;
}

/**
 * Serves the viewer of a folder's log until it is told to end.
 *
 * @throws SoloistError `not_found` or `usage` for the session, `refused` for a port that cannot be had, and as the opening of the log
 */
export async function serveView(options: WorkspaceOptions, request: ViewRequest): Promise<void> {
  await withTraceLog(options, async (log) => {
    const session = request.session === undefined ? undefined : log.findSession(request.session).session;
    const place = { project: request.project, sources: options.sourceFlags };
    const data = createViewData(log, { thresholds: await thresholdsOf(options), place });
    const viewer: RunningViewer = await startViewer(data, { port: request.port, ipv6: request.ipv6 });
    try {
      request.onReady({ url: `${viewer.url}${session === undefined ? '' : `#/${encodeURIComponent(session)}`}`, port: viewer.port });
      await request.ended;
    } finally {
      await viewer.close();
    }
  });
}

/** Those of the project's file, so that a verdict is that of `soloist audit`; a log can be read whatever state the files are in. */
async function thresholdsOf(options: WorkspaceOptions): Promise<AuditThresholds> {
  try {
    return (await readProject(options)).project.audit;
  } catch {
    return DEFAULT_THRESHOLDS;
  }
}
