import { readdirSync, readFileSync } from 'node:fs';
import type { FigureStatus } from '../../src/core/figure.ts';
import type { GroundingInput } from '../../src/grounding/ground-answer.ts';
import type { GroundingResult } from '../../src/grounding/result-index.ts';

/** An answer, the evidence it is checked against, and what each of its figures is by hand; `undefined` where it does not matter. */
export interface Pair {
  readonly file: string;
  readonly input: GroundingInput;
  readonly expected: readonly (FigureStatus | undefined)[];
}

const LETTERS: Readonly<Record<string, FigureStatus>> = { s: 'stated', d: 'derived', g: 'given', u: 'unsupported' };

/** All pairs of the folder; each file holds a question, its tool results, and one answer a line. */
export function readPairs(): Pair[] {
  const folder = new URL('./pairs/', import.meta.url);
  return readdirSync(folder)
    .filter((name) => name.endsWith('.txt'))
    .sort()
    .flatMap((name) => parse(name, readFileSync(new URL(name, folder), 'utf8')));
}

function parse(file: string, text: string): Pair[] {
  const pairs: Pair[] = [];
  const results: GroundingResult[] = [];
  let question = '';
  const lines = text.split('\n');
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const head = /^result: (\S+) (\S+) (complete|incomplete) (.*)$/.exec(line);
    if (line.startsWith('question: ')) question = line.slice(10);
    else if (head) results.push(resultOf(head, lines[++at] ?? ''));
    else if (line.includes('|')) {
      const bar = line.indexOf('|');
      const expected = line
        .slice(0, bar)
        .trim()
        .split(/\s+/)
        .map((letter) => LETTERS[letter]);
      pairs.push({
        file,
        input: {
          answer: line
            .slice(bar + 1)
            .trim()
            .replaceAll('\\n', '\n'),
          question,
          results,
        },
        expected,
      });
    }
  }
  return pairs;
}

function resultOf([, id = '', tool = '', whole, given = '{}']: RegExpExecArray, body: string): GroundingResult {
  const complete = whole === 'complete';
  const content = JSON.stringify({ id, tool, status: complete ? 'ok' : 'partial', complete, ...(JSON.parse(body) as object) });
  return { id, tool, arguments: JSON.parse(given) as Record<string, unknown>, complete, informative: true, content };
}
