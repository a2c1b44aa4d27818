import { manifest, runResults } from '../tools/dbt/dbt-files.ts';
import { airflowFiles, type RunFact } from './pipeline-files.ts';
import type { PipelineStory } from './pipeline-stories.ts';

type Cell = string | number | null;

const POOLS = [{ name: 'default_pool', slots: 128 }];
const MINUTE = 60_000;
const DAY = 86_400_000;
const range = (count: number): number[] => Array.from({ length: count }, (_, at) => at);
const two = (number: number): string => String(number).padStart(2, '0');
/** Numbers that look like chance and are the same in every run. */
const noise = (at: number, below: number): number => (((at * 7919 + 104_729) % 9973) * 31) % below;
const csv = (header: string, rows: readonly (readonly Cell[])[], mark = ','): string =>
  `${header}\n${rows.map((row) => row.map((cell) => cell ?? '').join(mark)).join('\n')}\n`;
const lines = (all: readonly string[]): string => `${all.join('\n')}\n`;
const stamp = (time: number): string => new Date(time).toISOString().slice(0, 19).replace('T', ' ');
const jsonLog = (time: number, level: string, message: string): string =>
  JSON.stringify({ timestamp: new Date(time).toISOString(), level, message });
const dayOf = (from: string, at: number): string => new Date(Date.parse(from) + at * DAY).toISOString().slice(0, 10);

const hourBreak = (ill: boolean) => {
  const start = Date.parse('2026-04-21T06:00:00Z');
  const isDown = (at: number): boolean => ill && at >= 485;
  const rows = range(720).flatMap((at) =>
    ['dock', 'gate', 'ramp'].map((line, place) => [
      stamp(start + at * MINUTE),
      line,
      isDown(at) && line === 'gate' ? 1 + noise(at, 3) : 10 + noise(at + place, 4),
    ]),
  );
  const log = range(240).flatMap((at) => [
    jsonLog(start + at * 3 * MINUTE, 'INFO', `sorted ${noise(at, 90)} parcels`),
    ...(isDown(at * 3) ? [jsonLog(start + at * 3 * MINUTE + 900, 'ERROR', 'belt G7 stopped: encoder does not answer')] : []),
  ]);
  return { 'data=files': { 'scans.csv': csv('scanned_at,line,parcels', rows) }, 'logs=logs': { 'belts.log': lines(log) } };
};

const silence = (ill: boolean) => {
  const start = Date.parse('2026-02-17T00:00:00Z');
  const isAway = (at: number): boolean => ill && at >= 190 && at < 340;
  const rows = range(600).flatMap((at) => (isAway(at) ? [] : [[stamp(start + at * MINUTE), noise(at, 80)]]));
  const log = range(60).flatMap((at) => (isAway(at * 10) ? [] : [jsonLog(start + at * 10 * MINUTE, 'INFO', 'flushed 10 readings')]));
  const killed = jsonLog(start + 190 * MINUTE, 'ERROR', 'collector: out of memory, killed');
  return {
    'data=files': { 'readings.csv': csv('read_at,level', rows) },
    'logs=logs': { 'collector.log': lines(ill ? [...log.slice(0, 19), killed, ...log.slice(19)] : log) },
  };
};

const noFile = (ill: boolean) => {
  const days = range(10).map((at) => dayOf('2026-06-01', at));
  const rows = days.flatMap((day, at) => (ill && at === 6 ? [] : range(200).map((one) => [at * 200 + one, day, noise(one, 90)])));
  const log = days.flatMap((day, at) => {
    const time = Date.parse(day) + DAY + 3 * 60 * MINUTE;
    const said = ill && at === 6 ? jsonLog(time, 'WARNING', `no file matches parts_${day}*.csv, nothing to fetch`) : undefined;
    return [said ?? jsonLog(time, 'INFO', `fetched parts_${day}.csv`)];
  });
  return { 'data=files': { 'parts.csv': csv('part,built_on,weight', rows) }, 'logs=logs': { 'fetch.log': lines(log) } };
};

const setting = (ill: boolean) => {
  const start = Date.parse('2026-03-02T00:00:00Z');
  const change = Date.parse('2026-03-10T15:20:00Z');
  const rows = range(4900).map((at) => {
    const time = start + at * 3 * MINUTE;
    return [at, stamp(time), ((ill && time >= change ? 82 : 100) * (800 + noise(at, 9))) / 1000];
  });
  const log = range(120).map((at) => jsonLog(start + at * 2 * 60 * MINUTE, 'INFO', 'settings read, 0 changes'));
  const changed = jsonLog(change, 'INFO', 'settings read, 1 change: stacking off -> on');
  return {
    'data=files': { 'orders.csv': csv('order_id,paid_at,net', rows) },
    'logs=logs': { 'prices.log': lines(ill ? [...log.slice(0, 104), changed, ...log.slice(104)] : log) },
  };
};

const runOf = (dag: string, at: number, more: Partial<RunFact> = {}): RunFact => ({
  dag,
  id: `scheduled__${new Date(at - DAY).toISOString()}`,
  at: at / 1000,
  tasks: [{ task: 'load', ready: 1, start: 3, end: 500 }],
  ...more,
});

const overdue = (ill: boolean) => {
  const times = range(18).map((at) => Date.parse('2026-10-25T05:00:00Z') + at * DAY);
  const ran = ill ? times.slice(0, 11) : times;
  const runs = [...ran.map((at) => runOf('fleet_pull', at)), ...times.map((at) => runOf('rota_mail', at + 60 * MINUTE))];
  const rows = ran.flatMap((time, at) => range(20).map((one) => [at * 20 + one, 'van', stamp(time + 10 * MINUTE)]));
  return { 'runs=airflow-export': airflowFiles(runs, POOLS), 'data=files': { 'fleet_cars.csv': csv('car_id,kind,synced_at', rows) } };
};

const rewritten = (ill: boolean) => {
  const again = Date.parse('2026-11-13T11:42:00Z');
  const days = range(16).map((at) => ({ day: dayOf('2026-10-28', at), old: ill && at >= 4 && at <= 8 }));
  const rows = days.flatMap(({ day, old }) =>
    range(10).map((one) => [
      day,
      `s${one}`,
      (old ? 550 : 1000) + noise(one, 40),
      stamp(old ? again : Date.parse(day) + DAY + 4 * 60 * MINUTE),
    ]),
  );
  const nightly = days.map(({ day }) =>
    runOf('figures', Date.parse(day) + DAY + 4 * 60 * MINUTE - 8 * MINUTE, { tasks: [{ task: 'build', ready: 1, start: 2, end: 600 }] }),
  );
  const back = { type: 'backfill', id: 'backfill__1', tasks: [{ task: 'build', ready: 1, start: 2, end: 500 }] };
  return {
    'runs=airflow-export': airflowFiles([...nightly, ...(ill ? [runOf('figures', again - 4 * MINUTE, back)] : [])], POOLS),
    'data=files': { 'figures_day.csv': csv('day,shop,net,built_at', rows) },
  };
};

const lockWait = (ill: boolean) => {
  const seconds = (name: string, last: boolean): number => (last && name === 'trips' ? 1800 : 40);
  const names = ['a_stage', 'b_stage', 'trips'];
  const night = (name: string, at: string, last: boolean) => ({
    [`${name}/manifest.json`]: manifest(
      names.map((one) => ({ id: `model.web.${one}`, sql: 'select 1' })),
      { invocation: name, at },
    ),
    [`${name}/run_results.json`]: {
      ...runResults(
        names.map((one) => {
          const timing = [{ name: 'execute', started_at: at.replace('03:35', '03:00'), completed_at: at }];
          return [`model.web.${one}`, 'success', seconds(one, last), { timing, adapter_response: { rows_affected: 900 } }] as const;
        }),
        { invocation: name, at },
      ),
      elapsed_time: names.reduce((sum, one) => sum + seconds(one, last), 0),
    },
  });
  const said = (time: string, text: string): string => `2026-08-21 ${time}.000 UTC [44] LOG:  ${text}`;
  const waits = [
    said('03:05:00', 'process 44 still waiting for AccessExclusiveLock on relation 24811 of database 16401 after 1000.1 ms'),
    said('03:29:00', 'process 44 acquired AccessExclusiveLock on relation 24811 of database 16401 after 1620000.0 ms'),
  ];
  const quiet = range(12).map((at) => said(`03:${two(at * 5)}:00`, 'checkpoint complete: wrote 900 buffers'));
  const nights = range(4).map((at) => night(`n${at}`, `2026-08-${18 + at}T03:35:00Z`, ill && at === 3));
  return {
    'dbt=dbt': Object.assign({}, ...nights) as Record<string, unknown>,
    'logs=logs': { 'postgresql.log': lines([...quiet, ...(ill ? waits : [])].sort()) },
  };
};

const newVersion = (ill: boolean) => {
  const start = Date.parse('2026-09-14T18:00:00Z');
  const log = range(600).flatMap((at) => {
    const time = start + at * 20_000;
    const begins = ill && at === 400 ? [jsonLog(time, 'INFO', 'starting quotes 2.8.1')] : [];
    const failed = ill && at >= 400 && at % 3 === 0;
    return [...begins, jsonLog(time + 500, failed ? 'ERROR' : 'INFO', failed ? "KeyError: 'vat_rate' in quote" : 'quote made')];
  });
  return { 'logs=logs': { 'quotes.log': lines(log) } };
};

const warningsOnly = (ill: boolean) => {
  const start = Date.parse('2026-06-23T00:30:00Z');
  const done = range(ill ? 19 : 60).map((at) => jsonLog(start + at * 2 * MINUTE, 'INFO', `processed chunk ${at} of 60`));
  const warned = jsonLog(start + 40 * MINUTE, 'WARNING', 'the node was low on ephemeral-storage, pod evicted');
  return { 'logs=logs': { 'features.log': lines(ill ? [...done, warned] : done) } };
};

const nullKeys = (ill: boolean) => {
  const rows = ['2026-09', '2026-10', '2026-11'].flatMap((period, month) =>
    range(200).map((one) => ({
      period,
      unit: ill && month === 2 && one % 20 === 3 ? null : `U${one % 12}`,
      paid: 2000 + noise(month * 200 + one, 900),
    })),
  );
  const sums = new Map<string, number>();
  for (const { period, unit, paid } of rows) if (unit) sums.set(`${period},${unit}`, (sums.get(`${period},${unit}`) ?? 0) + paid);
  return {
    'data=files': {
      'slips.csv': csv(
        'slip_no,period,unit,paid',
        rows.map(({ period, unit, paid }, at) => [at, period, unit, paid]),
      ),
      'paid_by_unit.csv': csv(
        'period,unit,paid_total',
        [...sums].map(([key, paid]) => [...key.split(','), paid]),
      ),
    },
  };
};

const narrowKey = (ill: boolean) => {
  const rows = range(1500).map((at) => [`BK${at}`, `G${noise(at, 300)}`, dayOf('2026-11-02', noise(at * 3 + 1, 12)), 60 + noise(at, 200)]);
  const seen = new Set<string>();
  const kept = rows.filter(([id, guest, day]) => {
    const key = ill ? `${guest} ${day}` : String(id);
    return !seen.has(key) && seen.add(key);
  });
  return {
    'data=files': {
      'raw_stays.csv': csv('stay_id,guest_id,arrives,price', rows),
      'stays_clean.csv': csv('stay_id,guest_id,arrives,price', kept),
    },
  };
};

const outdated = (ill: boolean) => {
  const start = Date.parse('2026-10-05T00:00:00Z');
  const steps = range(300).map((at) =>
    ['created', 'on_road', 'delivered'].map((state, step) => [`PX${at}`, state, stamp(start + at * 11 * MINUTE + step * 9 * 60 * MINUTE)]),
  );
  const current = steps.flatMap((all, at) => [all[ill && at % 9 === 4 ? 1 : 2] ?? []]);
  return {
    'data=files': {
      'parcel_events.csv': csv('parcel_id,state,event_ts', steps.flat()),
      'parcels_now.csv': csv('parcel_id,state,updated_at', current),
    },
  };
};

const groupOfSeries = (ill: boolean) => ({
  'data=files': Object.fromEntries(
    range(20).map((at) => {
      const rows = range(48).map((one) => {
        const device = ['D1', 'D2', 'D3', 'D4'][one % 4] ?? '';
        const value = 100 + noise(at * 48 + one, 9);
        return [
          `S${two(at)}${two(one)}`,
          device,
          ill && device === 'D2' && at >= 11 ? value / 18 : value,
          `${dayOf('2026-09-01', at)} 06:${two(one)}:00`,
        ];
      });
      return [`assay_${dayOf('2026-09-01', at).replaceAll('-', '')}.csv`, csv('specimen,device,result,resulted_at', rows)];
    }),
  ),
});

const decimalComma = (ill: boolean) => ({
  'data=files': Object.fromEntries(
    range(10).map((at) => {
      const rows = range(45).map((one) => {
        const branch = ['Basel', 'Lyon', 'Turin'][one % 3] ?? '';
        const amount = `${5 + noise(at * 45 + one, 300)}.5${one % 10}`;
        return [`R${two(at)}${two(one)}`, branch, ill && branch === 'Lyon' && at >= 6 ? amount.replace('.', ',') : amount];
      });
      return [`till_${dayOf('2026-05-08', at)}.csv`, csv('receipt;branch;amount', rows, ';')];
    }),
  ),
});

const cutFile = (ill: boolean) => ({
  'data=files': Object.fromEntries(
    range(12).map((at) => {
      const day = dayOf('2026-07-01', at);
      const text = range(300).map(
        (one) => `${JSON.stringify({ click: `${at}-${one}`, ts: `${day}T10:00:00Z`, cost: 100 + noise(one, 90) })}\n`,
      );
      const whole = text.join('');
      return [
        `clicks/dt=${day}/part-000.jsonl`,
        ill && at === 7 ? `${text.slice(0, 160).join('')}${(text[160] ?? '').slice(0, 30)}` : whole,
      ];
    }),
  ),
});

const fewerOfGroup = (ill: boolean) => {
  const rows = range(28).flatMap((at) =>
    ['web', 'ios', 'tv'].flatMap((platform, place) =>
      range(ill && platform === 'tv' && at >= 18 ? 4 : 40 + noise(at + place, 5)).map((one) => [
        `${at}-${platform}-${one}`,
        dayOf('2026-06-01', at),
        platform,
      ]),
    ),
  );
  return { 'data=files': { 'plays.csv': csv('play,played_on,platform', rows) } };
};

const ceiling = (ill: boolean) => {
  const rows = range(20).flatMap((at) =>
    range(40).map((one) => [
      `${at}-${one}`,
      dayOf('2026-05-04', at),
      ill && at >= 9 ? Math.min(32_767, 20_000 + noise(at * 40 + one, 30_000)) : 20_000 + noise(at * 40 + one, 30_000),
    ]),
  );
  return { 'data=files': { 'flow.csv': csv('reading,day,litres', rows) } };
};

const newGroupEmpty = (ill: boolean) => {
  const rows = range(20).flatMap((at) =>
    range(60).map((one) => {
      const firmware = at >= 12 && one % 3 === 0 ? 'f3' : `f${1 + (one % 2)}`;
      return [
        `${at}-${one}`,
        `${dayOf('2026-07-06', at)} 10:${two(one)}:00`,
        firmware,
        ill && firmware === 'f3' ? null : 47 + noise(one, 9),
      ];
    }),
  );
  return { 'data=files': { 'pings.csv': csv('ping,ts,firmware,lat', rows) } };
};

const multipliedByCode = (ill: boolean) => {
  const policies = range(200).flatMap((at) =>
    range(ill && at % 10 === 0 ? 2 : 1).map((one) => [`P-${at}`, one + 1, at % 2 ? 'home' : 'motor']),
  );
  const claims = range(700).map((at) => [`CL${at}`, `P-${noise(at, 200)}`, 100 + noise(at, 900)]);
  const joined = claims.flatMap(([id, policy, paid]) =>
    policies.flatMap((one) => (one[0] === policy ? [[id ?? '', policy ?? '', one[2] ?? '', paid ?? '']] : [])),
  );
  return {
    'data=files': {
      'claims.csv': csv('claim_no,polnum,paid', claims),
      'policies.csv': csv('polnum,endorsement,branch', policies),
      'paid_report.csv': csv('claim_no,polnum,branch,paid', joined),
    },
  };
};

const clockBack = (ill: boolean) => {
  const start = Date.parse('2026-10-19T22:00:00Z');
  const change = Date.parse('2026-10-25T01:00:00Z');
  const rows = range(240).flatMap((at) => {
    const time = start + at * 60 * MINUTE;
    return range(8).map((meter) => [
      `M${meter}`,
      stamp(time + (ill && time >= change ? 60 : 120) * MINUTE),
      noise(at * 8 + meter, 900) / 100,
    ]);
  });
  return { 'data=files': { 'reads.csv': csv('meter_no,read_at,kwh', rows) } };
};

const triedAgain = (ill: boolean) => {
  const times = range(9).map((at) => Date.parse('2026-01-10T02:00:00Z') + at * DAY);
  const isLast = (at: number): boolean => ill && at === 8;
  const runs = times.map((time, at) => {
    const [ready, start] = isLast(at) ? [4, 3725] : [4, 5];
    return runOf('graphs', time, { tasks: [{ task: 'link_people', ready, start, end: start + 1400, tries: isLast(at) ? 3 : 1 }] });
  });
  const said = (time: number, level: string, text: string): string =>
    `[${new Date(time).toISOString().slice(0, 23)}+0000] {run.py:5} ${level} - ${text}`;
  const logs = times.flatMap((time, at) =>
    range(isLast(at) ? 3 : 1).map((attempt) => {
      const begun = time + (attempt * 31 + 1) * MINUTE;
      const failed = isLast(at) && attempt < 2;
      const end = failed
        ? [
            said(begun + MINUTE, 'ERROR', 'Task failed with exception'),
            'Traceback (most recent call last):',
            '  File "/dags/g.py", line 9, in run',
            'MemoryError: Unable to allocate 18 GiB for an array',
          ]
        : [said(begun + 2 * MINUTE, 'INFO', 'done')];
      const path = `dag_id=graphs/run_id=scheduled__${new Date(time - DAY).toISOString()}/task_id=link_people/attempt=${attempt + 1}.log`;
      return [path, lines([said(begun, 'INFO', 'start'), ...end])] as const;
    }),
  );
  return { 'runs=airflow-export': airflowFiles(runs, POOLS), 'logs=logs': Object.fromEntries(logs) };
};

const endsEarly = (ill: boolean) => {
  const days = range(15).map((at) => dayOf('2026-07-01', at));
  const isLost = (at: number): boolean => ill && at >= 12;
  const rows = days.flatMap((day, at) => (isLost(at) ? [] : range(70).map((one) => [`PO${at}-${one}`, day, noise(one, 90)])));
  const log = days.map((day, at) => {
    const time = Date.parse(day) + DAY + 2 * 60 * MINUTE;
    return isLost(at)
      ? jsonLog(time, 'ERROR', 'host key of files.partner.example does not match')
      : jsonLog(time, 'INFO', `got policies_${day}.csv`);
  });
  return { 'data=files': { 'policies.csv': csv('policy,issued,premium', rows) }, 'logs=logs': { 'fetcher.log': lines(log) } };
};

/** Incidents of which one source holds what broke and another why, and of tables alone. */
export const MIXED_STORIES: readonly PipelineStory[] = [
  {
    name: 'a level that moves within a day, and the error that began then',
    question: 'Parcels of line gate dropped on 21 april, why?',
    files: hourBreak,
    cause: /^In `scans` the average of `parcels` moves from 2026-04-21 14:00 on .*gate \/ .*[Tt]he logs of that time.*belt G7 stopped/,
  },
  {
    name: 'a silence within a day, and what was killed then',
    question: 'there is a gap in readings on 17 feb, why?',
    files: silence,
    cause:
      /^`readings` has no row by `read_at` between 2026-02-17 03:09:00 and 2026-02-17 05:40:00, seconds 9060.*collector: out of memory, killed/,
  },
  {
    name: 'a day without rows, though what loads it went well',
    question: 'Why are the parts of 2026-06-07 missing? All runs are green.',
    files: noFile,
    cause: /^`parts` has no rows on 1 of the days.*2026-06-07.*no file matches parts_2026-06-07/,
  },
  {
    name: 'a setting that moved a level a little',
    question: 'net is lower since 10 march, any idea?',
    files: setting,
    cause: /^In `orders` by day of `paid_at`, the average of `net` falls .*stacking off -> on/,
  },
  {
    name: 'a table that is old since its pipeline did not run',
    question: 'why is fleet_cars stale?',
    files: overdue,
    cause: /^`fleet_pull` did not run: its last run is of 2026-11-04T05:00:00Z/,
  },
  {
    name: 'days that a backfill wrote over',
    question: 'net of 1 to 5 november is too low',
    files: rewritten,
    cause:
      /^The rows of 2026-11-01 to 2026-11-05 in `figures_day` were written again later: .*2026-11-13 11:42:00.*`figures` \(backfill\), run `backfill__1`/,
  },
  {
    name: 'a model that waited for a lock',
    question: 'why was dbt so slow last night?',
    files: lockWait,
    cause: /`model.web.trips` took 1800 s.*say what it waited for: 2026-08-21T03:05:00Z "process 44 still waiting for AccessExclusiveLock/,
  },
  {
    name: 'errors that began with a version',
    question: 'quotes fail since the evening, why?',
    files: newVersion,
    cause: /^The first cause in the logs: .*KeyError: 'vat_rate'.*Just before it: 2026-09-14T20:13:20Z "starting quotes 2.8.1"/,
  },
  {
    name: 'a job that only warned before it ended',
    question: 'why did the features job not finish?',
    files: warningsOnly,
    cause: /^The logs hold no error; they warn: .*low on ephemeral-storage, pod evicted/,
  },
  {
    name: 'totals that leave out rows without a group',
    question: 'why is paid_by_unit lower than slips?',
    files: nullKeys,
    cause: /^`slips` holds rows without `unit` \(rows_without 10, by `period` \/ rows: 2026-11 \/ 10\)/,
  },
  {
    name: 'rows taken for duplicates by what is no key',
    question: 'why has stays_clean fewer rows than raw_stays?',
    files: narrowKey,
    cause: /^`stays_clean` holds one row for each `guest_id` and `arrives`/,
  },
  {
    name: 'a table of the newest state that lost updates',
    question: 'parcels_now says on_road though delivered, why?',
    files: outdated,
    cause: /^33 of the 300 rows of `parcels_now` are older versions than `parcel_events` holds.*on_road \/ 33/,
  },
  {
    name: 'a group that changes its unit in files of one day each',
    question: 'why is result so low since 12 september?',
    files: groupOfSeries,
    cause: /^In `assay_20260901 to assay_20260920` the average of `result` moves from 2026-09-12 on in these rows only.*D2 \//,
  },
  {
    name: 'a decimal comma of one branch',
    question: 'revenue of Lyon is missing since 14 May',
    files: decimalComma,
    cause: /^Values of `amount` in `till_2026-05-14`.*\(rows_no_number 60.*all of `branch` Lyon, all of them written with a decimal comma/,
  },
  {
    name: 'a file that was cut, in folders of days',
    question: 'clicks are way down on 8 july',
    files: cutFile,
    cause:
      /^`(clicks\/)?dt=2026-07-08\/part-000` has 160 rows, where `(clicks\/)?dt=[\d-]+\/part-000` has 300; it ends within line 161, which was cut/,
  },
  {
    name: 'far fewer rows of one group',
    question: 'fewer plays since 19 june, which part is missing?',
    files: fewerOfGroup,
    cause: /^In `plays` the rows a day of these values of `platform` alone change on one day.*tv \/ 2026-06-19 \/ 40 \/ 44 \/ 4 \/ 4/,
  },
  {
    name: 'values that are cut off at a limit',
    question: 'do litres hit a ceiling since mid may, and why?',
    files: ceiling,
    cause: /^From 2026-05-13 on no `litres` of `flow` lies above 32767.*`SMALLINT`/,
  },
  {
    name: 'a new group without a value',
    question: 'lat is null for many pings since 18 july, why?',
    files: newGroupEmpty,
    cause: /^`lat` of `pings` is empty in 160 of 1200 rows, all of them with `firmware` f3, first_day 2026-07-18/,
  },
  {
    name: 'a join by a code that is there twice',
    question: 'paid is too high in paid_report',
    files: multipliedByCode,
    cause: /^`policies` holds 20 double keys `polnum` in 220 rows, so joining `claims` \(700 rows\)/,
  },
  {
    name: 'an hour that local time runs through twice',
    question: 'why are there duplicate reads on 25 October?',
    files: clockBack,
    cause: /^In `reads` by `read_at`, as day \/ hour \/ rows, 2026-10-25 \/ 02 \/ 16 .*local time runs through that hour twice/,
  },
  {
    name: 'a task that went well at its third try, and why the others did not',
    question: 'graphs took 3 times longer last night, why?',
    files: triedAgain,
    cause: /^`link_people` needed more than one try.*MemoryError: Unable to allocate 18 GiB/,
  },
  {
    name: 'a table that ends where the logs say why, though no day is named',
    question: 'policies missing last days',
    files: endsEarly,
    cause: /The first error in the logs: 2026-07-14T02:00:00Z "host key of files.partner.example does not match"/,
  },
];
