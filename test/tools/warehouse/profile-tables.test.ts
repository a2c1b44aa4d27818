import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { profileTable } from '../../../tools/warehouse/profile-table.ts';
import { profileTables } from '../../../tools/warehouse/profile-tables.ts';
import { ENGINES, type EveryEngine, openEveryEngine } from './open-every-engine.ts';

let engines: EveryEngine;

beforeAll(async () => {
  engines = await openEveryEngine({
    odd: {
      columns: ['id integer', 'email varchar(40)', 'kind varchar(10)', 'until date', 'gone integer'],
      rows: [
        [1, 'a@x.org', 'web', '2026-01-01', null],
        [2, null, 'web', '9999-12-31', null],
        [3, 'n/a', 'web', '2026-01-02', null],
        [4, 'b@x.org', 'web', '2026-01-02', null],
      ],
    },
    plain: {
      columns: ['id integer', 'n integer'],
      rows: [
        [1, 5],
        [2, 6],
      ],
    },
    nothing: { columns: ['id integer'], rows: [] },
  });
});
afterAll(() => engines.close());

describe.each(ENGINES)('profile_tables on %s', (source) => {
  it('gives with each line the call that measures its table again', async () => {
    const { data } = await engines.call(profileTables, { source, tables: ['odd', 'plain', 'missing'] });
    expect(data.tables.map(({ again }: { again: { tool: string } }) => again.tool)).toEqual(Array(3).fill('profile_table'));
    const runs = data.tables.map(({ again }: { again: { input: Record<string, unknown> } }) => engines.call(profileTable, again.input));
    const [odd, plain, missing] = await Promise.all(runs);
    expect([odd.data.table, odd.data.rows, plain.data.table, plain.data.rows]).toEqual(['odd', 4, 'plain', 2]);
    expect(missing.status).toBe('refused');
  });

  it('says in one line each what is odd', async () => {
    const { data, status, total } = await engines.call(profileTables, { source, tables: ['odd', 'plain'] });
    expect([status, total]).toEqual(['ok', 2]);
    const [odd, plain] = data.tables;
    expect(odd).toMatchObject({ table: 'odd', rows: 4, columns: 5, exact: true, unique_columns: ['id'] });
    expect(odd.odd).toEqual([
      'email: 1 null (25 %)',
      'email: 1 placeholder words',
      'kind: one value in all rows',
      'until: 1 sentinel dates',
      'gone: all null',
    ]);
    const { again: _, ...line } = plain;
    expect(line).toEqual({ table: 'plain', rows: 2, columns: 2, exact: true, unique_columns: ['id', 'n'] });
  });

  it('takes all tables, or those that fit a pattern, and names one that cannot be read', async () => {
    const all = await engines.call(profileTables, { source });
    expect(all.data.tables.map(({ table }: { table: string }) => table).sort()).toEqual(['nothing', 'odd', 'plain']);
    const some = await engines.call(profileTables, { source, pattern: 'pl*' });
    expect(some.data.tables).toHaveLength(1);
    const wrong = await engines.call(profileTables, { source, tables: ['plain', 'plan'] });
    expect(wrong).toMatchObject({
      status: 'partial',
      data: { tables: [{ table: 'plain' }, { table: 'plan', error: expect.stringContaining('plain') }] },
    });
    expect(await engines.call(profileTables, { source, pattern: 'zzz' })).toMatchObject({ status: 'refused' });
  });
});
