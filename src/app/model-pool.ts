import type { AgentSpec } from '../core/agent-spec.ts';
import type { ChatModel } from '../core/model.ts';
import { type ChosenModel, chooseModel } from './choose-model.ts';
import type { Workspace } from './workspace.ts';

/** The models of a session: each is made once, so that a server's limit on parallel calls holds over all agents. */
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
  const byId = new Map<string, ChatModel>();
  const choose = async (agent: AgentSpec): Promise<ChosenModel> => {
    const chosen = await chooseModel(workspace, agent, asked ?? recorded(agent.name));
    // Rules differ from agent to agent; a model server is the same for all.
    if (chosen.model.kind === 'rules') return chosen;
    const known = byId.get(chosen.model.id);
    if (known) return { ...chosen, model: known };
    byId.set(chosen.model.id, chosen.model);
    return chosen;
  };
  return {
    choose: (agent) => {
      const choosing = byAgent.get(agent.name) ?? choose(agent);
      byAgent.set(agent.name, choosing);
      return choosing;
    },
    close: async () => {
      await Promise.all([...byId.values()].map((model) => model.close()));
    },
  };
}
