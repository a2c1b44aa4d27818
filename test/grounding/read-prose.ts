import { readdirSync, readFileSync } from 'node:fs';
import type { GroundingInput } from '../../src/grounding/ground-answer.ts';
import type { GroundingResult } from '../../src/grounding/result-index.ts';

/**
 * Answers in free prose, all of whose figures are right, each with the results of a recorded session behind it:
 * `NAME.jsonl` holds the question and the results as the tools gave them, `NAME.md` the answers, parted by `---`.
 */
export function readProse(): (GroundingInput & { readonly name: string })[] {
  const folder = new URL('./prose/', import.meta.url);
  return readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .sort()
    .flatMap((file) => {
      const name = file.slice(0, -3);
      const [head = '{}', ...lines] = readFileSync(new URL(`${name}.jsonl`, folder), 'utf8').trim().split('\n');
      const { question } = JSON.parse(head) as { question: string };
      const results = lines.map((line) => JSON.parse(line) as GroundingResult);
      const answers = readFileSync(new URL(file, folder), 'utf8').split(/^---\n/m);
      return answers.map((answer, at) => ({ name: `${name} ${at + 1}`, question, results, answer: answer.trim() }));
    });
}
