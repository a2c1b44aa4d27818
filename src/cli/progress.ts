import type { Event } from '../core/event.ts';
import type { Delta } from '../core/model.ts';

const FIRST_CHARACTERS = 100;

/** Tells a run's progress, one line each: what was called, what came back, how long it took. */
export function createProgress(note: (text: string) => void): {
  readonly onEvent: (event: Event) => void;
  readonly onDelta: (delta: Delta) => void;
} {
  const started = performance.now();
  let waiting = false;
  const line = (event: Event, text: string): void => {
    const seconds = ((performance.now() - started) / 1000).toFixed(1).padStart(5);
    note(`${seconds}s ${event.agent === 'main' ? '' : `  ${event.agent} `}step ${event.step}  ${text}`);
  };
  return {
    onEvent: (event) => {
      const text = describeEvent(event);
      if (text) line(event, text);
    },
    onDelta: (delta) => {
      if (delta.type === 'waiting' && !waiting) note(`      waiting for the model (${delta.ahead} ahead)`);
      waiting = delta.type === 'waiting';
    },
  };
}

function describeEvent({ body }: Event): string | undefined {
  switch (body.type) {
    case 'agent.started':
      return `${body.agent} starts (${body.model})`;
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
    case 'agent.concluded':
      return `concluded: ${body.conclusion.status}`;
    default:
      return undefined;
  }
}

function short(text: string): string {
  return text.length <= FIRST_CHARACTERS ? text : `${text.slice(0, FIRST_CHARACTERS)}…`;
}
