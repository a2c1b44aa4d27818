import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askAgent } from './ask-agent.ts';

const AGENTS = ['data-quality', 'data-quality-team', 'profile-all', 'table-profiler', 'investigator'] as const;
const place = mkdtempSync(join(tmpdir(), 'soloist-unreadable-'));
const at = (...parts: readonly string[]): string => join(place, ...parts);

beforeAll(() => {
  for (const folder of ['parquet', 'gzip', 'zero', 'empty', 'header', 'json', 'page', 'object', 'mixed']) mkdirSync(at(folder));
  writeFileSync(at('parquet', 'orders.parquet'), 'PAR1 and no more of it');
  writeFileSync(at('gzip', 'orders.csv.gz'), gzipSync('id,v\n1,2\n'.repeat(5_000)).subarray(0, 60));
  writeFileSync(at('zero', 'orders.csv'), '');
  writeFileSync(at('header', 'orders.csv'), 'id,day,v\n');
  writeFileSync(at('json', 'orders.json'), '[{"a":1},{"a":');
  writeFileSync(at('page', 'orders.json'), '{"count":500,"results":[{"a":1},{"a":2}]}');
  writeFileSync(at('object', 'orders.json'), '{"b":[{"a":1},{"a":2}],"c":[{"a":1},{"a":2}]}');
  writeFileSync(at('bad.sqlite'), 'no database at all, but long enough to be looked at as one');
  writeFileSync(at('mixed', 'orders.parquet'), 'PAR1 and no more of it');
  writeFileSync(at('mixed', 'good.csv'), `id,v\n${Array.from({ length: 40 }, (_, row) => `${row},${row * 2}`).join('\n')}\n`);
});

afterAll(() => rmSync(place, { recursive: true, force: true }));

const ask = (agent: string, ...sources: readonly string[]) =>
  askAgent({ agent, question: 'Check the quality of the table orders.', sources });

describe('agents without a model, where nothing can be read', () => {
  const KINDS = [
    ['a damaged Parquet file', 'files', 'parquet', /orders\.parquet cannot be read as a table: a damaged Parquet file/],
    ['a gzip that was cut', 'files', 'gzip', /orders\.csv\.gz cannot be read as a table: the compressed data is damaged or cut/],
    ['a file of no bytes', 'files', 'zero', /orders\.csv cannot be read as a table: the file is empty/],
    ['an empty folder', 'files', 'empty', /holds? no(ne| table)/],
    ['a database that is none', 'sqlite', 'bad.sqlite', /bad\.sqlite is not a SQLite database/],
  ] as const;

  it.each(AGENTS)('name it with the reason and end without evidence: %s', async (agent) => {
    for (const [what, kind, path, reason] of KINDS) {
      const { report } = await ask(agent, `data=${kind}:${at(path)}`);
      const said = `${report.answer} ${report.findings.map(({ claim }) => claim).join(' ')}`.replace(/the sources hold none/, 'hold none');
      expect({ what, status: report.status }).toEqual({ what, status: 'no_evidence' });
      expect({ what, said }).toEqual({ what, said: expect.stringMatching(reason) });
      expect(report.answer).not.toMatch(/nothing odd|0 tables|\(unsupported\)/i);
    }
  });

  it('name the file of an export of runs that is no JSON', async () => {
    mkdirSync(at('export'));
    writeFileSync(at('export', 'dagRuns_x.json'), '[garbage');
    const { report } = await askAgent({
      agent: 'investigator',
      question: 'What failed?',
      sources: [`runs=airflow-export:${at('export')}`],
    });
    expect(report.status).toBe('no_evidence');
    expect(report.answer).toContain('hold no runs that can be read (dagRuns_x.json was left out: not JSON');
  });

  it('end so where no source holds logs to read', async () => {
    const { report } = await askAgent({ agent: 'log-reader', question: 'What failed?', sources: [`data=files:${at('header')}`] });
    expect(report.status).toBe('no_evidence');
    expect(report.answer).toContain('There is no source of logs');
  });
});

describe('agents without a model, where some can be read', () => {
  it('say of the one table that can be no figures of all, and name the others', async () => {
    mkdirSync(at('some'));
    writeFileSync(at('some', 'odd.csv'), 'a,b\n"x",2\n');
    writeFileSync(at('some', 'bin.parquet'), Buffer.alloc(5_000, 7));
    writeFileSync(at('some', 'zip.csv.gz'), Buffer.alloc(900, 9));
    const { report } = await askAgent({ agent: 'investigator', question: 'what?', sources: [`data=files:${at('some')}`] });
    expect(report.answer).toMatch(/`odd`: 1 row[\s\S]*- Not read: `bin` and `zip`\./);
    expect(report.answer).not.toMatch(/\bAll\b/);
  });

  it.each(['data-quality', 'data-quality-team', 'profile-all'])('look at the rest and name what they could not read: %s', async (agent) => {
    const { report } = await ask(agent, `a=files:${at('mixed')}`, `e=files:${at('empty')}`, `b=sqlite:${at('bad.sqlite')}`);
    expect(report.status).toBe('ok');
    expect(report.answer).toMatch(/^One table was profiled; not all could be read/);
    expect(report.answer).toContain('`orders`: orders.parquet cannot be read as a table: a damaged Parquet file');
    expect(report.answer).toContain('e: this source of kind files holds no table');
    expect(report.answer).toContain('b: bad.sqlite is not a SQLite database');
  });

  it.each(AGENTS.slice(0, 4))('call a table without rows empty, which is an answer: %s', async (agent) => {
    const { report } = await ask(agent, `data=files:${at('header')}`);
    expect(report.status).toBe('ok');
    expect(report.answer).toContain('`orders` is empty');
    expect(report.answer).not.toMatch(/Nothing odd|\(unsupported\)/);
  });

  it.each(AGENTS.slice(0, 4))('do not call a file sound of which a part was no rows: %s', async (agent) => {
    const { report } = await ask(agent, `data=files:${at('json')}`);
    expect(report.answer).toContain('part of it could not be read (1 places are not valid JSON and are not rows');
    expect(report.answer).not.toMatch(/Nothing odd/);
  });

  it.each([
    ['page', 'part of it could not be read (the file says count=500 but holds 2 records'],
    ['object', 'its rows may not be what they seem (the file is one object, so one row'],
  ])('do not call a file sound whose rows are only some, or none: %s', async (folder, said) => {
    const { report } = await ask('table-profiler', `data=files:${at(folder)}`);
    expect(report.answer).toContain(said);
    expect(report.answer).not.toMatch(/Nothing odd/);
  });
});
