import { isStopWord, searchWords } from '../core/search-words.ts';
import type { Skill } from '../core/skill.ts';

/** Words of a question that a skill's use has to hold, weighed by how few skills hold them. */
const LEAST_WORDS = 2;
const LEAST_LEAD = 1.2;

/** The skill that a question calls for, where one clearly fits better than the rest; by the words of when to use it. */
export function chooseSkill(question: string, skills: readonly Skill[]): Skill | undefined {
  const asked = new Set(searchWords(question).filter((word) => !isStopWord(word)));
  const held = skills.map((skill) => new Set(searchWords(`${skill.name} ${skill.whenToUse}`)));
  const scores = held.map((words) => {
    const shared = [...asked].filter((word) => words.has(word));
    const weight = shared.reduce((sum, word) => sum + 1 / held.filter((one) => one.has(word)).length, 0);
    return { words: shared.length, weight };
  });
  const order = scores.map((score, index) => ({ ...score, index })).toSorted((a, b) => b.weight - a.weight);
  const [first, second] = order;
  if (!first || first.words < LEAST_WORDS || first.weight < (second?.weight ?? 0) * LEAST_LEAD) return undefined;
  return skills[first.index];
}
