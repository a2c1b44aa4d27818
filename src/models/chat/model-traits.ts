import type { Lacking } from './describe-error-text.ts';

/** What is known of a model. Absent means unknown: an older server, or one that does not say. */
export interface ModelTraits extends Readonly<Partial<Record<Lacking, boolean>>> {
  /** The window the model was trained for, or the one its server runs it with, in tokens. */
  readonly trainedWindow?: number;
  readonly chat?: boolean;
  readonly embedding?: boolean;
  /** The machine that really runs the model, when it is not the server's own. */
  readonly remoteHost?: string;
}
