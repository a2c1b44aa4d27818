import type { Dispatcher } from '../agent/dispatch.ts';
import { usedSoFar } from '../agent/limits.ts';
import { shelve } from '../agent/load-tools.ts';
import { Recorder } from '../agent/recorder.ts';
import { type AgentSpec, DEFAULT_LOAD_TOOLS, type Permissions } from '../core/agent-spec.ts';
import type { Approve } from '../core/approval.ts';
import type { Event, EventLog } from '../core/event.ts';
import type { ChatModel } from '../core/model.ts';
import type { Tool } from '../core/tool.ts';
import { type BudgetPool, createBudgetPool } from '../delegation/share-budget.ts';
import { createSubagentTool, subagentToolName } from '../delegation/subagent-tool.ts';
import { delegate } from './delegate.ts';
import type { SessionResults } from './ground-results.ts';
import { memoryOf } from './memory-facet.ts';
import type { ProjectMemory } from './memory-project.ts';
import type { PastSession } from './past-session.ts';
import type { Workspace } from './workspace.ts';

/** What all agents of a session share. */
export interface Team {
  readonly workspace: Workspace;
  readonly session: string;
  readonly log: EventLog;
  readonly now: () => Date;
  /** The tool results so far, for the check of every answer. */
  readonly results: SessionResults;
  readonly listeners: readonly ((event: Event) => void)[];
  readonly approve: Approve | undefined;
  /** The model that an agent runs on; one object for each, so that its server's limit holds over all of them. */
  readonly modelFor: (agent: AgentSpec, path: string) => Promise<ChatModel>;
  /** Judges and sums up; nothing where the project names none, or fixed rules run. */
  readonly critic: (name?: string) => Promise<ChatModel | undefined>;
  /** The project's memory, shared by all of them; absent where the session goes without. */
  readonly memory?: ProjectMemory | undefined;
  /** Which question of the session this is, from 1. */
  readonly round: number;
  /** Set when the session goes on from its log. */
  readonly past?: PastSession;
}

/** One agent of a session, as its children see it. */
export interface Member {
  readonly team: Team;
  readonly spec: AgentSpec;
  /** `main`, or the id of the child. */
  readonly path: string;
  readonly recorder: Recorder;
  readonly permissions: readonly Permissions[];
  /** How much deeper agents may nest below this one. */
  readonly depthLeft: number;
  readonly budget: BudgetPool;
  /** When its time is over, on the clock of `performance.now()`. */
  readonly deadline: number;
}

export interface Joining {
  readonly spec: AgentSpec;
  readonly path: string;
  readonly callers: readonly Permissions[];
  readonly depthLeft: number;
  /** Its events so far, when it goes on from its log or from an earlier conclusion. */
  readonly past?: Iterable<Event>;
}

/** Makes an agent ready to run as part of a session. */
export function joinTeam(team: Team, { spec, path, callers, depthLeft, past }: Joining): Member {
  const { log, session, now, listeners, round } = team;
  const recorder = new Recorder({ log, session, round, agent: path, now, listeners, ...(past ? { past } : {}) });
  const left = () => {
    const used = usedSoFar(recorder.state);
    const { turns, tokens, toolCalls } = spec.limits;
    return { turns: turns - used.turns, tokens: tokens - used.tokens, toolCalls: toolCalls - used.toolCalls };
  };
  const own = together(team.workspace.project.permissions, spec.permissions);
  const deadline = performance.now() + spec.limits.seconds * 1000;
  return { team, spec, path, recorder, permissions: [...callers, own], depthLeft, budget: createBudgetPool(left), deadline };
}

/** What the member's calls are run with: its own tools, and its subagents as tools where nesting still allows them. */
export function dispatcherFor(member: Member): Dispatcher {
  const { team, spec, path, recorder } = member;
  const tools = toolsOf(spec, team.workspace.tools);
  if (member.depthLeft > 0) for (const tool of subagentTools(member, [...tools.keys()])) tools.set(tool.name, tool);
  const subagents = spec.subagents.map(({ agent }) => subagentToolName(agent)).filter((name) => tools.has(name));
  const shelf = shelve(tools, spec.loadTools ?? DEFAULT_LOAD_TOOLS, subagents);
  if (shelf) tools.set(shelf.tool.name, shelf.tool);
  return {
    shelf,
    agent: path,
    agentName: spec.name,
    tools,
    permissions: member.permissions,
    sources: team.workspace.catalog,
    approve: team.approve,
    now: team.now,
    resultIds: () => citable(recorder),
    readReference: (reference) => team.log.getBlob(reference),
    memory: memoryOf(member),
    folder: team.workspace.folder,
    webhooks: team.workspace.webhooks,
  };
}

function subagentTools(member: Member, own: readonly string[]): Tool[] {
  return member.spec.subagents.map((spec) => {
    const child = member.team.workspace.agent(spec.agent);
    const childTools = [...toolsOf(child, member.team.workspace.tools).keys()];
    return createSubagentTool({
      spec,
      child,
      view: { childTools, sharedTools: childTools.filter((name) => own.includes(name)) },
      timeoutSeconds: member.spec.limits.seconds,
      resultCharacters: member.spec.limits.contextTokens * 2,
      known: () => member.recorder.state.conclusions,
      delegate: (call, place) => delegate(member, { spec, child, call, ...place }),
    });
  });
}

/** Its own results, its children's conclusions, and what those rest on. */
function citable({ state }: Recorder): readonly string[] {
  if (state.conclusions.size === 0) return state.resultIds;
  return [...state.resultIds, ...[...state.conclusions.values()].flatMap((conclusion) => [conclusion.id, ...conclusion.evidence])];
}

/** Deny and ask of project and agent add up; allow counts where either gives it. */
function together(project: Permissions, agent: Permissions): Permissions {
  return { allow: [...project.allow, ...agent.allow], ask: [...project.ask, ...agent.ask], deny: [...project.deny, ...agent.deny] };
}

/** The agent's tools in the order of its file; a trailing `*` stands for all that begin so. */
function toolsOf(agent: AgentSpec, tools: ReadonlyMap<string, Tool>): Map<string, Tool> {
  const chosen = new Map<string, Tool>();
  for (const pattern of agent.tools) {
    for (const [name, tool] of tools) {
      if (pattern === name || (pattern.endsWith('*') && name.startsWith(pattern.slice(0, -1)))) chosen.set(name, tool);
    }
  }
  for (const { agent: name } of agent.subagents) chosen.delete(subagentToolName(name));
  return chosen;
}
