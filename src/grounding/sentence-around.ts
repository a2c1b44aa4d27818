import type { Mention } from './mention.ts';

const ENDS = /\n|[.!?]\s/;

/** The text before and behind a figure in its sentence. */
export function sentenceAround({ start, end }: Mention, text: string): { readonly before: string; readonly behind: string } {
  return { before: text.slice(0, start).split(ENDS).at(-1) ?? '', behind: text.slice(end).split(ENDS, 1)[0] ?? '' };
}
