import { applyEvent, emptyState } from '../agent/agent-state.ts';
import type { Prompt } from '../agent/record-prompt.ts';
import { SoloistError } from '../core/errors.ts';
import type { Event } from '../core/event.ts';
import { suggestName } from '../core/nearest.ts';
import type { StoredEventLog } from '../store/open-event-log.ts';
import { frontParts, historyParts, reportWindow, type WindowReport } from '../trace/window-report.ts';

/**
 * What stood in an agent's window when its model was asked at a step, rebuilt from the log.
 *
 * @param path `main`, or the id of a child
 * @throws SoloistError `not_found` for a session, an agent or a step that the log does not have
 */
export function traceWindow(
  log: StoredEventLog,
  reference: string,
  { path = 'main', step }: { path?: string; step: number },
): WindowReport {
  const { session } = log.findSession(reference);
  const paths = new Set<string>();
  const events: Event[] = [];
  for (const event of log.read(session)) {
    paths.add(event.agent);
    if (event.agent === path) events.push(event);
  }
  if (events.length === 0) {
    throw new SoloistError('not_found', `session ${session} has no agent "${path}"`, { fix: suggestName(path, [...paths]) });
  }
  const at = events.findLastIndex((event) => event.step === step && isAsking(event));
  if (at < 0) throw noSuchStep(events, step, `${path} of session ${session}`);
  return windowBefore(events, at, { log, session });
}

function isAsking({ body }: Event): boolean {
  return body.type === 'model.replied' || body.type === 'model.failed';
}

function noSuchStep(events: readonly Event[], step: number, who: string): SoloistError {
  const steps = events.filter(isAsking).map((event) => event.step);
  const last = steps.at(-1);
  const fix = last === undefined ? 'look at the session with `soloist trace show`' : `its steps are ${steps[0]} to ${last}`;
  return new SoloistError('not_found', `${who} asked no model at step ${step}`, { fix });
}

function windowBefore(events: readonly Event[], at: number, { log, session }: { log: StoredEventLog; session: string }): WindowReport {
  const state = emptyState();
  let hash: string | undefined;
  let agent = '';
  let background: string | undefined;
  for (const event of events.slice(0, at)) {
    applyEvent(state, event);
    const { body } = event;
    if (body.type === 'agent.started') {
      agent = body.agent;
      background = body.task.background;
    }
    if ('prompt' in body && typeof body.prompt === 'string') hash = body.prompt;
  }
  const asking = events[at] as Event;
  const usage = asking.body.type === 'model.replied' || asking.body.type === 'model.failed' ? asking.body.usage : undefined;
  const prompt = hash === undefined ? undefined : log.getBlob(hash);
  const gaps = prompt === undefined ? ['the instructions and tool schemas: an older version of soloist did not record them'] : [];
  const front = prompt === undefined ? [] : frontParts(offeredIn(JSON.parse(prompt) as Prompt, state.ending !== undefined));
  return reportWindow([...front, ...historyParts(state.window, background)], {
    ...{ session, agent, path: asking.agent, step: asking.step, gaps },
    countedTokens: usage?.estimated ? undefined : usage?.inputTokens,
  });
}

/** On its last turn an agent is offered no tools. */
function offeredIn(prompt: Prompt, isLastTurn: boolean): Prompt {
  return isLastTurn ? { ...prompt, tools: [] } : prompt;
}
