import pc from 'picocolors';
import type { Event } from '../core/event.ts';
import type { Delta } from '../core/model.ts';

const FIRST_CHARACTERS = 100;

/** Tells a run's progress, one line each: which agent and step, what was called, what came back, how long it took. */
export function createProgress(
  note: (text: string) => void,
  color: boolean,
): {
  readonly onEvent: (event: Event) => void;
  readonly onDelta: (delta: Delta) => void;
} {
  const paint = pc.createColors(color);
  const started = performance.now();
  const names = new Map<string, string>();
  let waiting = false;
  return {
    onEvent: (event) => {
      if (event.body.type === 'agent.started' || event.body.type === 'agent.resumed') names.set(event.agent, event.body.agent);
      const text = describeEvent(event);
      if (!text) return;
      const seconds = ((performance.now() - started) / 1000).toFixed(1).padStart(6);
      const who = `${event.agent === 'main' ? '' : `  ${event.agent} `}${names.get(event.agent) ?? ''}`;
      note(`${paint.dim(`${seconds}s ${who} step ${event.step}`)}  ${isTrouble(event) ? paint.yellow(text) : text}`);
    },
    onDelta: (delta) => {
      if (delta.type === 'waiting' && !waiting) note(paint.dim(`        waiting for the model (${delta.ahead} ahead)`));
      waiting = delta.type === 'waiting';
    },
  };
}

function isTrouble({ body }: Event): boolean {
  if (body.type === 'tool.finished') return body.status === 'error' || body.status === 'refused';
  return body.type === 'model.failed' || body.type === 'limit.reached' || body.type === 'loop.blocked' || body.type === 'interrupted';
}

function describeEvent({ body }: Event): string | undefined {
  switch (body.type) {
    case 'agent.started':
      return `starts (${body.model}): ${short(body.task.goal)}`;
    case 'agent.resumed':
      return `goes on (${body.model}) after: ${body.after}${body.unfinished.length > 0 ? `; calls under way then: ${body.unfinished.join(', ')}` : ''}`;
    case 'tool.called':
      return `${body.resultId} ${body.tool} ${short(JSON.stringify(body.arguments))}`;
    case 'tool.finished':
      return `${body.resultId} ${body.status}${body.complete ? '' : ', incomplete'} in ${Math.round(body.elapsedMs)} ms`;
    case 'model.noticed':
      return body.notice.message;
    case 'model.failed':
      return `the model failed: ${body.failure.message}`;
    case 'limit.reached':
      return `limit reached: ${body.detail}; concluding`;
    case 'interrupted':
      return 'interrupted; concluding (press Ctrl-C again to stop at once)';
    case 'loop.blocked':
      return `a loop: ${body.tool} gave the same result ${body.times} times`;
    case 'plan.made':
      return `plan: ${body.steps.join('; ')}`;
    case 'answer.reflected':
      return body.done ? 'the critic says: done' : `the critic misses: ${short(body.missing ?? '')}`;
    case 'agent.concluded':
      return `concluded: ${body.conclusion.status}`;
    default:
      return undefined;
  }
}

function short(text: string): string {
  return text.length <= FIRST_CHARACTERS ? text : `${text.slice(0, FIRST_CHARACTERS)}…`;
}
