import { runAgent } from '../agent/run-agent.ts';
import type { AgentSpec } from '../core/agent-spec.ts';
import type { Approve } from '../core/approval.ts';
import type { ChildConclusion } from '../core/conclusion.ts';
import type { Event } from '../core/event.ts';
import { newSessionId } from '../core/ids.ts';
import type { ChatModel, Delta } from '../core/model.ts';
import type { Scope } from '../core/scope.ts';
import { dispatcherFor, joinTeam, type Team } from './agent-team.ts';
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
  /** The model of a subagent; the agent's own unless set. */
  readonly modelFor?: (agent: AgentSpec) => Promise<ChatModel>;
  /** For the report: which model `auto` took, and why. */
  readonly modelChoice?: string;
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
  const team: Team = {
    workspace,
    session,
    log,
    now,
    listeners: request.onEvent ? [request.onEvent] : [],
    approve: request.approve,
    modelFor: request.modelFor ?? (async () => model),
  };
  const member = joinTeam(team, { spec: agent, path: 'main', callers: [], depthLeft: agent.limits.depth });
  const { recorder } = member;
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
    dispatcher: dispatcherFor(member),
    sources,
    scope: request.scope,
    work: request.work,
    ...(request.onDelta ? { onDelta: request.onDelta } : {}),
  });
  recorder.record({ type: 'session.closed', status: conclusion.status });
  recorder.flush();
  const answer = withConclusions(conclusion.text, recorder.state.conclusions);
  return makeReport({
    session,
    agent: agent.name,
    conclusion: { ...conclusion, text: answer },
    events: log.read(session),
    sources,
    modelChoice: request.modelChoice,
    thresholds: workspace.project.audit,
  });
}

/** `[[c3]]` becomes the text of conclusion c3, word for word, so that no summary of a summary is made. */
function withConclusions(text: string, conclusions: ReadonlyMap<string, ChildConclusion>): string {
  return text.replace(/\[\[(c\d+)\]\]/g, (mark, id: string) => conclusions.get(id)?.text ?? mark);
}
