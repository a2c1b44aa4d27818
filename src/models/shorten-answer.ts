import { estimateTokens } from '../core/usage.ts';

const REST = 'More was found than is told here.';

/** How many tokens a message leaves an answer that was too long; `undefined` when it does not speak of that. */
export function tokensLeftBy(message: string): number | undefined {
  const found = /again in at most (\d+) tokens/.exec(message)?.[1];
  return found === undefined ? undefined : Number(found);
}

/**
 * The beginning of an answer, in whole sentences and lines, with a last line that says that it is not all. An answer
 * whose first sentence is too long, and one that fits, stay as they are.
 */
export function shortenAnswer(text: string, mostTokens: number): string {
  if (estimateTokens(text) <= mostTokens) return text;
  let kept = '';
  for (const piece of text.split(/(?<=\n)|(?<=[.!?]) (?=[A-Z`])/)) {
    const next = kept === '' || kept.endsWith('\n') ? kept + piece : `${kept} ${piece}`;
    if (estimateTokens(`${next.trimEnd()}\n\n${REST}`) > mostTokens) break;
    kept = next;
  }
  // A heading whose list did not fit says nothing.
  const whole = kept
    .trimEnd()
    .replace(/(?:^|\n)[^\n]*:$/, '')
    .trimEnd();
  return whole === '' ? text : `${whole}\n\n${REST}`;
}
