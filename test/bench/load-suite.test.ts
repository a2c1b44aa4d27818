import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findSuite, shippedSuiteNames, shippedSuites } from '../../src/app/bench-find-suite.ts';
import { loadSuite } from '../../src/app/bench-load-suite.ts';
import type { SoloistError } from '../../src/core/errors.ts';
import { bench, PROJECT, writeProject } from './suite-project.ts';

let folder: string;
let remove: () => void;
beforeAll(() => {
  ({ folder, remove } = writeProject());
});
afterAll(() => remove());

async function load(text: string) {
  writeFileSync(join(folder, 'suite.yaml'), text);
  return (await loadSuite(join(folder, 'suite.yaml'), folder, {})).suite;
}

async function problems(text: string): Promise<string[]> {
  const error = (await load(text).then(
    () => new Error('the suite was accepted'),
    (thrown: unknown) => thrown,
  )) as SoloistError;
  if (!error.problems) throw error;
  return error.problems.map(({ where, fact, fix }) => `${where}: ${fact}; ${fix}`);
}

/** A small right suite with other text in place of a part of it. */
function changed(part: string, other: string): string {
  const right = `name: small
about: A test.
designs:
  one: { agent: alone }
  two: { agent: lead }
cases:
  - id: first
    task: Count.
    expect:
      - contains: rows
`;
  if (!right.includes(part)) throw new Error(`nothing to change: ${part}`);
  return right.replace(part, other);
}

describe('a suite file', () => {
  it('fills in what it leaves out', async () => {
    const suite = await load(changed('rows', 'rows'));
    expect(suite).toMatchObject({ model: 'auto', baseline: 'one', seeds: [1], repeat: 1, varies: [], budget: {} });
    expect(suite.simulate).toEqual({
      promptTokensPerSecond: 800,
      outputTokensPerSecond: 40,
      slots: 4,
      toolMs: 50,
      toolsAtOnce: 8,
      cache: 'prefix',
    });
    expect(suite.cases[0]?.expect).toEqual([
      { kind: 'contains', texts: ['rows'], ignoreCase: true, within: 'answer', label: 'contains rows' },
    ]);
  });

  it.each([
    ['a misspelt key', 'about:', 'abuot:', /suite.yaml:2:1: unknown key "abuot"; did you mean "about"\?/],
    [
      'a misspelt check',
      'contains: rows',
      'contans: rows',
      /suite.yaml:10:9: unknown key "contans" in "cases.0.expect.0"; did you mean "contains"\?/,
    ],
    [
      'a baseline that is no design',
      'about: A test.',
      'about: A test.\nbaseline: tow',
      /suite.yaml:3:11: there is no design "tow"; did you mean "two"\?/,
    ],
    [
      'a value that is none of the known',
      'about: A test.',
      'about: A test.\nvaries: [tols]',
      /suite.yaml:3:10: .*unknown value "tols"; did you mean "tools"\?/,
    ],
    [
      'two checks in one',
      'contains: rows',
      'contains: rows\n        regex: x',
      /suite.yaml:11:9: a check holds both "contains" and "regex"; write them as two checks/,
    ],
    [
      'a key that belongs to another check',
      'contains: rows',
      'contains: rows\n        tolerance: 1',
      /suite.yaml:11:9: "tolerance" does not go with "contains"; beside it may stand: ignore_case/,
    ],
    ['a pattern that is none', 'contains: rows', 'regex: "(x"', /suite.yaml:10:16: "regex" is not a pattern: .*; correct it/],
    ['a set without a pattern', 'contains: rows', 'set: [a, b]', /suite.yaml:10:14: a set has no pattern; add "pattern"/],
    ['a path without a value', 'contains: rows', 'json: a.b', /suite.yaml:10:15: "json" has no value to compare with; add "equals"/],
    [
      'a function file that is not there',
      'contains: rows',
      'function: no.ts',
      /suite.yaml:10:19: there is no file "no.ts"; check the path/,
    ],
    [
      'a judge that nobody named',
      'contains: rows',
      'judge: Is it right?',
      /a check asks a judge and the suite names none; add `judge: ollama\/<name>`/,
    ],
    [
      'a case declared twice',
      '  - id: first',
      '  - { id: first, task: x }\n  - id: first',
      /suite.yaml:8:9: case "first" is declared twice; rename one of them/,
    ],
    ['a seed given twice', 'about: A test.', 'about: A test.\nseeds: [1, 2, 1]', /suite.yaml:3:15: seed 1 is given twice; use `repeat`/],
    [
      'a generator that is not there',
      '    task: Count.',
      '    task: Count.\n    setup: { generator: no.mjs }',
      /suite.yaml:9:25: there is no file .*no.mjs; check the path/,
    ],
    ['no design', '  one: { agent: alone }\n  two: { agent: lead }', '  {}', /suite.yaml:4:3: the suite has no design; add one/],
  ])('is refused for %s, with its line and column', async (_, part, other, message) => {
    expect((await problems(changed(part, other))).join('\n')).toMatch(message);
  });

  it('names an agent or a tool that does not exist at its place, with the nearest', async () => {
    const suite = PROJECT['counting.yaml']!.replace('agent: alone', 'agent: alon').replace(
      'agent: lead,',
      'agent: lead, tools: [query_sq], skills: [late-dta],',
    );
    const other = writeProject({ 'counting.yaml': suite });
    const error = (await bench(other.folder).catch((thrown: unknown) => thrown)) as SoloistError;
    other.remove();
    expect(error.problems.map(({ where, fact, fix }) => `${where}: ${fact}; ${fix}`)).toEqual([
      'counting.yaml:5:19: there is no agent "alon"; did you mean "alone"?',
      'counting.yaml:6:32: unknown tool "query_sq"; did you mean "query_sql"?',
      'counting.yaml:6:52: unknown skill "late-dta"; did you mean "late-data"?',
    ]);
  });

  it('takes an agent by its file', async () => {
    const suite = PROJECT['counting.yaml']!.replace('agent: alone', 'agent: agents/alone.yaml').replace('[1, 2, 3]', '[1]');
    const other = writeProject({ 'counting.yaml': suite });
    const { report } = await bench(other.folder, { only: ['few'] });
    other.remove();
    expect(report.cells.map(({ design, passed }) => ({ design, passed }))).toEqual([
      { design: 'alone', passed: true },
      { design: 'lead', passed: true },
    ]);
  });

  it('says which placeholder the generator does not answer', async () => {
    const other = writeProject({ 'counting.yaml': PROJECT['counting.yaml']!.replace('{{rows}}', '{{row}}') });
    const error = (await bench(other.folder).catch((thrown: unknown) => thrown)) as SoloistError;
    other.remove();
    expect([error.code, error.message, error.fix]).toEqual([
      'configuration',
      'case few: the generator answers nothing named "row"',
      'did you mean "rows"?',
    ]);
  });

  it('says that a generator failed, and where', async () => {
    const other = writeProject({ 'make-items.mjs': "export function generate() { throw new Error('no disk'); }\n" });
    const error = (await bench(other.folder).catch((thrown: unknown) => thrown)) as SoloistError;
    expect([error.code, error.message, error.where]).toEqual([
      'configuration',
      'the generator failed: no disk',
      join(other.folder, 'make-items.mjs'),
    ]);
    other.remove();
  });
});

it('takes every suite that docs/bench.md shows', async () => {
  const page = readFileSync(new URL('../../docs/bench.md', import.meta.url), 'utf8');
  const blocks = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map((match) => match[1] ?? '');
  expect(blocks.length).toBeGreaterThan(0);
  for (const block of blocks) expect((await load(block)).designs.length).toBeGreaterThan(1);
});

describe('the suites that ship', () => {
  it('are found by name, and load', async () => {
    const names = shippedSuiteNames();
    expect(names).toEqual(
      expect.arrayContaining(['articles', 'data-quality', 'profile-tables', 'small-model', 'tool-count', 'trace-cause']),
    );
    for (const name of names) {
      const file = findSuite(name, folder, folder);
      expect(file.startsWith(shippedSuites())).toBe(true);
      const { suite } = await loadSuite(file, folder, {});
      expect(suite.name).toBe(name);
      expect(suite.about.length, name).toBeGreaterThan(60);
      expect(suite.claim.length, name).toBeGreaterThan(60);
    }
  });

  it('set against one another fixed rules, one agent, one with skills, subagents in turn and side by side, and the team of four', async () => {
    const suites = await Promise.all(shippedSuiteNames().map((name) => loadSuite(findSuite(name, folder, folder), folder, {})));
    const designs = suites.flatMap(({ suite }) => suite.designs);
    for (const name of ['rules', 'solo', 'solo-skills', 'serial', 'parallel', 'team'])
      expect(
        designs.some((design) => design.name === name),
        name,
      ).toBe(true);
    expect(designs.filter(({ name }) => name === 'rules').map(({ model }) => model)).toEqual(['rules']);
    for (const { skills = [] } of designs.filter(({ name }) => name === 'solo-skills')) expect(skills.length).toBeGreaterThan(0);
  });

  it('give way to one of the project with the same name, and to a path', async () => {
    const other = writeProject({ 'bench/articles.yaml': 'name: mine\n' });
    expect(findSuite('articles', other.folder, folder)).toBe(join(other.folder, 'bench/articles.yaml'));
    expect(findSuite('counting.yaml', folder, other.folder)).toBe(join(other.folder, 'counting.yaml'));
    other.remove();
    expect(() => findSuite('artikles', folder, folder)).toThrow(/there is no suite "artikles"/);
  });
});
