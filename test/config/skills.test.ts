import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { loadProject } from '../../src/config/load-project.ts';
import { agentText, folderWith, linesOf, removeFolders } from './project-folder.ts';

afterAll(removeFolders);

const shipped = readdirSync(fileURLToPath(new URL('../../agents/skills', import.meta.url))).map((name) => name.replace('.md', ''));
const front = (name: string, more = '') =>
  `---\nname: ${name}\ndescription: What it is.\nwhen_to_use: When it helps.\n${more}---\nDo it.\n`;

function load(files: Readonly<Record<string, string>>) {
  const folder = folderWith({ 'soloist.yaml': 'name: shop\n', ...files });
  return loadProject({ folder, sourceFlags: [], environment: {}, cwd: folder });
}

describe('skills', () => {
  it('ship with a name like their file and are there in every project', async () => {
    const { skills } = await load({});
    expect(skills.map(({ name }) => name).sort()).toEqual(shipped.sort());
    expect(shipped.length).toBeGreaterThanOrEqual(4);
    expect(skills.every(({ text, whenToUse, shipped: ours }) => ours && text.length > 300 && whenToUse.length > 40)).toBe(true);
  });

  it('of the project come first and take the place of shipped ones of the same name', async () => {
    const own = front('late-data').replace('Do it.', 'Ask the shop first.');
    const { skills, folder } = await load({
      'skills/ours.md': own,
      'skills/refunds.md': `\uFEFF${front('refunds').replaceAll('\n', '\r\n')}`,
    });
    expect(skills.slice(0, 2)).toEqual([
      {
        name: 'late-data',
        description: 'What it is.',
        whenToUse: 'When it helps.',
        text: 'Ask the shop first.',
        file: join(folder, 'skills/ours.md'),
        shipped: false,
      },
      expect.objectContaining({ name: 'refunds', text: 'Do it.' }),
    ]);
    expect(skills.filter(({ name }) => name === 'late-data')).toHaveLength(1);
  });

  it('are named by agents, each name checked at its line and column', async () => {
    expect(await linesOf(load({ 'agents/a.yaml': agentText('a', 'skills: [late-data, late-dta]') }))).toEqual([
      'agents/a.yaml:3:21: unknown skill "late-dta"; did you mean "late-data"?',
    ]);
  });

  it('tell what is wrong with them at its line and column', async () => {
    const lines = await linesOf(
      load({
        'skills/a-plain.md': '# No front matter\n',
        'skills/b-keys.md': '---\nname: Bad Name\ndescription: x\nwhen: now\n---\nDo it.\n',
        'skills/c-empty.md': '---\nname: empty\ndescription: x\nwhen_to_use: y\n---\n\n',
        'skills/d-one.md': front('twice'),
        'skills/e-two.md': front('twice'),
        'skills/f-broken.md': '---\nname: "open\n---\nDo it.\n',
        'skills/g-long.md': front('long') + 'x'.repeat(20_001),
      }),
    );
    expect(lines).toEqual([
      'skills/a-plain.md:1:1: the file has no front matter; begin it with ---, name, description, when_to_use, ---',
      'skills/b-keys.md:2:7: "name" must begin with a lower-case letter and hold only a-z, 0-9 and "-"',
      expect.stringMatching(/^skills\/b-keys\.md:2:1: "when_to_use" is missing/),
      expect.stringMatching(/^skills\/b-keys\.md:4:1: unknown key "when"/),
      'skills/c-empty.md:6:1: the skill says nothing; write the procedure below the front matter',
      expect.stringMatching(/^skills\/f-broken\.md:[23]:\d+: a closing quote/),
      'skills/g-long.md:1:1: the skill is longer than 20000 characters; split it: what an agent reads fills its window',
      'skills/e-two.md:2:7: skill "twice" is declared twice, first at skills/d-one.md:2:7; rename one of them',
    ]);
  });
});

describe('memory.redact', () => {
  const yaml = (entries: string) => ({ 'soloist.yaml': `name: shop\nmemory:\n  redact:\n${entries}` });

  it('is read with its retention beside it', async () => {
    const { memory } = await load(
      yaml("    - {name: customer_id, pattern: 'CUST-\\d{6,10}'}\n  retention: {bug: 365}\n  split: even\n  synchronous: full\n"),
    );
    expect(memory).toEqual({
      redact: [{ name: 'customer_id', pattern: 'CUST-\\d{6,10}' }],
      retention: { bug: 365 },
      split: 'even',
      synchronous: 'full',
    });
  });

  it.each([
    ["'CUST-\\d+'", 'a repetition in the pattern has no bound; write {0,40} for * and {1,40} for +'],
    ["'(a{1,5}|b){1,9}c'", 'the pattern may take too long over a long text; repeat single characters only, and narrow the bounds'],
    ["'\\d{1,40}\\w{1,40}x{0,40}'", 'the pattern may take too long over a long text; repeat single characters only, and narrow the bounds'],
    ["'(CUST'", expect.stringMatching(/^the pattern is no regular expression: .*; correct its syntax$/)],
    ["'(\\d)\\1'", 'the pattern refers back to a group; write it without \\1 or \\k'],
    ["'x{0,3}'", 'the pattern matches nothing at all; make at least one character of it required'],
  ])('refuses %s', async (pattern, complaint) => {
    const lines = await linesOf(load(yaml(`    - name: customer_id\n      pattern: ${pattern}\n`)));
    expect(lines.map((line) => line.replace('soloist.yaml:5:16: ', ''))).toEqual([complaint]);
  });
});
