import type { Event } from '../core/event.ts';
import type { ChatModel, ModelReply } from '../core/model.ts';
import { estimateTokens } from '../core/usage.ts';

/**
 * A model that answers what the log has, in the same order: for one agent of one session, whatever it is asked. When the
 * recording is over, the reply is a failure that says so.
 *
 * @param events of one agent; a reply at a limit that the agent later went beyond is left out
 */
export function recordedModel(id: string, events: Iterable<Event>): ChatModel {
  const replies = repliesIn(events);
  let next = 0;
  return {
    id,
    kind: id === 'rules' ? 'rules' : 'script',
    startConversation: (opening) => {
      let characters = opening.system.length;
      return {
        append: ({ content }) => {
          characters += content.length;
        },
        replace: (messages) => {
          characters = opening.system.length + messages.reduce((sum, { content }) => sum + content.length, 0);
        },
        estimatedTokens: () => estimateTokens(characters),
        reply: async (request) => {
          if (request.scope.stopped) return failed('stopped', 'the call was stopped');
          const reply = replies[next++] ?? failed('protocol', 'the recording has no further reply');
          if (reply.ok && reply.message.content) request.onDelta?.({ type: 'text', text: reply.message.content });
          return reply;
        },
      };
    },
    close: async () => {},
  };
}

function failed(kind: 'stopped' | 'protocol', message: string): ModelReply {
  return { ok: false, failure: { kind, message }, usage: { totalMs: 0 }, notices: [] };
}

function repliesIn(events: Iterable<Event>): ModelReply[] {
  const replies: ModelReply[] = [];
  let beforeEnding: number | undefined;
  for (const { body } of events) {
    if (body.type === 'model.replied') {
      const { message, finish, usage } = body;
      replies.push({ ok: true, message, finish, usage, notices: [] });
    } else if (body.type === 'model.failed') {
      replies.push({ ok: false, failure: body.failure, usage: body.usage, notices: [] });
    } else if (body.type === 'limit.reached' || body.type === 'interrupted') {
      beforeEnding ??= replies.length;
    } else if (body.type === 'agent.resumed' && body.after !== 'killed') {
      replies.length = beforeEnding ?? replies.length;
      beforeEnding = undefined;
    } else if (body.type === 'user.said' && body.why === 'follow_up') beforeEnding = undefined;
  }
  return replies;
}
