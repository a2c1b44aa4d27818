import type { Message } from '../../core/message.ts';
import type { Conversation, ConversationOpening, Delta, JsonSchema, ModelFailure, ModelReply, ReplyRequest } from '../../core/model.ts';
import { actionInstructions, actionSchema } from './action-mode.ts';
import type { DescribedFailure } from './describe-error-text.ts';
import type { RequestShape } from './dialect.ts';
import { ACTION_ENCODING } from './message-encoding.ts';
import { pause } from './pause.ts';
import { readAnswer } from './read-answer.ts';
import { remoteRefusal } from './remote-refusal.ts';
import { ReplyTally } from './reply-tally.ts';
import { RequestHeads } from './request-heads.ts';
import { RetryLadder, type Variation } from './retry-ladder.ts';
import type { ServerLink } from './server-link.ts';
import { type ChatResult, streamChat } from './stream-chat.ts';
import { TokenMeter } from './token-meter.ts';
import { WireHistory } from './wire-history.ts';

const TAIL = Buffer.from(']}');
const PLAIN: Variation = {};
const NO_TOOLS: ReadonlySet<string> = new Set();
const RELOAD_MS = 1_000;
const STOPPED: ModelFailure = { kind: 'stopped', message: 'the model call was stopped' };

type Judged = Extract<ModelReply, { ok: true }> | { readonly ok: false; readonly failure: DescribedFailure };

/** One agent's exchange with one model of a server, whichever kind of server it is. */
export class ServerConversation implements Conversation {
  private readonly server: ServerLink;
  private readonly opening: ConversationOpening;
  private readonly history: WireHistory;
  private readonly meter: TokenMeter;
  private readonly heads: RequestHeads;
  private readonly toolNames: ReadonlySet<string>;
  private readonly nextId = (): string => `call_${++this.calls}`;
  private system: string;
  private calls = 0;
  private replies = 0;
  /** The schemas of an action with and without tools, once the conversation acts by JSON. */
  private actions: { readonly any: JsonSchema; readonly answer: JsonSchema } | undefined;

  constructor(server: ServerLink, opening: ConversationOpening) {
    this.server = server;
    this.opening = opening;
    this.history = new WireHistory(server.dialect.encoding);
    this.meter = new TokenMeter(server.calibration);
    this.heads = new RequestHeads(server, opening);
    this.toolNames = new Set(opening.tools.map((tool) => tool.name));
    this.system = opening.system;
    this.history.append({ role: 'system', content: this.system });
  }

  append(message: Message): void {
    this.history.append(message);
    if (message.role !== 'assistant') return;
    // A resumed conversation goes on counting where it stopped.
    for (const call of message.toolCalls ?? []) this.calls = Math.max(this.calls, Number(/^call_(\d+)$/.exec(call.id)?.[1] ?? 0));
  }

  replace(messages: readonly Message[]): void {
    this.history.replace([{ role: 'system', content: this.system }, ...messages]);
  }

  estimatedTokens(): number {
    return this.meter.estimate(this.heads.sizeFor(this.actions === undefined) + this.history.size);
  }

  windowTokens(): number {
    return Math.min(this.opening.contextTokens, this.server.windowFor(this.opening));
  }

  async reply(request: ReplyRequest): Promise<ModelReply> {
    const { server } = this;
    const tally = new ReplyTally();
    const unfit = server.isCleared ? undefined : await server.learn(request.scope);
    if (unfit) return failed(unfit, tally);
    let ladder: RetryLadder | undefined;
    let variation = PLAIN;
    for (;;) {
      if (this.toolNames.size > 0 && server.traits?.tools === false) this.enterActionMode(tally);
      const asked = server.windowFor(this.opening);
      const judged = this.judge(await this.attempt(request, variation, tally), request, tally);
      if (judged.ok) {
        const looking = server.lookAtWindow(request.scope);
        if (looking) await looking;
        return judged;
      }
      const { failure } = judged;
      if (request.scope.stopped) return failed({ ...failure, ...STOPPED }, tally);
      if (failure.lacks && (await server.lacks(failure.lacks, request.scope))) {
        tally.note(`without_${failure.lacks}`, failure.message);
        continue;
      }
      if (failure.outOfMemory) {
        const window = server.lowerWindow(this.opening, asked);
        if (window === undefined) return failed({ ...failure, message: `${failure.message} (${windowWords(asked)})` }, tally);
        tally.note('window_lowered', `${failure.message}; asked again with a window of ${window} tokens instead of ${asked}`);
        continue;
      }
      ladder ??= this.ladderFor(request);
      const retry = ladder.next(failure);
      if (!retry) return failed(failure, tally);
      tally.note(`retried_${failure.kind}`, `asked again: ${retry.notice}`);
      if (failure.loading) request.onDelta?.({ type: 'waiting', ahead: 0 });
      await pause(retry.afterMs, request.scope);
      variation = retry.variation;
      if (variation.actionMode) this.enterActionMode(tally);
    }
  }

  private ladderFor({ withTools }: ReplyRequest): RetryLadder {
    const { settings, traits } = this.server;
    return new RetryLadder({
      pauseMs: settings.retryPauseMs ?? 1_000,
      loadingMs: settings.loadingMs ?? 180_000,
      canThink: traits?.thinking !== false && settings.think !== false,
      canAct: withTools && this.toolNames.size > 0 && this.actions === undefined,
    });
  }

  /** Rare: it writes the history anew, in words that a model without tool calls can follow. */
  private enterActionMode(tally: ReplyTally): void {
    if (this.actions) return;
    const { tools, system } = this.opening;
    this.actions = { any: actionSchema(tools), answer: actionSchema([]) };
    this.system = `${system}\n\n${actionInstructions(tools)}`.trimStart();
    this.history.recode(ACTION_ENCODING, this.system);
    tally.note('action_mode', `${this.server.name} is asked for its actions as JSON instead of tool calls`);
  }

  /** One request, once the gate has a place for it. The place is given back when the server is free of it. */
  private async attempt(request: ReplyRequest, variation: Variation, tally: ReplyTally): Promise<ChatResult> {
    const { server } = this;
    const { scope, onDelta } = request;
    const entered = server.gate.enter(scope);
    if (entered !== true) {
      onDelta?.({ type: 'waiting', ahead: server.gate.waiting - 1 + server.gate.limit });
      const since = performance.now();
      const came = await entered;
      tally.queueMs += performance.now() - since;
      if (!came) return { ok: false, failure: STOPPED };
    }
    tally.tries++;
    const tail = variation.nudge ? Buffer.from(`,${JSON.stringify({ role: 'user', content: variation.nudge })}]}`) : TAIL;
    const shape = this.shapeFor(request, variation);
    const history = this.history.bytes();
    tally.sentBytes = this.heads.sizeFor(shape.withTools) + history.length + tail.length;
    return streamChat({
      send: server.send,
      addressee: server.addressee,
      path: server.dialect.path,
      ...(server.dialect.headers ? { headers: server.dialect.headers } : {}),
      body: [this.heads.headFor(shape), history, tail],
      scope,
      watchdogs: server.watchdogs,
      reader: server.openReader(this.actions && onDelta ? withoutText(onDelta) : onDelta),
      ...(onDelta ? { onQuiet: () => onDelta({ type: 'waiting', ahead: 0 }) } : {}),
      onReleased: server.leaveGate,
    });
  }

  private shapeFor({ withTools }: ReplyRequest, variation: Variation): RequestShape {
    if (!this.actions) return { withTools, variation };
    return { withTools: false, format: withTools ? this.actions.any : this.actions.answer, variation };
  }

  private judge(result: ChatResult, request: ReplyRequest, tally: ReplyTally): Judged {
    if (!result.ok) return result;
    const { answer } = result;
    const { server, meter } = this;
    tally.finish(result);
    if (answer.remoteHost && !server.settings.allowRemote) return { ok: false, failure: remoteRefusal(server.name, answer.remoteHost) };
    const windowTokens = server.windowFor(this.opening);
    if (meter.take(tally.sentBytes, windowTokens, answer) === 'cut') {
      const promptTokens = meter.estimate(tally.sentBytes);
      return {
        ok: false,
        failure: { kind: 'context_overflow', message: cutMessage(answer.inputTokens), promptTokens, windowTokens },
      };
    }
    const offered = request.withTools ? this.toolNames : NO_TOOLS;
    const read = readAnswer(answer, { offered, asAction: this.actions !== undefined, nextId: this.nextId });
    if (!read.ok) return read;
    if (read.notice) tally.notices.push(read.notice);
    if (this.actions && read.message.content !== '') request.onDelta?.({ type: 'text', text: read.message.content });
    if (this.replies++ > 0 && (tally.loadMs ?? 0) > RELOAD_MS)
      tally.note('model_reloaded', 'the server loaded the model anew: does another program use it?');
    return { ok: true, message: read.message, finish: read.finish, usage: tally.usage(), notices: tally.notices };
  }
}

function withoutText(onDelta: (delta: Delta) => void): (delta: Delta) => void {
  return (delta) => {
    if (delta.type !== 'text') onDelta(delta);
  };
}

function windowWords(tokens: number): string {
  return Number.isFinite(tokens) ? `the window asked for has ${tokens} tokens` : 'the server sets the window itself';
}

function cutMessage(counted: number | undefined): string {
  return `the server cut the prompt to fit its window (it read ${counted} tokens); the answer was thrown away`;
}

function failed(given: DescribedFailure, tally: ReplyTally): ModelReply {
  const { lacks: _, beforeAnswer: __, loading: ___, retryAfterMs: ____, outOfMemory: _____, ...failure } = given;
  return { ok: false, failure, usage: tally.usage(), notices: tally.notices };
}
