import type { Message } from '../core/message.ts';
import type { ChatModel, Conversation, ConversationOpening, FailureKind, ModelReply, ReplyRequest } from '../core/model.ts';
import type { CallUsage } from '../core/usage.ts';

/** Failures that another model may not have. A full window, and a stop, are not of the model. */
const FALLS_BACK: ReadonlySet<FailureKind> = new Set<FailureKind>([
  'unreachable',
  'model_not_found',
  'output_invalid',
  'empty_turn',
  'thinking_exhausted',
  'incomplete_stream',
  'first_token_timeout',
  'stall_timeout',
  'busy',
  'bad_request',
  'not_authorised',
  'refused',
  'server_fault',
  'protocol',
]);

/**
 * The first of some models that answers. Once one has failed, all conversations go on with the next, and say so in a
 * notice; a model that failed is not asked again in this run.
 */
export function createFallbackModel(first: ChatModel, others: readonly ChatModel[]): ChatModel {
  const line = [first, ...others];
  const turn = { at: 0 };
  return {
    /** The one in use now. */
    get id() {
      return (line[turn.at] as ChatModel).id;
    },
    kind: first.kind,
    startConversation: (opening) => new FallbackConversation(line, turn, opening),
    close: async () => {
      await Promise.all(line.map((model) => model.close()));
    },
  };
}

class FallbackConversation implements Conversation {
  private readonly line: readonly ChatModel[];
  private readonly turn: { at: number };
  private readonly opening: ConversationOpening;
  private messages: Message[] = [];
  private at: number;
  private current: Conversation;

  constructor(line: readonly ChatModel[], turn: { at: number }, opening: ConversationOpening) {
    this.line = line;
    this.turn = turn;
    this.opening = opening;
    this.at = turn.at;
    this.current = this.start(this.at);
  }

  append(message: Message): void {
    this.messages.push(message);
    this.current.append(message);
  }

  replace(messages: readonly Message[]): void {
    this.messages = [...messages];
    this.current.replace(messages);
  }

  estimatedTokens(): number {
    return this.current.estimatedTokens();
  }

  windowTokens(): number {
    return this.current.windowTokens?.() ?? Number.POSITIVE_INFINITY;
  }

  async reply(request: ReplyRequest): Promise<ModelReply> {
    if (this.at < this.turn.at) this.moveTo(this.nextAfter(this.turn.at - 1) ?? this.at);
    let reply = await this.current.reply(request);
    let { notices, usage } = reply;
    while (!reply.ok && FALLS_BACK.has(reply.failure.kind) && !request.scope.stopped) {
      const next = this.nextAfter(this.at);
      if (next === undefined) break;
      const { kind, message } = reply.failure;
      const failed = this.nameOf(this.at);
      this.moveTo(next);
      this.turn.at = Math.max(this.turn.at, next);
      const notice = { code: 'fell_back', message: `${failed} failed (${kind}: ${message}); going on with ${this.nameOf(this.at)}` };
      reply = await this.current.reply(request);
      notices = [...notices, notice, ...reply.notices];
      usage = together(usage, reply.usage);
    }
    return { ...reply, usage, notices };
  }

  /** Rules play a task from its beginning, so they cannot take over one that another model has begun. */
  private nextAfter(at: number): number | undefined {
    const begun = this.messages.some(({ role }) => role === 'assistant');
    const next = this.line.findIndex((model, place) => place > at && (model.kind === 'model' || !begun));
    return next < 0 ? undefined : next;
  }

  private moveTo(at: number): void {
    this.at = at;
    this.current = this.start(at);
  }

  private start(at: number): Conversation {
    const conversation = (this.line[at] as ChatModel).startConversation(this.opening);
    for (const message of this.messages) conversation.append(message);
    return conversation;
  }

  private nameOf(at: number): string {
    return (this.line[at] as ChatModel).id;
  }
}

function peakOf({ peakTokens, inputTokens = 0, outputTokens = 0 }: CallUsage): number {
  return peakTokens ?? inputTokens + outputTokens;
}

/** What both tries used; times of the first token and of loading are those of the last. */
function together(first: CallUsage, last: CallUsage): CallUsage {
  const sum = (name: 'inputTokens' | 'outputTokens' | 'cachedTokens' | 'queueMs' | 'cost'): Partial<CallUsage> =>
    first[name] === undefined ? {} : { [name]: (first[name] ?? 0) + (last[name] ?? 0) };
  return {
    ...last,
    ...sum('inputTokens'),
    ...sum('outputTokens'),
    ...sum('cachedTokens'),
    ...sum('queueMs'),
    ...sum('cost'),
    totalMs: first.totalMs + last.totalMs,
    tries: (first.tries ?? 1) + (last.tries ?? 1),
    peakTokens: Math.max(peakOf(first), peakOf(last)),
  };
}
