import { describe, expect, it } from 'vitest';
import { checkFinding } from '../../src/app/ground-review.ts';
import { groundAnswer } from '../../src/grounding/ground-answer.ts';
import type { GroundingResult } from '../../src/grounding/result-index.ts';

const TABLES = ['orders', 'lines', 'shops', 'raw.orders', 'raw.lines', 'raw.shops', 'users', 'visits', 'prices', 'orders_old'];

function call(id: string, tool: string, input: Readonly<Record<string, unknown>>, data: object): GroundingResult {
  return { id, tool, arguments: input, complete: true, informative: true, content: JSON.stringify({ id, complete: true, data }) };
}

const listing = call('r1', 'list_tables', {}, { tables: TABLES.map((name) => ({ source: 'w', name })) });
/** Three of the ten: `raw.orders` and `orders_old` are others than `orders`. */
const results = [
  listing,
  call('r2', 'profile_table', { table: 'orders' }, { key: 'id' }),
  call('r3', 'profile_table', { table: 'lines' }, { key: 'id' }),
  call('r4', 'query_sql', { sql: 'SELECT min("day") FROM "shops"' }, { rows: [['monday']] }),
];

function statuses(answer: string, on: readonly GroundingResult[] = results): string[] {
  return groundAnswer({ answer, question: '', results: on }).figures.map(({ text, status }) => `${text} ${status}`);
}

describe('the rest of a list that no call was made for', () => {
  it('is what the list has, less those that calls name and those that are listed', () => {
    // 10 - 3 - 2 = 5
    expect(statuses('Not looked at: `raw.orders`, `users` and 5 more.')).toEqual(['5 derived']);
    expect(statuses('Nothing was done with `raw.orders`, `users` and 5 others [r1].')).toEqual(['5 derived']);
    for (const other of [4, 6, 7, 9, 12])
      expect(statuses(`Not looked at: \`raw.orders\`, \`users\` and ${other} more.`)).toEqual([`${other} unsupported`]);
  });

  it('may be that of one tool', () => {
    // Two were profiled: 10 - 2 - 2 = 6; but one of those that are listed was not only queried.
    expect(statuses('Tables that were not profiled: `shops`, `users` and 6 more.')).toEqual(['6 derived']);
    expect(statuses('Tables that were not profiled: `raw.orders`, `users` and 5 more.')).toEqual(['5 unsupported']);
    expect(statuses('Tables that were not profiled: `lines`, `users` and 6 more.')).toEqual(['6 unsupported']);
  });

  it('is nothing where a call was made for one that is listed, or the list does not hold it', () => {
    expect(statuses('Not looked at: `orders`, `users` and 5 more.')).toEqual(['5 unsupported']);
    expect(statuses('Not looked at: `invoices`, `users` and 5 more.')).toEqual(['5 unsupported']);
  });

  it('is only told of what was not done', () => {
    expect(statuses('`raw.orders`, `users` and 5 more hold copies.')).toEqual(['5 unsupported']);
  });

  it('needs the whole list', () => {
    const part = [{ ...listing, complete: false }, ...results.slice(1)];
    expect(statuses('Not looked at: `raw.orders`, `users` and 5 more.', part)).toEqual(['5 unsupported']);
    expect(statuses('Not looked at: `raw.orders`, `users` and 5 more [r2].')).toEqual(['5 unsupported']);
  });

  it('may stand in a finding of what was not checked, which says so by its kind', () => {
    const on = { question: '', results, marks: true };
    const finding = { id: 'f', evidence: [], confidence: 'high' as const, kind: 'not_checked' as const };
    const claim = 'Copies in `raw.orders`, `users` and 5 more.';
    expect(checkFinding({ ...finding, claim }, on)).toEqual({ ...finding, claim });
    expect(checkFinding({ ...finding, claim: claim.replace('5', '6') }, on)).toMatchObject({
      claim: 'Copies in `raw.orders`, `users` and 6 (unsupported) more.',
      unsupported: ['6'],
    });
    expect(checkFinding({ ...finding, kind: 'observation', claim }, on)).toMatchObject({ unsupported: ['5'] });
  });
});
