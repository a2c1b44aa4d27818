import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askInvestigator, claims } from './ask-investigator.ts';

let folder: string;
/**
 * 500 orders over ten days, 10 to 16 each, 50 a day; twelve of 9 March whose customer is not there, 5 each; twenty of 4 March loaded a second
 * time a day later. The sums of 4 March are reckoned here, row by row.
 */
const rows = Array.from({ length: 500 }, (_, at) => at + 1).map((id) => ({
  id,
  customer: 1 + (id % 60),
  amount: 10 + (id % 7),
  day: 1 + (id % 10),
}));
const fourth = rows.filter(({ day }) => day === 4);
const copied = fourth.slice(0, 20);
const sum = (of: readonly { readonly amount: number }[]): string => of.reduce((total, { amount }) => total + amount, 0).toFixed(2);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'soloist-surplus-'));
  const line = (id: number, customer: number, amount: number, day: number, loaded: number): string =>
    `${id},${customer},${amount.toFixed(2)},2026-03-${String(day).padStart(2, '0')},2026-03-${loaded} 02:00:00`;
  const orders = [
    ...rows.map(({ id, customer, amount, day }) => line(id, customer, amount, day, 12)),
    ...Array.from({ length: 12 }, (_, at) => line(501 + at, 900 + (at % 3), 5, 9, 12)),
    ...copied.map(({ id, customer, amount, day }) => line(id, customer, amount, day, 13)),
  ];
  writeFileSync(join(folder, 'orders.csv'), `order_id,customer_id,amount,placed_on,loaded_at\n${orders.join('\n')}\n`);
  const customers = Array.from({ length: 60 }, (_, at) => `${1 + at},c${1 + at}`);
  writeFileSync(join(folder, 'customers.csv'), `customer_id,name\n${customers.join('\n')}\n`);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ask = (question: string) => askInvestigator({ question, sources: [`shop=files:${folder}`] });

describe('a level that is too high', () => {
  it.each([
    'why is the revenue of 4 March too high?',
    'why is the amount so high on 4 March?',
    'why is amount on 2026-03-04 higher than on the days around it?',
  ])('comes of rows that are there twice on that day, not of rows that a join leaves out: %s', async (question) => {
    const report = await ask(question);
    expect(report.answer).toMatch(
      /^20 rows of `orders` are copies of another but for `loaded_at` \(of 70 rows with `placed_on` 2026-03-04/,
    );
    const all = sum([...fourth, ...copied]);
    expect(report.answer).toContain(`\`amount\` ${all} in all, of which ${sum(copied)} by the extra copies, ${sum(fourth)} without them`);
    expect(claims(report, 'cause').filter((claim) => claim.includes('no match'))).toEqual([]);
    expect(report.figures.filter(({ status }) => status === 'unsupported')).toEqual([]);
  });

  it('is not told of copies of another day', async () => {
    const report = await ask('why is the revenue of 7 March too high?');
    expect(claims(report, 'cause').filter((claim) => claim.includes('copies'))).toEqual([]);
  });

  it('comes of the copies of a load too, where no row bears the day of it', async () => {
    const { answer } = await askInvestigator({
      question: 'why is the total of 11 February too high?',
      sources: [`shop=files:${fileURLToPath(new URL('../cases/retry-duplicates', import.meta.url))}`],
    });
    // From the expected.json of the case.
    expect(answer).toMatch(/^600 rows of `orders` are copies/);
    expect(answer).toContain('754938.64 in all');
    expect(answer).toContain('472553.12 without them');
  });

  it('leaves rows without a match the cause of what is too low', async () => {
    const report = await ask('why are orders of 9 March missing from the join with customers?');
    expect(claims(report, 'cause')).toContainEqual(expect.stringMatching(/^12 of 532 rows of `orders` have no match in `customers`/));
  });
});

describe('plain questions of the same tables', () => {
  it('name the rows that refer to what is not there by their key, though some rows are there twice', async () => {
    const { answer } = await ask('which orders have customers that do not exist?');
    expect(answer).toMatch(/^12 of 532 rows of `orders` .* refer to 3 values .*: for example `order_id` 501 \(`customer_id` 900\)/);
  });

  it('group by a column whose name ends like a word', async () => {
    const { answer } = await ask('what is the sum of amount by placed_on?');
    expect(answer).toMatch(/^Sum of `amount` of `orders` by `placed_on`: /);
    expect(answer).toContain(`2026-03-04 / ${sum([...fourth, ...copied])}`);
  });
});
