import { hasWritten, REFLECT_RULES, readVerdict, reflectionText } from '../agent/reflect.ts';
import type { Review } from '../agent/run-agent.ts';
import type { ChatModel } from '../core/model.ts';
import type { Scope } from '../core/scope.ts';
import { renderTask, type Task } from '../core/task.ts';
import type { Tool } from '../core/tool.ts';
import type { Member } from './agent-team.ts';
import { askModel } from './ask-model.ts';

export interface ReflectionOptions {
  readonly task: Task;
  readonly tools: ReadonlyMap<string, Tool>;
  /** The agent's own model, in place of a critic where none is named. */
  readonly model: ChatModel;
  readonly scope: Scope;
}

const VERDICT_TOKENS = 300;
const ACCEPT: Review = { verdict: 'accept' };

/**
 * The agent's critic, asked when it has an answer: it says done, or what is missing. What it says goes back to the model
 * for this run only; the stored conversation holds the attempts and never the critiques.
 */
export function createReflection(member: Member, { task, tools, model, scope }: ReflectionOptions): (text: string) => Promise<Review> {
  const { recorder, spec, team } = member;
  const settings = spec.reflect;
  return async (text) => {
    if (!settings || model.kind === 'rules') return ACCEPT;
    const { state } = recorder;
    if (state.sentBack.reflect >= settings.max) return ACCEPT;
    if (settings.when === 'writes' && !hasWritten(state.messages, tools)) return ACCEPT;
    const critic = (await team.critic(settings.model)) ?? model;
    const question = { name: 'critic', system: REFLECT_RULES, text: reflectionText(renderTask(task), state.messages, text) };
    const reply = await askModel(critic, { ...question, maxOutputTokens: VERDICT_TOKENS, scope });
    const verdict = reply.ok ? readVerdict(reply.text) : { done: true as const, readable: false };
    recorder.record({
      type: 'answer.reflected',
      round: state.sentBack.reflect + 1,
      by: critic.id,
      usage: reply.usage,
      readable: verdict.readable,
      ...(verdict.done ? { done: true } : { done: false, missing: verdict.missing }),
    });
    if (verdict.done) return ACCEPT;
    const message = `A check of your answer against the request says that something is missing:\n${verdict.missing}\n\nDo what is missing, or say why it cannot be done. Then give the whole answer again.`;
    return { verdict: 'reconsider', message };
  };
}
