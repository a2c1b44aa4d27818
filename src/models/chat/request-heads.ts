import type { ConversationOpening } from '../../core/model.ts';
import type { RequestShape } from './dialect.ts';
import type { ModelTraits } from './model-traits.ts';
import type { ServerLink } from './server-link.ts';

const PLAIN = {};

/** The fronts of a conversation's requests: compiled once, with and without tools, and anew only for a retry. */
export class RequestHeads {
  private readonly server: ServerLink;
  private readonly opening: ConversationOpening;
  private traits: ModelTraits | undefined;
  private readonly compiled = new Map<string, Buffer>();

  constructor(server: ServerLink, opening: ConversationOpening) {
    this.server = server;
    this.opening = opening;
  }

  /** Bytes of what the model reads of the front: the tools. */
  sizeFor(withTools: boolean): number {
    if (!withTools) return 0;
    return this.headFor({ withTools, variation: PLAIN }).length - this.headFor({ withTools: false, variation: PLAIN }).length;
  }

  headFor(shape: RequestShape): Buffer {
    if (this.traits !== this.server.traits) {
      this.traits = this.server.traits;
      this.compiled.clear();
    }
    const { seed, warmer, think, moreOutput } = shape.variation;
    if (seed !== undefined || warmer || think !== undefined || moreOutput)
      return this.server.dialect.compileHead(this.server, this.opening, shape);
    const key = `${shape.withTools}${shape.format !== undefined}`;
    const known = this.compiled.get(key);
    if (known) return known;
    const head = this.server.dialect.compileHead(this.server, this.opening, shape);
    this.compiled.set(key, head);
    return head;
  }
}
