import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { dropFolder, makeFolder } from '../tools/artifacts/call-tool.ts';
import { askInvestigator, claims } from './ask-investigator.ts';
import { airflowFiles, FIRST, type RunFact } from './pipeline-files.ts';

const folders: string[] = [];

afterAll(() => {
  for (const one of folders) dropFolder(one);
});

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'soloist-reason-'));
  folders.push(made);
  return made;
}

function logs(lines: readonly string[]): string {
  const made = folder();
  writeFileSync(join(made, 'service.log'), `${lines.join('\n')}\n`);
  return `logs:${made}`;
}

function table(name: string, columns: string, rows: readonly (readonly unknown[])[]): string {
  const path = join(folder(), 'data.sqlite');
  const database = new Database(path);
  database.exec(`CREATE TABLE ${name} (${columns})`);
  const insert = database.prepare(
    `INSERT INTO ${name} VALUES (${columns
      .split(',')
      .map(() => '?')
      .join(',')})`,
  );
  database.transaction(() => {
    for (const row of rows) insert.run(...row);
  })();
  database.close();
  return `sqlite:${path}`;
}

const DAYS = Array.from({ length: 16 }, (_, at) => `2026-09-${String(at + 7).padStart(2, '0')}`);
const clock = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}:00`;

/** 40 requests a day, each of which brings three rows unless it is refused; from the 15th on all but ten are. */
function refused(ill: boolean): string[] {
  const isRefused = (day: string, request: number): boolean => ill && day >= '2026-09-15' && request >= 10;
  const all = DAYS.flatMap((day) => Array.from({ length: 40 }, (_, request) => ({ day, request, bad: isRefused(day, request) })));
  return [
    table(
      'readings',
      'reading_id text, litres real, read_at text',
      all.flatMap(({ day, request, bad }) =>
        bad
          ? []
          : [0, 1, 2].map((one) => [`${day}/${request}/${one}`, 3 + ((request * 7 + one) % 11), `${day} ${clock(request * 30 + one)}`]),
      ),
    ),
    logs(
      all.map(({ day, request, bad }) => `${day} ${clock(request * 30)} INFO puller: GET /meters/${request} returned ${bad ? 504 : 200}`),
    ),
  ];
}

/** Rates that change every day; from the 13th on those of the day before are written again, and a log says why. */
function frozen(ill: boolean): string[] {
  const isOld = (day: string): boolean => ill && day >= '2026-09-13';
  const rate = (at: number, one: number): number => Number((1 + one + ((at * 37 + one * 11) % 101) / 1000).toFixed(3));
  const last = DAYS.indexOf('2026-09-12');
  return [
    table(
      'rates',
      'day text, currency text, rate real',
      DAYS.flatMap((day, at) => ['SEK', 'NOK', 'PLN'].map((name, one) => [day, name, rate(isOld(day) ? last : at, one)])),
    ),
    logs(
      DAYS.flatMap((day) => [
        `${day} 02:00:00 INFO rates: refresh started`,
        ...(isOld(day) ? [`${day} 02:00:03 WARNING rates: provider quota is used up, cached rates are served`] : []),
        `${day} 02:00:09 INFO rates: refresh finished`,
      ]),
    ),
  ];
}

/** 20 people are paid once a month; those of July are written twice, a week apart. */
const doubled = (ill: boolean): string[] => {
  const months = ['2026-03', '2026-04', '2026-05', '2026-06', '2026-07', ...(ill ? ['2026-07'] : [])];
  const rows = months.flatMap((month, at) =>
    Array.from({ length: 20 }, (_, one) => [
      at * 20 + one,
      `P${one}`,
      month,
      2000 + one * 12.5,
      `${month}-${at === 5 ? '31' : '24'}T03:${10 + one}:00Z`,
    ]),
  );
  return [table('slips', 'slip_id integer, person text, period text, gross real, created_at text', rows)];
};

/** 60 rows a day, of three sites in turn; the clock of one stands at 1970 from the 12th on. */
const unset = (ill: boolean): string[] => {
  const rows = DAYS.flatMap((day, at) =>
    Array.from({ length: 60 }, (_, one) => {
      const bad = ill && one % 3 === 1 && day >= '2026-09-12';
      const time = clock(one * 24);
      return [
        at * 60 + one,
        ['roof', 'gate', 'yard'][one % 3],
        40 + ((one * 7 + at) % 13),
        `${bad ? '1970-01-01' : day}T${time}Z`,
        `${day}T${time}Z`,
      ];
    }),
  );
  return [table('humidity', 'seq integer, site text, pct real, measured_at text, received_at text', rows)];
};

/** A number of its own for each of 50 rows a day, until it can count no further. */
const stuck = (ill: boolean): string[] => {
  const rows = DAYS.flatMap((day, at) =>
    Array.from({ length: 50 }, (_, one) => [
      Math.min((ill ? 2_147_483_300 : 1_000) + at * 50 + one, 2_147_483_647),
      ['in', 'out'][one % 2],
      `${day}T${clock(one * 20)}Z`,
    ]),
  );
  return [table('passes', 'pass_id integer, direction text, passed_at text', rows)];
};

/** A pipeline of every night that was paused after five of nine, beside one that goes on. */
function paused(ill: boolean): string[] {
  const nights = (dag: string, count: number, hour: number): RunFact[] =>
    Array.from({ length: count }, (_, night) => ({
      dag,
      id: `scheduled__${dag}_${night}`,
      at: FIRST + night * 86_400 + hour * 3600,
      tasks: [{ task: 'work', ready: 1, start: 2, end: 100 }],
    }));
  const runs = [...nights('permits_sync', ill ? 5 : 9, 1), ...nights('permits_report', 9, 3)];
  const dags = ['permits_sync', 'permits_report'].map((name) => ({ dag_id: name, is_paused: ill && name === 'permits_sync' }));
  const made = makeFolder({ ...airflowFiles(runs, [{ name: 'default_pool', slots: 8 }]), 'dags.json': { dags, total_entries: 2 } });
  folders.push(made);
  return [`airflow-export:${made}`];
}

/** A job of every night that writes half of what it reads from the eighth night of ten on, with other code. */
function halved(ill: boolean): string[] {
  const event = (night: number, type: string, minute: number): string => {
    const bad = ill && night >= 7;
    const rows = 4000 + 2 * night;
    return JSON.stringify({
      eventType: type,
      eventTime: `2026-09-${String(10 + night)}T01:${String(minute)}:00Z`,
      run: { runId: `run-${night}` },
      job: { namespace: 'prod', name: 'ledger.post', facets: { sourceCodeLocation: { tag: bad ? 'v2.0.0' : 'v1.9.0' } } },
      inputs: [{ namespace: 'pg', name: 'journal' }],
      outputs: [{ namespace: 'pg', name: 'ledger.entries', outputFacets: { outputStatistics: { rowCount: bad ? rows / 2 : rows } } }],
    });
  };
  const made = makeFolder({
    'events.ndjson': Array.from({ length: 10 }, (_, night) => `${event(night, 'START', 10)}\n${event(night, 'COMPLETE', 20)}`).join('\n'),
  });
  folders.push(made);
  return [`openlineage:${made}`];
}

/** A row every two minutes of three days, but for four hours, in which a log says at its usual level what happened. */
function evicted(ill: boolean): string[] {
  const isGone = (day: string, minute: number): boolean => ill && day === '2026-09-09' && minute >= 540 && minute < 780;
  const days = ['2026-09-08', '2026-09-09', '2026-09-10'];
  const minutes = Array.from({ length: 720 }, (_, at) => at * 2);
  const rows = days.flatMap((day) => minutes.filter((at) => !isGone(day, at)).map((at) => [`${day}/${at}`, `${day}T${clock(at)}Z`]));
  const said = (day: string, at: number): string => (isGone(day, at) ? 'pod beat-7f evicted: node was low on storage' : 'window flushed');
  const lines = days.flatMap((day) => minutes.filter((at) => at % 60 === 0).map((at) => `${day} ${clock(at)} INFO beat: ${said(day, at)}`));
  return [table('beats', 'beat_id text, sent_at text', rows), logs(lines)];
}

const STORIES: readonly { name: string; questions: readonly string[]; sources: (ill: boolean) => string[]; cause: RegExp }[] = [
  {
    name: 'requests that are answered with another number',
    questions: ['readings down since the 15th', 'why so few readings from sep 15 on, the puller is green'],
    sources: refused,
    // 8 days of 30 refused requests; 10 requests of 3 rows are left of 40.
    cause:
      /^In `readings` by day of `read_at`, 30 rows on 2026-09-15.* where 120 on .* is usual \[r\d+\]; the logs of that time.* hold 240 lines of requests that were refused or failed.* the first 2026-09-15T05:00:00Z ".*returned 504"/,
  },
  {
    name: 'values that stand still, and why',
    questions: ['rates are frozen', 'why is the rate of sek the same every day since sep 12?'],
    sources: frozen,
    cause:
      /^In `rates` the `rate` of `currency` .*SEK since 2026-09-12.* stands still.*; the logs of that time.* hold: 2026-09-13T02:00:03Z ".*quota is used up/,
  },
  {
    name: 'a month that was written twice',
    questions: ['july gross is 2x', 'why did we pay everyone twice in july'],
    sources: doubled,
    cause:
      /^In `slips` all rows of `period` 2026-07 are there more than once, and those of no other: 40 rows of 20 things .*2026-07-24 \/ 20, 2026-07-31 \/ 20/,
  },
  {
    name: 'a clock that was not set',
    questions: ['humidity has rows from 1970', 'gate data of humidity are missing since the 12th'],
    sources: unset,
    // 11 days of 20 rows.
    cause:
      /^220 rows of `humidity` \(stray_rows 220\), all of `site` gate are dated on 1970-01-01 by `measured_at`, years before the others, loaded from 2026-09-12 to 2026-09-22/,
  },
  {
    name: 'a number that can count no further',
    questions: ['duplicate pass_id', 'why do so many passes share one pass_id?'],
    sources: stuck,
    // 2147483647 - 2147483300 = 347 rows come before it, so 800 - 347 = 453 bear it.
    cause: /^`pass_id` of `passes` is 2147483647, the highest that `INTEGER` holds, in 453 rows .* from 2026-09-13 on/,
  },
  {
    name: 'a job that writes less since other code, three runs ago',
    questions: ['ledger.entries half the rows since sep 17', 'why does ledger.post write only half'],
    sources: halved,
    cause:
      /^`prod\/ledger\.post` wrote another amount than before in its run `run-7`, started 2026-09-17T01:10:00Z, with the code `v2\.0\.0` in place of `v1\.9\.0`, as dataset \/ rows: `pg\/ledger\.entries` \/ 2007, the run before it `pg\/ledger\.entries` \/ 4012/,
  },
  {
    name: 'hours without rows, and trouble that no one called a warning',
    questions: ['gap in beats on the 9th around 9-13h', 'beats missing on sep 9'],
    sources: evicted,
    cause:
      /^`beats` has no row by `sent_at` between 2026-09-09T08:58:00Z and 2026-09-09T13:00:00Z.*; the logs of that time.* hold: 2026-09-09T09:00:00Z ".*evicted/,
  },
  {
    name: 'a pipeline that is paused',
    questions: ['permits not updating', 'no new permits for days, the report dag is green'],
    sources: paused,
    cause: /^`permits_sync` did not run, as it is paused: its last run is of /,
  },
];

describe('the investigator without a model, on what broke and why it did', () => {
  const cases = STORIES.flatMap(({ questions, ...story }) => questions.map((question) => ({ ...story, question })));

  it.each(cases)('says both first: $name: $question', async ({ question, sources, cause }) => {
    const { answer } = await askInvestigator({ question, sources: sources(true) });
    expect(answer).toMatch(cause);
    expect(answer.split('\n')[0]).not.toContain('(unsupported)');
  });

  it.each(cases)('names no cause where there is none: $name: $question', async ({ question, sources }) => {
    expect(claims(await askInvestigator({ question, sources: sources(false) }), 'cause')).toEqual([]);
  });
});
