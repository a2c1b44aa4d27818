import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentSpec } from '../core/agent-spec.ts';
import { SoloistError } from '../core/errors.ts';
import type { Event } from '../core/event.ts';
import { Scope } from '../core/scope.ts';
import type { Tool } from '../core/tool.ts';
import { recordedModel } from '../models/recorded.ts';
import { openEventLog } from '../store/open-event-log.ts';
import { missingTool, recordedTool, resultsOf } from './recorded-tools.ts';
import { compareReplay, type ReplayReport } from './replay-report.ts';
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
}

/**
 * Runs a session again with the replies that its models gave then, in a log of its own that is thrown away, and compares
 * every result. Tools that write are never run again: they answer what they answered then.
 *
 * @throws SoloistError `refused` for events without an opening; `configuration` when the project lacks the agent
 */
export async function replaySession(request: ReplayRequest): Promise<ReplayReport> {
  const { workspace, session, events, tools } = request;
  const opening = events.find(({ body }) => body.type === 'session.opened');
  if (opening?.body.type !== 'session.opened')
    throw new SoloistError('refused', `session ${session} has no opening event, so it cannot be replayed`);
  const { agent: name, question } = opening.body;
  const agent = agentOf(workspace, name, events);
  const home = mkdtempSync(join(tmpdir(), 'soloist-replay-'));
  const log = await openEventLog({ folder: home, tenant: 'local' });
  const getBlob = (hash: string): string | undefined => log.getBlob(hash) ?? request.getBlob?.(hash);
  try {
    const models = createModels(events);
    const scope = new Scope();
    const replayed: Event[] = [];
    await runSession({
      workspace: { ...workspace, home, tools: toolsFor(request), openLog: async () => ({ ...log, getBlob }) },
      agent,
      question,
      model: models('main'),
      modelFor: async (_agent, path) => models(path),
      scope,
      work: new Scope(scope),
      approve: async () => true,
      withoutMemory: true,
      ...(tools === 'recorded' ? { now: () => new Date(opening.at) } : {}),
      onEvent: (event) => replayed.push(event),
    });
    return compareReplay({ session, tools, before: events, after: replayed });
  } finally {
    log.close();
    rmSync(home, { recursive: true, force: true });
  }
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
  const models = new Map<string, ReturnType<typeof recordedModel>>();
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

function toolsFor({ workspace, events, tools }: ReplayRequest): ReadonlyMap<string, Tool> {
  const results = resultsOf(events);
  const ours = new Map(workspace.tools);
  if (tools === 'recorded')
    for (const name of offeredIn(events)) if (!ours.has(name) && !isSubagent(name, workspace)) ours.set(name, missingTool(name));
  for (const [name, tool] of ours)
    if (tools === 'recorded' || tool.effect === 'write' || MEMORY_TOOLS.has(name)) ours.set(name, recordedTool(tool, results));
  return ours;
}

/** What they read is not what it was then by their own doing, and a replay leaves no notes. */
const MEMORY_TOOLS: ReadonlySet<string> = new Set(['recall', 'remember', 'graph_add', 'graph_walk', 'scratchpad']);

function offeredIn(events: readonly Event[]): Set<string> {
  return new Set(events.flatMap(({ body }) => (body.type === 'agent.started' ? body.tools : [])));
}

function isSubagent(name: string, workspace: Workspace): boolean {
  return workspace.project.agents.some((agent) => agent.name.replaceAll('-', '_') === name);
}
