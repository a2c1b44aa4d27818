import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { askAgent } from './ask-agent.ts';
import { askInvestigator } from './ask-investigator.ts';

const place = mkdtempSync(join(tmpdir(), 'soloist-causes-'));
afterAll(() => rmSync(place, { recursive: true, force: true }));

type Row = readonly (string | number)[];
const range = (count: number): number[] => Array.from({ length: count }, (_, at) => at);
const two = (number: number): string => String(number).padStart(2, '0');
const may = (day: number): string => `2026-05-${two(day)}`;
/** Numbers that look like chance and are the same in every run. */
const noise = (at: number, below: number): number => (((at * 7919 + 104_729) % 9973) * 31) % below;

function table(header: string, rows: readonly Row[]): string {
  return `${header}\n${rows.map((row) => row.join(',')).join('\n')}\n`;
}

let folders = 0;
async function ask(question: string, files: Readonly<Record<string, string>>): Promise<string> {
  const folder = join(place, String(++folders));
  mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, `${name}.csv`), text);
  const { answer, status } = await askInvestigator({ question, sources: [`data=files:${folder}`] });
  expect(status).toBe('ok');
  expect(answer).not.toContain('(unsupported)');
  return answer;
}

describe('the investigator without a model, on values that are not what they seem', () => {
  const readings = range(14 * 60).map((at): Row => {
    const [day, each] = [1 + Math.floor(at / 60), at % 60];
    const broken = day >= 10 && each % 12 === 3;
    return [`${may(day)}T${two(noise(at, 24))}:00:00`, `s${each % 6}`, broken ? -999 : 15 + noise(at, 60) / 10, 30 + noise(at, 40)];
  });

  it('calls a number that stands for no value a sentinel, with its rows, and no other unit', async () => {
    const answer = await ask('Why did the average temperature drop since 10 May?', {
      readings: table('measured_at,sensor,temperature,humidity', readings),
    });
    // Five days of five such readings.
    expect(answer).toMatch(
      /^`temperature` of `readings` holds -999\.0 in 25 rows, first on 2026-05-10 and last on 2026-05-14, all with `sensor` s3: likely a sentinel/,
    );
    expect(answer).not.toContain('unit or another meaning');
  });

  it('says so in the report on the quality of data too', async () => {
    const folder = join(place, 'quality');
    mkdirSync(folder);
    writeFileSync(join(folder, 'readings.csv'), table('measured_at,sensor,temperature,humidity', readings));
    const { report } = await askAgent({ agent: 'data-quality', question: 'Check all tables.', sources: [`data=files:${folder}`] });
    expect(report.answer).toContain('`temperature` holds -999.0, likely a sentinel in place of a value');
  });

  it('finds the one shop that writes whole units where all write cents', async () => {
    const rows = range(12 * 40).map((at): Row => {
      const [day, shop] = [1 + Math.floor(at / 40), at % 4];
      const cents = 3000 + noise(at, 3000);
      return [at, `shop${shop}`, may(day), shop === 2 && day >= 8 ? (cents / 100).toFixed(2) : cents];
    });
    const answer = await ask('Why is revenue lower since 8 May?', { sales: table('sale_id,shop,sold_on,amount', rows) });
    expect(answer).toMatch(/moves from 2026-05-08 on in these rows only, as `shop`[^:]*: shop2 \/ /);
    expect(answer).toContain('about a factor of a hundred, as cents and whole units are');
  });

  it('says that two columns of one file have changed places', async () => {
    const files = Object.fromEntries(
      range(6).map((day) => {
        const rows = range(30).map((at): Row => {
          const [net, tax] = [60 + noise(at + day, 30), 10 + noise(at + day, 6)];
          return day === 4 ? [day * 30 + at, tax, net] : [day * 30 + at, net, tax];
        });
        return [`invoices_${may(day + 1)}`, table('invoice_id,net,tax', rows)];
      }),
    );
    const answer = await ask('Tax is too high in the invoices of 5 May. Why?', files);
    expect(answer).toMatch(/`invoices_2026-05-05`: the values of `net` and `tax` have changed places/);
  });
});

describe('the investigator without a model, on rows that two tables tell of differently', () => {
  const names = range(200).map((at) => `${['Anna', 'Bernd', 'Christoph'][at % 3]} ${'abcdefghijklmnop'.slice(0, 3 + (at % 13))}`);

  it('says that a column was cut off, and at which length', async () => {
    const crm = names.map((name, at): Row => [at, name, 'DE']);
    const dwh = names.map((name, at): Row => [at, name.slice(0, 14), 'DE']);
    const longer = names.filter((name) => name.length > 14).length;
    const answer = await ask('Some names in dwh_contacts do not match crm_contacts. Why?', {
      crm_contacts: table('contact_id,name,country', crm),
      dwh_contacts: table('contact_id,name,country', dwh),
    });
    expect(answer).toMatch(
      new RegExp(
        `^Of the ${longer} rows in which \`name\` differs .* in ${longer} it is cut off at the end \\(longest_left \\d+, longest_right 14\\)`,
      ),
    );
  });

  it('says so of a database whose engine has no regular expressions too', async () => {
    const file = join(place, 'contacts.sqlite');
    const database = new Database(file);
    database.exec('CREATE TABLE crm_contacts (contact_id INTEGER, name TEXT, country TEXT)');
    database.exec('CREATE TABLE dwh_contacts (contact_id INTEGER, name TEXT, country TEXT)');
    for (const [at, name] of names.entries()) {
      database.prepare('INSERT INTO crm_contacts VALUES (?, ?, ?)').run(at, name, 'DE');
      database.prepare('INSERT INTO dwh_contacts VALUES (?, ?, ?)').run(at, name.slice(0, 14), 'DE');
    }
    database.close();
    const question = 'Some names in dwh_contacts do not match crm_contacts. Why?';
    const { answer } = await askInvestigator({ question, sources: [`data=sqlite:${file}`] });
    const longer = names.filter((name) => name.length > 14).length;
    expect(answer).toMatch(new RegExp(`^Of the ${longer} rows in which \`name\` differs .* in ${longer} it is cut off at the end`));
  });

  it('says that letters were damaged by an encoding', async () => {
    const last = ['Müller', 'Schäfer', 'Jansen', 'García'];
    const source = range(120).map((at): Row => [at, last[at % 4] ?? '', at]);
    const target = source.map(
      ([id = 0, name = '', age = 0]): Row => [id, Number(id) >= 80 ? Buffer.from(String(name), 'utf8').toString('latin1') : name, age],
    );
    const answer = await ask('Why do names in target_people differ from source_people?', {
      source_people: table('person_id,last_name,age', source),
      target_people: table('person_id,last_name,age', target),
    });
    // Of 40 rows three in four have such a letter.
    expect(answer).toMatch(
      /^`last_name` of `target_people` holds damaged letters in 30 rows.* Of the 30 rows in which `last_name` differs .* in 30 it has damaged letters: UTF-8 that was read as another encoding/,
    );
  });

  it('says that rows which one table marks as deleted are still counted', async () => {
    const source = range(300).map((at): Row => [at, may(1 + (at % 20)), at % 10 === 0 ? 'true' : 'false', 'A']);
    const answer = await ask('active_customers holds too many customers. Why?', {
      src_customers: table('customer_id,created_on,is_deleted,plan', source),
      active_customers: table(
        'customer_id,created_on,plan',
        source.map(([id = 0, day = '', , plan = '']): Row => [id, day, plan]),
      ),
    });
    expect(answer).toMatch(/^30 of the 300 rows of `active_customers` that `src_customers` holds too are marked there by `is_deleted`/);
  });

  it('says that missing rows were set aside, and why', async () => {
    const raw = range(400).map((at): Row => [at, may(1 + Math.floor(at / 40)), at % 4 === 0 ? 'app' : 'web', 5 + noise(at, 40)]);
    const isBad = ([, day = '', channel]: Row): boolean => channel === 'app' && String(day) >= may(9);
    const answer = await ask('clean_orders has fewer rows than raw_orders. Where did they go?', {
      raw_orders: table('order_id,ordered_on,channel,amount', raw),
      clean_orders: table(
        'order_id,ordered_on,channel,amount',
        raw.filter((row) => !isBad(row)),
      ),
      quarantine_orders: table(
        'order_id,ordered_on,channel,amount,reason',
        raw.filter(isBad).map((row) => [...row, 'unknown channel']),
      ),
    });
    expect(answer).toContain('20 rows of `raw_orders` are not in `clean_orders` by `order_id`');
    expect(answer).toContain(
      '20 of the missing rows stand in `quarantine_orders` (rows_found 20), by `reason` / rows: unknown channel / 20',
    );
  });

  it('says that long ids were rounded', async () => {
    const ids = range(120).map((at) => 9_007_199_254_740_993n + BigInt(at * 7));
    const moved = ids.filter((id) => BigInt(Number(id)) !== id).length;
    const answer = await ask('Many lake_events do not join to api_events. Why?', {
      api_events: table(
        'event_id,value',
        ids.map((id, at) => [String(id), at]),
      ),
      lake_events: table(
        'event_id,value',
        ids.map((id, at) => [String(BigInt(Number(id))), at]),
      ),
    });
    expect(answer).toContain(`${moved} of them do match when both are rounded as a double rounds them`);
  });
});

describe('the investigator without a model, on joins that lose or multiply rows', () => {
  const orders = (codes: (at: number) => string): readonly Row[] =>
    range(400).map((at) => [at, codes(at), may(1 + Math.floor(at / 40)), 1 + noise(at, 50)]);

  it.each([
    [
      'values that the other table does not know',
      (at: number) => (at >= 320 && at % 4 === 0 ? 'settled' : (['paid', 'open'][at % 2] ?? '')),
      ['paid', 'open', 'void'],
      /^20 of 400 rows of `orders` have no match in `codes` by `code`: as `code` \/ rows: settled \/ 20, first_day 2026-05-09, last_day 2026-05-10/,
    ],
    [
      'values in another case',
      (at: number) => (at >= 280 ? 'de' : 'DE'),
      ['DE', 'FR'],
      /^120 of 400 rows of `orders` have no match .*120 of them do match when upper and lower case are taken as one/,
    ],
    [
      'no value at all',
      (at: number) => (at % 5 === 0 ? '' : 'P1'),
      ['P1', 'P2'],
      /^80 of 400 rows of `orders` have no match in `codes` by `code`, as they have none at all/,
    ],
  ])('names rows with %s', async (_, codes, known, first) => {
    const answer = await ask('The report that joins orders with codes shows fewer orders than there are. Where are they?', {
      orders: table('order_id,code,ordered_on,items', orders(codes)),
      codes: table(
        'code,meaning',
        known.map((code, at) => [code, `m${at}`]),
      ),
    });
    expect(answer).toMatch(first);
  });

  it('says that leading zeros were lost on one side', async () => {
    const zips = range(150).map((at) => String(500 + at * 97).padStart(5, '0'));
    const answer = await ask('Why do some shipments get no region?', {
      shipments: table(
        'shipment_id,zip,shipped_on',
        zips.map((zip, at) => [at, zip, may(1 + (at % 9))]),
      ),
      regions: table(
        'zip,region',
        zips.map((zip, at) => [String(Number(zip)), at % 2 ? 'N' : 'S']),
      ),
    });
    const zeros = zips.filter((zip) => zip.startsWith('0')).length;
    expect(answer).toMatch(
      new RegExp(
        `^\`zip\` is text with leading zeros in ${zeros} rows of \`shipments\` \\(e\\.g\\. \`zip\` 00500\\) and a number without them in \`regions\``,
      ),
    );
  });

  it('says that a dimension holds versions, and what the join makes of a total', async () => {
    const sales = range(200).map((at): Row => [at, 1 + (at % 20), may(1 + (at % 9)), 10]);
    const stores = range(20).map((at): Row => [at + 1, `store ${at + 1}`, '2025-01-01', at < 4 ? may(5) : '']);
    const versions = range(4).map((at): Row => [at + 1, `store ${at + 1} new`, may(5), '']);
    const answer = await ask('Revenue by store is too high since the report joins dim_store. Why?', {
      sales: table('sale_id,store_id,sold_on,amount', sales),
      dim_store: table('store_id,name,valid_from,valid_to', [...stores, ...versions]),
    });
    // Four stores of ten sales of 10 each count twice.
    expect(answer).toMatch(
      /^`dim_store` holds 4 double keys `store_id` in 24 rows, as it holds several versions of a key, so joining `sales` \(200 rows\) to it gives 240 rows, and `amount` goes from 2000 to 2400/,
    );
  });
});

describe('the investigator without a model, on rows that came again or at the wrong time', () => {
  it('finds copies under new keys, with the load that brought them', async () => {
    const rows: Row[] = [];
    for (const day of range(10)) {
      const batch = range(40).map(
        (at): Row => [
          `c${noise(day * 40 + at, 500)}`,
          `${may(day + 1)} ${two(at % 24)}:${two(at)}:0${day}`,
          5 + noise(day * 97 + at, 900) / 10,
        ],
      );
      for (const row of batch) rows.push([rows.length, ...row, `b${day}`]);
      if (day === 6) for (const row of batch.slice(0, 25)) rows.push([rows.length, ...row, 'b6 again']);
    }
    const answer = await ask('Payments on 7 May are too high. Why?', { payments: table('id,customer,paid_at,amount,batch', rows) });
    expect(answer).toMatch(
      /^25 rows of `payments` are copies: they repeat an earlier row in everything but `id` and `batch`.*2026-05-07 \/ 25; by `batch` \/ copies: b6 again \/ 25/,
    );
  });

  it('finds keys that were given out again', async () => {
    const old = range(120).map((at): Row => [at + 1, `u${at}@example.org`, `2024-01-${two(1 + (at % 28))}`]);
    const fresh = range(15).map((at): Row => [at + 1, `new${at}@example.org`, may(1 + at)]);
    const answer = await ask('Why do some account_ids belong to two people in accounts?', {
      accounts: table('account_id,email,opened_on', [...old, ...fresh]),
    });
    expect(answer).toMatch(
      /^Values of `account_id` name more than one thing in `accounts` \(135 rows\), keys_used_again 15, .*old keys were given out again/,
    );
  });

  it('names the host whose clock is off', async () => {
    const rows = range(300).map((at): Row => {
      const [day, host] = [1 + Math.floor(at / 30), at % 5];
      const moment = (minutes: number): string =>
        new Date(Date.UTC(2026, 4, day, 6, 0) + minutes * 60_000).toISOString().slice(0, 19).replace('T', ' ');
      const sent = noise(at, 600);
      return [at, `h${host}`, moment(sent), moment(host === 2 && day >= 7 ? sent - 17 : sent + 1)];
    });
    const answer = await ask('Some events are received before they occurred. Why?', {
      events: table('event_id,host,occurred_at,received_at', rows),
    });
    // Six of 30 a day, on four days, 17 minutes early.
    expect(answer).toMatch(
      /^In 24 rows of `events`, all of `host` h2, `received_at` lies before `occurred_at`, first_day 2026-05-07, last_day 2026-05-10, by least_seconds 1020 to most_seconds 1020/,
    );
  });

  const visits = (count: (day: string, hour: number) => number, first: Date): readonly Row[] =>
    range(10).flatMap((ahead) => {
      const day = new Date(first.getTime() + ahead * 86_400_000).toISOString().slice(0, 10);
      return range(24).flatMap((hour) => range(count(day, hour)).map((at): Row => [`${day} ${two(hour)}:${two(at * 2)}:00`, 1 + (at % 3)]));
    });
  const numbered = (rows: readonly Row[]): string =>
    table(
      'visit_id,local_time,pages',
      rows.map((row, at) => [at, ...row]),
    );

  it('finds the hour that the clocks run through twice', async () => {
    const rows = visits((day, hour) => (day === '2025-10-26' && hour === 2 ? 16 : 8), new Date('2025-10-22T00:00:00Z'));
    const answer = await ask('Why are there more visits than usual in the night of 26 October 2025?', { visits: numbered(rows) });
    expect(answer).toMatch(
      /^In `visits` by `local_time`, as day \/ hour \/ rows, 2025-10-26 \/ 02 \/ 16 is far above .* local time runs through that hour twice/,
    );
  });

  it('finds the hours of a day that hold no row', async () => {
    const rows = visits((day, hour) => (day === may(9) && hour >= 9 && hour <= 15 ? 0 : 8), new Date('2026-05-03T00:00:00Z'));
    const answer = await ask('Why are there fewer visits on 9 May?', { visits: numbered(rows) });
    expect(answer).toMatch(/no row stands in the hours between 2026-05-09 \/ 08 \/ 8 and 2026-05-09 \/ 16 \/ 8/);
  });
});
