import { SoloistError } from '../core/errors.ts';
import type { StoredEventLog } from '../store/open-event-log.ts';
import { diffSessions, type SessionDiff } from '../trace/diff-sessions.ts';
import { type Paint, PLAIN } from '../trace/paint.ts';
import { renderDiff } from '../trace/render-diff.ts';

/**
 * Two sessions side by side.
 *
 * @throws SoloistError `not_found` or `usage` for either, `usage` when both are the same
 */
export function diffTraces(log: StoredEventLog, left: string, right: string): SessionDiff {
  const [one, other] = [log.findSession(left).session, log.findSession(right).session];
  if (one === other) throw new SoloistError('usage', `both are session ${one}`, { fix: 'name two sessions; see `soloist trace list`' });
  return diffSessions([...log.read(one)], [...log.read(other)]);
}

export function renderTraceDiff(diff: SessionDiff, paint: Paint = PLAIN): string {
  return renderDiff(diff, paint);
}
