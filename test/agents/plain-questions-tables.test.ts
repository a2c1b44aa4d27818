import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askInvestigator } from './ask-investigator.ts';

const place = mkdtempSync(join(tmpdir(), 'soloist-plain-tables-'));
const shop = join(place, 'shop.sqlite');
const trips = join(place, 'trips');
const broken = join(place, 'broken');
afterAll(() => rmSync(place, { recursive: true, force: true }));

// Six bills: 10.50 each of clients 1, 2, 3 in Chile, 20.00 each of clients 1, 1, 2 in Peru. Client 4 has none.
const SHOP = `
CREATE TABLE Client (ClientId INTEGER, Name TEXT, Email TEXT);
INSERT INTO Client VALUES (1, 'Ada', 'a@example.org'), (2, 'Ben', NULL), (3, 'Cy', NULL), (4, 'Di', 'a@example.org');
CREATE TABLE Bill (BillId INTEGER, ClientId INTEGER, BilledOn TEXT, BillingCountry TEXT, Total NUMERIC(10,2));
INSERT INTO Bill VALUES (1, 1, '2025-01-03', 'Chile', 10.5), (2, 2, '2025-01-04', 'Chile', 10.5), (3, 3, '2025-02-01', 'Chile', 10.5),
  (4, 1, '2026-01-09', 'Peru', 20), (5, 1, '2026-01-10', 'Peru', 20), (6, 2, '2026-02-02', 'Peru', 20);
CREATE TABLE BillLine (BillLineId INTEGER, BillId INTEGER, Quantity INTEGER);
INSERT INTO BillLine VALUES (1, 1, 2), (2, 1, 1), (3, 2, 5), (4, 3, 1), (5, 4, 1), (6, 5, 1), (7, 6, 1), (8, 9, 1);
CREATE TABLE Worker (WorkerId INTEGER, Email TEXT);
INSERT INTO Worker VALUES (1, 'w@example.org'), (2, NULL);`;

beforeAll(() => {
  const database = new Database(shop);
  database.exec(SHOP);
  database.close();
  for (const folder of [trips, broken]) mkdirSync(folder);
  for (const [month, riders] of [
    ['04', [0, 1, 2, 0]],
    ['05', [3, 0, 1, 1]],
    ['06', [1, 1, 0, 0]],
  ] as const) {
    const rows = riders.map((count, at) => `2026-${month}-0${1 + at} 10:00:00,${count},${at % 2 === 0 ? '5.00' : '7.50'}`);
    writeFileSync(join(trips, `trips_2026-${month}.csv`), `picked_up_at,passenger_count,fare_amount\n${rows.join('\n')}\n`);
  }
  writeFileSync(join(broken, 'good.csv'), 'a,b\n1,2\n3,4\n');
  writeFileSync(join(broken, 'bad.json'), '{"a": 1, "b": [1, 2,\n');
});

/** The value of each is worked out by hand from the rows above. */
const SHOP_QUESTIONS: readonly (readonly [question: string, first: RegExp])[] = [
  [
    'which bills refer to clients that do not exist?',
    /^None of the 6 rows of `Bill` by `ClientId` refers to a row that `Client` does not hold \[/,
  ],
  ['which clients have no bill?', /^1 of 4 rows of `Client` have no row in `Bill` by `ClientId`: `ClientId` 4 \[/],
  [
    'is referential integrity intact?',
    /^Referential integrity is broken: 1 of 8 rows of `BillLine`\.`BillId` to `Bill`\.`BillId` refer to 1 values that are not there \(such as `BillId` 9\).*Without an orphan: `Bill`\.`ClientId` to `Client`\.`ClientId`/,
  ],
  [
    'how many nulls are in Email?',
    /^`Email` is empty in 2 of 4 rows of `Client` \[r\d+\]\. `Email` is empty in 1 of 2 rows of `Worker` \[/,
  ],
  [
    'what is the average Total of bills by BillingCountry?',
    /^Average `Total` of `Bill` by `BillingCountry`: Peru \/ 20(\.0)?, Chile \/ 10\.5/,
  ],
  [
    'what is the total revenue by country?',
    /^Taking `Total` of `Bill` for "revenue", its sum by `BillingCountry`: Peru \/ 60(\.0)?, Chile \/ 31\.5 \[/,
  ],
  [
    'which clients spent most?',
    /^Taking `Total` of `Bill` for "spent", its sum by `ClientId` of `Client`, the greatest first: Ada \/ 50\.5, Ben \/ 30\.5, Cy \/ 10\.5 \[/,
  ],
  [
    'how many bills does each client have?',
    /^Rows of `Bill` for each row of `Client`, joined by `ClientId`: Ada \/ 3, Ben \/ 2, Cy \/ 1, Di \/ 0 \[/,
  ],
  ['how many bill lines are there?', /^`BillLine` has 8 rows \[/],
  ['how many rows has each table?', /^Rows of each table: `BillLine` 8, `Bill` 6, `Client` 4, `Worker` 2 \[/],
  ['are clients unique?', /^The rows of `Client` are unique by `ClientId`: 4 rows and 4 distinct values of `ClientId` \[/],
  [
    'is Email of Client unique?',
    /^`Email` of `Client` is not unique: 1 distinct values in 2 rows; 2 more rows have none; .*a@example\.org \/ 2 \[/,
  ],
  ['how many bills have a total above 15?', /^`Bill` has 3 rows with `Total` above 15 \[/],
  ['how many quantities cost more than 100?', /^(?!.*above 100).*fixed rules cannot read what the question says beyond that \("cost"\)/i],
  ['how many bills were there in 2026?', /^`Bill` has 3 rows with `BilledOn` in 2026 \[/],
  ['what is the average Total of bills by planet?', /^Fixed rules cannot tell which column of `Bill` "by planet" names; /],
];

const TRIP_QUESTIONS: typeof SHOP_QUESTIONS = [
  [
    'how many trips have zero passengers?',
    /^5 rows with `passenger_count` 0 stand in the files `trips_2026-04` to `trips_2026-06` \[r\d+\]\. Rows .* by `file`: trips_2026-04 \/ 2, trips_2026-06 \/ 2, trips_2026-05 \/ 1 \[/,
  ],
  [
    'what is the average fare by month?',
    /^Average `fare_amount` of the files `trips_2026-04` to `trips_2026-06` by month of `picked_up_at`: 2026-04 \/ 6\.25, 2026-05 \/ 6\.25, 2026-06 \/ 6\.25 \[/,
  ],
  ['how many trips are there?', /^12 rows stand in the files `trips_2026-04` to `trips_2026-06` \[/],
];

describe('plain questions of several tables to the investigator without a model', () => {
  it.each([
    ...SHOP_QUESTIONS.map((one) => [...one, 'sqlite', shop] as const),
    ...TRIP_QUESTIONS.map((one) => [...one, 'files', trips] as const),
  ])('are answered in the first sentence, with the right value: %s', async (question, first, kind, path) => {
    const { answer, status } = await askInvestigator({ question, sources: [`data=${kind}:${path}`] });
    expect({ answer, status }).toEqual({ answer: expect.stringMatching(first), status: 'ok' });
    expect(answer).not.toContain('(unsupported)');
  });

  it('name the files that cannot be read, with the reason', async () => {
    const { answer, status } = await askInvestigator({ question: 'which files cannot be read?', sources: [`data=files:${broken}`] });
    expect(status).toBe('ok');
    expect(answer).toMatch(/^Cannot be read as a table: `bad` \(bad\.json .*not valid JSON/);
    expect(answer).not.toContain('good');
  });

  it('lead with what is wrong, and say so where nothing is', async () => {
    const ask = (path: string) => askInvestigator({ question: 'what is wrong with the data?', sources: [path] });
    expect((await ask(`data=files:${broken}`)).answer).toMatch(/^Cannot be read as a table: `bad`/);
    const lines = (await ask(`data=sqlite:${shop}`)).answer;
    expect(lines).toMatch(/^1 of 8 rows of `BillLine` have no match in `Bill` by `BillId`: as `BillId` \/ rows: 9 \/ 1/);
    expect(lines).toContain('Empty, which may be right: `Email` in 2 of 4 rows of `Client`');
    rmSync(join(broken, 'bad.json'));
    expect((await ask(`data=files:${broken}`)).answer).toMatch(/^Nothing that fixed rules look for is wrong in `good`/);
  });
});
