import { isCitedBy } from './cited-for.ts';
import type { Citation } from './mask-text.ts';
import type { Quote } from './match-name.ts';
import { splitSentences } from './read-context.ts';
import type { GroundingResult } from './result-index.ts';

const MARK = ' / ';
const LONGEST = 8;
const LEAST_LENGTH = 7;

interface Sentence {
  readonly start: number;
  readonly text: string;
  readonly cited: readonly string[];
}

interface Tuple {
  readonly text: string;
  readonly path: string;
}

/**
 * Keys and rows that the answer writes as one, "T12 / 80 / ok", and that stand so in a result, cell by cell. Where the
 * sentence cites results, in one of those.
 */
export function findTuples(answer: string, results: readonly GroundingResult[], citations: readonly Citation[]): Quote[] {
  if (!answer.includes(MARK)) return [];
  const sentences = splitSentences(answer)
    .map(({ start, end }): Sentence => {
      const own = citations.filter((citation) => citation.start >= start && citation.start < end);
      return { start, text: answer.slice(start, end), cited: own.flatMap(({ ids }) => ids) };
    })
    .filter(({ text }) => text.includes(MARK));
  return results.flatMap((held, result) => {
    const open = sentences.filter(({ cited }) => cited.length === 0 || isCitedBy(held, cited));
    if (!held.informative || open.length === 0) return [];
    return tuplesOf(held.whole ?? held.content).flatMap((tuple) => open.flatMap((sentence) => placesOf(tuple, sentence, result)));
  });
}

/** All lists of a result that hold two to eight plain values, and nothing else. */
function tuplesOf(content: string): Tuple[] {
  const found: Tuple[] = [];
  const visit = (value: unknown, path: string): void => {
    if (value === null || typeof value !== 'object') return;
    if (Array.isArray(value) && value.length >= 2 && value.length <= LONGEST && value.every(isPlain)) {
      for (const text of stretchesOf(value.map(String))) if (text.length >= LEAST_LENGTH) found.push({ text, path });
    } else if (Array.isArray(value)) for (const [at, child] of value.entries()) visit(child, `${path}[${at}]`);
    else for (const [key, child] of Object.entries(value)) visit(child, path === '' ? key : `${path}.${key}`);
  };
  try {
    visit(JSON.parse(content), '');
  } catch {
    // A text holds no lists.
  }
  return found;
}

/** The whole row, and what stands side by side in it where a name is among it. */
function stretchesOf(cells: readonly string[]): string[] {
  return cells
    .flatMap((_, from) => cells.slice(from + 1).map((__, more) => cells.slice(from, from + 2 + more)))
    .filter((part) => part.length === cells.length || part.some((cell) => /\p{L}{2}/u.test(cell)))
    .map((part) => part.join(MARK));
}

function isPlain(value: unknown): boolean {
  return value === null || typeof value === 'number' || typeof value === 'boolean' || (typeof value === 'string' && value !== '');
}

function placesOf({ text, path }: Tuple, sentence: Sentence, result: number): Quote[] {
  const found: Quote[] = [];
  for (let at = sentence.text.indexOf(text); at >= 0; at = sentence.text.indexOf(text, at + text.length)) {
    const before = sentence.text.slice(Math.max(0, at - MARK.length), at);
    const behind = sentence.text.slice(at + text.length, at + text.length + MARK.length);
    if (/[\p{L}\p{N}_.-]$/u.test(before) || before === MARK || /^(?:[\p{L}\p{N}_-]|[.,]\d)/u.test(behind) || behind === MARK) continue;
    found.push({ result, path, start: sentence.start + at, end: sentence.start + at + text.length });
  }
  return found;
}
