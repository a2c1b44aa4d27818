import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { regeneratePage } from '../../bench/regenerate.ts';
import { shippedSuiteNames } from '../../src/app/bench-find-suite.ts';

it.each(shippedSuiteNames())(
  'writes the page of %s to the byte as it is committed (else: npx tsx bench/regenerate.ts)',
  async (suite) => {
    const committed = readFileSync(new URL(`../../docs/benchmarks/${suite}.md`, import.meta.url), 'utf8');
    expect(await regeneratePage(suite)).toBe(committed);
  },
  600_000,
);
