import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordedSources } from '../../src/app/recorded-sources.ts';
import { renderExplanation, traceFigure } from '../../src/app/trace-why.ts';
import type { Event } from '../../src/core/event.ts';
import { againCommand, placeOptions } from '../../src/trace/again-command.ts';
import { leavesOf, valueAt } from '../../src/trace/json-path.ts';
import { searchFigure } from '../../src/trace/search-figure.ts';
import { runCli } from '../support/run-cli.ts';
import { BOSS, call, openTraceProject, type TraceProject, WORKER } from './trace-project.ts';

let project: TraceProject;
let session: string;
beforeAll(async () => {
  project = await openTraceProject();
  session = (await project.play(BOSS, WORKER)).session;
});
afterAll(() => project.close());

describe('a figure that the log has no check of', () => {
  /** The log as it was before answers were checked. */
  const unchecked = (name: string): string => {
    const events = project.events(session).filter(({ body }) => body.type !== 'answer.grounded');
    project.log.append(events.map((event) => ({ ...event, session: name })));
    return name;
  };

  it('leads to the tool call of the child that read it, past the conclusion that brought it up', () => {
    expect(traceFigure(project.log, unchecked('s-unchecked'), '5,678')).toMatchObject({
      status: 'found',
      answers: ['c1', 'main'],
      sources: [
        {
          result: 'c1.r1',
          path: 'data.rows',
          value: '5678',
          way: ['main', 'r2 worker', 'c1'],
          step: 1,
          tool: 'count_rows',
          arguments: { table: 'items' },
          again: `soloist tools call count_rows --input '{"table":"items"}' --source data=files:${project.folder}`,
        },
      ],
    });
    expect(traceFigure(project.log, 's-unchecked', '1234').sources.map(({ result, path }) => ({ result, path }))).toEqual([
      { result: 'r1', path: 'data.rows' },
    ]);
  });

  it('is told to be in no result when it is in none', () => {
    expect(traceFigure(project.log, 's-unchecked', '99')).toMatchObject({ status: 'not_found', answers: [], sources: [] });
  });
});

describe('a figure that the check of the answer names', () => {
  const checkedWith = (name: string, figures: readonly unknown[]): string => {
    const events = project.events(session).filter(({ body }) => body.type !== 'answer.grounded');
    const last = events.at(-1) as Event;
    const check = { ...last, sequence: last.sequence + 1, body: { type: 'answer.grounded', figures, absences: [] } } as unknown as Event;
    project.log.append([...events, check].map((event) => ({ ...event, session: name })));
    return name;
  };

  it('comes with its formula and all of its sources', () => {
    const figures = [
      {
        text: '4.6',
        status: 'derived',
        formula: '5678 / 1234',
        sources: [
          { result: 'c1.r1', path: 'data.rows', through: 'c1' },
          { result: 'r1', path: 'arguments.table' },
        ],
      },
    ];
    expect(traceFigure(project.log, checkedWith('s-derived', figures), '4.6')).toMatchObject({
      status: 'derived',
      formula: '5678 / 1234',
      sources: [
        { result: 'c1.r1', value: '5678', way: ['main', 'r2 worker', 'c1'] },
        { result: 'r1', value: 'orders', way: ['main'] },
      ],
    });
  });

  it('says so when nothing supports it', () => {
    const figures = [{ text: '77', status: 'unsupported', sources: [], reason: 'no result holds it' }];
    expect(traceFigure(project.log, checkedWith('s-made-up', figures), '77')).toMatchObject({
      status: 'unsupported',
      reason: 'no result holds it',
      sources: [],
    });
  });
});

describe('the search for a figure', () => {
  it.each([
    ['1234', { rows: 1234 }, ['rows']],
    ['1,234', { rows: 1234 }, ['rows']],
    ['1234', { text: 'in all 1,234 rows' }, ['text']],
    ['12.5', { share: 12.4963 }, ['share']],
    ['12.5 %', { share: 12.5, other: 13 }, ['share']],
    ['234', { rows: 1234, text: 'id 1234', code: 'x234' }, []],
    ['12', { share: 12.4, text: '12.4' }, ['share']],
    ['2026-03-17', { day: '2026-03-17T06:00:00Z', other: '2026-03-18' }, ['day']],
    ['12', { text: 'took 12ms', other: '3.12', id: 'a12' }, ['text']],
    ['5', { list: [4, 5, 6] }, ['list[1]']],
  ])('finds %s in %j', (figure, document, paths) => {
    expect(searchFigure(document, figure).map(({ path }) => path)).toEqual(paths);
  });

  it('names paths that lead back to the value', () => {
    const key = fc.string({ minLength: 1, maxLength: 5 }).filter((text) => /^[a-z_]\w*$/i.test(text) && !(text in {}));
    const json = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.integer(),
        fc.string(),
        fc.boolean(),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(key, tie('value'), { maxKeys: 3 }),
      ),
    })).value;
    fc.assert(
      fc.property(fc.dictionary(key, json, { maxKeys: 4 }), (document) => {
        for (const { path, value } of leavesOf(document)) expect(valueAt(document, path)).toBe(value);
      }),
    );
  });

  it('gives a command that a shell reads as it stands, whatever the arguments hold', () => {
    expect(againCommand('query_sql', { sql: "select 'a'" })).toBe(`soloist tools call query_sql --input '{"sql":"select '\\''a'\\''"}'`);
  });
});

describe('soloist trace why', () => {
  const cli = (...argv: string[]) =>
    runCli(['trace', 'why', ...argv, '--project', project.folder], { environment: { SOLOIST_HOME: project.home } });

  it('answers 0 for a figure with a source and 1 for one without', async () => {
    const [found, missing, wrong] = await Promise.all([
      cli('5678', '--session', session, '--json'),
      cli('99', '--session', session),
      cli('many', '--session', session),
    ]);
    expect([found.code, missing.code, wrong.code]).toEqual([0, 1, 2]);
    expect(JSON.parse(found.stdout)).toMatchObject({ session, sources: [{ result: 'c1.r1' }] });
    expect(missing.stdout).toContain('in no tool result of the session');
    expect(wrong.stderr).toContain('"many" is no figure');
  });
});

describe('a figure of a finding', () => {
  it('is told to stand under it, though it stands in no answer', async () => {
    const { session: finding } = await project.play(
      [
        call('count_rows', { table: 'orders' }),
        call('record_finding', { kind: 'observation', claim: 'Table orders has 1,234 rows.', evidence: ['r1'], confidence: 'high' }),
        { text: 'See the findings.' },
      ],
      [],
      (agent) => ({ ...agent, tools: [...agent.tools, 'record_finding'] }),
    );
    const found = traceFigure(project.log, finding, '1,234');
    expect(found).toMatchObject({ status: 'found', answers: [], sources: [{ result: 'r1' }] });
    expect(found.findings).toHaveLength(1);
    expect(renderExplanation(found)).toMatch(/^1,234: .* · stands under the findings \S+ · session/);
  });
});

describe('a command that makes a call again', () => {
  it('is not given where an argument held a secret', () => {
    expect(againCommand('query_sql', { sql: 'select 1', token: '[redacted:named_secret]' })).toBeUndefined();
  });

  it('brings what the command line brought, and nothing that the project has', () => {
    const recorded = [
      { name: 'own', kind: 'files' },
      { name: 'other', kind: 'duckdb', flag: "other=duckdb:/d/it's.db" },
    ];
    expect(placeOptions({ project: '/my project' }, recorded)).toBe(` --project '/my project' --source 'other=duckdb:/d/it'\\''s.db'`);
    expect(placeOptions({ sources: ['other=duckdb:now.db'] }, recorded)).toBe(' --source other=duckdb:now.db');
  });

  it('keeps no password', () => {
    const pg = (url: string) => recordedSources([{ name: 'wh', kind: 'postgres', paths: [], url, given: 'flag' }])[0]?.flag;
    expect(pg('postgresql://me:hunter2@h:5432/db?sslmode=require&password=hunter3')).toBe(
      'wh=postgres:postgresql://me@h:5432/db?sslmode=require',
    );
    expect(pg('postgresql://me@h/db')).toBe('wh=postgres:postgresql://me@h/db');
    expect(recordedSources([{ name: 'wh', kind: 'postgres', paths: [], url: 'postgresql://me:pw@h/db' }])).toEqual([
      { name: 'wh', kind: 'postgres' },
    ]);
  });
});
