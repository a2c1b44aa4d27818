import { readdirSync, readFileSync } from 'node:fs';
import type { GroundingInput } from '../../src/grounding/ground-answer.ts';
import type { GroundingResult } from '../../src/grounding/result-index.ts';

/** An answer all of whose figures are right. */
export interface RightAnswer extends GroundingInput {
  readonly name: string;
}

/**
 * Answers to the results of recorded sessions: `NAME.jsonl` holds the question and the results as the tools gave them, and
 * `NAME.rules.md` the answer of the shipped rules; both are what `scripts/record-grounding.ts` writes of a session on the bundled example
 * (`failures`, `logs`, `shipments`, `slow-run`, `tables`) or on a case of `test/cases`, with the rules as they were then. `NAME.md`
 * holds answers in free prose, parted by `---`: written by hand, the way a language model writes, and right by the results.
 */
export function readProse(by: 'hand' | 'rules'): RightAnswer[] {
  const folder = new URL('./prose/', import.meta.url);
  return readdirSync(folder)
    .filter((name) => name.endsWith('.md') && name.endsWith('.rules.md') === (by === 'rules'))
    .sort()
    .flatMap((file) => {
      const [name = ''] = file.split('.');
      const [head = '{}', ...lines] = readFileSync(new URL(`${name}.jsonl`, folder), 'utf8')
        .trim()
        .split('\n');
      const { question } = JSON.parse(head) as { question: string };
      const results = lines.map((line) => JSON.parse(line) as GroundingResult);
      const answers = readFileSync(new URL(file, folder), 'utf8').split(/^---\n/m);
      return answers.map((answer, at) => ({ name: `${name} ${at + 1}`, question, results, answer: answer.trim() }));
    });
}
