import { afterAll, describe, expect, it } from 'vitest';
import { dropFolder, makeFolder } from '../tools/artifacts/call-tool.ts';
import { askInvestigator, claims } from './ask-investigator.ts';
import { airflowFiles, FIRST, nights, type RunFact, type TaskFact } from './pipeline-files.ts';

const folders: string[] = [];
afterAll(() => {
  for (const one of folders) dropFolder(one);
});

const made = (files: Readonly<Record<string, unknown>>): string => {
  folders.push(makeFolder(files));
  return folders.at(-1) ?? '';
};

const NIGHTS = 9;
/** 2026-05-10, the last night. */
const LAST = FIRST + (NIGHTS - 1) * 86_400;
const time = (seconds: number): string => new Date((LAST + seconds) * 1000).toISOString().slice(0, 19).replace('T', ' ');
const tickets = (from: number, to: number, loaded: string): string[] =>
  Array.from({ length: to - from }, (_, at) => `T${1000 + from + at},${(from + at) * 3},${loaded}`);
const csv = (...rows: readonly string[][]): string => `ticket,price,loaded_at\n${rows.flat().join('\n')}\n`;
const load = (start: number, end: number, tries: number): TaskFact => ({ task: 'load_tickets', ready: 1, start, end, tries });
const usual = (last: TaskFact): RunFact[] => nights('ticketing', NIGHTS, (_, isLast) => [isLast ? last : load(60, 360, 1)]);

async function ask(table: string, runs: readonly RunFact[]) {
  const sources = [`data=files:${made({ 'tickets.csv': table })}`, `runs=airflow-export:${made(airflowFiles(runs, []))}`];
  return askInvestigator({ question: 'Why are there duplicates in tickets?', sources });
}

describe('copies of rows, where a source tells of runs', () => {
  it('came with the try of a task in whose time they were loaded', async () => {
    // The first try wrote 60 of 120 rows after a minute, the second all of them after ten.
    const table = csv(tickets(0, 60, time(61)), tickets(0, 120, time(700)));
    const report = await ask(table, usual(load(600, 900, 2)));
    expect(report.answer).toContain(
      `Of the copies in \`tickets\` 60 (extra_copies 60) were loaded again (loaded_from ${time(700)}, loaded_until ${time(700)}), after the rows that they are copies of (first_loaded_from ${time(61)}, first_loaded_until ${time(61)}): in that time run \`scheduled__2026-05-09T03:00:00+00:00\` of \`ticketing\` had \`load_tickets\` on try 2, which wrote again what an earlier try had written`,
    );
    expect(report.figures.filter(({ status }) => status === 'unsupported')).toEqual([]);
  });

  it('came with a run by hand beside the scheduled one of that day', async () => {
    const byHand: RunFact = { dag: 'ticketing', id: 'manual__again', at: LAST + 20_000, type: 'manual', tasks: [load(60, 360, 1)] };
    const table = csv(tickets(0, 120, time(100)), tickets(0, 120, time(20_100)));
    const report = await ask(table, [...usual(load(60, 360, 1)), byHand]);
    expect(report.answer).toMatch(
      /120 \(extra_copies 120\) were loaded again .*: in that time ran `manual__again` of `ticketing` \(manual, started [^)]*\), which loaded once more what its run `scheduled__2026-05-09T03:00:00\+00:00` had loaded/,
    );
  });

  it('are laid to no run that tried nothing again', async () => {
    const table = csv(tickets(0, 120, time(100)), tickets(0, 20, time(120)));
    const report = await ask(table, usual(load(60, 360, 1)));
    expect(claims(report, 'cause').filter((claim) => claim.includes('in that time'))).toEqual([]);
    expect(claims(report, 'cause').length).toBeGreaterThan(0);
  });
});
