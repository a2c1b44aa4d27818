import type { Summarise } from '../agent/window.ts';
import type { ChatModel } from '../core/model.ts';
import { askModel } from './ask-model.ts';
import type { Workspace } from './workspace.ts';

/** The model named, else the project's for judging and summing up; nothing unless `models.critic` names one that is a model. */
export async function openCritic(workspace: Workspace, name?: string): Promise<ChatModel | undefined> {
  if (name !== undefined) return resolve(workspace, name);
  const settings = workspace.project.models.critic;
  if (!settings || settings.model === 'rules' || settings.model === 'auto') return undefined;
  return resolve(workspace, 'critic');
}

async function resolve(workspace: Workspace, name: string): Promise<ChatModel> {
  const { resolveModel } = await import('../models/resolve-model.ts');
  return resolveModel(name, workspace.project.models, workspace.environment);
}

const SUMMARY_TOKENS = 600;
const SUMMARY_RULES = `You sum up the earlier part of an investigation, so that it can go on without it.
Keep what was found, what was ruled out, and what is still open, each with the id of its result, e.g. [r3].
Copy figures, names and references exactly as they stand; leave out what led nowhere. No advice, no new conclusions.`;

/** Sums up old turns with the critic. */
export function summariseWith(critic: () => Promise<ChatModel | undefined>): Summarise {
  return async (turns, scope) => {
    const model = await critic();
    if (!model) return undefined;
    const answer = await askModel(model, { name: 'critic', system: SUMMARY_RULES, text: turns, maxOutputTokens: SUMMARY_TOKENS, scope });
    return answer.ok ? answer : undefined;
  };
}
