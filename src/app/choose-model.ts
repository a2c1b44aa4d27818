import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { importNatively } from '../config/import-natively.ts';
import type { AgentSpec } from '../core/agent-spec.ts';
import { SoloistError } from '../core/errors.ts';
import type { ChatModel } from '../core/model.ts';
import type { Policy } from '../core/policy.ts';
import type { ModelFactories } from '../models/resolve-model.ts';
import { createRulesModel } from '../models/rules.ts';
import type { Workspace } from './workspace.ts';

export interface ChosenModel {
  readonly model: ChatModel;
  /** One line that says which was taken and why, where there was a choice. */
  readonly remark?: string;
}

/** What the models of one session share. */
export interface SharedModels extends Omit<ModelFactories, 'rules'> {
  /** Those made so far, by what they were asked for as. */
  readonly made: Map<string, ChatModel>;
}

/**
 * The model an agent runs on: the one asked for on the command line, else the agent's own, else the project's default.
 * `auto` is Ollama where it answers and has a usable model, else the built-in rules.
 *
 * @throws SoloistError `configuration` for an unknown model, or rules asked of an agent that has none.
 */
export async function chooseModel(
  workspace: Workspace,
  agent: AgentSpec,
  asked: string | undefined,
  shared: SharedModels = { made: new Map() },
): Promise<ChosenModel> {
  const name = asked ?? (agent.model === 'auto' ? nameOfDefault(workspace) : agent.model);
  const id = workspace.project.models[name]?.model ?? name;
  if (id === 'rules') return { model: createRulesModel(await loadPolicy(agent)) };
  if (id !== 'auto') return { model: await resolve(workspace, agent, name, shared) };
  return chooseAutomatically(workspace, agent, shared);
}

/** The entry itself, so that its settings hold: another entry of the same model may have others. */
function nameOfDefault({ project: { models } }: Workspace): string {
  return models.default === undefined || models.default.model === 'auto' ? 'auto' : 'default';
}

async function resolve(workspace: Workspace, agent: AgentSpec, name: string, shared: SharedModels): Promise<ChatModel> {
  const { models } = workspace.project;
  const settings = Object.hasOwn(models, name) ? models[name] : Object.values(models).find(({ model }) => model === name);
  // Rules are an agent's own, so a model that may fall back to them is too.
  const own = settings?.fallback?.includes('rules') === true;
  const key = own ? `${name} ${agent.name}` : name;
  const known = shared.made.get(key);
  if (known) return known;
  const { resolveModel } = await import('../models/resolve-model.ts');
  const rules = async (): Promise<ChatModel> => createRulesModel(await loadPolicy(agent));
  const model = await resolveModel(name, models, workspace.environment, { ...shared, rules });
  const raced = shared.made.get(key);
  if (!raced) shared.made.set(key, model);
  return raced ?? model;
}

async function chooseAutomatically(workspace: Workspace, agent: AgentSpec, shared: SharedModels): Promise<ChosenModel> {
  const { probeModels } = await import('../models/ollama/probe.ts');
  const { chooseModel: chooseInstalled, remarkOf } = await import('../models/ollama/choose-model.ts');
  const probe = await probeModels({ environment: workspace.environment });
  const installed = chooseInstalled(probe);
  if (installed) {
    const id = `ollama/${installed.name}`;
    const remark = ['auto', remarkOf(installed)].filter((text) => text !== '').join('; ');
    return { model: await resolve(workspace, agent, id, shared), remark: `model: ${id} at ${probe.host} (${remark})` };
  }
  const why = probe.reachable ? `Ollama at ${probe.host} has no usable model` : `no Ollama at ${probe.host}`;
  if (policyFile(agent) === undefined) {
    throw new SoloistError('configuration', `${why}, and agent "${agent.name}" has no rules to run without a model`, {
      where: agent.file,
      fix: 'start Ollama and pull a model, or name one with --model',
    });
  }
  return { model: createRulesModel(await loadPolicy(agent)), remark: `model: rules (${why}; fixed rules in place of a model)` };
}

function policyFile(agent: AgentSpec): string | undefined {
  const folder = join(dirname(agent.file), 'policies');
  return [`${agent.name}.js`, `${agent.name}.mjs`, `${agent.name}.ts`].map((name) => join(folder, name)).find((path) => existsSync(path));
}

async function loadPolicy(agent: AgentSpec): Promise<Policy> {
  const file = policyFile(agent);
  if (!file)
    throw new SoloistError('configuration', `agent "${agent.name}" has no rules`, {
      where: agent.file,
      fix: `write policies/${agent.name}.ts beside it, or choose a model with --model`,
    });
  const module = file.endsWith('.ts') ? await importTypeScript(file) : await importNatively(pathToFileURL(file).href);
  const policy = (module as { default?: unknown }).default;
  if (typeof policy !== 'function')
    throw new SoloistError('configuration', 'a policy file exports a function as its default', { where: file });
  return policy as Policy;
}

async function importTypeScript(file: string): Promise<unknown> {
  const { importModule } = await import('../config/import-module.ts');
  return importModule(file);
}
