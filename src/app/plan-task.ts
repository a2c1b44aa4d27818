import { isMultiStep, PLAN_RULES, readPlan } from '../agent/plan.ts';
import type { ChatModel } from '../core/model.ts';
import type { Scope } from '../core/scope.ts';
import type { Task } from '../core/task.ts';
import type { Member } from './agent-team.ts';
import { askModel } from './ask-model.ts';

const PLAN_TOKENS = 400;

export interface Planning {
  readonly model: ChatModel;
  readonly tools: readonly string[];
  readonly scope: Scope;
}

/**
 * The task with a short plan, where the agent's file asks for one and the request has several steps. The plan is in the
 * log, begins the agent's scratchpad, and stands behind the task. Without a readable plan the task stays as it is.
 */
export async function planTask(member: Member, task: Task, { model, tools, scope }: Planning): Promise<Task> {
  const { spec, recorder } = member;
  if (!spec.plan || model.kind === 'rules' || !isMultiStep(task.goal)) return task;
  const text = `${task.goal}\n\nTools: ${tools.join(', ')}`;
  const reply = await askModel(model, { name: 'planner', system: PLAN_RULES, text, maxOutputTokens: PLAN_TOKENS, scope });
  const steps = reply.ok ? readPlan(reply.text) : [];
  if (steps.length === 0) return task;
  recorder.record({ type: 'plan.made', steps, by: model.id, usage: reply.usage });
  const plan = `Your plan, kept in the scratchpad; change it when what you find asks for it:\n${steps.map((step, at) => `${at + 1}. ${step}`).join('\n')}`;
  return { ...task, background: task.background ? `${task.background}\n\n${plan}` : plan };
}
