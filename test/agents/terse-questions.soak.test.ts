import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { iso } from './airflow-export.ts';
import { askInvestigator, claims } from './ask-investigator.ts';
import { airflowFiles, FIRST, lineageRun, nights } from './pipeline-files.ts';

const place = mkdtempSync(join(tmpdir(), 'soloist-terse-'));
afterAll(() => rmSync(place, { recursive: true, force: true }));

const range = (count: number): number[] => Array.from({ length: count }, (_, at) => at);
const two = (number: number): string => String(number).padStart(2, '0');

function files(tables: Readonly<Record<string, readonly string[]>>): string[] {
  const folder = mkdtempSync(join(place, 'files-'));
  for (const [name, lines] of Object.entries(tables)) writeFileSync(join(folder, `${name}.csv`), `${lines.join('\n')}\n`);
  return [`data=files:${folder}`];
}

describe('a terse question', () => {
  /** Six rows an hour, 144 a day; on the 14th none from 9 to 15 where hours are lost, 102. */
  const clicks = (lost: boolean) =>
    files(
      Object.fromEntries(
        range(5).map((day) => [
          `clicks_202603${two(11 + day)}`,
          [
            'clkId,evt_ts,cost_usd',
            ...range(144)
              .map((at) => ({ at, hour: Math.floor(at / 6) }))
              .filter(({ hour }) => !lost || day !== 3 || hour < 9 || hour > 15)
              .map(({ at, hour }) => `c${day * 144 + at},2026-03-${11 + day} ${two(hour)}:${two((at * 7) % 60)}:00,${1 + (at % 5) / 10}`),
          ],
        ]),
      ),
    );

  it('finds the file of its day that is too short, though by no half', async () => {
    const question = 'did we loose clicks on the 14th?';
    expect((await askInvestigator({ question, sources: clicks(true) })).answer).toMatch(
      /^`clicks_20260314` has 102 rows, where `clicks_20260313` has 144 /,
    );
    expect(claims(await askInvestigator({ question, sources: clicks(false) }), 'cause')).toEqual([]);
  });

  /** Twelve people a day, whose numbers have no zeros before them from the 11th on where they lost them: 48 rows. */
  const hours = (lost: boolean) =>
    files({
      ma_stamm: [
        'ma_pers_nr,ma_abt,ma_gehalt',
        ...range(12).map((one) => `0001${two(one)},${one % 2 ? 'VK' : 'IT'},${40_000 + one * 900}`),
      ],
      ma_zeit: [
        'zt_pers_nr,zt_tag,zt_std',
        ...range(10).flatMap((day) =>
          range(12).map((one) => `${lost && day >= 6 ? '' : '000'}1${two(one)},2026-05-${two(5 + day)},${7 + ((one + day) % 4) / 4}`),
        ),
      ],
    });

  it('finds rows that lost their match by keys that are called alike but for the prefix of their tables', async () => {
    const question = 'hours missing for all depts since 5/11';
    expect((await askInvestigator({ question, sources: hours(true) })).answer).toMatch(
      /^48 of 120 rows of `ma_zeit` have no match in `ma_stamm` by `zt_pers_nr`: .* first_day 2026-05-11, .*; 48 of them do match when leading zeros are left out/,
    );
    expect(claims(await askInvestigator({ question, sources: hours(false) }), 'cause')).toEqual([]);
  });
});

const DAY = 86_400;

/** Nine nights; on the last, of 10 May, `lade_umsatz` fails, and the day of 9 May is not loaded. */
function warehouse(failed: boolean): string[] {
  const folder = mkdtempSync(join(place, 'dwh-'));
  for (const name of ['runs', 'logs', 'tables']) mkdirSync(join(folder, name));
  const runs = nights('dwh_nacht', 9, (_, last) => {
    const state = last && failed ? 'failed' : 'success';
    return [
      { task: 'hole', ready: 0, start: 2, end: 100 },
      { task: 'lade_umsatz', ready: 100, start: 102, end: state === 'failed' ? 140 : 300, state },
    ];
  }).map((run, night) => (failed && night === 8 ? { ...run, state: 'failed' } : run));
  for (const [name, content] of Object.entries(airflowFiles(runs, [{ name: 'default_pool', slots: 128 }])))
    writeFileSync(join(folder, 'runs', name), JSON.stringify(content));
  const at = (second: number): string => `[${iso(FIRST + 8 * DAY + second).slice(0, 19)}.000+0000] {lade.py:51}`;
  const attempt = join(folder, 'logs', 'dag_id=dwh_nacht', `run_id=${runs[8]?.id}`, 'task_id=lade_umsatz');
  mkdirSync(attempt, { recursive: true });
  const said = failed ? `${at(138)} ERROR - could not extend file: No space left on device` : `${at(299)} INFO - Marking task as SUCCESS`;
  writeFileSync(join(attempt, 'attempt=1.log'), `${at(103)} INFO - Starting attempt 1 of 1\n${said}\n`);
  const days = range(failed ? 8 : 9).map((day) => `2026-05-${two(1 + day)}`);
  const rows = days.flatMap((day) => range(10).map((one) => `${day},F${two(one)},${100 + ((one * 37) % 50)}.5`));
  writeFileSync(join(folder, 'tables', 'dwh_umsatz.csv'), `um_dt,um_fil,um_betrag\n${rows.join('\n')}\n`);
  return [`runs=airflow-export:${folder}/runs`, `tables=files:${folder}/tables`, `logs=logs:${folder}/logs`];
}

describe('a load that failed', () => {
  it.each(['did last nights load finish ok?', 'no umsatz for 5/9, where is it', 'umsatz von gestern fehlt'])(
    'is told first with what its log says: %s',
    async (question) => {
      const report = await askInvestigator({ question, sources: warehouse(true) });
      expect(report.answer).toMatch(
        /^Run `\S+` of `dwh_nacht` ended as failed.*`lade_umsatz`.*; the log says why: .*No space left on device/,
      );
      // Beside it stands the day that the table lacks at its end, where that is asked.
      if (question.startsWith('no'))
        expect(report.answer).toContain(
          '`dwh_umsatz` has no rows of 2026-05-09 by `um_dt`: its newest are of 2026-05-08 (first day 2026-05-01, days with rows 8, rows 80)',
        );
      expect(report.figures.filter(({ status }) => status === 'unsupported')).toEqual([]);
      expect(claims(await askInvestigator({ question, sources: warehouse(false) }), 'cause')).toEqual([]);
    },
  );
});

describe('a dataset that a question names', () => {
  const events = (few: boolean) => {
    const folder = mkdtempSync(join(place, 'events-'));
    const lines = range(4).flatMap((night) => {
      const [start, low] = [FIRST + night * DAY, few && night === 3];
      return [
        ...lineageRun({
          job: 'iot.ingest',
          id: `i-${night}`,
          at: iso(start),
          inputs: ['mqtt.evt'],
          outputs: ['lake.evt_raw'],
          rows: low ? 212 : 90_000,
        }),
        ...lineageRun({
          job: 'iot.rollup',
          id: `r-${night}`,
          at: iso(start + 600),
          inputs: ['lake.evt_raw'],
          outputs: ['mart.evt_h'],
          rows: low ? 5 : 2400,
        }),
      ];
    });
    writeFileSync(join(folder, 'events.ndjson'), `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
    return [`ol=openlineage:${folder}`];
  };

  it.each(['what happend to mart.evt_h', 'why is mart.evt_h low'])(
    'has its rows traced to the job that wrote too few: %s',
    async (question) => {
      expect((await askInvestigator({ question, sources: events(true) })).answer).toMatch(
        /^`\S*iot\.ingest` wrote another amount .* \/ 212, the run before it .* \/ 90000/,
      );
      expect(claims(await askInvestigator({ question, sources: events(false) }), 'cause')).toEqual([]);
    },
  );
});
