import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.test.ts') && name !== 'numbers.test.ts');
const texts = files.map((name) => readFileSync(join(import.meta.dirname, name), 'utf8'));

describe('the behaviours of model servers', () => {
  it('each have a test that bears their number', () => {
    const found = new Set(texts.flatMap((text) => [...text.matchAll(/['"`]behaviour (\d+):/g)].map(([, number]) => Number(number))));
    expect(Array.from({ length: 70 }, (_, index) => index + 1).filter((number) => !found.has(number))).toEqual([]);
  });

  it('are all tried', () => {
    expect(texts.filter((text) => /\b(?:it|describe|test)(?:\.each)?\.(?:skip|todo|only)|skipIf|runIf/.test(text))).toEqual([]);
  });
});
