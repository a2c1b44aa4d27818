import { expect, it } from 'vitest';
import { runServedSuite } from './served-suite.ts';
import { totalsOf } from './totals-of.ts';

it('accounts for every request of 6 designs on 10 cases with 5 seeds', async () => {
  const { report, finished, served } = await runServedSuite(10, [1, 2, 3, 4, 5]);
  expect(finished).toBe(true);
  expect(report.cells).toHaveLength(300);
  const totals = totalsOf(report);
  expect(totals).toMatchObject({ calls: served.chats, input: served.input, output: served.output });
  expect([served.closedEarly, totals.failed]).toEqual([100, 150]);
  const passed = report.groups[0]!.designs.map(({ design, passed: count }) => `${design} ${count}`);
  expect(passed).toEqual(['plain 50', 'clumsy 50', 'handing 50', 'fanning 50', 'hanging 0', 'broken 0']);
}, 600_000);
