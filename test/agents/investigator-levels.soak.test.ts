import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { dropFolder, makeFolder } from '../tools/artifacts/call-tool.ts';
import { askInvestigator, claims } from './ask-investigator.ts';

const folders: string[] = [];

function folder(files: Readonly<Record<string, unknown>>): string {
  const made = makeFolder(files);
  folders.push(made);
  return made;
}

afterAll(() => {
  for (const one of folders) dropFolder(one);
});

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const day = (date: number): string => `2026-06-${String(date).padStart(2, '0')}`;
const csv = (header: string, rows: readonly (readonly unknown[])[], delimiter = ','): string =>
  `${[header.replaceAll(',', delimiter), ...rows.map((row) => row.join(delimiter))].join('\n')}\n`;

/** Rows of every day from 1 to `days`, `each` a day, as `row` makes them of the day and its number. */
function daily(days: number, each: number, row: (date: number, index: number) => readonly unknown[]): (readonly unknown[])[] {
  return range(days).flatMap((place) => range(each).map((index) => row(place + 1, index)));
}

interface Night {
  readonly day: number;
  /** Tasks one after the other, with their seconds. */
  readonly tasks: readonly (readonly [string, number])[];
  /** The task that failed. */
  readonly failed?: string;
}

/** An export of the pipeline `wh`, which begins at four every night. */
function exportFolder(nights: readonly Night[]): Record<string, string> {
  const iso = (time: number): string => new Date(time).toISOString().replace('.000Z', '+00:00');
  const files: Record<string, string> = {};
  const runs = nights.map(({ day: date, tasks, failed }) => {
    const start = Date.UTC(2026, 5, date, 4);
    const place = { dag_id: 'wh', dag_run_id: `scheduled__${iso(start)}` };
    let at = start + 5000;
    const instances = tasks.map(([task_id, seconds]) => {
      const times = {
        scheduled_when: iso(at - 2000),
        queued_when: iso(at - 1000),
        start_date: iso(at),
        end_date: iso(at + seconds * 1000),
      };
      at += seconds * 1000 + 2000;
      const state = task_id === failed ? 'failed' : 'success';
      return { ...place, ...times, task_id, map_index: -1, state, try_number: 1, duration: seconds, pool: 'default_pool', pool_slots: 1 };
    });
    files[`taskInstances/run_${day(date)}.json`] = JSON.stringify({ task_instances: instances, total_entries: instances.length });
    const state = failed === undefined ? 'success' : 'failed';
    return {
      ...place,
      run_type: 'scheduled',
      state,
      logical_date: iso(start),
      queued_at: iso(start),
      start_date: iso(start),
      end_date: iso(at),
    };
  });
  return { ...files, 'dagRuns_wh.json': JSON.stringify({ dag_runs: runs, total_entries: runs.length }) };
}

async function causes(question: string, sources: readonly string[]): Promise<readonly string[]> {
  const report = await askInvestigator({ question, sources });
  return claims(report, 'cause');
}

describe('the investigator without a model, where a level moves', () => {
  it.each([
    { value: 'JPY', column: 'currency', from: 9 },
    { value: 'kiosk', column: 'channel', from: 6 },
  ])('names $value of $column, which is new from day $from on and alone moves the average', async ({ value, column, from }) => {
    const rows = daily(12, 20, (date, index) => {
      const isNew = date >= from && index % 5 === 0;
      return [date * 100 + index, day(date), isNew ? value : 'usual', isNew ? 9000 : 40 + (index % 7)];
    });
    // Of 20 rows a day, index 0, 5, 10 and 15 are new.
    const count = (12 - from + 1) * 4;
    const path = folder({ 'payments.csv': csv(`payment_id,paid_on,${column},amount`, [...rows, [9999, day(1), 'other', 41]]) });
    expect(await causes(`Why did revenue jump on ${from} June?`, [`data=files:${path}`])).toContainEqual(
      expect.stringContaining(
        `rows with \`${column}\` ${value} (${count} rows, average \`amount\` 9000.00) come in from ${day(from)} on and were not there before`,
      ),
    );
  });

  it('says that values stopped being negative, and of which kind of row', async () => {
    const rows = daily(14, 20, (date, index) => {
      const isRefund = index % 5 === 0;
      return [date * 100 + index, day(date), isRefund ? 'refund' : 'sale', isRefund && date < 8 ? -30 : isRefund ? 30 : 32 + (index % 3)];
    });
    const path = folder({ 'ledger.csv': csv('entry_id,booked_on,kind,amount', rows) });
    const found = await causes('Why did net revenue go up from 8 June?', [`data=files:${path}`]);
    expect(found).toContain('In `ledger` by day of `booked_on`, no `amount` is below zero from 2026-06-08 on, where 4 were on 2026-06-07.');
    expect(found).toContainEqual(
      expect.stringContaining(
        // Four refunds on each of seven days before and seven since.
        'moves from 2026-06-08 on in these rows only, as `kind` / average `amount` before / since / rows before / since: refund / -30.00 / 30.00 / 28 / 28',
      ),
    );
  });

  it('names the branch that was silent on two days, though the days as a whole are not far from the others', async () => {
    const branches = ['north', 'east', 'south', 'west'];
    const rows = daily(15, 40, (date, index) => [date * 100 + index, `${day(date)}T10:00:00`, branches[index % 4], 5 + (index % 9)]);
    const kept = rows.filter(
      ([, time, branch]) => branch !== 'south' || !(String(time).startsWith(day(6)) || String(time).startsWith(day(7))),
    );
    const path = folder({ 'receipts.csv': csv('receipt_id,sold_at,branch,amount', kept) });
    // 10 rows of each branch on each of 15 days; south has them on 13.
    expect(await causes('Why were sales lower on 6 and 7 June?', [`data=files:${path}`])).toContain(
      'In `receipts` rows of a value of `branch` are missing on whole days: south has none on 2026-06-06 and 2026-06-07, and 130 on 13 other days.',
    );
  });

  it('says from when on a column is empty, and not only the first days of it', async () => {
    const rows = daily(18, 10, (date, index) => [date * 100 + index, day(date), 20 + index, date >= 11 ? '' : 5 + (index % 3)]);
    const path = folder({ 'orders.csv': csv('order_id,order_date,amount,discount', rows) });
    const [found] = await causes('Why did the average discount drop?', [`data=files:${path}`]);
    expect(found).toContain('`discount` is empty on days on which it should not be from 2026-06-11 on (2026-06-11: 10 of 10 rows');
    expect(found).toContain('and 3 more)');
  });
});

describe('the investigator without a model, where rows get lost', () => {
  it('finds the rows that refer to rows which are not there', async () => {
    const path = folder({ 'readme.txt': 'x' });
    const file = join(path, 'shop.db');
    const database = new Database(file);
    database.exec(
      'CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT); CREATE TABLE orders (order_id INTEGER PRIMARY KEY, customer_id INTEGER, amount REAL)',
    );
    for (const id of range(40)) if (id < 10 || id > 14) database.prepare('INSERT INTO customers VALUES (?, ?)').run(id, `c${id}`);
    for (const id of range(200)) database.prepare('INSERT INTO orders VALUES (?, ?, ?)').run(id, id % 40, 2.5);
    database.close();
    // Customers 10 to 14 are not there, with 5 orders of 2.50 each.
    expect(await causes('Why do some orders not show up when joined with customers?', [`shop=sqlite:${file}`])).toEqual([
      '25 of 200 rows of `orders` have no match in `customers` by `customer_id`: as `customer_id` / rows: 10 / 5, 11 / 5, 12 / 5, 13 / 5, 14 / 5; their `amount` comes to 62.5; an inner join leaves these rows out.',
    ]);
  });

  it('compares two sources that hold the same table, and says of which value the lost rows are', async () => {
    const rows = range(300).map((id) => [id, ['EU', 'US', 'APAC'][id % 3], id]);
    const before = folder({ 'accounts.csv': csv('account_id,region,balance', rows) });
    const now = folder({
      'accounts.csv': csv(
        'account_id,region,balance',
        rows.filter(([id, region]) => region !== 'APAC' || Number(id) >= 90),
      ),
    });
    const report = await askInvestigator({
      question: 'Which accounts are missing now compared with before?',
      sources: [`before=files:${before}`, `now=files:${now}`],
    });
    // Of ids 0 to 89 a third is APAC.
    expect(report.answer).toContain('`before.accounts` and `now.accounts` have equal 270; 30 rows only left, in `before.accounts`');
    expect(report.answer).toContain('only these values differ in number: APAC (100 rows left, 70 right)');
  });

  it('names the file of a series that was cut in the middle', async () => {
    const text = (date: number): string =>
      csv(
        'sale_id,amount,sold_at',
        range(300).map((row) => [date * 1000 + row, 5 + row / 4, `${day(date)}T10:00:00Z`]),
      );
    const files = Object.fromEntries(range(8).map((place) => [`sales_${day(place + 1)}.csv`, text(place + 1)]));
    const lines = text(5).split('\n');
    files[`sales_${day(5)}.csv`] = `${lines.slice(0, 100).join('\n')}\n5099,29`;
    const [found] = await causes('Why is the total of sales of 5 June lower than usual?', [`data=files:${folder(files)}`]);
    expect(found).toContain(
      '`sales_2026-06-05` has 100 rows, where `sales_2026-06-04` has 300; in line 101: the last line has no line end and 2 of 3 fields',
    );
  });

  it('totals a series that did not change when asked to, and names the file that is written otherwise', async () => {
    const amounts = (month: number): number[] => range(30).map((row) => month * 100 + row + 0.25);
    const plain = (month: number): string =>
      csv(
        'invoice,net',
        amounts(month).map((net, row) => [`I${month}-${row}`, net.toFixed(2)]),
      );
    const german = csv(
      'invoice,net',
      amounts(4).map((net, row) => [`I4-${row}`, net.toFixed(2).replace('.', ',')]),
      ';',
    );
    const files = Object.fromEntries(range(6).map((place) => [`invoices_2026-0${place + 1}.csv`, place === 3 ? german : plain(place + 1)]));
    const report = await askInvestigator({
      question: 'What is the total net over all files, and is one of them odd?',
      sources: [`data=files:${folder(files)}`],
    });
    // Each file: 30 times month x 100, 0 + … + 29 = 435, 30 times 0.25 = 7.5; six months: 63,000 + 2,610 + 45.
    expect(report.answer).toContain('`net` comes to 65655.00 over 6 files');
    expect(report.answer).toContain(
      '`invoices_2026-04` is written otherwise than most of the files (delimiter ";" in place of ",", decimal mark "," in place of ".")',
    );
  });
});

describe('the investigator without a model, with a source that cannot be read', () => {
  it('names it with the reason, alone and beside others', async () => {
    const broken = join(folder({ 'n.sqlite': 'no database' }), 'n.sqlite');
    const orders = folder({
      'orders.csv': csv(
        'order_id,amount',
        range(20).map((row) => [row, 5]),
      ),
    });
    const said = /A source could not be read: n: n\.sqlite is not a SQLite database/;
    for (const others of [[], [`data=files:${orders}`]]) {
      const report = await askInvestigator({ question: 'Are there duplicates in orders?', sources: [`n=sqlite:${broken}`, ...others] });
      expect(report.answer).toMatch(said);
      expect(claims(report, 'not_checked').join()).toMatch(said);
    }
  });
});

describe('the investigator without a model, where rows are too many or odd', () => {
  it('finds a file that was delivered a second time under another name', async () => {
    const batch = (from: number): string =>
      csv(
        'event_id,amount',
        range(50).map((row) => [from + row, 3 + (row % 5)]),
      );
    const files = { 'batch_1.csv': batch(0), 'batch_2.csv': batch(50), 'batch_3.csv': batch(100), 'batch_4.csv': batch(50) };
    expect(await causes('Are events counted twice?', [`data=files:${folder(files)}`])).toEqual([
      '50 values of `event_id` stand in several files (50 in `batch_2` and 50 in `batch_4`); `batch_2` and `batch_4` hold the same bytes, so their rows are counted more than once over the files.',
    ]);
  });

  it('says that single rows are dated far from all others', async () => {
    const rows = [
      ...daily(20, 10, (date, index) => [date * 100 + index, day(date), 7]),
      ...range(4).map((row) => [9000 + row, '2062-06-01', 7]),
    ];
    const found = await causes('Is anything odd in visits?', [
      `data=files:${folder({ 'visits.csv': csv('visit_id,visited_on,pages', rows) })}`,
    ]);
    expect(found).toContain(
      'In `visits` by day of `visited_on`, 4 rows are dated 2062-06-01, far after the others, which end on 2026-06-20.',
    );
  });

  it('does not call a value silent that has few rows a day', async () => {
    const rows = daily(15, 12, (date, index) => [date * 100 + index, day(date), ['a', 'b', 'c', 'd', 'e', 'f'][index % 6]]);
    const kept = rows.filter(([, date, kind]) => kind !== 'c' || date !== day(4));
    expect(
      await causes('Is anything odd in visits?', [`data=files:${folder({ 'visits.csv': csv('visit_id,visited_on,kind', kept) })}`]),
    ).toEqual([]);
  });
});

describe('the investigator without a model, on logs of a slow run', () => {
  it('adds what the log of the slower task warns of, in that run alone', async () => {
    const files = exportFolder(
      range(6).map((place) => ({
        day: place + 1,
        tasks: [
          ['extract', 300],
          ['transform', place === 5 ? 2900 : 900 + place],
        ] as const,
      })),
    );
    const log = (minute: string, level: string, text: string): string =>
      `[2026-06-06T04:${minute}.000+0000] {sql.py:80} ${level} - ${text}`;
    const logs = folder({
      'dag_id=wh/run_id=r6/task_id=transform/attempt=1.log': [
        log('06:00', 'INFO', 'Starting attempt 1 of 1'),
        log('06:10', 'WARNING', 'query plan changed: nested loop, statistics are stale'),
        log('50:00', 'INFO', 'Marking task as SUCCESS. dag_id=wh, task_id=transform'),
      ].join('\n'),
    });
    const report = await askInvestigator({
      question: 'Why did wh take so long on 6 June?',
      sources: [`runs=airflow-export:${folder(files)}`, `logs=logs:${logs}`],
    });
    expect(report.answer).toContain('`transform` worked 2900 s (before: 902 s)');
    expect(report.answer).toContain(
      'The log of what took longer warns: 2026-06-06T04:06:10Z `transform` attempt 1: "query plan changed: nested loop, statistics are stale"',
    );
  });

  it('adds the first error of the logs to the answer for a run that failed, and the warning just before it', async () => {
    const files = exportFolder([
      { day: 1, tasks: [['extract', 30]] },
      { day: 2, tasks: [['extract', 31]], failed: 'extract' },
    ]);
    const line = (second: string, level: string, text: string): string =>
      `[2026-06-02T04:00:${second}.000+0000] {fx.py:40} ${level} - ${text}`;
    const logs = folder({
      'dag_id=wh/run_id=r2/task_id=extract/attempt=1.log': [
        line('01', 'INFO', 'Starting attempt 1 of 1'),
        line('20', 'WARNING', '0 rates in the answer: base currency not in plan'),
        line('21', 'ERROR', 'no rates for that day'),
      ].join('\n'),
    });
    const report = await askInvestigator({
      question: 'Why did wh fail on 2 June?',
      sources: [`runs=airflow-export:${folder(files)}`, `logs=logs:${logs}`],
    });
    expect(report.answer).toContain(
      'The first error in the logs of that time: 2026-06-02T04:00:21Z `extract` attempt 1: "no rates for that day"',
    );
    expect(report.answer).toContain(
      'Just before it: 2026-06-02T04:00:20Z `extract` attempt 1: "0 rates in the answer: base currency not in plan"',
    );
  });
});

describe('the investigator without a model, on logs of a failure', () => {
  it('takes a process that was killed for the first error, and what only reports it for a consequence', async () => {
    const line = (minute: number, level: string, text: string): string =>
      `2026-07-02 01:${String(minute).padStart(2, '0')}:00,123 ${level} [worker-3] loader: ${text}`;
    const log = [
      ...range(20).map((minute) => line(minute, 'INFO', `batch ${minute} rows=900`)),
      line(20, 'ERROR', 'process killed by signal 9 (exit code 137), container OOMKilled'),
      line(30, 'ERROR', 'job load_clicks failed after 2 attempts'),
      line(31, 'ERROR', 'downstream job report_clicks skipped: upstream load_clicks failed'),
    ];
    const report = await askInvestigator({
      question: 'Why did load_clicks fail?',
      sources: [`logs=logs:${folder({ 'loader.log': log.join('\n') })}`],
    });
    expect(claims(report, 'cause').join()).toMatch(
      /^The first cause in the logs: 2026-07-02T01:20:00\.123Z "[^"]*killed by signal 9 \(exit code 137\)/,
    );
    expect(claims(report, 'observation').join()).toMatch(
      /Only consequences: .*job load_clicks failed after 2 attempts.*report_clicks skipped/,
    );
  });

  it('answers with the causes where only findings tell them', async () => {
    const results = {
      metadata: {
        dbt_schema_version: 'https://schemas.getdbt.com/dbt/run-results/v6.json',
        dbt_version: '1.9.1',
        generated_at: '2026-11-03T04:05:00Z',
        invocation_id: 'a',
      },
      elapsed_time: 1,
      args: { which: 'build' },
      results: [
        {
          status: 'error',
          timing: [],
          thread_id: 't',
          execution_time: 1,
          adapter_response: {},
          message: 'Database Error in model fct\n  column "coupon" does not exist',
          failures: null,
          unique_id: 'model.shop.fct',
        },
      ],
    };
    const path = folder({ 'target/run_results.json': JSON.stringify(results) });
    const report = await askInvestigator({
      question: "Why did last night's dbt build fail?",
      sources: [`dbt=dbt:${join(path, 'target')}`],
    });
    expect(report.answer).toContain('column "coupon" does not exist');
  });
});
