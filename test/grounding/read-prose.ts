import { readdirSync, readFileSync } from 'node:fs';
import type { GroundingInput } from '../../src/grounding/ground-answer.ts';
import type { GroundingResult } from '../../src/grounding/result-index.ts';

/** An answer all of whose figures are right. */
export interface RightAnswer extends GroundingInput {
  readonly name: string;
}

/**
 * Answers to the results of recorded sessions: `NAME.jsonl` holds the question and the results as the tools gave them,
 * `NAME.md` answers in free prose, parted by `---`, and `NAME.rules.md` that of the shipped rules.
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
