import { describe, expect, it } from 'vitest';
import type { Skill } from '../../src/core/skill.ts';
import { chooseSkill } from '../../src/memory/choose-skill.ts';

const SKILLS: Readonly<Record<string, string>> = {
  'duplicate-rows':
    'Totals are too high, rows or keys appear twice, a uniqueness test fails, a retry or backfill may have loaded the same data again, or a join multiplies rows.',
  'late-data':
    'Rows are missing from a day, counts of recent days change afterwards, a report is short, data arrived late, or a lookback window or watermark is in question.',
  'schema-drift':
    'A column was renamed, added, dropped, reordered or changed type or unit or format, a load fails on a column, or a column is suddenly empty or full of odd values.',
  'slow-run-triage': 'A scheduled run, DAG or job was slow, took longer than usual, ran late, or did not finish in its window.',
  'month-end': 'A month-end report, a closing balance, or a late correction is in question.',
  'gdpr-erasure': 'A person asks to be erased or forgotten, or personal data has to be deleted from tables and backups.',
  'cost-review': 'The warehouse bill rose, credits are spent too fast, or somebody wants to know which queries cost most.',
  'new-source': 'A new source, feed or vendor has to be onboarded into the warehouse.',
  'timezone-bugs': 'Timestamps are shifted by whole hours, a day boundary is wrong, or daylight saving time is in question.',
  'currency-conversion': 'Amounts in several currencies are summed, an exchange rate is missing, or converted revenue looks wrong.',
  'backfill-plan': 'History has to be reloaded, a backfill has to be planned, or a range of days has to be computed again.',
  'permission-denied': 'A query or task fails with permission denied, a role lacks a grant, or access to a schema has to be given.',
  'broken-dashboard': 'A dashboard shows errors, tiles stay empty, or a chart stopped refreshing.',
  'model-refactor': 'A dbt model has to be split, renamed or moved, and what depends on it must go on working.',
  'failed-tests': 'A dbt test fails: not_null, accepted_values or relationships, and the failing rows have to be found.',
  'pool-tuning': 'Pools, slots, queues or concurrency of Airflow have to be sized, or tasks sit queued for long.',
  'incident-report': 'An incident has to be written up: timeline, impact, root cause and follow-ups of an outage.',
  'encoding-trouble': 'Characters are garbled, umlauts or accents look wrong, or a file is not valid UTF-8.',
  'partition-layout': 'Partitions or clustering of a table have to be chosen, or scans read far too many bytes.',
  'null-audit': 'Nulls appear in a column that should be filled, or the share of empty values grew.',
};
const skills = Object.entries(SKILLS).map(([name, whenToUse]): Skill => ({ name, whenToUse, description: '', body: '' }) as never);

/** Written as people ask; `undefined` where none of the skills is for it. */
const TASKS: readonly (readonly [string, string | undefined])[] = [
  ['Why are there two rows for each order of 3 May?', 'duplicate-rows'],
  ['The revenue totals of yesterday are too high, did the retry load the file twice?', 'duplicate-rows'],
  ['Our uniqueness test on order_id fails since the backfill.', 'duplicate-rows'],
  ['Rows of Tuesday are missing and turn up a day later.', 'late-data'],
  ['Is a lookback of three days enough for data that arrives late?', 'late-data'],
  ['Why do the counts of recent days change after the fact?', 'late-data'],
  ['The vendor renamed a column and now the load fails.', 'schema-drift'],
  ['Since Monday the column discount is suddenly empty.', 'schema-drift'],
  ['Why did the type of amount change from number to text?', 'schema-drift'],
  ["Why did last night's nightly_sales run take three times as long as usual?", 'slow-run-triage'],
  ['The DAG did not finish in its window, what was slow?', 'slow-run-triage'],
  ['The month-end report does not match the closing balance.', 'month-end'],
  ['A customer wants her personal data deleted everywhere, backups too.', 'gdpr-erasure'],
  ['Our warehouse bill rose by half, which queries cost the most?', 'cost-review'],
  ['Please onboard the feed of a new vendor into the warehouse.', 'new-source'],
  ['All timestamps are off by two hours since daylight saving began.', 'timezone-bugs'],
  ['The exchange rate for SEK is missing, so converted revenue is wrong.', 'currency-conversion'],
  ['Plan the backfill of January to March.', 'backfill-plan'],
  ['The task fails with permission denied on schema finance.', 'permission-denied'],
  ['Give the analysts access to the schema marts.', 'permission-denied'],
  ['The sales dashboard is broken: half of its tiles stay empty.', 'broken-dashboard'],
  ['Split the dbt model orders_wide without breaking what depends on it.', 'model-refactor'],
  ['Find the rows that make the dbt relationships test fail.', 'failed-tests'],
  ['Tasks sit queued for an hour, how many slots should the Airflow pool have?', 'pool-tuning'],
  ['Write up the incident of last Friday with its timeline and root cause.', 'incident-report'],
  ['German umlauts are garbled in the customer file.', 'encoding-trouble'],
  ['Each scan of events reads far too many bytes; how should it be partitioned?', 'partition-layout'],
  ['The share of nulls in country grew this week.', 'null-audit'],
  ['What is the row count of orders?', undefined],
  ['List the tables of the warehouse.', undefined],
  ['Who owns the customers table?', undefined],
  ['Draw me a chart of revenue per week.', undefined],
  ['What does the column status mean?', undefined],
  ['Summarise the README of the project.', undefined],
  ['Which version of dbt do we use?', undefined],
  ['Translate this comment into French.', undefined],
  ['How many customers bought something in June?', undefined],
  ['Compare the average basket of Spain and Italy.', undefined],
  ['What was our best day of last year?', undefined],
  ['Good morning! What can you do?', undefined],
];

describe('the choice of a skill', () => {
  it('takes the right one of 20 for most of 40 tasks, and seldom one that is not called for', () => {
    expect([skills.length, TASKS.length]).toEqual([20, 40]);
    const chosen = TASKS.map(([task, wanted]) => ({ task, wanted, got: chooseSkill(task, skills)?.name }));
    const right = chosen.filter(({ wanted, got }) => got !== undefined && got === wanted);
    const taken = chosen.filter(({ got }) => got !== undefined);
    const called = chosen.filter(({ wanted }) => wanted !== undefined);
    const wrong = chosen.filter(({ wanted, got }) => wanted !== got);
    expect(
      { precision: right.length / taken.length >= 0.9, recall: right.length / called.length >= 0.85, wrong: wrong.length <= 6 },
      JSON.stringify(wrong, undefined, 1),
    ).toEqual({
      precision: true,
      recall: true,
      wrong: true,
    });
  });
});
