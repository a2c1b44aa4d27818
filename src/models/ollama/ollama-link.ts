import { Gate } from '../../core/gate.ts';
import type { ConversationOpening, ModelFailure } from '../../core/model.ts';
import type { Scope } from '../../core/scope.ts';
import { DEFAULT_WATCHDOGS, type Watchdogs } from '../transport/exchange.ts';
import { HttpTransport } from '../transport/http-transport.ts';
import type { Addressee } from './describe-failure.ts';
import { isCloudName, type ModelTraits, readTraits } from './model-traits.ts';
import type { OllamaSettings } from './ollama-settings.ts';
import { hostForDisplay } from './resolve-host.ts';

const INSPECT_MS = 5_000;

/** What all conversations with one model of one server share: the connections, the gate, and what was learnt. */
export class OllamaLink {
  readonly name: string;
  readonly host: string;
  readonly settings: OllamaSettings;
  readonly gate: Gate;
  readonly transport: HttpTransport;
  readonly watchdogs: Watchdogs;
  readonly addressee: Addressee;
  readonly leaveGate: () => void;
  /** What the server said of the model, once it was asked; what its answers taught overrides it. */
  traits: ModelTraits | undefined;
  private cleared = false;

  constructor(name: string, host: string, settings: OllamaSettings, gate: Gate | undefined) {
    this.name = name;
    this.host = host;
    this.settings = settings;
    this.gate = gate ?? new Gate(settings.parallel ?? 1);
    this.transport = new HttpTransport(host);
    this.watchdogs = { ...DEFAULT_WATCHDOGS, ...settings.watchdogs };
    this.addressee = { model: name, host: hostForDisplay(host) };
    this.leaveGate = () => this.gate.leave();
    if (settings.inspect === false) this.traits = {};
  }

  /** Whether it is settled that prompts may be sent. */
  get isCleared(): boolean {
    return this.cleared;
  }

  /** Learns about the model if nothing is known; a failure says why no prompt may be sent. */
  async learn(scope: Scope): Promise<ModelFailure | undefined> {
    const refusal = await this.lookForRefusal(scope);
    this.cleared = refusal === undefined;
    return refusal;
  }

  private async lookForRefusal(scope: Scope): Promise<ModelFailure | undefined> {
    if (isCloudName(this.name) && !this.settings.allowRemote) return this.refusal('ollama.com');
    if (!this.traits) {
      const { transport, host, name, watchdogs } = this;
      const limits = {
        ...watchdogs,
        firstByteMs: Math.min(watchdogs.firstByteMs, INSPECT_MS),
        stallMs: Math.min(watchdogs.stallMs, INSPECT_MS),
      };
      const learnt = await readTraits({ transport, host, model: name, scope, watchdogs: limits });
      if ('failure' in learnt) return learnt.failure;
      this.traits = learnt;
    }
    if (this.traits.remoteHost && !this.settings.allowRemote) return this.refusal(this.traits.remoteHost);
    if (this.traits.chat === false) {
      return {
        kind: 'bad_request',
        message: `${this.name} is not a chat model (it only makes embeddings)`,
        fix: 'choose a chat model, see `ollama list`',
      };
    }
    return undefined;
  }

  /** The window to ask for: what the agent wants, no more than the settings and the model allow. */
  windowFor(opening: ConversationOpening): number {
    const { contextTokens = Number.POSITIVE_INFINITY } = this.settings;
    return Math.min(opening.contextTokens, contextTokens, this.traits?.trainedWindow ?? Number.POSITIVE_INFINITY);
  }

  refusal(remoteHost: string): ModelFailure {
    return {
      kind: 'refused',
      message: `${this.name} does not run here but on ${remoteHost}; no prompt was sent`,
      fix: 'choose a local model, or allow remote models in the settings (allow_remote: true)',
    };
  }
}
