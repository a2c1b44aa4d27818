import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { askInvestigator, claims } from './ask-investigator.ts';

const place = mkdtempSync(join(tmpdir(), 'soloist-healthy-'));
afterAll(() => rmSync(place, { recursive: true, force: true }));

type Row = readonly (string | number | null)[];
type Table = readonly [header: string, rows: readonly Row[]];
const range = (count: number): number[] => Array.from({ length: count }, (_, at) => at);
const two = (number: number): string => String(number).padStart(2, '0');
/** Numbers that look like chance and are the same in every run. */
const noise = (at: number, below: number): number => (((at * 7919 + 104_729) % 9973) * 31) % below;
const EVERYTHING = 'Why are rows missing, duplicated, changed, wrong and in the wrong hours?';

let folders = 0;
function write(tables: Readonly<Record<string, Table>>): string {
  const folder = join(place, String(++folders));
  for (const [name, [header, rows]] of Object.entries(tables)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, `${name}.csv`), `${header}\n${rows.map((row) => row.map((cell) => cell ?? '').join(',')).join('\n')}\n`);
  }
  return `data=files:${folder}`;
}

function database(tables: Readonly<Record<string, Table>>): string {
  const file = join(place, `${++folders}.sqlite`);
  const opened = new Database(file);
  for (const [name, [header, rows]] of Object.entries(tables)) {
    opened.exec(
      `CREATE TABLE ${name} (${header.replace(/\w+/g, (column) => `${column} ${/Name|Title/.test(column) ? 'TEXT' : 'INTEGER'}`)})`,
    );
    const insert = opened.prepare(`INSERT INTO ${name} VALUES (${header.replace(/\w+/g, '?')})`);
    for (const row of rows) insert.run(...row);
  }
  opened.close();
  return `data=sqlite:${file}`;
}

async function causes(source: string, question = EVERYTHING): Promise<readonly string[]> {
  const report = await askInvestigator({ question, sources: [source] });
  expect(report.status).toBe('ok');
  return claims(report, 'cause');
}

describe('the investigator without a model, on data of which nothing is wrong', () => {
  it('takes staff who share a name with one customer for no copy that lost the others', async () => {
    const customers = range(59).map((at): Row => [at + 1, `Family${at}`, `Given${at}`, `Town${at % 20}`]);
    const staff = range(8).map((at): Row => [at + 1, at === 0 ? 'Family7' : `Kin${at}`, `Other${at}`, `Town${at % 3}`]);
    const tables = {
      Customer: ['CustomerId,LastName,FirstName,City', customers],
      Employee: ['EmployeeId,LastName,FirstName,City', staff],
    } as const;
    const { answer } = await askInvestigator({ question: 'what is wrong with the data?', sources: [write(tables)] });
    expect(answer).not.toContain('are not in `Employee`');
  });

  it('takes one order a day that arrived some days late for no day that was written again', async () => {
    const days = [0, 1, 0, 4, 1, 0, 1];
    const rows = days.map((late, at): Row => [`A-${1001 + at}`, `2026-03-${two(2 + at)}`, `2026-03-${two(2 + at + late)}`]);
    expect(await causes(write({ orders: ['order_id,promised,arrived', rows] }), 'what is wrong?')).toEqual([]);
  });

  it('takes no two columns for a reference because both are called Name, and no product without a sale for a lost one', async () => {
    const source = database({
      Band: ['BandId,Name', range(40).map((at) => [at + 1, `band ${at}`])],
      Song: [
        'SongId,Name,BandId,Length',
        range(300).map((at) => [at + 1, at % 60 === 0 ? `band ${at / 60}` : `song ${at % 280}`, 1 + (at % 40), 100 + noise(at, 90)]),
      ],
      SaleLine: ['SaleLineId,SongId,Quantity', range(150).map((at) => [at + 1, 1 + ((at * 7) % 200), 1])],
    });
    expect(await causes(source)).toEqual([]);
  });

  it('takes no file of a series for what another refers to, also in another folder, and no number that is single by chance for its key', async () => {
    const trips = (from: number, count: number): Table => [
      'vendor_id,picked_up_at,zone_id,fare',
      range(count).map((at) => [
        1 + (at % 2),
        `2026-0${from}-${two(1 + (at % 27))} ${two(noise(at, 24))}:00:00`,
        count < 10 ? 1 + at * 3 + from : noise(at + from, 60),
        `${5 + noise(at, 9)}.5`,
      ]),
    ];
    const source = write({
      'trips_2026-01': trips(1, 400),
      'trips_2026-02': trips(2, 400),
      'samples/trips_2026-03': trips(3, 8),
      'samples/trips_2026-04': trips(4, 8),
      'samples/trips_2026-05': trips(5, 8),
    });
    expect((await causes(source)).filter((claim) => /no match|several files/.test(claim))).toEqual([]);
  });

  it('tells of no day without rows where one row falls on a day in the middle, and of a whole empty week', async () => {
    const orders = (days: readonly number[]): Table => [
      'order_id,ordered_on,amount',
      days.map((day, at) => [at + 1, new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10), 10 + noise(at, 30)]),
    ];
    const strewn = range(120).map((at) => noise(at * 3, 90));
    expect(await causes(write({ orders: orders(strewn.sort((left, right) => left - right)) }))).toEqual([]);
    const every = range(56).flatMap((day) => (day >= 14 && day < 21 ? [] : [day, day, day]));
    const broken = await causes(write({ orders: orders(every) }));
    expect(broken.join()).toContain('2026-01-15 to 2026-01-21');
  });

  it('calls no width of a decimal and no middle of eight rows a change', async () => {
    const file = (fares: readonly string[]): Table => [
      'trip_id,fare',
      fares.map((fare, at) => [at + noise(fares.length + Number(fare), 5000), fare]),
    ];
    const source = write({
      'fares_2026-01': file(['1.25', '2.50', '9.75', '3.25', '4.50', '5.25', '6.75', '7.25']),
      'fares_2026-02': file(['11.25', '22.50', '9.75', '13.25', '14.50', '15.25', '16.75', '17.25']),
      'fares_2026-03': file(['0.01', '0.02', '0.01', '0.02', '0.25', '0.01', '0.02', '0.01']),
    });
    expect((await causes(source)).filter((claim) => /became|middle value/.test(claim))).toEqual([]);
  });

  it('calls one row of 99 a value, and minus one where other numbers lie below zero', async () => {
    const source = write({
      values: [
        'customer_id,worth,balance',
        range(120).map((at) => [
          at + 1,
          at === 60 ? 99 : 1 + noise(at, 30),
          at % 40 === 1 ? -1 : at % 40 === 2 ? '-0.5' : 3 + noise(at, 4),
        ]),
      ],
    });
    expect((await causes(source)).filter((claim) => /sentinel/.test(claim))).toEqual([]);
  });
});

describe('what happens often by its nature', () => {
  it('is no mistake where two visits of one person overlap', async () => {
    // Each of 40 visitors has 5 visits, each begins before the one before it ended.
    const visits = range(200).map((at) => [at + 1, at % 40, `2026-03-0${1 + Math.floor(at / 40)} 08:00:00`, '2026-03-09 10:00:00']);
    const sources = [write({ visits: ['visit_id,visitor_id,start_time,end_time', visits] })];
    const report = await askInvestigator({ question: 'Why are the numbers of visits wrong?', sources });
    expect(claims(report, 'cause').filter((claim) => claim.includes('overlapping'))).toEqual([]);
  });

  const DAYS = range(12).map((at) => `2026-03-${two(at + 1)}`);
  /** Each of these things on each day, but a few of them on the last but one. */
  const daily = (count: number, row: (thing: number, day: string, at: number) => Row): Row[] =>
    DAYS.flatMap((day, at) => range(count).flatMap((thing) => (at === 10 && thing % 17 === 3 ? [] : [row(thing, day, at)])));
  it.each<readonly [string, Table]>([
    [
      '20 shops by 10 products',
      ['day,shop,product,units', daily(200, (one, day, at) => [day, `s${one % 20}`, `p${Math.floor(one / 20)}`, noise(one + at, 50)])],
    ],
    [
      // The shops have 1 to 24 of 24 products, 300 in all, and are as good as noise in every other column.
      'shops with the products that each of them has',
      [
        'day,shop,product,stock',
        daily(300, (one, day, at) => {
          const shop = Math.floor((Math.sqrt(8 * one + 1) - 1) / 2);
          return [day, `s${shop}`, `p${one - (shop * (shop + 1)) / 2}`, noise(one * 3 + at, 90)];
        }),
      ],
    ],
    [
      '5 regions by 4 channels by 10 plans',
      [
        'day,region,channel,plan,users',
        daily(200, (one, day, at) => [day, one % 5, `c${Math.floor(one / 5) % 4}`, `p${Math.floor(one / 20)}`, noise(one + at, 70)]),
      ],
    ],
    [
      '25 sensors by hours',
      [
        'measured_at,sensor,value',
        daily(600, (one, day, at) => [`${day} ${two(one % 24)}:0${noise(one, 3)}:00`, `x${Math.floor(one / 24)}`, noise(one + at, 900)]),
      ],
    ],
    [
      'accounts of which two leave and two come every day',
      ['day,account_no,balance', daily(100, (one, day, at) => [day, `a${one + 2 * at}`, noise(one + at, 9999)])],
    ],
  ])('is no limit on the rows of a day: %s', async (_, table) => {
    const limits = (found: readonly string[]): readonly string[] => found.filter((claim) => claim.includes('a limit cut off'));
    expect(limits(await causes(write({ levels: table }), 'Why are the numbers of 2026-03-11 too low?'))).toEqual([]);
  });

  it('is no restart where a program opens a connection', async () => {
    const folder = join(place, String(++folders));
    mkdirSync(folder);
    const lines = range(30).map((at) => `2026-03-14 02:${two(at)}:00,000 INFO Starting new HTTPS connection (1): api.example.org:443`);
    writeFileSync(join(folder, 'loader.log'), `${lines.join('\n')}\n`);
    const report = await askInvestigator({ question: 'What went wrong last night?', sources: [`logs=logs:${folder}`] });
    expect(claims(report, 'cause')).toEqual([]);
  });
});
