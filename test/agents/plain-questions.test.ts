import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askInvestigator } from './ask-investigator.ts';

const example = fileURLToPath(new URL('../../examples/nightly-sales', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'soloist-plain-'));
const file = join(mkdtempSync(join(tmpdir(), 'soloist-plain-')), 'shop.sqlite');

// 1 to 9 March without the 5th: 4 orders a day, 1 on the 7th. Order n (from 101) is worth n; every third is open, the others paid.
const days = [1, 2, 3, 4, 6, 7, 8, 9].flatMap((day) => Array.from({ length: day === 7 ? 1 : 4 }, () => `2026-03-0${day}`));
const orders = days.map(
  (day, at) => [101 + at, 1 + (at % 5), `${day} 10:0${at % 4}:00`, at % 3 === 0 ? 'open' : 'paid', 101 + at, `${day} 23:00:00`] as const,
);
const customers = [1, 2, 3, 4, 5, 6, 7].map((id) => [id, id % 2 === 0 ? null : `c${id}@example.org`, id < 4 ? 'DE' : 'FR'] as const);
const payments = [
  ...orders.slice(0, 20).map(([id], at) => [at + 1, id, id] as const),
  [90, 777, 5] as const,
  [91, 778, 6] as const,
  [92, 778, 7] as const,
];
const tables = {
  orders: ['order_id,customer_id,ordered_at,status,amount,loaded_at', orders],
  customers: ['customer_id,email,country', customers],
  payments: ['payment_id,order_id,amount', payments],
} as const;

beforeAll(() => {
  const database = new Database(file);
  for (const [name, [header, rows]] of Object.entries(tables)) {
    const text = rows.map((row) => row.map((value) => value ?? '').join(',')).join('\n');
    writeFileSync(join(folder, `${name}.csv`), `${header}\n${text}\n`);
    database.exec(
      `CREATE TABLE ${name} (${header.replace(/\w+/g, (column) => `${column} ${/id$|amount/.test(column) ? 'INTEGER' : 'TEXT'}`)})`,
    );
    const insert = database.prepare(`INSERT INTO ${name} VALUES (${header.replace(/\w+/g, '?')})`);
    for (const row of rows) insert.run(...row);
  }
  database.close();
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  rmSync(join(file, '..'), { recursive: true, force: true });
});

/** The value of each is worked out by hand from the rows above. */
const QUESTIONS: readonly (readonly [question: string, first: RegExp])[] = [
  ['how many rows has orders?', /^`orders` has 29 rows \[/],
  ['How many orders are open?', /^`orders` has 10 rows with `status` open \[/],
  ['How many orders were placed on 2026-03-07?', /^`orders` has 1 rows with `ordered_at` on 2026-03-07 \[/],
  [
    'how many orders were refunded?',
    /^`orders` has 29 rows in all; fixed rules cannot read what the question says beyond that \("refunded"\)/,
  ],
  [
    'which payments refer to orders that do not exist?',
    /^3 of 23 rows of `payments` by `order_id` refer to 2 values that `orders` does not hold: `payment_id` 90 \(`order_id` 777\), /,
  ],
  [
    'which customers have no orders?',
    /^2 of 7 rows of `customers` have no row in `orders` by `customer_id`: `customer_id` 6 and `customer_id` 7 \[/,
  ],
  ['when was orders last loaded?', /^The newest `loaded_at` of `orders` is 2026-03-09 23:00:00 \(when a row was loaded\)/],
  ['which tables are there?', /^Source `\w+` holds 3 tables: `customers`.*, `orders`.* and `payments`/],
  ['are there duplicates in payments?', /^`payments` has 23 rows and 23 distinct values of `payment_id`.*: no row is a copy of another \[/],
  ['what columns has payments?', /^`payments` has 3 columns: `payment_id` /],
  ['what is the average amount of orders by status?', /^Average `amount` of `orders` by `status`: paid \/ 115\.2632, open \/ 114\.5/],
  ['what is the sum of amount in orders?', /^The sum of `amount` of `orders` is 3335, over 29 rows/],
  ['what is the smallest amount in payments?', /^The smallest `amount` of `payments` is 5, over 23 rows/],
  [
    'which day has the fewest rows in orders?',
    /^`orders` has no row at all on 2026-03-05 \[r\d+\]\. The fewest rows of `orders` by day of `ordered_at`: 2026-03-07 \/ 1;/,
  ],
  [
    'which customer has the most orders?',
    /^The most rows of `orders` by `customer_id`: 1 \/ 6, and as many 2 \/ 6, 3 \/ 6, 4 \/ 6; next 5 \/ 5 \[/,
  ],
  ['on which day was the most revenue in orders?', /^The greatest total `amount` of `orders` by day of `ordered_at`: 2026-03-09 \/ 510/],
  [
    'what changed between yesterday and today in orders?',
    /^The newest day of `orders`.*: 2026-03-09 \/ 4 \/ 510.*, before that 2026-03-08 \/ 4 \/ 494/,
  ],
  ['is orders complete?', /^`orders` has no row on one day by `ordered_at` between 2026-03-01 and 2026-03-09: 2026-03-05 \[/],
  ['how many nulls in column email?', /^`email` is empty in 3 of 7 rows of `customers` \[/],
  ['how many customers per country?', /^Rows of `customers` by `country`: FR \/ 4, DE \/ 3 \[/],
  ['how many distinct customers are in orders?', /^`customer_id` of `orders` has 5 distinct values \[/],
];

describe('plain questions to the investigator without a model', () => {
  it.each(QUESTIONS)('are answered in the first sentence, with the right value: %s', async (question, first) => {
    for (const source of [`data=files:${folder}`, `data=sqlite:${file}`]) {
      const { answer, status } = await askInvestigator({ question, sources: [source] });
      expect({ source, answer, status }).toEqual({ source, answer: expect.stringMatching(first), status: 'ok' });
      expect(answer).not.toContain('(unsupported)');
    }
  });

  it.each([
    ['which tasks failed last night?', 'airflow', /^No task failed in the run `scheduled__2026-03-16T02:00:00\+00:00` of `nightly_sales`/],
    ['which runs failed?', 'airflow', /^Failed runs: `manual__2026-03-08T15:10:00\.123456\+00:00` of `nightly_sales`/],
    ['how long did the last run take?', 'airflow', /^The run `scheduled__2026-03-16T02:00:00\+00:00` .* took 6494\.8 s/],
    ['which task took longest last night?', 'airflow', /^`transform` took longest, 465\.188 s, /],
    ['which model took longest?', 'dbt', /^`model\.shop\.mart_daily_sales` took longest, 90\.132 s, /],
    ['how many errors are in the logs?', 'logs', /^The logs of `data` hold 1 records of level error/],
  ])('are answered from runs and logs: %s', async (question, part, first) => {
    const kind = { airflow: 'airflow-export', dbt: 'dbt', logs: 'logs' }[part];
    const path = join(example, part === 'dbt' ? 'dbt/night_2026-03-17' : part);
    const { answer } = await askInvestigator({ question, sources: [`data=${kind}:${path}`] });
    expect(answer).toMatch(first);
    expect(answer).not.toContain('(unsupported)');
  });

  it('are told to be of a kind that rules do not answer, where they are', async () => {
    const { answer } = await askInvestigator({ question: 'Who wrote this?', sources: [`data=files:${folder}`] });
    expect(answer).toMatch(/^Fixed rules cannot answer a question of this kind; this is what they looked at\./);
  });
});
