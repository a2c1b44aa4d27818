import { readFile, stat } from 'node:fs/promises';
import { z } from 'zod';
import type { Problem } from '../core/errors.ts';
import type { Skill } from '../core/skill.ts';
import { readYamlText } from './read-yaml.ts';
import { schemaProblems } from './schema-problems.ts';

const MOST_CHARACTERS = 20_000;

export const skillSchema = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9-]{0,63}$/, 'must begin with a lower-case letter and hold only a-z, 0-9 and "-"'),
  description: z.string().trim().min(1).max(300),
  when_to_use: z.string().trim().min(1).max(600),
});

export interface SkillFile {
  readonly file: string;
  readonly label: string;
  readonly shipped: boolean;
}

export interface SkillReading {
  readonly skill?: Skill;
  /** `file:line:column` of its name, for a clash. */
  readonly where: string;
  readonly problems: readonly Problem[];
}

/** Reads a Markdown file that begins with front matter between two lines `---`; never throws for what it holds. */
export async function loadSkill({ file, label, shipped }: SkillFile): Promise<SkillReading> {
  const top = `${label}:1:1`;
  const wrong = (fact: string, fix: string): SkillReading => ({ where: top, problems: [{ where: top, fact, fix }] });
  const text = await readSkillText(file);
  if (typeof text !== 'string') return wrong(text.fact, text.fix);
  const parts = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)^---[ \t]*(?:\r?\n|$)/m.exec(text);
  if (parts?.index !== 0) return wrong('the file has no front matter', 'begin it with ---, name, description, when_to_use, ---');
  // The opening line stays as an empty one, so that the places of problems are those of the file.
  const { document, problems } = await readYamlText(`\n${parts[1] ?? ''}`, {
    file,
    label,
    rules: { environment: {}, isLiteral: () => true },
  });
  if (!document) return { where: top, problems };
  const parsed = skillSchema.safeParse(document.value);
  const body = text.slice(parts[0].length).trim();
  const line = (parts[0].match(/\n/g)?.length ?? 0) + 1;
  const empty =
    body === '' ? [{ where: `${label}:${line}:1`, fact: 'the skill says nothing', fix: 'write the procedure below the front matter' }] : [];
  const found = [...problems, ...(parsed.success ? [] : schemaProblems(skillSchema, parsed.error, document)), ...empty];
  const where = document.where(['name']);
  if (!parsed.success || empty.length > 0) return { where, problems: found };
  const { name, description, when_to_use: whenToUse } = parsed.data;
  return { skill: { name, description, whenToUse, text: body, file, shipped }, where, problems: found };
}

async function readSkillText(file: string): Promise<string | { readonly fact: string; readonly fix: string }> {
  try {
    if ((await stat(file)).size > MOST_CHARACTERS * 4) return tooLong();
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file));
    return text.length > MOST_CHARACTERS ? tooLong() : text;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return { fact: 'the file is not UTF-8 text', fix: 'save it as UTF-8' };
    return { fact: `the file cannot be read (${code ?? 'unknown reason'})`, fix: 'check the path and its permissions' };
  }
}

function tooLong(): { readonly fact: string; readonly fix: string } {
  return { fact: `the skill is longer than ${MOST_CHARACTERS} characters`, fix: 'split it: what an agent reads fills its window' };
}

/** The skills of a project: its own first, then the shipped ones that no own one replaces. */
export async function loadSkills(
  files: readonly SkillFile[],
): Promise<{ readonly skills: readonly Skill[]; readonly problems: readonly Problem[] }> {
  const readings = await Promise.all(files.map(loadSkill));
  const problems = readings.flatMap((reading) => reading.problems);
  const byName = new Map<string, SkillReading>();
  for (const reading of readings) {
    const { skill } = reading;
    if (!skill) continue;
    const first = byName.get(skill.name);
    if (!first) byName.set(skill.name, reading);
    else if (!skill.shipped) {
      problems.push({
        where: reading.where,
        fact: `skill "${skill.name}" is declared twice, first at ${first.where}`,
        fix: 'rename one of them',
      });
    }
  }
  return { skills: [...byName.values()].flatMap(({ skill }) => (skill ? [skill] : [])), problems };
}
