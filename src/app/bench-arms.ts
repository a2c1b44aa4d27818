import type { ArmFacts } from '../bench/fairness.ts';
import type { BudgetSpec, DesignSpec, SuiteSpec } from '../bench/suite-spec.ts';
import { configurationError } from '../config/load-project.ts';
import type { YamlDocument } from '../config/yaml-document.ts';
import type { AgentSpec } from '../core/agent-spec.ts';
import type { Problem } from '../core/errors.ts';
import { suggestName } from '../core/nearest.ts';
import { createModelPool } from './model-pool.ts';
import type { Workspace } from './workspace.ts';

/** A design made ready: its agent with the overrides and the suite's budget worked in, and the model it asks for. */
export interface Arm {
  readonly design: DesignSpec;
  readonly agent: AgentSpec;
  /** As `--model` takes it; every agent's own choice when absent. */
  readonly asked: string | undefined;
}

export interface ArmsRequest {
  readonly workspace: Workspace;
  readonly suite: SuiteSpec;
  readonly document: YamlDocument;
  /** From the command line; a design that names `rules` stays without a model. */
  readonly model: string | undefined;
}

/** @throws SoloistError `configuration` for agents and tools that do not exist, each at its line and column. */
export function makeArms({ workspace, suite, document, model }: ArmsRequest): readonly Arm[] {
  const problems: Problem[] = [];
  const arms = suite.designs.flatMap((design): Arm[] => {
    const agent = findAgent(workspace, design, { document, problems });
    problems.push(...unknownTools(workspace, design, document), ...unknownSkills(workspace, design, document));
    if (!agent) return [];
    const own = design.model === 'rules' ? 'rules' : (model ?? design.model ?? suite.model);
    return [{ design, agent: withOverrides(agent, design, suite.budget), asked: own === 'auto' ? undefined : own }];
  });
  if (problems.length > 0) throw configurationError(problems);
  return arms;
}

function findAgent(
  workspace: Workspace,
  design: DesignSpec,
  { document, problems }: { readonly document: YamlDocument; readonly problems: Problem[] },
): AgentSpec | undefined {
  const { agents } = workspace.project;
  const found = agents.find(({ name, file }) => name === design.agent || file === design.agent);
  if (found) return found;
  const where = document.where(['designs', design.name, 'agent']);
  const isFile = /\.ya?ml$/.test(design.agent);
  const fact = isFile ? `the project has no agent file ${design.agent}` : `there is no agent "${design.agent}"`;
  const fix = isFile
    ? 'check the path, and list its folder under `agents` of soloist.yaml'
    : suggestName(
        design.agent,
        agents.map(({ name }) => name),
      );
  problems.push({ where, fact, fix });
  return undefined;
}

function unknownTools(workspace: Workspace, design: DesignSpec, document: YamlDocument): Problem[] {
  const names = [...workspace.tools.keys()];
  return (design.tools ?? []).flatMap((tool, index) =>
    matching(tool, names).length > 0
      ? []
      : [
          {
            where: document.where(['designs', design.name, 'tools', index]),
            fact: `unknown tool "${tool}"`,
            fix: suggestName(tool, names),
          },
        ],
  );
}

function unknownSkills({ project }: Workspace, design: DesignSpec, document: YamlDocument): Problem[] {
  const names = project.skills.map(({ name }) => name);
  return (design.skills ?? []).flatMap((skill, index) =>
    names.includes(skill)
      ? []
      : [
          {
            where: document.where(['designs', design.name, 'skills', index]),
            fact: `unknown skill "${skill}"`,
            fix: suggestName(skill, names),
          },
        ],
  );
}

function withOverrides(agent: AgentSpec, design: DesignSpec, budget: BudgetSpec): AgentSpec {
  return {
    ...agent,
    tools: design.tools ?? agent.tools,
    instructions: design.instructions ?? agent.instructions,
    skills: design.skills ?? agent.skills,
    limits: { ...agent.limits, ...design.limits, ...budget },
  };
}

/** What an arm brings to the comparison, its subagents included; models are made to learn their names, and closed. */
export async function factsOfArm(workspace: Workspace, { design, agent, asked }: Arm): Promise<ArmFacts> {
  const team = teamOf(workspace, agent);
  const pool = createModelPool(workspace, asked);
  const models = new Set<string>();
  try {
    for (const member of team) models.add((await pool.choose(member)).model.id);
  } finally {
    await pool.close();
  }
  const names = [...workspace.tools.keys()];
  const tools = new Set(team.flatMap(({ tools: own }) => own.flatMap((pattern) => matching(pattern, names))));
  const { tokens, seconds, turns, toolCalls } = agent.limits;
  return { design: design.name, tools: [...tools].sort(), models: [...models].sort(), tokens, seconds, turns, toolCalls };
}

/** The agent and all that it may delegate to, each once. */
export function teamOf(workspace: Workspace, agent: AgentSpec): readonly AgentSpec[] {
  const team = new Map([[agent.name, agent]]);
  const add = (member: AgentSpec): void => {
    for (const { agent: name } of member.subagents) {
      if (team.has(name)) continue;
      const child = workspace.agent(name);
      team.set(name, child);
      add(child);
    }
  };
  if (agent.limits.depth > 0) add(agent);
  return [...team.values()];
}

function matching(pattern: string, names: readonly string[]): string[] {
  return names.filter((name) => name === pattern || (pattern.endsWith('*') && name.startsWith(pattern.slice(0, -1))));
}
