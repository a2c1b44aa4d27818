import { afterAll, describe, expect, it } from 'vitest';
import { dropFolder, makeFolder } from '../tools/artifacts/call-tool.ts';
import { manifest, runResults } from '../tools/dbt/dbt-files.ts';
import { askInvestigator } from './ask-investigator.ts';
import { lineageRun, sparkLog } from './pipeline-files.ts';

const folders: string[] = [];

function folder(files: Readonly<Record<string, unknown>>): string {
  const made = makeFolder(files);
  folders.push(made);
  return made;
}

afterAll(() => {
  for (const one of folders) dropFolder(one);
});

async function ask(question: string, source: string): Promise<string> {
  const { answer, findings } = await askInvestigator({ question, sources: [source] });
  expect(answer).not.toContain('(unsupported)');
  expect(findings.flatMap(({ unsupported }) => unsupported ?? [])).toEqual([]);
  expect(answer).not.toMatch(/task_s|_sum|last\):/);
  return answer;
}

const even = (count: number, seconds: number, spill = 0) => Array.from({ length: count }, () => ({ seconds, spill }));

describe('questions about a Spark application', () => {
  const skewed = folder({
    'app-1': sparkLog('sessions', [
      { name: 'scan at job.py:10', seconds: 10, tasks: even(8, 9) },
      { name: 'join at job.py:30', seconds: 90, tasks: [...even(9, 10, 0), { seconds: 85, read: 70_000, spill: 5_000_000 }] },
    ]),
  });
  const calm = folder({
    'app-2': sparkLog('calm', [
      { name: 'scan at job.py:10', seconds: 12, tasks: even(8, 9) },
      { name: 'write at job.py:50', seconds: 30, tasks: even(10, 11) },
    ]),
  });

  it.each([
    [
      'which stage was slowest and why?',
      /^Stage 1 "join at job\.py:30" took longest in Spark application `sessions`: duration 90 s, a share of the application of 90 % .*\. In it: skew: task 9 on executor 1 took 85 s, the median 10 s \(8\.5 times\).*spill: 1 of 10 tasks spilled 5000000 bytes to disk/,
    ],
    ['which job took longest?', /^Stage 1 "join at job\.py:30" took longest in Spark application `sessions`: duration 90 s/],
    [
      'how much data was spilled?',
      /^Spark application `sessions` spilled: spill to disk 5000000 bytes \(4\.8 MiB\), .* in 1 of its 2 stages/,
    ],
    [
      'is there skew?',
      /^Yes, stage 1 "join at job\.py:30" of Spark application `sessions` is skewed: task 9 .* took 85 s, the median 10 s/,
    ],
  ])('is answered with figures where something is odd: %s', async (question, first) => {
    expect(await ask(question, `s=logs:${skewed}`)).toMatch(first);
  });

  it.each([
    [
      'which stage was slowest and why?',
      /^Stage 1 "write at job\.py:50" took longest .* duration 30 s.*Nothing in it is odd: tasks 10, the median task 11 s/,
    ],
    ['how much data was spilled?', /^No spill: 0 bytes to disk and 0 bytes of memory in the 2 stages of Spark application `calm`/],
    ['is there skew?', /^No skew in the 2 stages of Spark application `calm`/],
    ['which jobs failed?', /^0 tasks and 0 jobs of Spark application `calm` failed \[/],
    ['why was the Spark job slow?', /nothing stands out in its 2 stages/],
  ])('is answered with what was looked at where nothing is odd: %s', async (question, first) => {
    expect(await ask(question, `s=logs:${calm}`)).toMatch(first);
  });
});

describe('questions about lineage', () => {
  const events = folder({
    'events.json': [
      ...lineageRun({ job: 'load_orders', id: 'a1', at: '2026-05-01T02:00:00Z', inputs: ['raw.orders'], outputs: ['shop.orders'] }),
      ...lineageRun({
        job: 'make_sales',
        id: 'a2',
        at: '2026-05-01T03:00:00Z',
        inputs: ['shop.orders', 'shop.people'],
        outputs: ['mart.sales'],
      }),
    ],
  });
  const dbt = folder({
    'manifest.json': manifest(
      [
        { id: 'model.shop.orders', sql: 'select 1' },
        { id: 'model.shop.sales', sql: 'select 1', parents: ['model.shop.orders'] },
      ],
      { invocation: 'a', at: '2026-05-04T03:00:00Z' },
    ),
  });

  it.each([
    ['what depends on shop.orders?', /^From `wh\/shop\.orders` are made \(downstream total 2\) directly `etl\/make_sales` \(job\)/],
    ['what is mart.sales made from?', /^`wh\/mart\.sales` is made from \(upstream total 5\) directly `etl\/make_sales` \(job\)/],
    ['which job writes mart.sales?', /^`wh\/mart\.sales` is written by: `etl\/make_sales` \(job\)/],
    ['who reads shop.people?', /^`wh\/shop\.people` is read by: `etl\/make_sales` \(job\)/],
    ['which jobs ran?', /^OpenLineage events tell of 2 runs, by state: success 2; by job, as job \/ runs: `etl\/\w+` \/ 1/],
    ['what depends on invoices?', /^The sources hold no lineage of `invoices`: there is no node "invoices"/],
  ])('is answered from events: %s', async (question, first) => {
    expect(await ask(question, `l=openlineage:${events}`)).toMatch(first);
  });

  it.each([
    ['what depends on orders?', /^From `model\.shop\.orders` are made \(downstream total 1\) directly `model\.shop\.sales` \(model\)/],
    ['what is the orders model built from?', /^The lineage holds nothing that `model\.shop\.orders` is made from/],
  ])('is answered from a manifest: %s', async (question, first) => {
    expect(await ask(question, `d=files:${dbt}`)).toMatch(first);
  });
});

describe('a failed run in OpenLineage events', () => {
  it('is told with its error, though newer runs of other jobs ended well', async () => {
    const failed = lineageRun({ job: 'build_mart', id: 'run-bad', at: '2026-05-01T03:00:00Z', inputs: [], outputs: [] }) as Record<
      string,
      unknown
    >[];
    const [start, end] = failed;
    const error = { message: `relation shop.prices does not exist ${'in 42000 of 43000 files '.repeat(60)}`, programmingLanguage: 'SQL' };
    const events = [
      start,
      { ...end, eventType: 'FAIL', run: { runId: 'run-bad', facets: { errorMessage: error } } },
      ...Array.from({ length: 120 }, (_, place) =>
        lineageRun({ job: `sync_${place}`, id: `run-${place}`, at: `2026-05-02T0${place % 9}:00:00Z`, inputs: [], outputs: [] }),
      ).flat(),
    ];
    const answer = await ask('why did the run fail?', `ol=openlineage:${folder({ 'events.json': events })}`);
    expect(answer).toMatch(
      /^Run `run-bad` of `build_mart` ended as failed; failed: `build_mart` \(failed at 2026-05-01T03:05:00Z: relation shop\.prices does not exist/,
    );
  });
});

describe('questions about runs of dbt and logs', () => {
  const dbt = folder({
    'mon/run_results.json': runResults(
      [
        ['model.shop.orders', 'success', 10],
        ['test.shop.unique_orders.x', 'fail', 1, { failures: 7 }],
      ],
      { invocation: 'a', at: '2026-05-04T03:00:00Z' },
    ),
    'tue/run_results.json': runResults(
      [
        ['model.shop.orders', 'success', 10],
        ['model.shop.sales', 'success', 3],
      ],
      { invocation: 'b', at: '2026-05-05T03:00:00Z' },
    ),
  });

  it('says what changed from the run before to the newest', async () => {
    const answer = await ask('what changed between the runs?', `d=dbt:${dbt}`);
    expect(answer).toMatch(
      /^What changed from the dbt run of 2026-05-04T03:00:00Z \(.*\) to that of 2026-05-05T03:00:00Z \(.*\): 1 tests disappeared/,
    );
    expect(answer).toContain('Results that only the later run has, total 1: `model.shop.sales`');
  });

  it('names the earlier run that failed where the newest has no failure', async () => {
    const answer = await ask('which tests failed?', `d=dbt:${dbt}`);
    expect(answer).toMatch(/^No test failed in the run `b` of `shop`/);
    expect(answer).toContain('Other runs of the source failed: `a` of `shop`');
  });

  it('says which model took longest by the log alone', async () => {
    const line = (second: string, text: string): string => `03:00:${second}  ${text}`;
    const path = folder({
      'dbt.log': [
        '============================== 2026-05-04 03:00:00.000000 | 1f2e ==============================',
        line('01.000000 [info ] [Thread-1]', ' 1 of 2 OK created sql table model shop.orders .......... [SELECT 10 in 4.25s]'),
        line('20.000000 [info ] [Thread-1]', ' 2 of 2 OK created sql table model shop.sales ........... [SELECT 10 in 18.75s]'),
      ].join('\n'),
    });
    expect(await ask('which model took longest?', `l=logs:${path}`)).toMatch(
      /^`[\w.]*sales` took longest by the logs: `in 18\.75s\]`, in seconds/,
    );
  });

  it('says when it first failed and which task failed most often', async () => {
    const attempt = (task: string, number: number, minute: number, failed: boolean): [string, string] => [
      `dag_id=ingest/run_id=r1/task_id=${task}/attempt=${number}.log`,
      [
        `[2026-07-01T01:0${minute}:00.000+0000] {x.py:1} INFO - Starting attempt ${number} of 3`,
        ...(failed ? [`[2026-07-01T01:0${minute}:30.000+0000] {x.py:1} ERROR - ConnectionError: host db-4 refused`] : []),
        `[2026-07-01T01:0${minute}:31.000+0000] {x.py:1} INFO - Marking task as ${failed ? 'UP_FOR_RETRY' : 'SUCCESS'}. dag_id=ingest, task_id=${task}`,
      ].join('\n'),
    ];
    const path = folder(
      Object.fromEntries([
        attempt('copy', 1, 1, true),
        attempt('copy', 2, 3, true),
        attempt('copy', 3, 5, false),
        attempt('check', 1, 7, true),
      ]),
    );
    expect(await ask('when did it first fail?', `l=logs:${path}`)).toMatch(/^It first failed at 2026-07-01T01:01:30Z: /);
    expect(await ask('which task failed most often?', `l=logs:${path}`)).toMatch(
      /^`copy` failed most often: failed attempts 2; next `check` 1/,
    );
  });
});

describe('questions about checks', () => {
  it('are answered once a check, with bounds in words and how far off it is', async () => {
    const suite = {
      success: false,
      results: [
        {
          success: false,
          expectation_config: { expectation_type: 'expect_table_row_count_to_be_between', kwargs: { min_value: 27000, max_value: 33000 } },
          result: { observed_value: 30 },
          exception_info: { raised_exception: false },
        },
      ],
      meta: { expectation_suite_name: 'basic', run_id: { run_time: '2026-03-01T00:00:00Z' } },
    };
    const path = folder({ 'checks.json': suite });
    const answer = await ask('which checks failed and by how much?', `g=files:${path}`);
    expect(answer).toMatch(
      /^Checks that did not pass, total 1: `expect_table_row_count_to_be_between` \(failed, observed 30, expected min 27000, expected max 33000, outside by 26970\)/,
    );
    expect(answer).not.toMatch(/[{}]/);
  });
});
