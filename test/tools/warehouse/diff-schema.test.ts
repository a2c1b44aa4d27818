import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Scope } from '../../../src/core/scope.ts';
import { createSourceCatalog } from '../../../src/sources/source-catalog.ts';
import { diffColumns } from '../../../tools/warehouse/diff-columns.ts';
import { diffSchema } from '../../../tools/warehouse/diff-schema.ts';
import { ENGINES, type EveryEngine, openEveryEngine, type Value } from './open-every-engine.ts';

let engines: EveryEngine;

const rows = (make: (index: number) => Value[]): Value[][] => Array.from({ length: 40 }, (_, index) => make(index));

beforeAll(async () => {
  engines = await openEveryEngine({
    day1: {
      columns: ['id integer', 'amount_cents integer', 'fee_cents integer', 'at bigint', 'note varchar(20)'],
      rows: rows((i) => [i, 1000 + i * 10, 10 + i, 1_760_000_000 + i, `n${i}`]),
    },
    day2: {
      columns: ['ID integer', 'fee_cents integer', 'amount_cents decimal(12,2)', 'at bigint', 'remark varchar(20)', 'channel varchar(9)'],
      rows: rows((i) => [i, 10 + i, `${10 + i / 10}`, BigInt(1_760_000_000_000 + i), `n${i}`, 'web']),
    },
  });
});
afterAll(() => engines.close());

describe.each(ENGINES)('diff_schema on %s', (source) => {
  it('tells respelled, renamed, retyped, reordered, new columns and other units apart', async () => {
    const { data, status } = await engines.call(diffSchema, { left: 'day1', right: 'day2', left_source: source });
    expect(status).toBe('ok');
    const changes = data.different[0].changes.map(
      ({ kind, from, to }: { kind: string; from?: string; to?: string }) => `${kind} ${from ?? ''} ${to ?? ''}`,
    );
    expect(changes.sort()).toEqual(
      [
        'added  channel',
        'respelled id ID',
        'likely_rename note remark',
        'retyped amount_cents amount_cents',
        'unit_change amount_cents amount_cents',
        'unit_change at at',
        'reordered amount_cents amount_cents',
        'reordered fee_cents fee_cents',
      ].sort(),
    );
  });

  it('finds a table equal to itself', async () => {
    const { data } = await engines.call(diffSchema, { left: 'day1', right: 'day1', left_source: source });
    expect(data).toMatchObject({ unchanged: 1, different: [] });
  });

  it('says what it needs', async () => {
    expect(await engines.call(diffSchema, { left: 'day1', left_source: source })).toMatchObject({
      status: 'refused',
      warnings: [{ code: 'which_tables' }],
    });
    expect(await engines.call(diffSchema, { pattern: 'zzz*', source })).toMatchObject({ status: 'refused' });
  });
});

it('names what changed in a folder of daily files', async () => {
  const scratch = mkdtempSync(join(tmpdir(), 'soloist-diff-'));
  const folder = fileURLToPath(new URL('../../cases/schema-drift-daily-files/landing', import.meta.url));
  const sources = createSourceCatalog([{ name: 'landing', kind: 'files', paths: [folder] }], { scratch });
  const context = {
    sources,
    scope: new Scope(),
    now: () => new Date(),
    resultId: 'r1',
    resultIds: () => [],
    readReference: () => undefined,
  };
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into data
  const { data } = (await diffSchema.run(diffSchema.input.parse({ pattern: 'orders_*' }), context)) as any;
  expect(data).toMatchObject({ reference: 'orders_2026-05-01', compared: 7, unchanged: 2, not_compared_total: 0 });
  const byDay = new Map<string, string[]>(
    data.different.map((group: { tables: string[]; changes: { kind: string; from?: string; to?: string }[] }) => [
      group.tables.join(),
      group.changes.map(({ kind, from, to }) => `${kind} ${from ?? ''}>${to ?? ''}`).sort(),
    ]),
  );
  // As the case's EXPECTED.md has it.
  expect(byDay.get('orders_2026-05-04')).toEqual(['reordered amount_cents>amount_cents', 'reordered fee_cents>fee_cents']);
  expect(byDay.get('orders_2026-05-05')).toEqual(['likely_rename amount_cents>total_cents']);
  expect(byDay.get('orders_2026-05-06')).toEqual(['added >channel']);
  expect(byDay.get('orders_2026-05-07')).toEqual(['retyped amount_cents>amount_cents', 'unit_change amount_cents>amount_cents']);
  expect(byDay.get('orders_2026-05-08')).toEqual([
    'respelled amount_cents> amount_cents',
    'respelled order_id>ORDER_ID',
    'retyped order_id>ORDER_ID',
  ]);
  expect(JSON.stringify(data)).toContain('A-8000');
  await sources.close();
  rmSync(scratch, { recursive: true });
});

describe('diffColumns', () => {
  const column = (name: string, position: number, more = {}) => ({ name, type: 'INTEGER', position, ...more });

  it('does not take unlike columns for a rename', () => {
    const changes = diffColumns(
      [column('alpha', 1, { quartiles: [1, 2, 3] })],
      [column('omega', 2, { quartiles: [500, 900, 1700] })],
      true,
    );
    expect(changes.map(({ kind }) => kind)).toEqual(['removed', 'added']);
  });

  it('sees no new unit in values that merely grow', () => {
    expect(diffColumns([column('n', 1, { quartiles: [10, 20, 30] })], [column('n', 1, { quartiles: [80, 160, 240] })], true)).toEqual([]);
  });
});
