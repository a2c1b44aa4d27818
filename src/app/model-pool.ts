import type { AgentSpec } from '../core/agent-spec.ts';
import { Gate } from '../core/gate.ts';
import type { ChatModel } from '../core/model.ts';
import { type ChosenModel, chooseModel, type SharedModels } from './choose-model.ts';
import { createTraitMemory } from './trait-memory.ts';
import type { Workspace } from './workspace.ts';

/** The models of a session: each is made once, and a server's limit on parallel calls holds over all agents. */
export interface ModelPool {
  /** @throws SoloistError `configuration`, as {@link chooseModel}. */
  choose(agent: AgentSpec): Promise<ChosenModel>;
  close(): Promise<void>;
}

/**
 * @param asked the model named on the command line, which then holds for every agent
 * @param recorded the model that an agent ran on before, by the agent's name, where a session goes on
 */
export function createModelPool(
  workspace: Workspace,
  asked: string | undefined,
  recorded: (agent: string) => string | undefined = () => undefined,
): ModelPool {
  const byAgent = new Map<string, Promise<ChosenModel>>();
  const made = new Map<string, ChatModel>();
  const gates = new Map<string, Gate>();
  let shared: SharedModels | undefined;
  const choose = (agent: AgentSpec): Promise<ChosenModel> => {
    // The first agent asked for leads the run, so its team is the run's.
    shared ??= {
      made,
      gateFor: (place, limit) => {
        const gate = gates.get(place) ?? new Gate(limit);
        gates.set(place, gate);
        return gate;
      },
      memory: createTraitMemory(workspace.home),
      runWindowTokens: largestWindow(workspace, agent),
    };
    return chooseModel(workspace, agent, asked ?? recorded(agent.name), shared);
  };
  return {
    choose: (agent) => {
      const choosing = byAgent.get(agent.name) ?? choose(agent);
      byAgent.set(agent.name, choosing);
      return choosing;
    },
    close: async () => {
      await Promise.all([...made.values()].map((model) => model.close()));
    },
  };
}

/** The largest window that the agent or any agent below it wants. */
function largestWindow({ project }: Pick<Workspace, 'project'>, agent: AgentSpec, seen: ReadonlySet<string> = new Set()): number {
  const below = agent.subagents.flatMap((subagent) => project.agents.filter(({ name }) => name === subagent.agent && !seen.has(name)));
  const known = new Set([...seen, agent.name]);
  return Math.max(agent.limits.contextTokens, ...below.map((one) => largestWindow({ project }, one, known)));
}
