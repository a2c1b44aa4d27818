import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { askAgent } from './ask-agent.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'soloist-profiler-'));
  // Five machines on twenty days, without machine 2 on the third day; one reading is empty.
  const lines: string[] = [];
  for (let day = 1; day <= 20; day++)
    for (let machine = 1; machine <= 5; machine++) {
      if (day === 3 && machine === 2) continue;
      const heat = day === 4 && machine === 1 ? '' : String(60 + ((day * 7 + machine * 3) % 11));
      lines.push(`2026-05-${String(day).padStart(2, '0')},${machine},${heat}`);
    }
  writeFileSync(join(folder, 'readings.csv'), `${['day,machine_id,heat', ...lines].join('\n')}\n`);
  const tickets = Array.from({ length: 40 }, (_, index) => `T${index + 1},${index * 7 + 3},ok`);
  writeFileSync(join(folder, 'tickets.csv'), `${['ticket,price,state', ...tickets, tickets[11]].join('\n')}\n`);
  writeFileSync(join(folder, 'clean.csv'), `${['item,size', 'a,1', 'b,2', 'c,3'].join('\n')}\n`);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const profile = async (question: string) =>
  (await askAgent({ agent: 'table-profiler', question, sources: [`data=files:${folder}`] })).report;

it('says in two lines what a table holds and what is missing in it, each figure with its result', async () => {
  const { status, answer } = await profile('Profile readings.csv');
  expect(status).toBe('ok');
  const [summary, odd, ...more] = answer.split('\n');
  expect(more).toEqual([]);
  expect(summary).toMatch(/^`readings` has 99 rows in 3 columns, `day` from 2026-05-01 to 2026-05-20 \[r\d+\]$/);
  expect(odd).toMatch(/^Odd: .*`heat` is empty in 1 of 99 rows \[r\d+\]/);
  expect(odd).toMatch(/1 of 100 pairs of `machine_id, day` is missing, e\.g\. 2 \/ 2026-05-03 \[r\d+, r\d+\]/);
});

it('tells a row that came twice, and takes the table that the goal names', async () => {
  const { answer } = await profile('What is odd in the table tickets.csv?');
  expect(answer).toMatch(/^`tickets` has 41 rows in 3 columns \[r\d+\]\n/);
  // Ticket 12 costs 11 * 7 + 3 = 80.
  expect(answer).toMatch(/1 exact copy among 41 rows over all columns, e\.g\. T12 \/ 80 \/ ok, which add 80 to the total of `price`/);
});

it('finds nothing odd where nothing is', async () => {
  expect((await profile('Profile clean.csv')).answer).toMatch(/\nNothing odd \[r\d+\]$/);
});

it('names no table that is not there', async () => {
  expect((await profile('Profile the table of invoices')).answer).toMatch(
    /^The task names no table that exists; there are `clean`, `readings` and `tickets` \[r\d+\]\.$/,
  );
});
