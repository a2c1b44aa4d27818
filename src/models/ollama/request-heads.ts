import type { ConversationOpening } from '../../core/model.ts';
import type { ModelTraits } from './model-traits.ts';
import type { OllamaLink } from './ollama-link.ts';
import { compileHead } from './request-head.ts';
import type { Variation } from './retry-ladder.ts';

const THINKING_ROOM = 2_048;
const WARMER = 0.3;

/** The fronts of a conversation's requests: compiled once, with and without tools, and anew only for a retry. */
export class RequestHeads {
  private readonly link: OllamaLink;
  private readonly opening: ConversationOpening;
  private traits: ModelTraits | undefined;
  private withTools: Buffer | undefined;
  private withoutTools: Buffer | undefined;

  constructor(link: OllamaLink, opening: ConversationOpening) {
    this.link = link;
    this.opening = opening;
  }

  get windowTokens(): number {
    return this.link.windowFor(this.opening);
  }

  get canThink(): boolean {
    return this.link.traits?.thinking !== false && this.link.settings.think !== false;
  }

  get lacksTools(): boolean {
    return this.link.traits?.tools === false;
  }

  /** Bytes of the usual front. */
  get size(): number {
    return this.headFor(true, {}).length;
  }

  headFor(withTools: boolean, variation: Variation): Buffer {
    if (this.traits !== this.link.traits) {
      this.traits = this.link.traits;
      this.withTools = undefined;
      this.withoutTools = undefined;
    }
    if (Object.keys(variation).some((key) => key !== 'nudge')) return this.compile(withTools, variation);
    if (withTools) {
      this.withTools ??= this.compile(true, variation);
      return this.withTools;
    }
    this.withoutTools ??= this.compile(false, variation);
    return this.withoutTools;
  }

  private compile(withTools: boolean, variation: Variation): Buffer {
    const { settings, traits, name } = this.link;
    const { temperature, seed, keepAlive = '30m', options = {} } = settings;
    return compileHead({
      model: name,
      tools: withTools && !this.lacksTools ? this.opening.tools : [],
      windowTokens: this.windowTokens,
      outputTokens: this.outputTokens(variation),
      keepAlive,
      think: traits?.thinking === false ? undefined : (variation.think ?? settings.think),
      temperature: variation.warmer ? Math.min(1, (temperature ?? 0.4) + WARMER) : temperature,
      seed: variation.seed === undefined ? seed : (seed ?? 0) + 1_000 + variation.seed,
      options,
    });
  }

  /** The agent's limit, with room to reason before; never more than half the window, so that the prompt has the rest. */
  private outputTokens(variation: Variation): number {
    const thinks = this.link.traits?.thinking === true && this.link.settings.think !== false;
    const wanted = this.opening.maxOutputTokens + (thinks ? THINKING_ROOM : 0);
    const most = Math.max(1, Math.floor(this.windowTokens / 2));
    return Math.min(variation.moreOutput ? wanted * 2 : wanted, most);
  }
}
