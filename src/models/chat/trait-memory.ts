import type { Lacking } from './describe-error-text.ts';

/** What one version of a model turned out to lack. */
export interface KnownLacks {
  /** Of the model's files; another one means another model. */
  readonly digest: string;
  readonly lacks: readonly Lacking[];
}

/** What was learnt of models by trying, kept from one run to the next. Neither call throws. */
export interface TraitMemory {
  /** @param model host and name, as one text */
  recall(model: string): KnownLacks | undefined;
  remember(model: string, known: KnownLacks): void;
}
