import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReplayReport } from '../../src/app/replay-report.ts';
import type { RunReport } from '../../src/app/run-report.ts';
import type { Event } from '../../src/core/event.ts';
import { openEventLog } from '../../src/store/open-event-log.ts';
import type { FigureExplanation } from '../../src/trace/explain-figure.ts';
import { runCli } from '../support/run-cli.ts';

/** `reader` counts the rows of two sources and reads one line with an address; what it found stands in its answer. */
const FILES: Readonly<Record<string, string>> = {
  'soloist.yaml': `name: sourced
sources: { own: "files:./own" }
memory:
  redact:
    - { name: badge, pattern: "B-[0-9]{4}" }
`,
  'own/rows.csv': 'id\n1\n2\n3\n',
  "its data/o'clock.csv": 'id\n1\n2\n',
  'own/contact.txt': 'ask jane@example.com, B-4711\n',
  'agents/reader.yaml': `name: reader
description: Counts rows. Use it in tests.
instructions: Count.
model: rules
tools: [query_sql, read_file]
`,
  'agents/policies/reader.ts': `export default async (play) => {
  const own = await play.call('query_sql', { source: 'own', sql: "select count(*) as own_rows from rows" });
  const other = await play.call('query_sql', { source: 'other', sql: "select count(*) + 5675 as other_rows from \\"o'clock\\"" });
  const line = await play.call('read_file', { source: 'own', path: 'contact.txt' });
  return 'own_rows is ' + own.data.rows?.[0]?.[0] + ' [' + own.id + '], other_rows is ' + other.data.rows?.[0]?.[0] + ' [' + other.id + ']. ' + line.data.lines[0];
};
`,
};

let folder: string;
let session: string;
let flag: string;

const cli = (...argv: string[]) =>
  runCli([...argv, '--project', folder], { cwd: tmpdir(), environment: { SOLOIST_HOME: join(folder, 'home') } });

/** The command as a shell reads it, with the compiled command line for `soloist`; from another folder, as it was printed for. */
function typed(command: string) {
  const main = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url));
  const script = `soloist() { "${process.execPath}" "${main}" "$@"; }\n${command}`;
  return spawnSync('sh', ['-c', script], {
    cwd: tmpdir(),
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1', SOLOIST_HOME: join(folder, 'home') },
  });
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "soloist it's "));
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  flag = `other=files:${join(folder, 'its data')}`;
  const run = await cli('run', 'reader', 'How many rows?', '--source', flag, '--json', '--quiet');
  const report = JSON.parse(run.stdout) as RunReport;
  expect(report.answer).toBe('own_rows is 3 [r1], other_rows is 5677 [r2]. ask jane@example.com, B-4711');
  session = report.session;
}, 30_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a session that was run with --source', () => {
  it('is replayed without that source as far as it can be compared, and says what is missing and how to give it', async () => {
    const { code, stdout } = await cli('trace', 'replay', session, '--json');
    const report = JSON.parse(stdout) as ReplayReport;
    expect(report).toMatchObject({
      same: false,
      answer: { same: true },
      results: { total: 3, same: 2, different: 0, notReached: 0, notCompared: 1 },
      differences: [],
      notCompared: [{ result: 'r2', tool: 'query_sql', why: 'it asks for other' }],
      missingSources: [{ name: 'other', kind: 'files' }],
    });
    expect(code).toBe(1);
    const again = typed(`${report.again} --json`);
    expect(JSON.parse(again.stdout)).toMatchObject({ same: true, missingSources: [], results: { total: 3, same: 3 } });
    expect(again.status).toBe(0);
  });

  it('says so in print, with the command', async () => {
    const { stdout } = await cli('trace', 'replay', session);
    expect(stdout).toContain('not compared in full. 2 of 3 results are the same, 0 differ, 0 were not reached, 1 could not be compared.');
    expect(stdout).toContain('Sources of the recorded run that are not there now: other (files).');
    expect(stdout).toMatch(/ {2}soloist trace replay \S+ --project '.*it'\\''s .*' --source 'other=files:.*its data'/);
    expect(stdout).toContain('Not compared:\n  r2 query_sql: it asks for other');
  });

  it('is the same with recorded tools, which need no source', async () => {
    const { code, stdout } = await cli('trace', 'replay', session, '--tools', 'recorded', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ same: true, missingSources: [], notCompared: [] });
    expect(code).toBe(0);
  });

  it('leads from a figure to a command that gives the same value when it is typed', async () => {
    const { stdout } = await cli('trace', 'why', '5677', '--session', session, '--json');
    const { sources } = JSON.parse(stdout) as FigureExplanation;
    expect(sources[0]?.result).toBe('r2');
    const { stdout: result } = typed(`${sources[0]?.again}`);
    expect(result).toContain('5677');
  });

  it('names what is another by now, with a command that gives it', async () => {
    writeFileSync(join(folder, "its data/o'clock.csv"), 'id\n1\n');
    const { code, stdout } = await cli('trace', 'replay', session, '--source', flag, '--json');
    writeFileSync(join(folder, "its data/o'clock.csv"), 'id\n1\n2\n');
    const { differences } = JSON.parse(stdout) as ReplayReport;
    expect(code).toBe(1);
    expect(differences).toMatchObject([{ result: 'r2', changes: [{ before: '5677', after: '5676' }] }]);
    expect(typed(`${differences[0]?.again}`).stdout).toContain('5677');
  });
});

describe('a killed session that was run with --source', () => {
  it('goes on only with that source, and says how to give it', async () => {
    const exported = await cli('trace', 'export', session);
    const events = exported.stdout
      .trim()
      .split('\n')
      .slice(0, 6)
      .map((line) => ({ ...(JSON.parse(line) as Event), session: 's-0cut' }));
    const log = await openEventLog({ folder: join(folder, 'home'), tenant: 'local' });
    log.append(events);
    log.close();
    const refused = await cli('run', '--resume', 's-0cut', '--quiet');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(
      'session s-0cut had sources that are not there now: other (files); soloist run --resume s-0cut --source',
    );
    const resumed = await cli('run', '--resume', 's-0cut', '--quiet', '--json', '--source', flag);
    expect(JSON.parse(resumed.stdout)).toMatchObject({ status: 'ok', answer: expect.stringContaining('other_rows is 5677') });
  });
});

describe('a session of a folder without any configuration', () => {
  it('is not compared with another folder that only happens to be the current one', async () => {
    const [there, here] = ['there', 'here'].map((name) => join(folder, name)) as [string, string];
    for (const [at, text] of [
      [there, 'id\n1\n'],
      [here, 'id\n1\n2\n'],
    ] as const) {
      mkdirSync(at, { recursive: true });
      writeFileSync(join(at, 'rows.csv'), text);
    }
    const environment = { SOLOIST_HOME: join(folder, 'home') };
    const ran = await runCli(['run', 'investigator', 'Profile the table rows.', '--model', 'rules', '--json', '--quiet'], {
      cwd: there,
      environment,
    });
    const { session: bare } = JSON.parse(ran.stdout) as RunReport;
    const elsewhere = await runCli(['trace', 'replay', bare, '--json'], { cwd: here, environment });
    const report = JSON.parse(elsewhere.stdout) as ReplayReport;
    expect(report).toMatchObject({ same: false, differences: [], missingSources: [{ name: 'data', kind: 'files' }] });
    expect(report.again).toBe(`soloist trace replay ${bare} --source '${`data=files:${there}`.replaceAll("'", "'\\''")}'`);
    const again = typed(`${report.again} --json`);
    expect(JSON.parse(again.stdout)).toMatchObject({ same: true, results: { different: 0 } });
  });
});

describe('what the project keeps out of its log', () => {
  it('is kept out of a replay: neither a difference nor in print', async () => {
    writeFileSync(join(folder, 'own/contact.txt'), 'now ask jack@example.com, B-4712\n');
    const { stdout } = await cli('trace', 'replay', session, '--source', flag);
    writeFileSync(join(folder, 'own/contact.txt'), 'ask jane@example.com, B-4711\n');
    expect(stdout).toContain('data.lines[0]: ask [redacted:email], [redacted:badge] → now ask [redacted:email], [redacted:badge]');
    expect(stdout).not.toMatch(/jack|B-47/);
    const unchanged = await cli('trace', 'replay', session, '--source', flag);
    expect(unchanged.stdout).toContain('3 of 3 results are the same');
    expect(unchanged.code).toBe(0);
  });
});
