import { foldEvents } from '../agent/agent-state.ts';
import { runAgent } from '../agent/run-agent.ts';
import type { AgentSpec } from '../core/agent-spec.ts';
import type { Approve } from '../core/approval.ts';
import type { Event, EventBody } from '../core/event.ts';
import { newSessionId } from '../core/ids.ts';
import type { ChatModel, Delta } from '../core/model.ts';
import type { Scope } from '../core/scope.ts';
import { dispatcherFor, joinTeam, type Team } from './agent-team.ts';
import { openCritic, summariseWith } from './critic.ts';
import { keepResults } from './ground-results.ts';
import { createGrounder, markUnsupported, reviewWith, withConclusions } from './ground-review.ts';
import { leaveNotes, type OpenedMemory, openSessionMemory, taskWithBackground } from './memory-session.ts';
import type { PastSession } from './past-session.ts';
import { planTask } from './plan-task.ts';
import { recordedSources } from './recorded-sources.ts';
import { createReflection } from './reflect-answer.ts';
import { type ReportInProgress, type RunReport, startReport } from './run-report.ts';
import { conclusionSince, countsOf, limitsBeyond } from './since-before.ts';
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
  /** The model of a subagent, by its file and the id it has in this session; the agent's own unless set. */
  readonly modelFor?: (agent: AgentSpec, path: string) => Promise<ChatModel>;
  /** The model named on the command line, for the record. */
  readonly modelAsked?: string;
  /** Goes on with this session in place of opening one; agent and question are then its own. */
  readonly past?: PastSession;
  /** With `past`: asks this further, in the same session; the limits count anew. */
  readonly followUp?: string;
  /** Neither recalls nor leaves notes: each run of a comparison has to begin alike. */
  readonly withoutMemory?: boolean;
  /** In place of the project's critic, in tests. */
  readonly critic?: ChatModel;
  /** For the report: which model `auto` took, and why. */
  readonly modelChoice?: string;
}

/**
 * Runs one agent on one question, from the opening of the session to its closing, all of it in the log; or goes on with a
 * session from its log.
 *
 * @throws SoloistError `store_unusable` when the log cannot be written, `refused` when another process runs the session.
 */
export async function runSession(request: SessionRequest): Promise<RunReport> {
  const { workspace, past } = request;
  const now = request.now ?? (() => new Date());
  const log = await workspace.openLog();
  const session = past?.session ?? newSessionId(now().getTime());
  const opened = request.withoutMemory ? undefined : await openSessionMemory(workspace, request.agent);
  const release = log.holdSession(session);
  const critic = keepCritic(request);
  const results = keepResults(log);
  const round = past ? past.round + (request.followUp === undefined ? 0 : 1) : 1;
  const report = startReport({ sources: workspace.catalog.all, thresholds: workspace.project.audit, round });
  const takers = [results.take, report.take];
  if (past) for (const event of log.read(session)) for (const take of takers) take(event);
  try {
    const team: Team = {
      workspace,
      session,
      log,
      now,
      results,
      listeners: request.onEvent ? [...takers, request.onEvent] : takers,
      approve: request.approve,
      modelFor: request.modelFor ?? (async () => request.model),
      critic: critic.open,
      memory: opened?.memory,
      round,
      ...(past && request.followUp === undefined ? { past } : {}),
    };
    return await playSession(request, team, { opened, report });
  } finally {
    await critic.close();
    await opened?.memory?.close();
    release();
  }
}

/** The critic, opened when first asked for. */
function keepCritic({ workspace, model, critic }: SessionRequest) {
  const opened = new Map<string | undefined, Promise<ChatModel | undefined>>();
  return {
    open: (name?: string) => {
      const known = opened.get(name) ?? (critic || model.kind !== 'model' ? Promise.resolve(critic) : openCritic(workspace, name));
      opened.set(name, known);
      return known;
    },
    close: async () => {
      if (!critic) for (const one of opened.values()) await (await one)?.close();
    },
  };
}

interface Playing {
  readonly opened: OpenedMemory | undefined;
  readonly report: ReportInProgress;
}

async function playSession(request: SessionRequest, team: Team, { opened, report }: Playing): Promise<RunReport> {
  const { workspace, agent, model, past, followUp } = request;
  const { session } = team;
  const before = followUp === undefined ? past?.further?.before : past?.main;
  const prior = before && foldEvents(before);
  const question = followUp ?? past?.further?.question ?? request.question;
  const member = joinTeam(team, {
    spec: agent,
    path: 'main',
    callers: [],
    depthLeft: agent.limits.depth,
    ...(past ? { past: past.main } : {}),
  });
  const { recorder } = member;
  const sources = workspace.catalog.all;
  if (!past) recorder.record(openingOf(request));
  if (followUp !== undefined) recorder.record({ type: 'user.said', content: followUp, why: 'follow_up' });
  const sessionMemory = {
    workspace,
    opened,
    agent,
    session,
    recorder,
    scope: request.scope,
    now: team.now,
    critic: team.critic,
  };
  const mode = agent.grounding ?? 'report';
  const grounder = createGrounder(member, { mode, task: { goal: question }, canMend: model.kind !== 'rules' });
  const dispatcher = dispatcherFor(member);
  const planning = { model, tools: [...dispatcher.tools.keys()], scope: request.scope };
  const whole = await runAgent({
    spec: prior ? { name: agent.name, limits: limitsBeyond(agent.limits, prior) } : agent,
    task: past
      ? (past.task ?? { goal: request.question })
      : await planTask(member, await taskWithBackground(request.question, sessionMemory), planning),
    system: systemPrompt(agent, sources, workspace.project.skills),
    model,
    recorder,
    dispatcher,
    sources,
    scope: request.scope,
    work: request.work,
    summarise: summariseWith(team.critic),
    review: reviewWith(
      createReflection(member, { task: { goal: question }, tools: dispatcher.tools, model, scope: request.scope }),
      grounder,
    ),
    ...(request.onDelta ? { onDelta: request.onDelta } : {}),
    ...(team.past ? { resumedAfter: team.past.after } : {}),
  });
  const conclusion = prior ? conclusionSince(whole, { findings: prior.findings.length, used: countsOf(prior) }) : whole;
  const grounding = grounder.finish(conclusion.text);
  recorder.record({ type: 'session.closed', status: conclusion.status });
  recorder.flush();
  const text = withConclusions(conclusion.text, recorder.state.conclusions);
  const answer = mode === 'strict' && agent.returns === undefined ? markUnsupported(text, grounding) : text;
  const written = await leaveNotes(sessionMemory);
  return report.finish({
    session,
    agent: agent.name,
    conclusion: { ...conclusion, text: answer, findings: grounder.findings(conclusion.findings) },
    modelChoice: request.modelChoice,
    written,
  });
}

function openingOf({ workspace, agent, question, model, modelAsked }: SessionRequest): EventBody {
  return {
    type: 'session.opened',
    project: workspace.project.name,
    agent: agent.name,
    question,
    model: model.id,
    ...(modelAsked === undefined ? {} : { modelAsked }),
    version: VERSION,
    sources: recordedSources(workspace.catalog.specs),
  };
}
