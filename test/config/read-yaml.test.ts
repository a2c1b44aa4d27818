import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { readYaml } from '../../src/config/read-yaml.ts';
import { formatProblem } from '../../src/core/errors.ts';
import { folderWith, removeFolders } from './project-folder.ts';

afterAll(removeFolders);

async function read(text: string, environment: NodeJS.ProcessEnv = {}) {
  const file = join(folderWith({ 'f.yaml': text }), 'f.yaml');
  const { document, problems } = await readYaml(file, 'f.yaml', { environment });
  return { document, value: document?.value, lines: problems.map(formatProblem) };
}

describe('a file that is no plain map', () => {
  it.each([
    ['', 'f.yaml:1:1: the file is empty'],
    ['# only a comment\n', 'f.yaml:1:1: the file is empty'],
    ['- a\n', 'f.yaml:1:1: the file holds a list, not keys'],
    ['\n\nhello\n', 'f.yaml:3:1: the file holds a single value, not keys'],
    ['a: 1\n---\nb: 2\n', 'f.yaml:2:1: the file holds more than one document'],
    ['a:\n\tb: 1\n', 'f.yaml:2:1: a tab is used for indentation'],
    ['a: 1\nb: 2\na: 3\n', 'f.yaml:3:1: key "a" is given twice'],
    ['a: [x\nb: 1\n', 'f.yaml:2:1: a "[" of a line above is not closed; close it with "]"'],
    ['a: {x: {y: 1}\nb: 1\n', 'f.yaml:2:1: a "{" of a line above is not closed; close it with "}"'],
    ['a: b: c\n', 'f.yaml:1:4: a value holds a ": " of its own'],
    ['a: *nope\n', 'f.yaml:1:4: alias "*nope" has no anchor before it'],
    ['a: &a\n  b: *a\n', 'f.yaml:2:6: alias "*a" stands inside its own anchor'],
    ['a: !!js/function x\n', 'tag "!!js/function" is not known here'],
    ['? [a]\n: 1\n', 'f.yaml:1:3: a key must be plain text'],
    ['__proto__: {x: 1}\n', 'f.yaml:1:1: key "__proto__" is not allowed'],
  ])('refuses %j', async (text, start) => {
    const { lines } = await read(text);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(start);
    expect(lines[0]).toContain('; ');
  });

  it('refuses bytes that are not UTF-8', async () => {
    const folder = folderWith({});
    const { writeFileSync } = await import('node:fs');
    writeFileSync(join(folder, 'f.yaml'), Buffer.from([0x61, 0x3a, 0x20, 0xff]));
    const { problems } = await readYaml(join(folder, 'f.yaml'), 'f.yaml', { environment: {} });
    expect(problems.map(formatProblem)).toEqual(['f.yaml:1:1: the file is not UTF-8 text; save it as UTF-8']);
  });

  it('says that a file is missing', async () => {
    const { problems } = await readYaml('/nowhere/f.yaml', 'f.yaml', { environment: {} });
    expect(problems[0]?.fact).toBe('the file cannot be read (ENOENT)');
  });
});

describe('a hostile file', () => {
  it('is refused for its size before it is parsed', async () => {
    const { lines, document } = await read(`a: ${'x'.repeat(5_000_000)}\n`);
    expect(document).toBeUndefined();
    expect(lines).toEqual([
      'f.yaml:1:1: the file has 5000004 bytes; at most 1000000 are read; split it, or check that it is the file you meant',
    ]);
  });

  it.each([
    ['flow lists', `a: ${'['.repeat(20_000)}`],
    ['closed flow lists', `a: ${'['.repeat(20_000)}${']'.repeat(20_000)}`],
    ['flow maps', `a: ${'{a: '.repeat(20_000)}`],
    ['block lists', '- '.repeat(50_000)],
    ['block maps', Array.from({ length: 500 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n')],
  ])('is refused for nesting: %s', async (_, text) => {
    const { lines } = await read(text);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('values nested deeper than 64');
  });

  it('is read when nested 64 deep and refused at 65', async () => {
    const nested = (depth: number) => `a: ${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}`;
    expect((await read(nested(64))).lines).toEqual([]);
    expect((await read(nested(66))).lines).toEqual([expect.stringContaining('values nested deeper than 64')]);
  });

  it('is refused for aliases that multiply', async () => {
    const rows = [...'bcdefghij'].map((letter, index) => `${letter}: &${letter} [${Array(10).fill(`*${'abcdefghij'[index]}`).join(',')}]`);
    const { lines, document } = await read(['a: &a [x,x,x,x,x,x,x,x,x,x]', ...rows].join('\n'));
    expect(document).toBeUndefined();
    expect(lines).toEqual([expect.stringContaining('more than 100000 values once its aliases are followed')]);
  });

  it('is read in linear work when it has many anchors', async () => {
    const { value } = await read(
      Array.from({ length: 5_000 }, (_, index) => `k${index}: &a${index} ${index}\nl${index}: *a${index}`).join('\n'),
    );
    expect(value).toMatchObject({ l0: 0, l4999: 4999 });
  });

  it('lists at most 50 problems', async () => {
    expect((await read(`a: ${'&a '.repeat(2_000)}`)).lines).toHaveLength(50);
  });
});

describe('variables', () => {
  it('fills in text wherever it stands, also unquoted in a flow map', async () => {
    const { value, document } = await read('a: {url: ${PG_URL}, n: 1}\nb: "x ${PG_URL} ${B}"\nc: [a${B}c]\n', {
      PG_URL: 'pg://x',
      B: '${PG_URL}',
    });
    expect(value).toEqual({ a: { url: 'pg://x', n: 1 }, b: 'x pg://x ${PG_URL}', c: ['a${PG_URL}c'] });
    expect(document?.shown(['a', 'url'])).toBe('${PG_URL}');
    expect(document?.shown(['a', 'n'])).toBeUndefined();
  });

  it('leaves an escaped one', async () => {
    const { value, lines } = await read('a: $${HOME}\nb: "$${x"\n', {});
    expect(lines).toEqual([]);
    expect(value).toEqual({ a: '${HOME}', b: '${x' });
  });

  it('names each missing one with its key and place', async () => {
    const { lines } = await read('a: 1\nb:\n  c: see ${FIRST} and ${SECOND}\n');
    expect(lines).toEqual([
      'f.yaml:3:10: "b.c" uses ${FIRST}, which the environment does not have; set FIRST, or write $${FIRST} for the plain text',
      'f.yaml:3:23: "b.c" uses ${SECOND}, which the environment does not have; set SECOND, or write $${SECOND} for the plain text',
    ]);
  });
});

it('keeps the place of keys and values, also through aliases', async () => {
  const { document } = await read('a: &x\n  b: 1\nc:\n  - d\n  - e: *x\n');
  expect(document?.where(['a', 'b'], 'key')).toBe('f.yaml:2:3');
  expect(document?.where(['a', 'b'])).toBe('f.yaml:2:6');
  expect(document?.where(['c', 0])).toBe('f.yaml:4:5');
  expect(document?.where(['c', 1, 'e'])).toBe('f.yaml:5:8');
  expect(document?.where(['c', 9, 'x'])).toBe('f.yaml:4:3');
});

it('reads back what a printer of YAML wrote', async () => {
  const text = fc.string().filter((one) => !one.includes('$') && !/[\uE000\uE001]/.test(one));
  const key = fc.stringMatching(/^[a-z][a-z_]{0,8}$/);
  const leaf = fc.oneof(text, fc.integer(), fc.boolean());
  await fc.assert(
    fc.asyncProperty(fc.dictionary(key, fc.oneof(leaf, fc.array(leaf), fc.dictionary(key, leaf)), { minKeys: 1 }), async (value) => {
      const result = await read(stringify(value));
      expect(result.lines).toEqual([]);
      expect(result.value).toEqual(value);
    }),
    { numRuns: 60 },
  );
});

it('never throws and never hangs on any text', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.constantFrom(
          'a',
          ':',
          ' ',
          '\n',
          '- ',
          '[',
          ']',
          '{',
          '}',
          '*a',
          '&a ',
          '"',
          "'",
          '${A}',
          '|',
          '!',
          '\t',
          '?',
          '#',
          '---',
          '<<',
        ),
      ),
      async (parts) => {
        const { document, lines } = await read(parts.join(''));
        expect(document !== undefined || lines.length > 0).toBe(true);
      },
    ),
    { numRuns: 150 },
  );
});
