import type { AssistantMessage, Message, ToolCall } from '../core/message.ts';
import type { ChatModel, Conversation, ConversationOpening, ModelReply, ReplyRequest } from '../core/model.ts';
import type { Play, Policy } from '../core/policy.ts';
import { refused, type ToolResult } from '../core/tool-result.ts';
import { estimateTokens } from '../core/usage.ts';
import { shortenAnswer, tokensLeftBy } from './shorten-answer.ts';

/** Fixed rules in place of a model: a policy, the same calls and results, the baseline that any model has to beat. */
export function createRulesModel(policy: Policy): ChatModel {
  return {
    id: 'rules',
    kind: 'rules',
    startConversation: (opening) => new RulesConversation(policy, opening),
    close: async () => {},
  };
}

interface QueuedCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly resolve: (result: ToolResult<never>) => void;
}

/** The results of one turn's calls, as they stand in the history. */
interface Turn {
  readonly results: string[];
}

/**
 * Runs a policy as a coroutine: it goes on until all that it waits for are tool calls, which are the reply. With a
 * history (a resumed session) it is run from the start and fed the recorded results, so that it ends where it was.
 */
class RulesConversation implements Conversation {
  private readonly policy: Policy;
  private readonly opening: ConversationOpening;
  private readonly turns: Turn[] = [];
  private turnsFed = 0;
  private queued: QueuedCall[] = [];
  private waiting: QueuedCall[] = [];
  private outcome: { readonly text: string } | { readonly error: unknown } | undefined;
  private begun = false;
  private refusing = false;
  /** Of the system prompt and the tools, and of these with the history. */
  private readonly front: number;
  private characters: number;
  private calls = 0;
  /** The most tokens of the answer, once it was sent back as too long. */
  private mostTokens = Number.POSITIVE_INFINITY;

  constructor(policy: Policy, opening: ConversationOpening) {
    this.policy = policy;
    this.opening = opening;
    this.front =
      opening.system.length +
      JSON.stringify(opening.tools.map(({ name, description, parameters }) => ({ name, description, parameters }))).length;
    this.characters = this.front;
  }

  append(message: Message): void {
    this.characters += sizeOf(message);
    if (message.role === 'assistant' && message.toolCalls?.length) {
      this.turns.push({ results: [] });
      this.calls = Math.max(this.calls, ...message.toolCalls.map((call) => Number(call.id.replace(/\D/g, '')) || 0));
    } else if (message.role === 'tool') this.turns.at(-1)?.results.push(message.content);
    else if (message.role === 'user') this.mostTokens = tokensLeftBy(message.content) ?? this.mostTokens;
  }

  /** Only the size of the window changes: the policy has already seen the results. */
  replace(messages: readonly Message[]): void {
    this.characters = this.front + messages.reduce((sum, message) => sum + sizeOf(message), 0);
  }

  estimatedTokens(): number {
    return estimateTokens(this.characters);
  }

  async reply(request: ReplyRequest): Promise<ModelReply> {
    const started = performance.now();
    const inputTokens = this.estimatedTokens();
    this.refusing ||= !request.withTools;
    this.begin();
    await this.advance();
    const usage = (text: string): ModelReply['usage'] => ({
      inputTokens,
      outputTokens: estimateTokens(text),
      totalMs: performance.now() - started,
      estimated: true,
    });
    if (this.outcome && 'error' in this.outcome) {
      const message = this.outcome.error instanceof Error ? this.outcome.error.message : String(this.outcome.error);
      return {
        ok: false,
        failure: { kind: 'server_fault', message: `the rules of ${this.opening.agent} failed: ${message}` },
        usage: usage(''),
        notices: [],
      };
    }
    const message: AssistantMessage = this.outcome
      ? { role: 'assistant', content: shortenAnswer(this.outcome.text, this.mostTokens) }
      : this.callMessage();
    const text = message.content + JSON.stringify(message.toolCalls ?? '');
    if (message.content) request.onDelta?.({ type: 'text', text: message.content });
    return { ok: true, message, finish: 'stop', usage: usage(text), notices: [] };
  }

  private begin(): void {
    if (this.begun) return;
    this.begun = true;
    const play: Play = {
      task: this.opening.task,
      tools: new Set(this.opening.tools.map((tool) => tool.name)),
      sources: this.opening.sources,
      call: (tool, input) => new Promise((resolve) => this.queued.push({ tool, input, resolve: resolve as QueuedCall['resolve'] })),
    };
    this.policy(play).then(
      (text) => {
        this.outcome = { text };
      },
      (error: unknown) => {
        this.outcome = { error };
      },
    );
  }

  /** Until the policy has ended or waits for calls that have no result yet. */
  private async advance(): Promise<void> {
    for (let idle = 0; idle < 100; idle++) {
      if (this.waiting.length > 0 && this.feedWaiting()) idle = 0;
      await new Promise((resolve) => setImmediate(resolve));
      if (this.outcome) return;
      if (this.queued.length === 0) continue;
      this.waiting = this.queued;
      this.queued = [];
      if (this.turnsFed >= this.turns.length && !this.refusing) return;
    }
    this.outcome ??= { error: new Error('the policy waits for something that is not a tool call') };
  }

  private feedWaiting(): boolean {
    const turn = this.turns[this.turnsFed];
    if (!turn && !this.refusing) return false;
    if (turn) this.turnsFed++;
    const calls = this.waiting;
    this.waiting = [];
    for (const [index, call] of calls.entries()) call.resolve(parseResult(turn?.results[index]));
    return true;
  }

  private callMessage(): AssistantMessage {
    const toolCalls = this.waiting.map((call): ToolCall => ({ id: `call_${++this.calls}`, name: call.tool, arguments: call.input }));
    return { role: 'assistant', content: '', toolCalls };
  }
}

/** Without a recorded result (the last turn, when no tool may be called) the call is refused, so that the policy can conclude. */
function parseResult(content: string | undefined): ToolResult<never> {
  if (content === undefined) return { id: '', tool: '', ...refused('limit_reached', 'no more tools can be called') } as ToolResult<never>;
  return JSON.parse(content) as ToolResult<never>;
}

function sizeOf(message: Message): number {
  return message.content.length + (message.role === 'assistant' && message.toolCalls ? JSON.stringify(message.toolCalls).length : 0);
}
