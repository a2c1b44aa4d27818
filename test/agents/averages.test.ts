import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { askInvestigator, claims } from './ask-investigator.ts';

const place = mkdtempSync(join(tmpdir(), 'soloist-averages-'));
afterAll(() => rmSync(place, { recursive: true, force: true }));

type Row = readonly (string | number)[];
type Table = readonly [header: string, rows: readonly Row[]];
const range = (count: number): number[] => Array.from({ length: count }, (_, at) => at);
let folders = 0;

function files(tables: Readonly<Record<string, Table>>): string {
  const folder = join(place, String(++folders));
  mkdirSync(folder);
  for (const [name, [header, rows]] of Object.entries(tables))
    writeFileSync(join(folder, `${name}.csv`), `${header}\n${rows.map((row) => row.join(',')).join('\n')}\n`);
  return `data=files:${folder}`;
}

function database(tables: Readonly<Record<string, Table>>): string {
  const file = join(place, `${++folders}.sqlite`);
  const opened = new Database(file);
  for (const [name, [header, rows]] of Object.entries(tables)) {
    const types = (rows[0] ?? []).map((cell) => (typeof cell === 'string' ? 'TEXT' : Number.isInteger(cell) ? 'INTEGER' : 'REAL'));
    opened.exec(
      `CREATE TABLE ${name} (${header
        .split(',')
        .map((column, at) => `${column} ${types[at]}`)
        .join(', ')})`,
    );
    const insert = opened.prepare(`INSERT INTO ${name} VALUES (${header.replace(/\w+/g, '?')})`);
    for (const row of rows) insert.run(...row);
  }
  opened.close();
  return `data=sqlite:${file}`;
}

const DAYS = [31, 28, 31] as const;
const MONTHS = ['2026-01', '2026-02', '2026-03'] as const;
/** Of each month 60 stays of 10.25 at Aspen, 12 of 40.50 at Birch and 3 of 100.75 at Cedar, each month one more of each. */
const CLINICS = [
  ['Aspen', 60, 10.25],
  ['Birch', 12, 40.5],
  ['Cedar', 3, 100.75],
] as const;
const stays: Row[] = MONTHS.flatMap((month, of) =>
  CLINICS.flatMap(([clinic, count, cost]) =>
    range(count + of).map(
      (at): Row => [
        `${month[6]}${clinic[0]}${at}`,
        `${month}-${String(1 + (at % DAYS[of]!)).padStart(2, '0')}`,
        clinic,
        cost + (at % 2 ? 0.5 : -0.5),
      ],
    ),
  ),
);
const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;
const costs = (month: string, clinic = ''): number[] =>
  stays.filter(([, day, at]) => String(day).startsWith(month) && String(at).startsWith(clinic)).map((row) => Number(row[3]));
const overRows = (month: string): number => mean(costs(month));
const overClinics = (month: string): number => mean(CLINICS.map(([clinic]) => mean(costs(month, clinic))));
const STAYS: Table = ['stay_ref,admitted_on,clinic,cost', stays];
const report = (of: (month: string) => number): Table => [
  'month,stays,avg_cost',
  MONTHS.map((month): Row => [month, costs(month).length, of(month).toFixed(2)]),
];

describe('an average of averages', () => {
  it.each([
    ['files', files],
    ['sqlite', database],
  ] as const)('is told with what it is over all rows, where a table states it: %s', async (_, make) => {
    const numbers = (table: Table): Table => [table[0], table[1].map((row) => [row[0]!, row[1]!, Number(row[2])])];
    const question = 'Why does the average cost in the monthly report differ from what I get from the stays?';
    const told = await askInvestigator({ question, sources: [make({ stays: STAYS, monthly_report: numbers(report(overClinics)) })] });
    expect(told.answer.split('\n')[0]).toMatch(
      /^`avg_cost` of `monthly_report` is an average of averages: that of `cost` of `stays` by `clinic`, in which each `clinic`, however many rows it has, counts the same \(rows_equal 3 of rows_compared 3\)/,
    );
    for (const month of MONTHS)
      expect(told.answer).toContain(`${month} / ${Number(overClinics(month).toFixed(2))} / ${Number(overRows(month).toFixed(4))}`);
    expect(told.figures.filter(({ status }) => status === 'unsupported')).toEqual([]);
    const right = await askInvestigator({ question, sources: [make({ stays: STAYS, monthly_report: numbers(report(overRows)) })] });
    expect(
      claims(right, 'cause').filter((claim) => claim.includes('average of averages is') || claim.includes('is an average of')),
    ).toEqual([]);
  });

  it('is told where the question states it', async () => {
    const all = mean(stays.map((row) => Number(row[3])));
    const byClinic = mean(CLINICS.map(([clinic]) => mean(MONTHS.flatMap((month) => costs(month, clinic)))));
    const question = `The board deck says the average stay costs ${byClinic.toFixed(1)}, why do I get ${all.toFixed(1)}?`;
    const told = await askInvestigator({ question, sources: [files({ stays: STAYS })] });
    expect(told.answer).toMatch(
      new RegExp(
        `^${byClinic.toFixed(1)} is an average of averages: of \`cost\` of \`stays\` by \`clinic\` it is ${Number(byClinic.toFixed(4))} `,
      ),
    );
    expect(told.answer).toContain(`and ${Number(all.toFixed(4))} (over_all_rows ${Number(all.toFixed(4))}) over all rows`);
    expect(told.figures.filter(({ status }) => status === 'unsupported')).toEqual([]);
  });

  it('is told of averages with the counts that they stand for', async () => {
    const sites: Row[] = [
      ['north', 900, 2.5],
      ['south', 80, 4.5],
      ['west', 20, 9.5],
    ];
    // (900 * 2.5 + 80 * 4.5 + 20 * 9.5) / 1000 is 2.8, and (2.5 + 4.5 + 9.5) / 3 is 5.5.
    const question = 'Why is the average of avg_minutes over the sites not the average of all calls?';
    const told = await askInvestigator({ question, sources: [files({ sites: ['site,calls,avg_minutes', sites] })] });
    expect(told.answer).toMatch(
      /^An average of averages is another than the average over all rows: of `avg_minutes` of `sites` it is 5\.5 /,
    );
    expect(told.answer).toContain('and 2.8 (over_all_rows 2.8) over all rows');
  });
});
