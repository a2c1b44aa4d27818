import type { Message } from '../../core/message.ts';
import type { Conversation, ConversationOpening, ModelFailure, ModelReply, ReplyRequest } from '../../core/model.ts';
import type { DescribedFailure } from './describe-failure.ts';
import type { OllamaLink } from './ollama-link.ts';
import { pause } from './pause.ts';
import { readAnswer } from './read-answer.ts';
import { ReplyTally } from './reply-tally.ts';
import { RequestHeads } from './request-heads.ts';
import { RetryLadder, type Variation } from './retry-ladder.ts';
import { type ChatResult, streamChat } from './stream-chat.ts';
import { TokenMeter } from './token-meter.ts';
import { WireHistory } from './wire-history.ts';

const TAIL = Buffer.from(']}');
const PLAIN: Variation = {};
const NO_TOOLS: ReadonlySet<string> = new Set();
const RELOAD_MS = 1_000;

/** One agent's exchange with one model of an Ollama server. */
export class OllamaConversation implements Conversation {
  private readonly link: OllamaLink;
  private readonly opening: ConversationOpening;
  private readonly history = new WireHistory();
  private readonly meter = new TokenMeter();
  private readonly heads: RequestHeads;
  private readonly toolNames: ReadonlySet<string>;
  private readonly nextId = (): string => `call_${++this.calls}`;
  private calls = 0;
  private replies = 0;

  constructor(link: OllamaLink, opening: ConversationOpening) {
    this.link = link;
    this.opening = opening;
    this.heads = new RequestHeads(link, opening);
    this.toolNames = new Set(opening.tools.map((tool) => tool.name));
    this.history.append({ role: 'system', content: opening.system });
  }

  append(message: Message): void {
    this.history.append(message);
    if (message.role !== 'assistant') return;
    // A resumed conversation goes on counting where it stopped.
    for (const call of message.toolCalls ?? []) this.calls = Math.max(this.calls, Number(/^call_(\d+)$/.exec(call.id)?.[1] ?? 0));
  }

  replace(messages: readonly Message[]): void {
    this.history.replace([{ role: 'system', content: this.opening.system }, ...messages]);
  }

  estimatedTokens(): number {
    return this.meter.estimate(this.heads.size + this.history.size);
  }

  async reply(request: ReplyRequest): Promise<ModelReply> {
    const tally = new ReplyTally();
    const unfit = this.link.isCleared ? undefined : await this.link.learn(request.scope);
    if (unfit) return failed(unfit, tally);
    let ladder: RetryLadder | undefined;
    let variation = PLAIN;
    for (;;) {
      // An answer without the tools it needs would be made up.
      if (request.withTools && this.toolNames.size > 0 && this.heads.lacksTools) return failed(withoutTools(this.link.name), tally);
      const judged = this.judge(await this.attempt(request, variation, tally), request, tally);
      if (judged.ok) return judged;
      const { failure } = judged;
      if (request.scope.stopped) return failed({ ...failure, kind: 'stopped', message: 'the model call was stopped' }, tally);
      if (this.downgrade(failure, tally)) continue;
      ladder ??= new RetryLadder(this.link.settings.retryPauseMs ?? 1_000, this.heads.canThink);
      const retry = ladder.next(failure);
      if (!retry) return failed(failure, tally);
      tally.note(`retried_${failure.kind}`, `asked again: ${retry.notice}`);
      await pause(retry.afterMs, request.scope);
      variation = retry.variation;
    }
  }

  /** One request, once the gate has a place for it. The place is given back when the server is free of it. */
  private async attempt(request: ReplyRequest, variation: Variation, tally: ReplyTally): Promise<ChatResult> {
    const { link } = this;
    const { scope, onDelta, withTools } = request;
    const entered = link.gate.enter(scope);
    if (entered !== true) {
      onDelta?.({ type: 'waiting', ahead: link.gate.waiting - 1 + link.gate.limit });
      const since = performance.now();
      if (!(await entered)) return { ok: false, failure: { kind: 'stopped', message: 'the model call was stopped while it waited' } };
      tally.queueMs += performance.now() - since;
    }
    const tail = variation.nudge ? Buffer.from(`,${JSON.stringify({ role: 'user', content: variation.nudge })}]}`) : TAIL;
    const body = [this.heads.headFor(withTools, variation), this.history.bytes(), tail];
    tally.begin(body);
    return streamChat({
      transport: link.transport,
      addressee: link.addressee,
      body,
      scope,
      watchdogs: link.watchdogs,
      detectLoops: link.settings.detectLoops !== false,
      onDelta,
      onReleased: link.leaveGate,
    });
  }

  private judge(
    result: ChatResult,
    request: ReplyRequest,
    tally: ReplyTally,
  ): Extract<ModelReply, { ok: true }> | { readonly ok: false; readonly failure: DescribedFailure } {
    if (!result.ok) return result;
    const { answer } = result;
    tally.finish(result);
    if (answer.last.remote_host && !this.link.settings.allowRemote)
      return { ok: false, failure: this.link.refusal(answer.last.remote_host) };
    const windowTokens = this.heads.windowTokens;
    if (this.meter.take(tally.sentBytes, windowTokens, answer.last) === 'cut') {
      const promptTokens = this.meter.estimate(tally.sentBytes);
      return {
        ok: false,
        failure: { kind: 'context_overflow', message: cutMessage(answer.last.prompt_eval_count), promptTokens, windowTokens },
      };
    }
    const offered = request.withTools && !this.heads.lacksTools ? this.toolNames : NO_TOOLS;
    const read = readAnswer(answer, { offered, nextId: this.nextId });
    if (!read.ok) return read;
    if (read.notice) tally.notices.push(read.notice);
    if (this.replies++ > 0 && (tally.loadMs ?? 0) > RELOAD_MS)
      tally.note('model_reloaded', 'the server loaded the model anew: does another program use it?');
    return { ok: true, message: read.message, finish: read.finish, usage: tally.usage(), notices: tally.notices };
  }

  /** The model lacks what the request asked of it: later requests of all conversations leave it out. */
  private downgrade(failure: DescribedFailure, tally: ReplyTally): boolean {
    const { lacks } = failure;
    if (!lacks || this.link.traits?.[lacks] === false) return false;
    this.link.traits = { ...this.link.traits, [lacks]: false };
    tally.note(`without_${lacks}`, failure.message);
    return true;
  }
}

function withoutTools(name: string): ModelFailure {
  return {
    kind: 'bad_request',
    message: `${name} does not take tools, and this agent works with tools`,
    fix: 'choose a model whose capabilities name tools: `ollama show <name>`',
  };
}

function cutMessage(counted: number | undefined): string {
  return `the server cut the prompt to fit its window (it read ${counted} tokens); the answer was thrown away`;
}

function failed({ kind, message, fix, partial, promptTokens, windowTokens }: ModelFailure, tally: ReplyTally): ModelReply {
  const failure: ModelFailure = {
    kind,
    message,
    ...(fix === undefined ? {} : { fix }),
    ...(partial === undefined ? {} : { partial }),
    ...(promptTokens === undefined ? {} : { promptTokens }),
    ...(windowTokens === undefined ? {} : { windowTokens }),
  };
  return { ok: false, failure, usage: tally.usage(), notices: tally.notices };
}
