import type { PriceOf } from '../bench/session-usage.ts';
import type { SuiteSpec } from '../bench/suite-spec.ts';
import type { AgentSpec } from '../core/agent-spec.ts';
import type { ChatModel } from '../core/model.ts';
import type { ModelSettings } from '../core/project.ts';
import { createModelPool, type ModelPool } from './model-pool.ts';
import type { Workspace } from './workspace.ts';

/** The models of a suite: one object for each name and seed, shared by all cells. */
export interface BenchModels {
  modelFor(agent: AgentSpec, asked: string | undefined, seed: number): Promise<ChatModel>;
  close(): Promise<void>;
}

/** @param workspace whose settings of models hold */
export function createBenchModels(workspace: Workspace): BenchModels {
  const pools = new Map<string, ModelPool>();
  return {
    modelFor: async (agent, asked, seed) => {
      const key = `${asked ?? ''} ${seed}`;
      const pool = pools.get(key) ?? createModelPool(withSeed(workspace, asked, seed), asked);
      pools.set(key, pool);
      return (await pool.choose(agent)).model;
    },
    close: async () => {
      await Promise.all([...pools.values()].map((pool) => pool.close()));
    },
  };
}

/** The seed of a cell is also that of the model's sampling, where the settings give none. No model falls back to another, which would be compared in its place. */
function withSeed(workspace: Workspace, asked: string | undefined, seed: number): Workspace {
  const { models } = workspace.project;
  const seeded: Record<string, ModelSettings> = {};
  for (const [name, settings] of Object.entries(models)) seeded[name] = { seed, ...settings, fallback: [] };
  if (asked !== undefined && seeded[asked] === undefined && asked.includes('/')) {
    const known = Object.values(models).find(({ model }) => model === asked);
    seeded[asked] = { seed, ...known, model: asked, fallback: [] };
  }
  return { ...workspace, project: { ...workspace.project, models: seeded } };
}

/** The price of a model: the project's, else the suite's. */
export function pricesOf(workspace: Workspace, suite: SuiteSpec): PriceOf {
  const settings = Object.values(workspace.project.models);
  return (model) => settings.find((one) => one.model === model)?.price ?? suite.price;
}
