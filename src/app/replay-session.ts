import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentSpec } from '../core/agent-spec.ts';
import { SoloistError } from '../core/errors.ts';
import type { Event, EventBody } from '../core/event.ts';
import type { ChatModel } from '../core/model.ts';
import { Scope } from '../core/scope.ts';
import { recordedModel } from '../models/recorded.ts';
import { openEventLog, type StoredEventLog } from '../store/open-event-log.ts';
import type { CommandPlace } from '../trace/again-command.ts';
import { readPastSession } from './past-session.ts';
import { compareReplay, type ReplayReport } from './replay-report.ts';
import { replayTools } from './replay-tools.ts';
import { runSession } from './run-session.ts';
import type { Workspace } from './workspace.ts';

export interface ReplayRequest {
  readonly workspace: Workspace;
  readonly session: string;
  readonly events: readonly Event[];
  /** `live` runs tools that only read; `recorded` runs none. */
  readonly tools: 'live' | 'recorded';
  /** Payloads of the recording, for references that its calls name. */
  readonly getBlob?: (hash: string) => string | undefined;
  /** Where the commands of the report are to be typed. */
  readonly place?: CommandPlace;
}

/**
 * Runs a session again, all of its questions, with the replies that its models gave then, in a log of its own that is thrown
 * away, and compares every result, with the project's secrets taken out of both. Tools that write are never run again: they
 * answer what they answered then.
 *
 * @throws SoloistError `refused` for events without an opening; `configuration` when the project lacks the agent
 */
export async function replaySession(request: ReplayRequest): Promise<ReplayReport> {
  const { workspace, session, tools, place = {} } = request;
  const home = mkdtempSync(join(tmpdir(), 'soloist-replay-'));
  const log = await openEventLog({ folder: home, tenant: 'local', patterns: workspace.project.memory.redact ?? [] });
  try {
    // Into the log and back: what is compared has gone through the same hands on both sides.
    log.append(request.events);
    const events = [...log.read(session)];
    const opened = openingOf(session, events);
    const live = replayTools({ workspace, events, tools, scratch: home });
    const getBlob = (hash: string): string | undefined => log.getBlob(hash) ?? request.getBlob?.(hash);
    const replayed = await playAgain({
      workspace: { ...workspace, home, tools: live.tools, catalog: live.catalog, openLog: async () => ({ ...log, getBlob }) },
      agent: agentOf(workspace, opened.body.agent, events),
      question: opened.body.question,
      events,
      log,
      now: tools === 'recorded' ? () => new Date(opened.at) : undefined,
    });
    const { missing, notCompared } = live;
    return compareReplay({ session, tools, before: events, after: [...log.read(replayed)], missing, notCompared, place });
  } finally {
    log.close();
    rmSync(home, { recursive: true, force: true });
  }
}

type Opening = Event & { readonly body: Extract<EventBody, { type: 'session.opened' }> };

function openingOf(session: string, events: readonly Event[]): Opening {
  const opened = events.find((event): event is Opening => event.body.type === 'session.opened');
  if (!opened) throw new SoloistError('refused', `session ${session} has no opening event, so it cannot be replayed`);
  return opened;
}

interface Playing {
  readonly workspace: Workspace;
  readonly agent: AgentSpec;
  readonly question: string;
  /** Of the recording. */
  readonly events: readonly Event[];
  readonly log: StoredEventLog;
  readonly now: (() => Date) | undefined;
}

/** Each question of the session in its turn; answers the id of the session that came of it. */
async function playAgain({ workspace, agent, question, events, log, now }: Playing): Promise<string> {
  const models = createModels(events);
  const ask = async (followUp?: string, session?: string): Promise<string> => {
    const scope = new Scope();
    const report = await runSession({
      workspace,
      agent,
      question,
      model: models('main'),
      modelFor: async (_agent, path) => models(path),
      scope,
      work: new Scope(scope),
      approve: async () => true,
      withoutMemory: true,
      ...(now ? { now } : {}),
      ...(followUp === undefined || session === undefined ? {} : { followUp, past: readPastSession(log, session, true) }),
    });
    return report.session;
  };
  let session = await ask();
  for (const { agent: path, body } of events)
    if (path === 'main' && body.type === 'user.said' && body.why === 'follow_up') session = await ask(body.content, session);
  return session;
}

/** With limits wide enough for all that was recorded, where the session went on beyond a limit. */
function agentOf(workspace: Workspace, name: string, events: readonly Event[]): AgentSpec {
  const agent = workspace.project.agents.find((one) => one.name === name);
  if (!agent) {
    throw new SoloistError('configuration', `the session is of agent "${name}", which this project does not have`, {
      fix: 'give the folder it ran in with --project',
    });
  }
  const wentOn = events.some(({ body }) => body.type === 'agent.resumed' && body.after !== 'killed');
  if (!wentOn) return agent;
  const most = Number.MAX_SAFE_INTEGER;
  return { ...agent, limits: { ...agent.limits, turns: most, tokens: most, toolCalls: most } };
}

function createModels(events: readonly Event[]) {
  const ids = new Map(events.flatMap(({ agent, body }) => (body.type === 'agent.started' ? [[agent, body.model] as const] : [])));
  const models = new Map<string, ChatModel>();
  return (path: string) => {
    const known =
      models.get(path) ??
      recordedModel(
        ids.get(path) ?? 'recorded',
        events.filter(({ agent }) => agent === path),
      );
    models.set(path, known);
    return known;
  };
}
