import { describe, expect, it } from 'vitest';
import { groundAnswer, type PlacedFigure } from '../../src/grounding/ground-answer.ts';
import type { GroundingResult } from '../../src/grounding/result-index.ts';

function result(id: string, data: unknown, more: Partial<GroundingResult> = {}): GroundingResult {
  const complete = more.complete ?? true;
  return { id, tool: 'query_sql', arguments: {}, complete, informative: true, content: JSON.stringify({ id, complete, data }), ...more };
}

function figures(answer: string, results: readonly GroundingResult[], question = ''): readonly PlacedFigure[] {
  return groundAnswer({ answer, question, results }).figures;
}

const ROWS = { columns: [{ name: 'total_rows' }], rows: [[8123]] };

describe('groundAnswer', () => {
  it('names the result, the path and the formula', () => {
    const results = [result('r4', { duration_s: 6494.8, median_duration_s: 2290.2 }, { tool: 'compare_runs' })];
    const found = figures('It took 6494.8 s, the median is 2290.2 s, so 2.84 times as long.', results);
    expect(found).toMatchObject([
      { text: '6494.8 s', status: 'stated', sources: [{ result: 'r4', path: 'data.duration_s' }] },
      { text: '2290.2 s', status: 'stated', sources: [{ result: 'r4', path: 'data.median_duration_s' }] },
      { text: '2.84 times', status: 'derived', formula: '6494.8 / 2290.2' },
    ]);
  });

  it.each([
    ['The median is 776 s (13 min).', ['stated', 'stated']],
    ['The median is 776 s, or about 13 min.', ['stated', 'stated']],
    ['The median is 776 s (14 min).', ['unsupported', 'unsupported']],
    ['The median is 776 s (20 min).', ['unsupported', 'unsupported']],
    ['The median is 776 s, the other one 13 min.', ['stated', 'unsupported']],
  ])('takes a figure for its neighbour said once more only where it is: %s', (answer, wanted) => {
    const rows = result('r4', { median_duration_s: 776, tasks: [{ task_id: 'load', duration_s: 780 }] }, { tool: 'compare_runs' });
    expect(figures(answer, [rows]).map(({ status }) => status)).toEqual(wanted);
  });

  it('takes two figures for their neighbours said once more though the words are the same', () => {
    const run = result('r2', { run: { duration_s: 696 }, baseline: { median_duration_s: 691.5 } }, { tool: 'compare_runs' });
    const found = figures('The run took 696 s (12 min); the median is 691.5 s (12 min) [r2].', [run]);
    expect(found.map(({ formula }) => formula)).toEqual([undefined, '696 s', undefined, '691.5 s']);
  });

  it('reads an offset of hours alone as part of the time, and a range of times as two', () => {
    const times = result('r1', { columns: [{ name: 'ordered_at', min: '2026-11-01 10:00:00+00', max: '2026-11-28 10:00:00+00' }] });
    const [first, last, ...others] = figures('`ordered_at` from 2026-11-01 10:00:00+00 to 2026-11-28 10:00:00+00 [r1].', [times]);
    expect([first, last]).toMatchObject([
      { text: '2026-11-01 10:00:00+00', status: 'stated' },
      { text: '2026-11-28 10:00:00+00', status: 'stated' },
    ]);
    expect(others).toEqual([]);
    expect(figures('It ran 10:00:00-11:30:00.', [result('r1', { start: '10:00:00', end: '11:30:00' })]).map(({ text }) => text)).toEqual([
      '10:00:00',
      '11:30:00',
    ]);
  });

  it('reads both ends of a rise or a fall in the measure that only the second is told in', () => {
    const rows = [
      ['2026-05-01', 40, 3_400_000],
      ['2026-05-02', 95, 1_200_000],
    ];
    const days = result('r1', { columns: [{ name: 'day' }, { name: 'wait_ms' }, { name: 'row_count' }], rows });
    const reasons = (answer: string) => figures(answer, [days]).map(({ reason = '' }) => / is no (?:rise|fall)$/.exec(reason)?.[0]);
    expect(reasons('`wait_ms` rose from 40 to 95 ms [r1].')).toEqual([undefined, undefined]);
    expect(reasons('`row_count` fell from 3.4 to 1.2 million [r1].')).toEqual([undefined, undefined]);
    expect(reasons('`row_count` rose from 900 to 1.2 million [r1].')).toEqual([undefined, undefined]);
    expect(reasons('`wait_ms` fell from 40 to 95 ms [r1].')).toEqual([' is no fall', ' is no fall']);
    expect(reasons('`row_count` rose from 3.4 million to 1.2 million [r1].')).toEqual([' is no rise', ' is no rise']);
  });

  it('takes what is named as an example for one of the samples', () => {
    const copies = result(
      'r4',
      {
        key: ['order_id'],
        sample_copies: [
          { key: [41], rows: 2 },
          { key: [43], rows: 2 },
        ],
      },
      { tool: 'find_duplicates' },
    );
    const found = figures('For example `order_id` 41 (2 rows) and 43 (2 rows) [r4].', [copies, result('r6', { columns: [{ top: [41] }] })]);
    expect(found.map(({ status }) => status)).toEqual(['stated', 'stated', 'stated', 'stated']);
  });

  it('takes no number for data that the call itself wrote into the query', () => {
    const forged = result(
      'r1',
      { columns: [{ name: 'total' }], rows: [[98765]] },
      { arguments: { sql: 'SELECT 98765 AS total FROM orders' } },
    );
    expect(figures('The total is 98765.', [forged])).toMatchObject([{ status: 'unsupported' }]);
    const reckoned = result('r2', { columns: [{ name: '(900 + 99)' }], rows: [[98799]] }, { arguments: { sql: 'SELECT 98700 + 99' } });
    expect(figures('The total is 98799.', [reckoned])).toMatchObject([{ status: 'unsupported' }]);
  });

  it('takes arithmetic of a query for derived where each of its numbers stands in another result', () => {
    const data = result('r1', { columns: [{ name: 'all_rows' }, { name: 'extra' }], rows: [[754.25, 282.5]] });
    const reckoned = result(
      'r2',
      { columns: [{ name: '(754.25 - 282.5)' }], rows: [['471.75']] },
      { arguments: { sql: 'SELECT 754.25 - 282.5' } },
    );
    expect(figures('Without the extra ones 471.75 remain.', [data, reckoned])).toMatchObject([
      { status: 'derived', formula: '754.25 - 282.5' },
    ]);
  });

  it('says when only the whole result holds the figure, not the part in the window', () => {
    const whole = JSON.stringify({ data: ROWS });
    const cut = result('r1', { message: 'too large' }, { whole, content: '{"data":{"message":"too large"}}' });
    expect(figures('There are 8123 rows.', [cut])).toMatchObject([{ status: 'stated', sources: [{ result: 'r1', seen: 'whole' }] }]);
  });

  it('follows a conclusion to the tool result of the child', () => {
    expect(figures('There are 8123 rows.', [result('c2.r1', ROWS, { through: 'c2' })])).toMatchObject([
      { status: 'stated', sources: [{ result: 'c2.r1', through: 'c2' }] },
    ]);
  });

  it('reads a bare small number or a year only where something near says so', () => {
    const results = [result('r1', { retries: 3, year_of_birth: 2026 })];
    expect(figures('There were 3 retries.', results)).toMatchObject([{ status: 'stated' }]);
    expect(figures('There were 3 customers.', results)).toMatchObject([{ status: 'unsupported' }]);
    expect(figures('It began in 2026.', results)).toMatchObject([{ status: 'unsupported' }]);
  });

  it('keeps numbers that a JavaScript number cannot hold apart', () => {
    const results = [result('r1', { max_id: '18446744073709551615' })];
    expect(figures('The largest id is 18446744073709551615.', results)).toMatchObject([{ status: 'stated' }]);
    expect(figures('The largest id is 18446744073709551614.', results)).toMatchObject([{ status: 'unsupported' }]);
  });

  it('reads no figures from citations, list numbers, code blocks and link targets', () => {
    expect(figures('1. See [r3], [c2.r1] and [the page](https://a.example/7).\n\n```\nLIMIT 500\n```\n', [])).toEqual([]);
  });

  it('asks a complete result for a claim of absence', () => {
    const claim = (complete: boolean) =>
      groundAnswer({ answer: 'No failures were found [r1].', question: '', results: [result('r1', { failed: [] }, { complete })] })
        .absences;
    expect(claim(true)).toMatchObject([{ supported: true, results: ['r1'] }]);
    expect(claim(false)).toMatchObject([{ supported: false }]);
    expect(groundAnswer({ answer: 'No rows are missing.', question: '', results: [] }).absences).toMatchObject([
      { supported: false, reason: 'no tool looked for it' },
    ]);
    expect(groundAnswer({ answer: 'Whether no rows are missing is unknown.', question: '', results: [] }).absences).toEqual([]);
  });
});
