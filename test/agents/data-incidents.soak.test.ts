import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { askInvestigator, claims } from './ask-investigator.ts';

const place = mkdtempSync(join(tmpdir(), 'soloist-incidents-'));
afterAll(() => rmSync(place, { recursive: true, force: true }));

type Row = readonly (string | number | null)[];
type Tables = Readonly<Record<string, readonly [header: string, rows: readonly Row[]]>>;
const range = (count: number): number[] => Array.from({ length: count }, (_, at) => at);
const two = (number: number): string => String(number).padStart(2, '0');
/** Numbers that look like chance and are the same in every run. */
const noise = (at: number, below: number): number => (((at * 7919 + 104_729) % 9973) * 31) % below;
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

let sources = 0;
function files(tables: Tables): string {
  const folder = mkdtempSync(join(place, 'files-'));
  for (const [name, [header, rows]] of Object.entries(tables))
    writeFileSync(join(folder, `${name}.csv`), `${header}\n${rows.map((row) => row.map((cell) => cell ?? '').join(',')).join('\n')}\n`);
  return `data=files:${folder}`;
}

function sqlite(tables: Tables): string {
  const file = join(place, `${++sources}.sqlite`);
  const opened = new Database(file);
  for (const [name, [header, rows]] of Object.entries(tables)) {
    const [first = []] = rows;
    const columns = header.split(',').map((column, at) => `${column} ${typeof first[at] === 'number' ? 'REAL' : 'TEXT'}`);
    opened.exec(`CREATE TABLE ${name} (${columns.join(', ')})`);
    const insert = opened.prepare(`INSERT INTO ${name} VALUES (${first.map(() => '?').join(', ')})`);
    opened.transaction(() => {
      for (const row of rows) insert.run(...row);
    })();
  }
  opened.close();
  return `data=sqlite:${file}`;
}

interface Incident {
  readonly questions: readonly string[];
  readonly source: string;
  /** The same data with nothing wrong. */
  readonly healthy: string;
  /** How the answer begins. */
  readonly begins: RegExp;
}

/** Each question is answered with the cause first and figures that results hold; of the healthy twin no cause is told. */
async function expectFound({ questions, source, healthy, begins }: Incident): Promise<void> {
  const ask = (question: string, of: string) => askInvestigator({ question, sources: [of] });
  for (const question of questions) {
    const report = await ask(question, source);
    expect(report.answer).toMatch(begins);
    expect(report.figures.filter(({ status }) => status === 'unsupported')).toEqual([]);
  }
  expect(claims(await ask(questions[0] ?? '', healthy), 'cause')).toEqual([]);
}

const MAY = range(28).map((at) => `2026-05-${two(at + 1)}`);

describe('the investigator without a model, where one group of rows changes on one day', () => {
  it('names the group, the day and the averages of a unit that one group changes, though the level of all hardly moves', async () => {
    const table = (factor: number): Tables => ({
      invoices: [
        'invoice_id,entity,net_value,issued_on',
        MAY.flatMap((day, at) =>
          ['at', 'de', 'fr', 'it', 'uk'].flatMap((entity, place) =>
            range(4).map((one) => {
              const id = at * 20 + place * 4 + one;
              return [id, entity, (2000 + noise(id, 900)) / (entity === 'de' && at >= 10 ? factor : 1), day];
            }),
          ),
        ),
      ],
    });
    const ids = (from: number, to: number) =>
      range(28).flatMap((at) => (at >= from && at < to ? range(4).map((one) => at * 20 + 4 + one) : []));
    const average = (of: readonly number[], factor: number): string =>
      (sum(of.map((id) => 2000 + noise(id, 900))) / of.length / factor).toFixed(2);
    const [before, since] = [ids(0, 10), ids(10, 28)];
    await expectFound({
      questions: ['Invoiced value looks off since 11 May, what happened?', 'Why did net_value drop in May?'],
      source: files(table(1000)),
      healthy: files(table(1)),
      begins: new RegExp(
        `^In \`invoices\` the average of \`net_value\` moves from 2026-05-11 on in these rows only, as [^:]*: de / ${average(before, 1)} / ${average(since, 1000)} / 40 / 72; `,
      ),
    });
  });

  it('says that a status goes by another name, and of the table that filters by the old one', async () => {
    const rows = (renamed: boolean): readonly Row[] =>
      MAY.flatMap((day, at) =>
        range(20).map((one) => {
          const gone = one % 5 === 0 ? (renamed && at >= 12 ? 'canceled' : 'cancelled') : 'paid';
          return [`o${at * 20 + one}`, gone, 5 + noise(at * 20 + one, 90), day];
        }),
      );
    const tables = (renamed: boolean): Tables => ({
      orders: ['order_id,status,amount,ordered_on', rows(renamed)],
      net_orders: ['order_id,status,amount,ordered_on', rows(renamed).filter(([, status]) => status !== 'cancelled')],
    });
    await expectFound({
      questions: ['Why is net revenue too high since 13 May?', 'net_orders looks wrong, what happened?'],
      source: sqlite(tables(true)),
      healthy: sqlite(tables(false)),
      // Four a day on 12 days and on 16.
      begins:
        /^In `orders` `status` cancelled ends on 2026-05-12 \(48 rows until then\) and canceled begins on 2026-05-13 \(64 rows since\).*`net_orders` holds no row of cancelled and 64 of canceled/,
    });
  });

  it('says that the rows of one value end while the others go on, and not that of one which comes and goes', async () => {
    const table = (ends: boolean): Tables => ({
      bookings: [
        'booking_id,country,price,booked_on',
        MAY.flatMap((day, at) =>
          range(30).flatMap((one): Row[] => {
            const country = ['de', 'fr', 'nl'][one % 3] ?? '';
            return ends && country === 'nl' && at >= 9 ? [] : [[at * 30 + one, country, 5 + noise(at * 30 + one, 60), day]];
          }),
        ),
      ],
    });
    await expectFound({
      questions: ['Why are there fewer rows this month?', 'Bookings are below those of April, what happened?'],
      source: files(table(true)),
      healthy: files(table(false)),
      begins:
        /^In `bookings` rows of one value of `country` end while the others go on: nl ends on 2026-05-09, with no row on the 19 days after it \(days_after_last 19\), and 90 rows on 9 days/,
    });
  });

  it('says that the snapshots of one region stand still', async () => {
    const table = (still: boolean): Tables => ({
      stock: [
        'snapshot_day,region,product,on_hand',
        MAY.flatMap((day, at) =>
          ['north', 'south', 'west'].flatMap((region, place) =>
            range(8).map((one) => {
              const moving = still && region === 'south' ? Math.min(at, 17) : at;
              return [day, region, `p${one}`, 50 + noise(moving * 24 + place * 8 + one, 40)];
            }),
          ),
        ),
      ],
    });
    await expectFound({
      questions: ['Stock of some regions looks stale, what happened?', 'Why does on_hand not move any more?'],
      source: files(table(true)),
      healthy: files(table(false)),
      // Days 18 to 28 hold what day 18 holds.
      begins:
        /^In `stock` the `on_hand` of `region` south since 2026-05-18 \(days_same 10, the same total on each\) stands still, up to 2026-05-28/,
    });
  });

  it('says of which source the hours of the day move', async () => {
    const table = (hours: number): Tables => ({
      events: [
        'event_id,source,amount,at',
        MAY.flatMap((_, day) =>
          ['app', 'till', 'web'].flatMap((source, place) =>
            range(40).map((one) => {
              const id = day * 120 + place * 40 + one;
              const shift = source === 'till' && day >= 14 ? hours : 0;
              const hour = source === 'till' ? 9 + (one % 10) : one % 24;
              const time = new Date(Date.UTC(2026, 4, day + 1, hour + shift, noise(id, 60)));
              return [id, source, 1 + noise(id, 50), time.toISOString().slice(0, 19).replace('T', ' ')];
            }),
          ),
        ),
      ],
    });
    await expectFound({
      questions: ['Daily sales look shifted since 15 May, what happened?'],
      source: files(table(10)),
      healthy: files(table(0)),
      // Four an hour from 9 to 18 on 14 days, then from 19 to 4.
      begins:
        /^In `events` the hours of `at` move for one value of `source` alone: till from 2026-05-15 on, .*, from till \/ 09 \/ 56 to till \/ 18 \/ 56 until then and lie from till \/ 19 \/ 56 to till \/ 04 \/ 56 since/,
    });
  });

  it('says of which group and since when a column is empty, also where it is the key of a join', async () => {
    const tables = (empty: boolean): Tables => ({
      payments: [
        'payment_id,customer_id,channel,amount,paid_on',
        MAY.flatMap((day, at) =>
          range(16).map((one) => {
            const id = at * 16 + one;
            const channel = ['shop', 'web', 'app', 'web'][one % 4] ?? '';
            return [id, empty && channel === 'app' && at >= 20 ? null : noise(id, 50), channel, 1 + noise(id, 70), day];
          }),
        ),
      ],
      customers: ['customer_id,name', range(50).map((at) => [at, `customer ${at}`])],
    });
    await expectFound({
      questions: [
        'Revenue by customer looks too low since 21 May, what happened?',
        'Why are payments missing after the join with customers?',
      ],
      source: files(tables(true)),
      healthy: files(tables(false)),
      // Four a day on eight days.
      begins:
        /^32 of 448 rows of `payments` have no match in `customers` by `customer_id`, as they have none at all, all of them with `channel` app, first_day 2026-05-21, last_day 2026-05-28, where 32 of the 32 rows of it are empty/,
    });
  });

  it('names the one account whose rows raise a level, with a total of floats that has no dust', async () => {
    const robot = range(14).flatMap((day) =>
      range(12).map((one): Row => [`o${5000 + day * 12 + one}`, 'u9001', 400.1 + one, MAY[14 + day] ?? '']),
    );
    const table = (extra: readonly Row[]): Tables => ({
      orders: [
        'order_id,user_id,total,ordered_on',
        [
          ...MAY.flatMap((day, at) =>
            range(20).map((one): Row => [`o${at * 20 + one}`, `u${noise(at * 20 + one, 400)}`, 20 + noise(at + one, 30), day]),
          ),
          ...extra,
        ],
      ],
    });
    await expectFound({
      questions: ['Revenue looks off since 15 May, what happened?', 'Why did revenue jump in May?'],
      source: sqlite(table(robot)),
      healthy: sqlite(table([])),
      // Twelve a day on 14 days, each with 0.1 beside the whole.
      begins: new RegExp(
        `^In \`orders\` 168 rows from 2026-05-15 on are those of one \`user_id\`, u9001, with a total \`total\` of ${14 * sum(range(12).map((one) => 400 + one)) + 16.8}; `,
      ),
    });
  });
});

describe('the investigator without a model, on what a limit, a cast or a load did', () => {
  it('says that a limit cut the rows of many days off', async () => {
    const rows = (most: number): readonly Row[] =>
      MAY.flatMap((day, at) => range(Math.min(most, 260 + at * 7)).map((one): Row => [at * 1000 + one, noise(one, 99), day]));
    await expectFound({
      questions: ['Why did the number of events stop growing in May?', 'Events look off in May, what happened?'],
      source: files({ events: ['event_id,visitor,happened_on', rows(400)] }),
      healthy: files({ events: ['event_id,visitor,happened_on', rows(4000)] }),
      // 260 + 7 * 20 is 400: the eight days from the 21st on.
      begins:
        /^The most rows a day of `events` by `happened_on` are exactly 400, on 8 of 28 days .* first_day 2026-05-21, last_day 2026-05-28: a limit cut off/,
    });
  });

  it('says since when amounts have lost their decimals', async () => {
    const rows = (cast: boolean): readonly Row[] =>
      MAY.flatMap((day, at) =>
        range(10).map((one): Row => {
          const price = 3 + noise(at * 10 + one, 900) / 100 + 0.005;
          return [`l${at * 10 + one}`, cast && at >= 16 ? Math.trunc(price) : price, day];
        }),
      );
    await expectFound({
      questions: ['Revenue is slightly too low since mid May, why?'],
      source: sqlite({ order_lines: ['line_id,price,sold_on', rows(true)] }),
      healthy: sqlite({ order_lines: ['line_id,price,sold_on', rows(false)] }),
      begins:
        /^In `order_lines` `price` is a whole number in all rows from 2026-05-17 on \(rows_since 120\), where before it was one in few \(whole_before 0, rows_before 160\)/,
    });
  });

  it('names the file whose rows are of another day than its name', async () => {
    const tables = (wrong: boolean): Tables =>
      Object.fromEntries(
        MAY.slice(0, 8).map((day, at) => [
          `sales_${day}`,
          [
            'sale_id,amount,sold_on',
            range(30 + (at % 3)).map((one): Row => [at * 40 + one, 1 + noise(at + one, 60), wrong && at === 5 ? (MAY[4] ?? '') : day]),
          ],
        ]),
      );
    await expectFound({
      questions: ['Why are there no sales on 6 May?'],
      source: files(tables(true)),
      healthy: files(tables(false)),
      begins: /^Files that hold the rows of another day .*: sales_2026-05-06 \/ 32 \/ 2026-05-05 \/ 2026-05-05, where the others/,
    });
  });

  it('says of how many rows a stray delimiter moved the values', async () => {
    const rows = (comma: string): readonly Row[] =>
      range(200).map((at) => [at, at % 40 === 7 ? `Smith${comma} Jones` : `Firm ${at}`, 'Ghent', 'BE', 100 + at]);
    await expectFound({
      questions: ['Some customers have a city in the country column, why?', 'What is wrong with customers?'],
      source: files({ customers: ['customer_id,company,city,country,credit', rows(',')] }),
      healthy: files({ customers: ['customer_id,company,city,country,credit', rows('')] }),
      begins: /^In `customers` 5 rows have more than 5 fields \(lines 9, 49, 89 and others\)/,
    });
  });
});

describe('the investigator without a model, on tables of versions', () => {
  it('counts the keys whose versions overlap, and the rows that a join with them adds', async () => {
    const tables = (begins: string): Tables => {
      const versions = range(90).flatMap((at): Row[] =>
        at % 9 === 0
          ? [
              [`c${at}`, 'small', '2025-01-01', '2026-05-20'],
              [`c${at}`, 'large', begins, '9999-12-31'],
            ]
          : [[`c${at}`, 'small', '2025-01-01', '9999-12-31']],
      );
      const orders = MAY.flatMap((day, at) =>
        range(12).map((one): Row => [`o${at * 12 + one}`, `c${noise(at * 12 + one, 90)}`, 10 + one, day]),
      );
      const joined = orders.flatMap(([id, customer, amount, day]) =>
        versions
          .filter(([key, , from, to]) => key === customer && String(from) <= String(day) && String(day) < String(to))
          .map(([, segment]): Row => [id ?? '', segment ?? '', amount ?? 0, day ?? '']),
      );
      return {
        dim_customer: ['customer_id,segment,valid_from,valid_to', versions],
        fct_orders: ['order_id,customer_id,amount,ordered_on', orders],
        rpt_segments: ['order_id,segment,amount,ordered_on', joined],
      };
    };
    const broken = tables('2026-05-10');
    const extra = (broken.rpt_segments?.[1].length ?? 0) - 28 * 12;
    await expectFound({
      questions: ['Why has rpt_segments more rows than fct_orders?', 'Revenue by segment looks too high in May, what happened?'],
      source: sqlite(broken),
      healthy: sqlite(tables('2026-05-20')),
      begins: new RegExp(
        `^\`dim_customer\` holds overlapping versions of 10 values of \`customer_id\` .*\`rpt_segments\` has ${336 + extra} rows for the 336 \`order_id\` of \`fct_orders\`, extra_rows ${extra}`,
      ),
    });
  });

  it('says that the oldest version of each row is kept in place of the newest', async () => {
    const raw = range(200).flatMap((at) =>
      range(1 + (at % 3)).map(
        (one): Row => [
          at,
          ['trial', 'active', 'closed'][one] ?? '',
          noise(at, 700),
          `2026-05-${two(1 + (at % 20))} ${two(8 + one * 3)}:00:00`,
        ],
      ),
    );
    const kept = (newest: boolean): readonly Row[] =>
      range(200).flatMap((at) => {
        const own = raw.filter(([id]) => id === at);
        return [(newest ? own.at(-1) : own[0]) ?? []];
      });
    const header = 'account_id,status,balance,updated_at';
    await expectFound({
      questions: [
        'Many closed accounts still look active. What happened?',
        'Balances in accounts are wrong compared with raw_accounts, why?',
      ],
      source: files({ raw_accounts: [header, raw], accounts: [header, kept(false)] }),
      healthy: files({ raw_accounts: [header, raw], accounts: [header, kept(true)] }),
      // Of 200, those with at % 3 of 1 and 2: 67 and 66.
      begins:
        /^133 of the 200 rows of `accounts` are older versions than `raw_accounts` holds of the same `account_id`, .*\(rows_oldest 133, /,
    });
  });
});

describe('the investigator without a model, on references by other words', () => {
  const orders = range(300).map((at): Row => [at, at % 60 === 59 ? 900 + at : noise(at, 100), `2026-05-${two(1 + (at % 28))}`]);
  const tables = (rows: readonly Row[]): Tables => ({
    raw_customers: ['id,first_name', range(100).map((at) => [at, `name ${at}`])],
    raw_orders: ['id,user_id,order_date', rows],
  });

  it('takes a user_id for a customer where there are no users', async () => {
    await expectFound({
      questions: ['Some orders have no customer, why?', 'Why are orders missing after joining customers on user_id?'],
      source: files(tables(orders)),
      healthy: files(tables(orders.map(([id, user, day]) => [id ?? 0, Number(user) % 100, day ?? '']))),
      begins: /^5 of 300 rows of `raw_orders` have no match in `raw_customers` by `user_id`: as `user_id` \/ rows: 959 \/ 1/,
    });
    const { answer } = await askInvestigator({
      question: 'Which user_id of raw_orders are not in raw_customers?',
      sources: [files(tables(orders))],
    });
    expect(answer).toMatch(/^5 of 300 rows of `raw_orders` by `user_id` refer to 5 values that `raw_customers` does not hold/);
  });

  it('takes the first column of a table for its key, and says of which rows the keys are written otherwise', async () => {
    const shop = (written: (sku: string, at: number) => string): Tables => ({
      products: ['sku,title', range(80).map((at) => [`SKU-${two(at)}`, `thing ${at}`])],
      order_items: [
        'item_id,sku,warehouse,quantity,shipped_on',
        range(280).map((at) => [
          `i${at}`,
          written(`SKU-${two(noise(at, 80))}`, at),
          at % 2 === 0 ? 'north' : 'south',
          1 + (at % 4),
          MAY[Math.floor(at / 10)] ?? '',
        ]),
      ],
    });
    await expectFound({
      questions: ['Category totals dropped in May, what happened?', 'Why do order_items not match products?'],
      source: sqlite(shop((sku, at) => (at % 2 === 1 && at >= 200 ? `${sku.toLowerCase()} ` : sku))),
      healthy: sqlite(shop((sku) => sku)),
      begins:
        /^40 of 280 rows of `order_items` have no match in `products` by `sku`: .*, all of them with `warehouse` south; 40 of them do match when dashes, blanks and case are left out/,
    });
  });
});

describe('the investigator without a model, on totals, names and ends', () => {
  const transactions = MAY.flatMap((day, at) => range(10 + (at % 4)).map((one): Row => [at * 20 + one, 1 + noise(at * 20 + one, 80), day]));
  const totals = (late: readonly string[]): readonly Row[] =>
    MAY.map((day) => {
      const own = transactions.filter(([id, , of]) => of === day && !(late.includes(day) && Number(id) % 2 === 0));
      return [day, sum(own.map(([, amount]) => Number(amount)))];
    });

  it('names the days on which a table of totals is not what the rows add up to', async () => {
    const [day = ''] = MAY.slice(8, 9);
    const of = (rows: readonly Row[]) => rows.find(([one]) => one === day)?.[1];
    await expectFound({
      questions: ['Why does daily_revenue show less than transactions?', 'daily_revenue looks off in May, what happened?'],
      source: files({
        transactions: ['txn_id,amount,txn_date', transactions],
        daily_revenue: ['day,revenue', totals([day, MAY[20] ?? ''])],
      }),
      healthy: files({ transactions: ['txn_id,amount,txn_date', transactions], daily_revenue: ['day,revenue', totals([])] }),
      begins: new RegExp(
        `^\`revenue\` of \`daily_revenue\` is the sum of \`amount\` of \`transactions\` on 26 of 28 days .*: ${day} / ${of(totals([day]))} / ${of(totals([]))}, 2026-05-21 / .*; the total is too low`,
      ),
    });
  });

  const rides = (city: (at: number, day: number) => string): Tables => ({
    rides: [
      'ride_id,city,fare,ride_day',
      MAY.flatMap((day, at) => range(12).map((one): Row => [`r${at * 12 + one}`, city(one, at), 5 + noise(at * 12 + one, 40), day])),
    ],
  });
  const cities = ['Köln', 'Essen', 'Bonn'];

  it('says that one value is written in two ways', async () => {
    await expectFound({
      questions: ['Why does Bonn show up twice in the report by city?', 'Fares of Bonn look too low since 16 May, what happened?'],
      source: sqlite(rides((one, day) => (day >= 15 && one === 2 ? 'BONN ' : (cities[one % 3] ?? '')))),
      healthy: sqlite(rides((one) => cities[one % 3] ?? '')),
      // Four of Bonn a day; one of them on 13 days.
      begins:
        /^`city` of `rides` writes 1 values in 2 ways .*: "Bonn" \/ 99 \/ 2026-05-01 \/ 2026-05-28, "BONN " \/ 13 \/ 2026-05-16 \/ 2026-05-28/,
    });
  });

  it('says in how many rows and since when letters are damaged, and takes a capital Ã for none', async () => {
    const damaged = (name: string): string => Buffer.from(name, 'utf8').toString('latin1');
    await expectFound({
      questions: ['City names look broken since 20 May, what happened?'],
      source: sqlite(rides((one, day) => (day >= 19 ? damaged(cities[one % 3] ?? '') : (cities[one % 3] ?? '')))),
      healthy: sqlite(rides((one) => ['SÃO PAULO', 'Essen', 'Bonn'][one % 3] ?? '')),
      // Four of Köln on each of nine days.
      begins: /^`city` of `rides` holds damaged letters in 36 rows \(rows_damaged 36\), first_day 2026-05-20, last_day 2026-05-28/,
    });
  });

  it('says that the last day is not over in the data', async () => {
    const orders = (last: number): Tables => ({
      orders: [
        'order_id,items,created_at',
        MAY.slice(0, 10).flatMap((day, at) =>
          range(48).flatMap((one): Row[] =>
            at === 9 && one / 2 > last ? [] : [[`o${at * 48 + one}`, 1 + noise(at + one, 9), `${day} ${two(Math.floor(one / 2))}:15:00`]],
          ),
        ),
      ],
    });
    await expectFound({
      questions: ['Why are orders of 10 May so low?', 'Orders dropped on the last day, what happened?'],
      source: files(orders(9)),
      healthy: files(orders(24)),
      // Two an hour from 0 to 8, and one at 9.
      begins:
        /^The last day of `orders` by `created_at` is not over in the data, as day \/ rows \/ newest time: 2026-05-10 \/ 19 \/ 09:15, 2026-05-09 \/ 48 \/ 23:15/,
    });
  });

  it('compares a day with the same weekday where weeks have a rhythm', async () => {
    const tickets = (wednesday: number): Tables => ({
      tickets: [
        'ticket_id,queue,opened_on',
        MAY.flatMap((day, at) => {
          const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
          const rows = at === 19 ? wednesday : weekday % 6 === 0 ? 8 : 40;
          return range(rows).map((one): Row => [at * 50 + one, 'abc'[one % 3] ?? '', day]);
        }),
      ],
    });
    await expectFound({
      questions: ['Tickets look off since Tuesday, what happened?', 'Why are there so few tickets on 20 May?'],
      source: files(tickets(15)),
      healthy: files(tickets(40)),
      begins: /^In `tickets` by day of `opened_on`, 15 rows on 2026-05-20, where 40 on 2026-05-06 is usual/,
    });
  });

  it('tells of no cause where states, versions and times of later steps follow the age of a row, or where the same hundred report each day', async () => {
    const state = (at: number): string => (at < 20 ? 'completed' : at < 25 ? 'shipped' : 'placed');
    const source = files({
      orders: [
        'order_id,status,app_version,total,ordered_on,shipped_on',
        MAY.flatMap((day, at) =>
          range(15).map((one): Row => {
            const id = at * 15 + one;
            return [id, state(at), at < 14 ? 'v1' : 'v2', 5 + noise(id, 50), day, at < 25 ? (MAY[Math.min(27, at + 1)] ?? '') : null];
          }),
        ),
      ],
      readings: [
        'reading_id,sensor,value,read_on',
        MAY.flatMap((day, at) =>
          range(100 - (at % 9 === 4 ? 3 : 0)).map((one): Row => [at * 100 + one, `s${one}`, 10 + noise(at * 100 + one, 20), day]),
        ),
      ],
    });
    for (const question of [
      'Orders look off since 15 May, what happened?',
      'Why are there fewer readings in May?',
      'Why is shipped_on empty?',
    ])
      expect(claims(await askInvestigator({ question, sources: [source] }), 'cause')).toEqual([]);
  });

  it('takes no state that old rows have come to for one that ended', async () => {
    const state = (at: number): string => (at < 20 ? 'completed' : at < 24 ? 'shipped' : 'placed');
    const orders = files({
      orders: [
        'order_id,status,total,ordered_on',
        MAY.flatMap((day, at) => range(15).map((one): Row => [at * 15 + one, state(at), 5 + noise(at * 15 + one, 50), day])),
      ],
    });
    const report = await askInvestigator({ question: 'Orders look off, what happened?', sources: [orders] });
    expect(report.answer).toMatch(/^Fixed rules find nothing in `orders` that explains it/);
    expect(claims(report, 'cause')).toEqual([]);
  });

  it('tells first of what began on the day that the question names, and of what was there long before as no cause', async () => {
    const table = (factor: number): Tables => ({
      orders: [
        'order_id,customer_id,shop,amount,sold_on',
        MAY.flatMap((day, at) =>
          ['north', 'south', 'west'].flatMap((shop, place) =>
            range(6).map((one): Row => {
              const id = at * 18 + place * 6 + one;
              return [
                id,
                id % 97 === 0 ? 5000 + id : noise(id, 80),
                shop,
                (20 + noise(id, 12)) / (shop === 'west' && at >= 17 ? factor : 1),
                day,
              ];
            }),
          ),
        ),
      ],
      customers: ['customer_id,name', range(80).map((at) => [at, `customer ${at}`])],
    });
    await expectFound({
      questions: ['Why did revenue drop on 18 May?', 'Sales are lower since 2026-05-18, why?'],
      source: files(table(10)),
      healthy: files(table(1)),
      begins: /^In `orders` the average of `amount` moves from 2026-05-18 on in these rows only, as [^:]*: west \/ /,
    });
  });

  it('says that a series of files is whole where that is asked, and names the file that is not', async () => {
    const series = (short: number): Tables =>
      Object.fromEntries(
        MAY.slice(0, 8).map((day, at) => [
          `export_${day}`,
          ['row_no,value', range(at === 5 ? short : 60).map((one): Row => [at * 60 + one, noise(at + one, 90)])],
        ]),
      );
    const ask = async (tables: Tables) => (await askInvestigator({ question: 'Is the data complete?', sources: [files(tables)] })).answer;
    expect(await ask(series(60))).toMatch(/^The series export_<day>\.csv has a file for each of the 8 days from 2026-05-01 to 2026-05-08/);
    expect(await ask(series(11))).toMatch(/^`export_2026-05-06` has 11 rows, where `export_2026-05-05` has 60/);
  });

  it('finds what two feeds both bring', async () => {
    const paid = (both: boolean): Tables => {
      const own = MAY.flatMap((day, at) =>
        range(12).map(
          (one): Row => [
            at * 12 + one,
            3 + noise(at * 12 + one, 900) / 10,
            `${day} ${two(8 + one)}:${two(noise(at * 12 + one, 60))}:07`,
            'api',
          ],
        ),
      );
      const again = both
        ? own
            .filter(([id]) => Number(id) >= 240 && Number(id) % 4 === 0)
            .map(([id, amount, at]): Row => [1000 + Number(id), amount ?? 0, at ?? '', 'file'])
        : [];
      return { payments: ['payment_id,amount,paid_at,source', [...own, ...again]] };
    };
    await expectFound({
      questions: ['Payments look too high since 21 May, why?', 'Are payments counted twice?'],
      source: files(paid(true)),
      healthy: files(paid(false)),
      // Of ids 240 to 335 every fourth.
      begins:
        /^24 rows of `payments` are copies: they repeat an earlier row in everything but `payment_id` and `source`, .* by `source` \/ copies: file \/ 24/,
    });
  });
});
