import type { ConversationOpening, JsonSchema } from '../../core/model.ts';
import type { RequestShape } from './dialect.ts';
import type { ModelTraits } from './model-traits.ts';
import type { Variation } from './retry-ladder.ts';
import type { ServerLink } from './server-link.ts';

const PLAIN: Variation = {};

/** The fronts of a conversation's requests: compiled once, with and without tools, and anew only for a retry. */
export class RequestHeads {
  private readonly server: ServerLink;
  private readonly opening: ConversationOpening;
  private traits: ModelTraits | undefined;
  private withTools: Buffer | undefined;
  private withoutTools: Buffer | undefined;
  private withFormat: { readonly format: JsonSchema; readonly head: Buffer } | undefined;
  private toolBytes: number | undefined;

  constructor(server: ServerLink, opening: ConversationOpening) {
    this.server = server;
    this.opening = opening;
  }

  /** Bytes of what the model reads of the front: the tools. */
  sizeFor(withTools: boolean): number {
    if (!withTools) return 0;
    this.forget();
    this.toolBytes ??= this.plainHead(true).length - this.plainHead(false).length;
    return this.toolBytes;
  }

  headFor(shape: RequestShape): Buffer {
    this.forget();
    const { withTools, format, variation } = shape;
    const { seed, warmer, think, moreOutput } = variation;
    if (seed !== undefined || warmer || think !== undefined || moreOutput) return this.compile(shape);
    if (!format) return this.plainHead(withTools);
    if (this.withFormat?.format !== format) this.withFormat = { format, head: this.compile(shape) };
    return this.withFormat.head;
  }

  /** What was learnt of the model since changes what may be asked of it. */
  private forget(): void {
    if (this.traits === this.server.traits) return;
    this.traits = this.server.traits;
    this.withTools = undefined;
    this.withoutTools = undefined;
    this.withFormat = undefined;
    this.toolBytes = undefined;
  }

  private plainHead(withTools: boolean): Buffer {
    if (withTools) {
      this.withTools ??= this.compile({ withTools, variation: PLAIN });
      return this.withTools;
    }
    this.withoutTools ??= this.compile({ withTools, variation: PLAIN });
    return this.withoutTools;
  }

  private compile(shape: RequestShape): Buffer {
    return this.server.dialect.compileHead(this.server, this.opening, shape);
  }
}
