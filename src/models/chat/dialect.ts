import type { ConversationOpening, Delta, JsonSchema, ModelFailure } from '../../core/model.ts';
import type { Scope } from '../../core/scope.ts';
import type { ExchangeOutcome, ExchangeRequest } from '../transport/exchange.ts';
import type { AnswerReader } from './answer-reader.ts';
import type { MessageEncoding } from './message-encoding.ts';
import type { ModelTraits } from './model-traits.ts';
import type { Variation } from './retry-ladder.ts';
import type { ServerLink } from './server-link.ts';

/** What one request of a conversation asks for. */
export interface RequestShape {
  readonly withTools: boolean;
  /** A schema that the whole answer must meet; never together with tools, which it would silence. */
  readonly format?: JsonSchema;
  readonly variation: Variation;
}

/** All that differs between kinds of model servers. */
export interface Dialect {
  readonly encoding: MessageEncoding;
  /** Path of a chat. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sends a chat over the link's transport. */
  send(link: ServerLink, request: ExchangeRequest): Promise<ExchangeOutcome>;
  /** What the server says of the model, or why no prompt may be sent. */
  inspect(link: ServerLink, scope: Scope): Promise<ModelTraits | { readonly failure: ModelFailure }>;
  /** Names the version of the model's files; `undefined` where the server does not tell. */
  readDigest?(link: ServerLink, scope: Scope): Promise<string | undefined>;
  /** The window the server really gives the loaded model, where it differs from what it was asked for. */
  readLoadedWindow?(link: ServerLink, scope: Scope): Promise<number | undefined>;
  /** Below this no window is lowered for want of memory; absent where a request does not say how large the window is to be. */
  readonly leastWindow?: number;
  /** The window the server is asked for, or known to have; infinite where it is not known. */
  windowFor(link: ServerLink, opening: ConversationOpening): number;
  /** The front of a request up to the bracket of its messages. */
  compileHead(link: ServerLink, opening: ConversationOpening, shape: RequestShape): Buffer;
  openReader(onDelta: ((delta: Delta) => void) | undefined, detectLoops: boolean): AnswerReader;
}
