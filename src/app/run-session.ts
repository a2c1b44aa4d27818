import type { Dispatcher } from '../agent/dispatch.ts';
import { Recorder } from '../agent/recorder.ts';
import { runAgent } from '../agent/run-agent.ts';
import type { AgentSpec } from '../core/agent-spec.ts';
import type { Approve } from '../core/approval.ts';
import type { Event } from '../core/event.ts';
import { newSessionId } from '../core/ids.ts';
import type { ChatModel, Delta } from '../core/model.ts';
import type { Scope } from '../core/scope.ts';
import type { Tool } from '../core/tool.ts';
import { makeReport, type RunReport } from './run-report.ts';
import { systemPrompt } from './system-prompt.ts';
import { VERSION } from './version.ts';
import type { Workspace } from './workspace.ts';

export interface SessionRequest {
  readonly workspace: Workspace;
  readonly agent: AgentSpec;
  readonly question: string;
  readonly model: ChatModel;
  /** Stops everything at once. */
  readonly scope: Scope;
  /** A child of `scope`: stopping it lets the agent conclude from what it has. */
  readonly work: Scope;
  readonly now?: () => Date;
  readonly onEvent?: (event: Event) => void;
  readonly onDelta?: (delta: Delta) => void;
  readonly approve?: Approve;
  /** Lines for the report's warnings: what was chosen and why. */
  readonly remarks?: readonly string[];
}

/**
 * Runs one agent on one question, from the opening of the session to its closing, all of it in the log.
 *
 * @throws SoloistError `store_unusable` when the log cannot be written.
 */
export async function runSession(request: SessionRequest): Promise<RunReport> {
  const { workspace, agent, question, model } = request;
  const now = request.now ?? (() => new Date());
  const log = await workspace.openLog();
  const session = newSessionId(now().getTime());
  const listeners = request.onEvent ? [request.onEvent] : [];
  const recorder = new Recorder({ log, session, round: 1, agent: 'main', now, listeners });
  const sources = workspace.catalog.all;
  recorder.record({
    type: 'session.opened',
    project: workspace.project.name,
    agent: agent.name,
    question,
    model: model.id,
    version: VERSION,
    sources,
  });
  const conclusion = await runAgent({
    spec: agent,
    task: { goal: question },
    system: systemPrompt(agent, sources),
    model,
    recorder,
    dispatcher: dispatcherFor(request, recorder, now),
    sources,
    scope: request.scope,
    work: request.work,
    ...(request.onDelta ? { onDelta: request.onDelta } : {}),
  });
  recorder.record({ type: 'session.closed', status: conclusion.status });
  recorder.flush();
  return makeReport({ session, agent: agent.name, conclusion, events: log.read(session), sources, remarks: request.remarks ?? [] });
}

function dispatcherFor(request: SessionRequest, recorder: Recorder, now: () => Date): Dispatcher {
  const { workspace, agent } = request;
  return {
    agent: 'main',
    agentName: agent.name,
    tools: toolsOf(agent, workspace.tools),
    permissions: [together(workspace.project.permissions, agent.permissions)],
    sources: workspace.catalog,
    approve: request.approve,
    now,
    resultIds: () => recorder.state.resultIds,
    readReference: (reference) => recorder.log.getBlob(reference),
  };
}

/** Deny and ask of project and agent add up; allow counts where either gives it. */
function together(project: AgentSpec['permissions'], agent: AgentSpec['permissions']): AgentSpec['permissions'] {
  return { allow: [...project.allow, ...agent.allow], ask: [...project.ask, ...agent.ask], deny: [...project.deny, ...agent.deny] };
}

/** The agent's tools in the order of its file; a trailing `*` stands for all that begin so. */
function toolsOf(agent: AgentSpec, tools: ReadonlyMap<string, Tool>): ReadonlyMap<string, Tool> {
  const chosen = new Map<string, Tool>();
  for (const pattern of agent.tools) {
    for (const [name, tool] of tools) {
      if (pattern === name || (pattern.endsWith('*') && name.startsWith(pattern.slice(0, -1)))) chosen.set(name, tool);
    }
  }
  return chosen;
}
