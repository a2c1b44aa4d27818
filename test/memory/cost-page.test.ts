import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { costOf, renderCost } from '../../bench/memory/cost-rows.ts';

it('the page of benchmarks tells what memory costs a turn by now', async () => {
  const page = readFileSync('docs/benchmarks/recall.md', 'utf8');
  for (const sessions of [1, 10]) expect(page).toContain(renderCost(await costOf(sessions)));
});
