import type { EventBody } from '../core/event.ts';
import type { Message } from '../core/message.ts';
import type { ChatModel, Conversation, ConversationOpening, ModelFailure, ModelReply, ReplyRequest } from '../core/model.ts';
import type { Scope } from '../core/scope.ts';
import type { Tool } from '../core/tool.ts';
import type { CallUsage } from '../core/usage.ts';
import { digestOf, isSummary, saidIn, summaryMessage } from './compact-history.ts';
import { endOfOldTurns, frontOf, shortenResults, sizeOf } from './fit-window.ts';
import { offeredTools, type Shelf } from './load-tools.ts';
import { recordPrompt } from './record-prompt.ts';
import type { Recorder } from './recorder.ts';

type FittedContext = Extract<EventBody, { type: 'context.fitted' }>;

/** A summary of old turns by another model; nothing when it gave none. */
export type Summarise = (
  turns: string,
  scope: Scope,
) => Promise<{ readonly text: string; readonly model: string; readonly usage: CallUsage } | undefined>;

export interface WindowOptions {
  readonly recorder: Recorder;
  readonly model: ChatModel;
  /** What a conversation starts from, but for the tools. */
  readonly opening: Omit<ConversationOpening, 'tools'>;
  readonly tools: ReadonlyMap<string, Tool>;
  /** Where the tools are more than a model chooses well among; fixed rules choose among any number. */
  readonly shelf?: Shelf | undefined;
  readonly summarise?: Summarise;
}

/** Fits the history to this share of the room when it overflows, so that it does not overflow again at the next turn. */
const FILL = 0.7;
/** Where heads alone come this near to what was aimed at, no turn is summed up. */
const HEADS_ENOUGH = 1.3;
/** What another model reads of the turns it sums up. */
const READING = { most: 24_000, each: 1_200 };
/** A summary's share of the room. */
const SUMMARY_SHARE = 0.15;

/**
 * What a conversation holds of an agent's history, kept within the room: before a request that would not fit, the oldest
 * results become their heads with a reference, then the oldest turns a summary. What gave way is an event, so that the
 * window of any step can be rebuilt; the task, the last turns and each call with its result stay together and whole.
 */
export class Window {
  private readonly options: WindowOptions;
  private conversation: Conversation;
  private offered: readonly Tool[] = [];
  private roomTokens: number;

  constructor(options: WindowOptions) {
    this.options = options;
    this.roomTokens = options.opening.contextTokens - options.opening.maxOutputTokens;
    this.conversation = this.open();
  }

  /** Starts a conversation with what is offered now. Fixed rules are played again on all results; a model sees its window. */
  private open(): Conversation {
    const { model, opening, recorder } = this.options;
    const { messages, window, loadedTools } = recorder.state;
    const isModel = model.kind !== 'rules';
    this.offered = offeredTools(this.options, model, loadedTools);
    const conversation = model.startConversation({ ...opening, tools: this.offered });
    for (const message of isModel ? window : messages) conversation.append(message);
    if (!isModel && window.length < messages.length) conversation.replace(window);
    return conversation;
  }

  append(message: Message): void {
    this.conversation.append(message);
  }

  /** Brings the tools that were loaded since: the front of the requests changes once, and holds again. */
  bringLoaded(): void {
    const { model, opening, recorder } = this.options;
    if (offeredTools(this.options, model, recorder.state.loadedTools).length <= this.offered.length) return;
    this.conversation = this.open();
    const prompt = recordPrompt(recorder.log, { system: opening.system, tools: this.offered });
    recorder.record({ type: 'prompt.changed', prompt });
  }

  /** One reply. When the server finds the window full all the same, the history is fitted to what it told, and asked for once more. */
  async reply(request: ReplyRequest): Promise<ModelReply> {
    this.adoptWindow();
    if (this.conversation.estimatedTokens() > this.roomTokens) await this.fit(this.roomTokens * FILL, request.scope);
    const reply = await this.conversation.reply(request);
    if (reply.ok || reply.failure.kind !== 'context_overflow') return reply;
    const target = this.learnRoom(reply.failure);
    if (!(await this.fit(target, request.scope))) return reply;
    for (const notice of reply.notices) this.options.recorder.record({ type: 'model.noticed', notice });
    this.options.recorder.record({ type: 'model.failed', failure: reply.failure, usage: reply.usage });
    return this.conversation.reply(request);
  }

  /** The model's own window may be smaller than the agent's; it is known once the server was asked. */
  private adoptWindow(): void {
    const { contextTokens, maxOutputTokens } = this.options.opening;
    const told = this.conversation.windowTokens?.();
    if (told !== undefined && told < contextTokens) this.roomTokens = Math.min(this.roomTokens, told - Math.min(maxOutputTokens, told / 2));
  }

  /** The tokens to fit to after an overflow: the server's own window where it told it, by the server's own count. */
  private learnRoom({ promptTokens, windowTokens }: ModelFailure): number {
    const held = this.conversation.estimatedTokens();
    const room = Math.min(this.roomTokens, windowTokens ?? held);
    this.roomTokens = Math.max(1, room);
    const countedMore = promptTokens === undefined ? 1 : Math.max(1, promptTokens / Math.max(1, held));
    return (Math.min(held, room) * FILL) / countedMore;
  }

  /** Whether anything gave way. */
  private async fit(targetTokens: number, scope: Scope): Promise<boolean> {
    const shortened = this.shortenTo(targetTokens);
    const isEnough = this.conversation.estimatedTokens() <= targetTokens * HEADS_ENOUGH;
    const compacted = !isEnough && (await this.compactTo(targetTokens, scope));
    return shortened || compacted;
  }

  private shortenTo(targetTokens: number): boolean {
    const { recorder } = this.options;
    const shortened = shortenResults(recorder.state.window, {
      excessCharacters: this.excessCharacters(targetTokens),
      keep: (content) => recorder.log.putBlob(content),
      hint: this.hint(),
    });
    if (shortened.length > 0) this.record({ shortened });
    return shortened.length > 0;
  }

  private async compactTo(targetTokens: number, scope: Scope): Promise<boolean> {
    const { recorder, summarise } = this.options;
    const { window } = recorder.state;
    const summaryRoom = Math.max(600, Math.floor(this.roomTokens * SUMMARY_SHARE * this.charactersPerToken()));
    const end = endOfOldTurns(window, this.excessCharacters(targetTokens) + summaryRoom);
    if (end === undefined) return false;
    const front = frontOf(window);
    const from = isSummary(window[front - 1]) ? front - 1 : front;
    const old = window.slice(from, end);
    const told = await summarise?.(digestOf(old, READING), scope);
    const text = told?.text ?? digestOf(old, { most: summaryRoom, each: 160 });
    this.record({
      shortened: [],
      compacted: {
        ...{ from, messages: old.length, summary: summaryMessage(text, saidIn(old), this.hint()), by: told?.model ?? 'digest' },
        ...(told ? { usage: told.usage } : {}),
      },
    });
    return true;
  }

  private record(fit: Omit<FittedContext, 'type' | 'beforeTokens'>): void {
    const { recorder } = this.options;
    const beforeTokens = this.conversation.estimatedTokens();
    recorder.record({ type: 'context.fitted', beforeTokens, ...fit });
    this.conversation.replace(recorder.state.window);
  }

  private excessCharacters(targetTokens: number): number {
    return (this.conversation.estimatedTokens() - targetTokens) * this.charactersPerToken();
  }

  /** By the model's own estimate, which its counts calibrate. */
  private charactersPerToken(): number {
    const { recorder, opening } = this.options;
    const front = this.offered.reduce(
      (sum, tool) => sum + tool.description.length + JSON.stringify(tool.parameters).length,
      opening.system.length,
    );
    const characters = recorder.state.window.reduce((sum, message) => sum + sizeOf(message), front);
    return Math.min(8, Math.max(1, characters / Math.max(1, this.conversation.estimatedTokens())));
  }

  private hint(): string {
    return this.options.tools.has('read_blob') ? 'read_blob reads the rest by its reference' : 'call the tool again for the rest';
  }
}
