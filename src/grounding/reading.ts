import type { Match } from './match-figure.ts';
import type { Mention } from './mention.ts';
import type { Context } from './read-context.ts';

/** A figure with its readings: all of its number, and those of them that stand. */
export interface Reading {
  readonly mention: Mention;
  readonly context: Context;
  readonly matches: readonly Match[];
  readonly accepted: readonly Match[];
}
