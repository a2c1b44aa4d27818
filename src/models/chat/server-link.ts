import { Gate } from '../../core/gate.ts';
import type { ConversationOpening, Delta, ModelFailure } from '../../core/model.ts';
import type { Scope } from '../../core/scope.ts';
import { DEFAULT_WATCHDOGS, type ExchangeOutcome, type ExchangeRequest, type Watchdogs } from '../transport/exchange.ts';
import { HttpTransport } from '../transport/http-transport.ts';
import type { Addressee, ServerHints } from './addressee.ts';
import type { AnswerReader } from './answer-reader.ts';
import type { Lacking } from './describe-error-text.ts';
import type { Dialect } from './dialect.ts';
import { hostForDisplay } from './host-for-display.ts';
import type { ModelTraits } from './model-traits.ts';
import { remoteRefusal } from './remote-refusal.ts';
import type { ServerSettings } from './server-settings.ts';
import { type Calibration, firstCalibration } from './token-meter.ts';
import type { TraitMemory } from './trait-memory.ts';

const INSPECT_MS = 5_000;

export interface LinkOptions {
  readonly name: string;
  /** Absolute URL. */
  readonly host: string;
  readonly settings: ServerSettings;
  readonly hints: ServerHints;
  readonly dialect: Dialect;
  readonly gate: Gate | undefined;
  readonly memory: TraitMemory | undefined;
}

/** One model of one server, as its conversations share it: the connections, the gate, and what was learnt. */
export class ServerLink {
  readonly name: string;
  readonly host: string;
  readonly settings: ServerSettings;
  readonly dialect: Dialect;
  readonly gate: Gate;
  readonly transport: HttpTransport;
  readonly watchdogs: Watchdogs;
  readonly addressee: Addressee;
  readonly calibration: Calibration = firstCalibration();
  readonly leaveGate: () => void;
  readonly send: (request: ExchangeRequest) => Promise<ExchangeOutcome>;
  /** What the server said of the model, once it was asked; what its answers taught overrides it. */
  traits: ModelTraits | undefined;
  /** The window the server gives the model, where it turned out smaller than what was asked for. */
  loadedWindow: number | undefined;
  private readonly memory: TraitMemory | undefined;
  private cleared = false;
  private lookedAtWindow = false;
  private loweredWindow = false;
  private answered = false;

  constructor({ name, host, settings, hints, dialect, gate, memory }: LinkOptions) {
    this.name = name;
    this.host = host;
    this.settings = settings;
    this.dialect = dialect;
    this.memory = memory;
    this.gate = gate ?? new Gate(settings.parallel ?? 1);
    this.transport = new HttpTransport(host);
    this.watchdogs = { ...DEFAULT_WATCHDOGS, ...settings.watchdogs };
    this.addressee = { model: name, host: hostForDisplay(host), hints };
    this.leaveGate = () => this.gate.leave();
    this.send = (request) => dialect.send(this, request);
    if (settings.inspect === false) this.traits = {};
  }

  /** Whether it is settled that prompts may be sent. */
  get isCleared(): boolean {
    return this.cleared;
  }

  /** Watchdogs for questions that a server answers at once. */
  get inspection(): Watchdogs {
    const { watchdogs } = this;
    return {
      ...watchdogs,
      firstByteMs: Math.min(watchdogs.firstByteMs, INSPECT_MS),
      stallMs: Math.min(watchdogs.stallMs, INSPECT_MS),
    };
  }

  windowFor(opening: ConversationOpening): number {
    return Math.min(this.dialect.windowFor(this, opening), this.loadedWindow ?? Number.POSITIVE_INFINITY);
  }

  openReader(onDelta: ((delta: Delta) => void) | undefined): AnswerReader {
    return this.dialect.openReader(onDelta, this.settings.detectLoops !== false);
  }

  /** Learns about the model if nothing is known; a failure says why no prompt may be sent. */
  async learn(scope: Scope): Promise<ModelFailure | undefined> {
    const refusal = await this.lookForRefusal(scope);
    this.cleared = refusal === undefined;
    return refusal;
  }

  /** The model lacks something: later requests leave it out. False when that was known before. */
  async lacks(what: Lacking, scope: Scope): Promise<boolean> {
    if (this.traits?.[what] === false) return false;
    this.traits = { ...this.traits, [what]: false };
    const digest = this.memory && (await this.dialect.readDigest?.(this, scope));
    if (digest === undefined) return true;
    const before = this.memory?.recall(this.memoryKey);
    const known = before?.digest === digest ? before.lacks : [];
    this.memory?.remember(this.memoryKey, { digest, lacks: [...new Set([...known, what])] });
    return true;
  }

  /**
   * The model does not fit into memory with the window that was asked for: from here on it gets half of it. Only once, and
   * only before its first answer, since a window that changes within a run has the model loaded anew. Answers the window to
   * try with, if another is worth it.
   */
  lowerWindow(opening: ConversationOpening, asked: number): number | undefined {
    const { leastWindow } = this.dialect;
    const window = this.windowFor(opening);
    // Another conversation has lowered it while this one was waiting.
    if (window < asked) return window;
    if (leastWindow === undefined || this.answered || this.loweredWindow || window <= leastWindow) return undefined;
    this.loweredWindow = true;
    const lowered = Math.max(leastWindow, Math.floor(window / 2));
    this.traits = { ...this.traits, trainedWindow: lowered };
    return lowered;
  }

  /** Looks once, after the first good reply, whether the server gave the window it was asked for. */
  lookAtWindow(scope: Scope): Promise<void> | undefined {
    this.answered = true;
    if (this.lookedAtWindow || this.traits?.trainedWindow !== undefined || this.settings.inspect === false) return undefined;
    this.lookedAtWindow = true;
    return this.dialect.readLoadedWindow?.(this, scope).then((tokens) => {
      this.loadedWindow = tokens;
    });
  }

  private async lookForRefusal(scope: Scope): Promise<ModelFailure | undefined> {
    if (!this.traits) {
      const learnt = await this.dialect.inspect(this, scope);
      if ('failure' in learnt) return learnt.failure;
      this.traits = { ...learnt, ...(await this.recallLacks(scope)) };
    }
    const { remoteHost, chat } = this.traits;
    if (remoteHost && !this.settings.allowRemote) return remoteRefusal(this.name, remoteHost);
    if (chat === false) {
      return {
        kind: 'bad_request',
        message: `${this.name} is not a chat model (it only makes embeddings)`,
        fix: 'choose a chat model, see `ollama list`',
      };
    }
    return undefined;
  }

  /** What an earlier run learnt, if the model is still the same. */
  private async recallLacks(scope: Scope): Promise<ModelTraits> {
    const known = this.memory?.recall(this.memoryKey);
    if (!known || (await this.dialect.readDigest?.(this, scope)) !== known.digest) return {};
    return Object.fromEntries(known.lacks.map((what) => [what, false]));
  }

  private get memoryKey(): string {
    return `${this.addressee.host} ${this.name}`;
  }
}
