import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunReport } from '../src/app/run-report.ts';
import { readChecks } from '../tools/checks/read-checks.ts';
import { readDbtRun } from '../tools/dbt/read-dbt-run.ts';
import { sniffFile } from '../tools/files/sniff-file.ts';
import { summarizeLog } from '../tools/logs/summarize-log.ts';
import { compareRuns } from '../tools/runs/compare-runs.ts';
import { whoElseRan } from '../tools/runs/who-else-ran.ts';
import { findDuplicates } from '../tools/warehouse/find-duplicates.ts';
import { lateness } from '../tools/warehouse/lateness.ts';
import { profileTable } from '../tools/warehouse/profile-table.ts';
import { querySql } from '../tools/warehouse/query-sql.ts';
import { askInvestigator } from './agents/ask-investigator.ts';
import { callTool, type Data } from './tools/artifacts/call-tool.ts';

const CASES = fileURLToPath(new URL('./cases', import.meta.url));
let root = '';

/** The case's data alone: the right answer stands beside it and must not be read. */
function dataOf(name: string): string {
  return join(root, name);
}

function expected(name: string): Data {
  return JSON.parse(readFileSync(join(CASES, name, 'expected.json'), 'utf8')) as Data;
}

function question(name: string): string {
  return /\*\*Ask:\*\* "([^"]+)"/.exec(readFileSync(join(CASES, name, 'EXPECTED.md'), 'utf8'))?.[1] ?? '';
}

/** The answer with all findings, as one text. */
function told(report: RunReport): string {
  return [report.answer, ...report.findings.map(({ claim }) => claim)].join('\n');
}

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'soloist-cases-'));
  cpSync(CASES, root, { recursive: true, filter: (path) => !['EXPECTED.md', 'expected.json'].includes(basename(path)) });
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

describe('big integers and money', () => {
  const name = 'big-integers-and-money';
  const right = expected(name);

  it.each(['events.jsonl', 'events.csv'])('is exact in %s', async (table) => {
    const { data } = await callTool(profileTable, dataOf(name), { table });
    const column = (wanted: string): Data => data.columns.find((one: Data) => one.name === wanted);
    expect(data.rows).toBe(right.rows);
    expect(column('id')).toMatchObject({ distinct: right.distinct_ids, distinct_exact: true, max: right.max_id });
    expect(column('amount')).toMatchObject({ sum: right.sum_amount, sum_exact: true });
    expect(column('at').distinct).toBe(right.distinct_timestamps_ns);
  });

  it('is exact in the answer', async () => {
    const { answer } = await askInvestigator({ question: question(name), sources: [`data=files:${dataOf(name)}`] });
    for (const value of [`${right.distinct_ids} distinct`, right.max_id, right.sum_amount]) expect(answer).toContain(value);
    for (const trap of [right.sum_as_float, `${right.distinct_ids_as_js_number} distinct`]) expect(answer).not.toContain(trap);
  });
});

describe('hostile CSV', () => {
  const name = 'hostile-csv';
  const right = expected(name);

  it.each(['ventes_latin1', 'ventes_utf16', 'ventes_utf8_bom', 'ventes_mixed_newlines'])('reads %s as what it is', async (table) => {
    const { data } = await callTool(profileTable, dataOf(name), { table });
    expect(data.rows).toBe(right.rows);
    expect(data.columns.map((one: Data) => one.name)).toEqual(right.columns);
    const column = (wanted: string): Data => data.columns.find((one: Data) => one.name === wanted);
    expect(column('montant').sum).toBe(right.total);
    expect(column('date')).toMatchObject({ min: right.first_date, max: right.last_date });
    expect(column('code postal').leading_zeros).toBe(right.zip_codes_with_leading_zero);
    expect(column('remarque').null).toBe(right.empty_remarks);
    const { data: rows } = await callTool(querySql, dataOf(name), {
      sql: `SELECT remarque, (SELECT COUNT(*) FROM "${table}" WHERE remarque LIKE '%' || CHR(10) || '%') FROM "${table}" WHERE id = '0004'`,
    });
    expect(rows.rows).toEqual([[right.remark_row_4, right.rows_with_newline_in_field]]);
  });

  it('says by what the order of day and month is known', async () => {
    const { data } = await callTool(sniffFile, dataOf(name), { path: 'ventes_latin1.csv' });
    expect(data.columns[1].evidence).toContain(`${right.rows_where_day_le_12} would fit mm/dd/yyyy too`);
  });

  it('answers the same for all four files', async () => {
    const report = await askInvestigator({ question: question(name), sources: [`data=files:${dataOf(name)}`] });
    expect(report.answer).toContain(`All have the same figures: ${right.rows} rows, ${right.columns.length} columns`);
    expect(report.answer).toContain(`total ${right.total}`);
    expect(report.answer).toContain(`${right.first_date} to ${right.last_date}`);
    expect(report.answer).toContain(`\`code postal\` has ${right.zip_codes_with_leading_zero} values with leading zeros`);
    expect(report.answer).toContain(`\`remarque\` is empty in ${right.empty_remarks} of ${right.rows} rows`);
    expect(report.answer).toContain(`${right.rows_where_day_le_12} would fit mm/dd/yyyy too`);
    for (const file of ['latin1', 'utf16', 'utf8_bom', 'mixed_newlines'])
      expect(report.answer).toContain(
        `\`ventes_${file}\` a line break stands within \`remarque\` in ${right.rows_with_newline_in_field} rows`,
      );
    expect(told(report)).not.toMatch(/\b121 rows/);
  });
});

describe('late rows behind a watermark', () => {
  const name = 'late-arriving-watermark';
  const right = expected(name);

  it('are found by the lateness of the rows and the times of the runs', async () => {
    const { data } = await callTool(lateness, dataOf(name), { table: 'raw_events', runs_table: 'incremental_runs' });
    expect(data).toMatchObject({
      rows: right.raw_rows,
      behind_watermark: { rows: right.missing_rows },
      lookback: { smallest_hours_that_lose_nothing: right.smallest_lookback_hours_that_loses_nothing },
    });
    expect(Object.fromEntries(data.behind_watermark.by_day.map((one: Data) => [one.day, one.rows]))).toEqual(right.missing_by_event_day);
    expect(data.lateness_seconds.max / 3600).toBe(right.max_lateness_hours);
  });

  it('are told of with their days, their worth and what would bring them back', async () => {
    const { answer, findings } = await askInvestigator({ question: question(name), sources: [`data=files:${dataOf(name)}`] });
    expect(answer).toContain(
      `\`raw_events\` has ${right.raw_rows} rows and \`mart_events\` ${right.mart_rows}; ${right.missing_rows} rows`,
    );
    expect(answer).toContain(`total of \`amount_cents\` ${right.missing_amount_cents}`);
    for (const [day, rows] of Object.entries(right.missing_by_event_day)) expect(answer).toContain(`${day}: ${rows}`);
    expect(answer).toContain(
      `The smallest lookback that loses nothing in this history is ${right.smallest_lookback_hours_that_loses_nothing} hours`,
    );
    expect(answer).toContain('exactly as many as are missing');
    expect(answer).toMatch(/running the same filter again would not/);
    expect(findings.filter(({ kind }) => kind === 'cause').length).toBeGreaterThan(0);
  });
});

describe('four formats of logs', () => {
  const name = 'mixed-log-formats';
  const right = expected(name);

  it('come out as one story', async () => {
    const { data } = await callTool(summarizeLog, dataOf(name), {}, 'logs');
    expect(Date.parse(data.first_error.time)).toBe(Date.parse(right.first_error_utc));
    expect(data.first_error.text).toContain(right.first_error);
    expect(Date.parse(data.first_warning.time)).toBe(Date.parse(right.first_warning_utc));
    expect(data.totals).toMatchObject({ unparsable_lines: right.bad_json_lines, records_without_zone: right.json_lines_without_zone });
    expect(Object.fromEntries(data.tasks.items.map((one: Data) => [one.task, one.attempts]))).toEqual(right.attempts);
    const final = Object.fromEntries(data.tasks.items.map((one: Data) => [one.task, one.final_state]));
    expect(final).toMatchObject(right.final_state);
    const report = data.executions.items.find((one: Data) => one.task === 'report');
    expect(Date.parse(report.start)).toBe(Date.parse(right.report_start_utc));
    const again = data.messages.items.filter((one: Data) => one.template.includes('does not exist'));
    expect(again.map((one: Data) => one.count)).toEqual([right.times_column_error_seen]);
  });

  it('are told in order, with the first cause and not its consequences', async () => {
    const report = await askInvestigator({ question: question(name), sources: [`logs=logs:${dataOf(name)}`] });
    expect(report.answer).toMatch(
      /^The first cause in the logs: 2026-03-02T01:58:30\.500000Z `extract` attempt 1: "source schema changed: dropped column paid_at, added column settled_at"/,
    );
    expect(report.answer).toContain(right.first_error);
    expect(report.answer).toContain('`extract` 1 attempt (failed), `dbt_run` 2 attempts (failed) and `report` 1 attempt (success)');
    expect(report.answer).toContain('Trying again did not help');
    expect(report.answer).toContain(
      `${right.bad_json_lines} lines could not be parsed, ${right.json_lines_without_zone} records give no time zone and were read as UTC`,
    );
    expect(report.answer).toMatch(/2026-03-02T02:11:30Z `report`/);
    const causes = report.findings.filter(({ kind }) => kind === 'cause').map(({ claim }) => claim);
    expect(causes.join()).not.toMatch(/Bash command failed/);
  });
});

describe('non-finite numbers in artifacts', () => {
  const name = 'nan-in-artifacts';
  const right = expected(name);

  it('are named with their places and never count as 0', async () => {
    const { data } = await callTool(readDbtRun, dataOf(name));
    expect(data).toMatchObject({
      results: right.results,
      by_status: right.by_status,
      execution_s_sum: right.sum_execution_time,
      unknown_statuses: [],
    });
    expect(data.slowest[0]).toMatchObject({ node: right.slowest, execution_s: right.slowest_s });
    expect(data.non_finite.count).toBe(right.non_finite_run_results);
    expect([...data.non_finite.places].sort()).toEqual([...right.non_finite_places_run_results].sort());
    const checks = await callTool(readChecks, dataOf(name), { path: 'validation_result.json' });
    expect(checks.data.non_finite.places).toEqual(right.non_finite_places_validation);
    expect(checks.data.by_status.failed).toBe(right.ge_failed);
  });

  it.each(['files', 'dbt'])('are told of with what failed and what was slow, in a source of kind %s', async (kind) => {
    const report = await askInvestigator({ question: question(name), sources: [`data=${kind}:${dataOf(name)}`] });
    for (const [status, count] of Object.entries(right.by_status)) expect(report.answer).toContain(`${status} ${count}`);
    for (const node of ['`model.shop.fct_orders` (error', '`test.shop.unique_orders` (fail', '`model.shop.micro` (partial success'])
      expect(report.answer).toContain(node);
    expect(report.answer).toMatch(
      new RegExp(`Slowest was \`${right.slowest}\` with ${right.slowest_s} s; all \\w+ \\w+ ${right.sum_execution_time} s`),
    );
    for (const place of [...right.non_finite_places_run_results, ...right.non_finite_places_validation])
      expect(report.answer).toContain(place);
    expect(report.answer).toContain('observed Infinity');
    expect(report.answer).toMatch(/it is not minus one row/);
  });
});

describe('duplicates after a retry', () => {
  const name = 'retry-duplicates';
  const right = expected(name);

  it('are told apart from new versions and look-alikes', async () => {
    const { data } = await callTool(findDuplicates, dataOf(name), { table: 'orders' });
    expect(data).toMatchObject({
      rows: right.rows,
      distinct_keys: right.distinct_orders,
      reload_copies: right.extra_rows_from_retry,
      versions: right.legit_new_versions,
      lookalikes: { rows: right.legit_lookalike_orders },
    });
  });

  it('are explained by what the failed attempt had written', async () => {
    const path = dataOf(name);
    const { answer } = await askInvestigator({ question: question(name), sources: [`data=files:${path}`, `logs=logs:${path}`] });
    expect(answer).toContain(`${right.extra_rows_from_retry} rows of \`orders\` are copies of another`);
    expect(answer).toContain(`${right.rows} rows with ${right.distinct_orders} distinct values`);
    expect(answer).toContain(`\`amount\` ${right.sum_amount_run_wrong} in all`);
    expect(answer).toContain(`${right.sum_amount_run_right} without them`);
    expect(answer).toContain(`Not duplicates: ${right.legit_new_versions} rows are a second version`);
    expect(answer).toContain(`${right.legit_lookalike_orders} rows look like another but have a key of their own`);
    for (const batch of right.batches_twice) expect(answer).toContain(`inserted batch ${batch} rows=200, committed`);
    expect(answer).toMatch(/attempt 1 of `load_orders` had written rows .* when it failed at 2026-02-12T01:03:55/);
  });
});

describe('daily files that drift', () => {
  const name = 'schema-drift-daily-files';
  const right = expected(name);

  it('are told day by day, with the right total and the wrong ones', async () => {
    const { answer } = await askInvestigator({ question: question(name), sources: [`data=files:${join(dataOf(name), 'landing')}`] });
    expect(answer).toContain('`orders_2026-05-04`: the order of `amount_cents` and `fee_cents` changed');
    expect(answer).toContain('`orders_2026-05-05`: `amount_cents` is called `total_cents`');
    expect(answer).toContain('`orders_2026-05-06`: new column `channel`');
    expect(answer).toMatch(/`orders_2026-05-07`: `amount_cents` became DECIMAL\S* from BIGINT; .*another unit/);
    expect(answer).toMatch(/`orders_2026-05-08`: the header says "ORDER_ID" .* the header says " amount_cents"/);
    expect(answer).toMatch(new RegExp(`\`amount_cents\` comes to ${right.true_total}(\\.0+)? over ${right.files} files`));
    expect(answer).toContain(`by that exact name alone one would get ${right.total_by_exact_name}, by position ${right.total_by_position}`);
    for (const [day, cents] of Object.entries(right.true_amount_cents_by_day))
      if (day !== '2026-05-07') expect(answer).toContain(String(cents));
    expect(answer).toContain(`${right.loaded_by_position['orders_2026-05-07.csv']} * 100`);
  });
});

describe('a run that waited for slots', () => {
  const name = 'slow-run-pool-starvation';
  const right = expected(name);
  const near = (value: number): [number, number] => [value * 0.99, value * 1.01];

  it('is compared with like runs only, over all pages', async () => {
    const { data } = await callTool(compareRuns, dataOf(name), { run_id: right.last_run }, 'airflow-export');
    expect(data.duration_ratio).toBe(right.ratio);
    expect(data.baseline).toMatchObject({ median_duration_s: right.baseline_median_s, excluded: { 'type manual': 1 } });
    expect(data.working).toMatchObject({
      seconds: right.task_seconds_last,
      baseline_median_s: right.task_seconds_baseline_median,
      changed: false,
    });
    expect(data.waiting).toMatchObject({
      seconds: right.wait_seconds_last,
      baseline_median_s: right.wait_seconds_baseline_median,
      changed: true,
    });
    const load = data.groups.find((one: Data) => one.task_id === 'load_partition');
    expect(load).toMatchObject({
      max_parallel: right.max_parallel_load_last,
      baseline_max_parallel: right.max_parallel_load_baseline,
      median_s: right.median_load_task_s_last,
      baseline_median_s: right.median_load_task_s_baseline,
    });
    const [low, high] = near(right.load_span_last_s);
    expect(load.span_s).toBeGreaterThan(low);
    expect(load.span_s).toBeLessThan(high);
    expect(data.retried).toEqual([expect.objectContaining(right.retried)]);
    expect(data.groups.find((one: Data) => one.task_id === 'extract').waiting_s).toBe(right.extract_wait_last_s);
    const { data: others } = await callTool(whoElseRan, dataOf(name), { run_id: right.last_run }, 'airflow-export');
    expect(others.others[0]).toMatchObject({ pipeline: right.blocker.dag_id, pool: right.pool, max_slots: right.blocker.slots_held });
  });

  it('is explained by who held the slots', async () => {
    const report = await askInvestigator({ question: question(name), sources: [`runs=airflow-export:${dataOf(name)}`] });
    const text = told(report);
    expect(report.answer).toMatch(
      new RegExp(`^\`${right.blocker.dag_id}\` .* held ${right.blocker.slots_held} of 16 slots of pool \`${right.pool}\``),
    );
    expect(report.answer).toContain(
      `took ${right.last_duration_s} s (1 h 48 min); the median of 14 like runs is ${right.baseline_median_s} s (38 min), so it took ${right.ratio} times as long`,
    );
    expect(report.answer).toContain(
      `waited ${right.wait_seconds_last} s in all (median before: ${right.wait_seconds_baseline_median} s) and worked ${right.task_seconds_last} s (median before: ${right.task_seconds_baseline_median} s)`,
    );
    expect(report.answer).toContain(
      `at most ${right.max_parallel_load_last} \`load_partition\` ran at once, normally ${right.max_parallel_load_baseline}`,
    );
    expect(text).toContain(
      `the median \`load_partition\` took ${right.median_load_task_s_last} s, before ${right.median_load_task_s_baseline} s`,
    );
    expect(text).toContain(`\`extract\` waited ${right.extract_wait_last_s} s`);
    expect(text).toContain(`\`${right.retried.task_id}\` index ${right.retried.map_index} was on try 2`);
    expect(text).not.toContain('12060');
  });
});
