import { afterAll, describe, expect, it } from 'vitest';
import { dropFolder, makeFolder } from '../tools/artifacts/call-tool.ts';
import { manifest, runResults } from '../tools/dbt/dbt-files.ts';
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

function csv(header: string, rows: readonly (readonly unknown[])[]): string {
  return `${[header, ...rows.map((row) => row.join(','))].join('\n')}\n`;
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

const day = (date: number, month = 6): string => `2026-${String(month).padStart(2, '0')}-${String(date).padStart(2, '0')}`;

describe('the investigator without a model, on incidents of other kinds', () => {
  it.each([
    { lacking: 5, name: 'orders', total: 12 },
    { lacking: 9, name: 'clicks', total: 15 },
  ])('names the upstream file of day $lacking that did not arrive', async ({ lacking, name, total }) => {
    const days = range(total).map((index) => index + 1);
    const files = Object.fromEntries(
      days
        .filter((date) => date !== lacking)
        .map((date) => [
          `landing/${name}_${day(date)}.csv`,
          csv(
            'id,amount',
            range(20).map((row) => [date * 100 + row, 10 + row]),
          ),
        ]),
    );
    const report = await askInvestigator({
      question: `The dashboard shows no ${name} for ${lacking} June. Why?`,
      sources: [`data=files:${folder(files)}`],
    });
    expect(claims(report, 'cause')).toEqual([
      `The series landing/${name}_<day>.csv has no file for 1 of the days between ${day(1)} and ${day(total)}: ${day(lacking)}.`,
    ]);
  });

  it('does not call a file missing where the series is whole, and says so of the columns', async () => {
    const files = Object.fromEntries(
      range(8).map((index) => [
        `orders_${day(index + 1)}.csv`,
        csv(
          'id,amount',
          range(20).map((row) => [index * 100 + row, 10 + row]),
        ),
      ]),
    );
    const report = await askInvestigator({
      question: 'Revenue is too low this week. What is missing?',
      sources: [`data=files:${folder(files)}`],
    });
    expect(claims(report, 'cause')).toEqual([]);
  });

  it.each([
    { dimension: 'customers', key: 'customer_id', twice: [3, 7, 11] },
    { dimension: 'stores', key: 'store_code', twice: [20] },
  ])('finds the join with $dimension that multiplies, and that the figures close', async ({ dimension, key, twice }) => {
    const keys = range(50).map((index) => index + 1);
    const wide = [...keys, ...twice].map((value, index) => [value, `name ${index}`]);
    const facts = range(300).map((index) => ({ id: index + 1, key: 1 + ((index * 7) % 50), amount: 100 + ((index * 13) % 97) }));
    const mart = facts.flatMap((fact) => wide.filter(([value]) => value === fact.key).map(([, name]) => [fact.id, name, fact.amount]));
    const path = folder({
      [`${dimension}.csv`]: csv(`${key},label`, wide),
      'sales.csv': csv(
        `sale_id,${key},amount`,
        facts.map((fact) => [fact.id, fact.key, fact.amount]),
      ),
      'mart_sales.csv': csv('sale_id,label,revenue', mart),
    });
    const total = (rows: readonly (readonly unknown[])[]): number => rows.reduce((sum, row) => sum + Number(row[2]), 0);
    const report = await askInvestigator({ question: 'Revenue in mart_sales is too high. Why?', sources: [`data=files:${path}`] });
    const text = report.answer;
    expect(text).toContain(`\`${dimension}\` holds ${twice.length} double keys \`${key}\` in ${wide.length} rows`);
    expect(text).toContain(`gives ${mart.length} rows: exactly the ${mart.length} rows of \`mart_sales\``);
    expect(text).toContain(
      `in \`mart_sales\`, ${total(mart)}, is that of \`amount\` after the join, where \`sales\` holds ${facts.reduce((sum, fact) => sum + fact.amount, 0)}`,
    );
  });

  it.each([
    { column: 'amount', from: 10, factor: 0.01 },
    { column: 'weight', from: 6, factor: 1000 },
  ])('finds the day from which $column has another unit', async ({ column, from, factor }) => {
    const rows = range(14).flatMap((index) =>
      range(20).map((row) => [
        index * 100 + row,
        ((3000 + row * 50) * (index + 1 < from ? 1 : factor)).toFixed(2),
        `${day(index + 1)} 10:${String(row).padStart(2, '0')}:00`,
      ]),
    );
    const path = folder({ 'shipments.csv': csv(`shipment_id,${column},shipped_at`, rows) });
    const report = await askInvestigator({
      question: `The total of ${column} jumped in June. What happened?`,
      sources: [`data=files:${path}`],
    });
    const [cause = ''] = claims(report, 'cause');
    // The middle of 3000, 3050 … 3950 is 3475.
    expect(cause).toContain(`the average of \`${column}\` ${from === 10 ? 'falls' : 'rises'} from 3475.00 on`);
    expect(cause).toContain('another unit or another meaning');
    expect(cause).toMatch(from === 10 ? /to 34\.75 on 2026-06-10 and stays there/ : /to 3475000\.00 on 2026-06-06 and stays there/);
  });

  it('finds that local times took up summer time, to the row', async () => {
    const moments = range(7 * 48).map((index) => ({ id: index, utc: Date.UTC(2026, 2, 25) + index * 1_800_000 }));
    const local = (utc: number): number => utc + (utc < Date.UTC(2026, 2, 29, 1) ? 1 : 2) * 3_600_000;
    const text = (utc: number): string => new Date(utc).toISOString().slice(0, 19).replace('T', ' ');
    const path = folder({
      'raw_visits.csv': csv(
        'visit_id,visited_at',
        moments.map(({ id, utc }) => [id, text(utc)]),
      ),
      'mart_visits.csv': csv(
        'visit_id,visited_at',
        moments.map(({ id, utc }) => [id, text(local(utc))]),
      ),
    });
    const before = moments.filter(({ utc }) => utc < Date.UTC(2026, 2, 29, 1)).length;
    const report = await askInvestigator({
      question: 'Since Sunday the hourly visits are shifted by an hour. Why?',
      sources: [`data=files:${path}`],
    });
    // Whether each figure has its marks is for the tests of the marks.
    const answer = report.answer.replaceAll(' (unsupported)', '');
    expect(answer).toContain(`seconds off -3600, rows off ${before}, `);
    expect(answer).toContain(`seconds off -7200, rows off ${moments.length - before}, `);
    expect(report.answer).toContain('as the clocks of a zone do when summer time begins or ends');
    expect(answer).toContain('2026-03-29 has rows in 23 hours');
  });

  it('says that a dbt run is green because the test that failed is gone', async () => {
    const [old, now] = [
      { invocation: 'a', at: '2026-05-04T03:00:00Z' },
      { invocation: 'b', at: '2026-05-05T03:00:00Z' },
    ];
    const model = { id: 'model.acme.fct_sales', sql: 'select 1' };
    const test = { id: 'test.acme.unique_sale.x1', test: 'unique', column: 'sale_id', parents: [model.id] };
    const path = folder({
      'mon/manifest.json': manifest([model, test], old),
      'mon/run_results.json': runResults(
        [
          [model.id, 'success', 10],
          [test.id, 'fail', 1, { failures: 37 }],
        ],
        old,
      ),
      'tue/manifest.json': manifest([model], now),
      'tue/run_results.json': runResults([[model.id, 'success', 10]], now),
    });
    for (const kind of ['dbt', 'files']) {
      const report = await askInvestigator({
        question: 'The dbt build is green again. Can I trust it?',
        sources: [`runs=${kind}:${path}`],
      });
      expect(report.answer).toMatch(
        /^1 tests disappeared between the dbt runs of 2026-05-04T03:00:00Z and 2026-05-05T03:00:00Z: `test\.acme\.unique_sale\.x1` \(on model\.acme\.fct_sales\.sale_id, no longer in the manifest, was fail with 37 failures\)/m,
      );
    }
  });

  it('ties a slower dbt model to the line of SQL that changed', async () => {
    const [old, now] = [
      { invocation: 'a', at: '2026-05-04T03:00:00Z' },
      { invocation: 'b', at: '2026-05-05T03:00:00Z' },
    ];
    const path = folder({
      'mon/manifest.json': manifest([{ id: 'model.acme.visits', sql: 'select *\nfrom a\njoin b on a.id = b.id and a.day = b.day' }], old),
      'mon/run_results.json': runResults([['model.acme.visits', 'success', 31.5, { adapter_response: { rows_affected: 50000 } }]], old),
      'tue/manifest.json': manifest([{ id: 'model.acme.visits', sql: 'select *\nfrom a\njoin b on a.id = b.id' }], now),
      'tue/run_results.json': runResults([['model.acme.visits', 'success', 912.25, { adapter_response: { rows_affected: 1450000 } }]], now),
    });
    const report = await askInvestigator({ question: 'Why is the dbt run so slow since yesterday?', sources: [`runs=dbt:${path}`] });
    expect(claims(report, 'cause').join()).toContain(
      '`model.acme.visits` took 912.25 s, before 31.5 s, its rows went from 50000 to 1450000, and its SQL changed: "- join b on a.id = b.id and a.day = b.day" ; "+ join b on a.id = b.id"',
    );
  });

  it('finds the task of a Spark job that runs out of memory on skewed data', async () => {
    const start = Date.UTC(2026, 6, 1, 1);
    const end = (index: number, read: number, reason: Record<string, unknown>): unknown => ({
      Event: 'SparkListenerTaskEnd',
      'Stage ID': 3,
      'Stage Attempt ID': 0,
      'Task End Reason': reason,
      'Task Info': { Index: index, 'Launch Time': start, 'Finish Time': start + 20_000, 'Executor ID': '2' },
      'Task Metrics': { 'Executor Run Time': 20_000, 'Shuffle Read Metrics': { 'Remote Bytes Read': read } },
    });
    const lost = {
      Reason: 'ExecutorLostFailure',
      'Loss Reason': 'Container killed by YARN for exceeding memory limits. 9.1 GB of 9 GB used',
    };
    const events = [
      { Event: 'SparkListenerApplicationStart', 'App Name': 'sessionize', 'App ID': 'app-7', Timestamp: start },
      ...range(30).map((index) => end(index, 1000, { Reason: 'Success' })),
      ...range(4).map(() => end(30, 90_000, lost)),
      { Event: 'SparkListenerExecutorRemoved', Timestamp: start + 20_000, 'Executor ID': '7', 'Removed Reason': lost['Loss Reason'] },
      {
        Event: 'SparkListenerStageCompleted',
        'Stage Info': {
          'Stage ID': 3,
          'Stage Attempt ID': 0,
          'Stage Name': 'join at job.py:88',
          'Number of Tasks': 31,
          'Submission Time': start,
          'Completion Time': start + 90_000,
          'Failure Reason': 'Job aborted due to stage failure: Task 30 in stage 3.0 failed 4 times',
        },
      },
    ];
    const path = folder({ 'app-7': `${events.map((one) => JSON.stringify(one)).join('\n')}\n` });
    const report = await askInvestigator({ question: 'Why did the nightly Spark job die?', sources: [`logs=logs:${path}`] });
    const text = claims(report, 'cause').join('\n');
    expect(text).toContain(
      'ExecutorLostFailure: count 4, the first of them with "Container killed by YARN for exceeding memory limits. 9.1 GB of 9 GB used"',
    );
    expect(text).toContain(
      '4 times the one of index 30; it had read 90000 bytes, the median task that ended well 1000: the data is skewed',
    );
    expect(text).toContain('stage 3 "join at job.py:88"');
  });

  it.each([
    { words: 'could not extend file "base/16384/2619": No space left on device', kind: 'a full disk' },
    { words: 'permission denied for table orders', kind: 'a permission' },
    { words: 'canceling statement due to statement timeout', kind: 'a timeout' },
  ])('finds $kind that a log wrote below error level under a wrapper', async ({ words }) => {
    const line = (second: string, text: string): string => `[2026-07-01T01:07:${second}.000+0000] {x.py:1} ${text}`;
    const log = [
      '[2026-07-01T01:00:00.000+0000] {x.py:1} INFO - Starting attempt 1 of 1',
      line('44', `INFO - ${words}`),
      line('45', 'ERROR - Task failed with exception'),
      'Traceback (most recent call last):',
      '  File "/opt/a.py", line 3, in execute',
      'airflow.exceptions.AirflowException: Bash command failed. The command returned a non-zero exit code 1.',
      line('46', 'INFO - Marking task as FAILED. dag_id=ingest, task_id=copy'),
    ];
    const path = folder({ 'dag_id=ingest/run_id=r1/task_id=copy/attempt=1.log': log.join('\n') });
    const report = await askInvestigator({ question: 'Why did the load fail last night?', sources: [`logs=logs:${path}`] });
    expect(report.answer).toContain(`The first cause in the logs: 2026-07-01T01:07:44Z \`copy\` attempt 1: "${words}"`);
    expect(claims(report, 'cause').join()).not.toContain('Bash command failed');
  });

  it('ties an error of a load to the column that its file calls otherwise', async () => {
    const file = (date: number, header: string): [string, string] => [
      `data/customers_${day(date)}.csv`,
      csv(
        header,
        range(20).map((row) => [row, `a${row}@example.org`, 'Rome']),
      ),
    ];
    const path = folder({
      ...Object.fromEntries([
        ...range(4).map((index) => file(index + 1, 'customer_id,email,city')),
        file(5, 'customer_id,email_address,city'),
      ]),
      'logs/load.log':
        "2026-06-05 03:00:00,000 INFO load - reading customers_2026-06-05.csv\n2026-06-05 03:00:01,000 ERROR load - KeyError: 'email'\n",
    });
    const report = await askInvestigator({
      question: 'Why did the customers load fail on 5 June?',
      sources: [`data=files:${path}/data`, `logs=logs:${path}/logs`],
    });
    expect(report.answer).toContain("KeyError: 'email'");
    expect(report.answer).toContain('`customers_2026-06-05`: `email` is called `email_address`');
  });

  it('names the checks that did not pass and those that are no longer made', async () => {
    const result = (type: string, success: boolean, observed: unknown): unknown => ({
      success,
      expectation_config: { type, kwargs: { column: 'total' } },
      result: { observed_value: observed },
      exception_info: { raised_exception: false },
    });
    const suite = (results: readonly unknown[], at: string): unknown => ({
      success: false,
      results,
      meta: { expectation_suite_name: 'sales', run_id: { run_time: at } },
    });
    const path = folder({
      '1.json': suite(
        [result('expect_column_sum_to_be_between', false, 12), result('expect_column_max_to_be_between', true, 99)],
        '2026-03-01T00:00:00Z',
      ),
      '2.json': suite([result('expect_column_max_to_be_between', false, 9900)], '2026-03-02T00:00:00Z'),
    });
    const report = await askInvestigator({
      question: 'Which checks failed and is anything no longer checked?',
      sources: [`data=files:${path}`],
    });
    expect(report.answer).toContain('`expect_column_max_to_be_between` on total (failed, observed 9900)');
    expect(report.answer).toContain(
      'Checks that disappeared since the run before: `expect_column_sum_to_be_between` on total (was failed)',
    );
  });
});
