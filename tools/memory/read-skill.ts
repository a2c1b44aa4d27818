import { z } from 'zod';
import { suggestName } from '../../src/core/nearest.ts';
import { defineTool } from '../../src/core/tool.ts';
import { complete, refused } from '../../src/core/tool-result.ts';
import { noMemory } from './no-memory.ts';

/** Reads a procedure that people wrote. */
export const readSkill = defineTool({
  name: 'read_skill',
  description:
    'Reads a skill: a procedure that people wrote for a kind of question, such as slow runs, late data, duplicate rows or schema drift. Call it without a name to see which there are and when to use each.',
  input: z.object({ name: z.string().optional().describe('Name of the skill; all are listed without it') }),
  output: z.object({
    skills: z.array(z.object({ name: z.string(), when_to_use: z.string() })).optional(),
    name: z.string().optional(),
    text: z.string().optional(),
  }),
  effect: 'read',
  example: {},
  async run({ name }, { memory, now }) {
    if (!memory) return noMemory();
    const { skills } = memory;
    if (name === undefined) {
      const list = skills.map((skill) => ({ name: skill.name, when_to_use: skill.whenToUse }));
      return complete({ skills: list }, { asOf: now(), total: list.length, returned: list.length });
    }
    const skill = skills.find((one) => one.name === name);
    if (!skill)
      return refused(
        'unknown_skill',
        `there is no skill "${name}"; ${suggestName(
          name,
          skills.map((one) => one.name),
        )}`,
      );
    return complete({ name: skill.name, text: skill.text }, { asOf: now() });
  },
});
