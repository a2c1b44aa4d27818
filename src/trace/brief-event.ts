import type { PositionedEvent } from '../core/log-reader.ts';
import type { CallUsage, Usage } from '../core/usage.ts';
import { clip, dataOf } from './clip-text.ts';
import { remarkOf } from './describe-event.ts';

/** An event as a row of a time line: what it says in texts of bounded length. A public shape of the viewer. */
export interface BriefEvent {
  /** Its place in the log. */
  readonly position: number;
  readonly at: number;
  readonly round: number;
  readonly step: number;
  /** The agent under which it stands: `main`, or a child's path. */
  readonly agent: string;
  readonly type: string;
  /** The agent's name, the tool or the model that it is about. */
  readonly name?: string;
  readonly model?: string;
  readonly resultId?: string;
  readonly status?: string;
  readonly complete?: boolean;
  /** Of a call its arguments, of a result the beginning of its data, of a reply its words, else what happened. */
  readonly text?: string;
  /** How long the text, the arguments or the result is in full. */
  readonly characters?: number;
  readonly elapsedMs?: number;
  /** Calls that a reply asks for. */
  readonly calls?: number;
  readonly usage?: CallUsage | Usage;
  readonly concurrency?: number;
  readonly children?: readonly BriefChild[];
  /** The conclusion that it is about. */
  readonly id?: string;
  readonly path?: string;
  /** The payload is kept whole beside what the model was shown. */
  readonly whole?: true;
}

interface BriefChild {
  readonly id: string;
  readonly path: string;
  readonly goal: string;
}

/** An event with its texts shortened to `most` characters. */
export function briefEvent({ position, event }: PositionedEvent, most: number): BriefEvent {
  const { at, round, step, agent, body } = event;
  const place = { position, at, round, step, agent, type: body.type };
  const texts = (text: string): { text: string; characters: number } => ({ text: clip(text, most), characters: text.length });
  switch (body.type) {
    case 'session.opened':
      return { ...place, name: body.agent, model: body.model, ...texts(body.question) };
    case 'agent.started':
      return { ...place, name: body.agent, model: body.model, ...texts(body.task.goal) };
    case 'model.replied':
      return {
        ...place,
        ...texts(body.message.content),
        calls: body.message.toolCalls?.length ?? 0,
        status: body.finish,
        usage: body.usage,
      };
    case 'model.failed':
      return { ...place, ...texts(`${body.failure.kind}: ${body.failure.message}`), usage: body.usage };
    case 'tool.called':
      return { ...place, name: body.tool, resultId: body.resultId, ...texts(JSON.stringify(body.arguments)) };
    case 'tool.finished': {
      const { tool, resultId, status, complete, elapsedMs, content, reference } = body;
      const head = { text: clip(dataOf(content), most), characters: content.length };
      return { ...place, name: tool, resultId, status, complete, elapsedMs, ...head, ...(reference === undefined ? {} : { whole: true }) };
    }
    case 'delegation.started': {
      const { resultId, concurrency, why, because } = body;
      const children = body.children.map(({ id, path, task }) => ({ id, path, goal: clip(task.goal, most) }));
      return { ...place, name: body.agent, resultId, concurrency, children, ...texts(`${why}: ${because}`) };
    }
    case 'child.concluded': {
      const { id, path, status, text, reason, usage } = body.conclusion;
      return { ...place, name: body.conclusion.agent, id, path, status, usage, ...texts(withReason(text, reason)) };
    }
    case 'agent.concluded': {
      const { status, text, reason, usage, model } = body.conclusion;
      return { ...place, status, usage, model, ...texts(withReason(text, reason)) };
    }
    case 'answer.grounded': {
      const supported = body.figures.filter(({ status }) => status !== 'unsupported').length;
      return { ...place, text: `${supported} of ${body.figures.length} figures rest on a result or the question` };
    }
    case 'session.closed':
      return { ...place, status: body.status, text: `closed: ${body.status}` };
    default:
      return { ...place, text: clip(remarkOf(body, most)?.text ?? body.type, most * 2) };
  }
}

function withReason(text: string, reason: string | undefined): string {
  return reason === undefined ? text : text === '' ? reason : `${reason}. ${text}`;
}
