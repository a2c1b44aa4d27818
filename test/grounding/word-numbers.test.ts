import { describe, expect, it } from 'vitest';
import { groundAnswer } from '../../src/grounding/ground-answer.ts';

const DATA = { failures: 12, tables: 26, tables_with_copies: 3, rows: 400, empty_rows: 204, duration_s: 7190, median_duration_s: 3600 };
const content = JSON.stringify({ id: 'r1', complete: true, data: DATA });
const results = [{ id: 'r1', tool: 'count_all', arguments: {}, complete: true, informative: true, content }];

function statuses(answer: string): string[] {
  return groundAnswer({ answer, question: '', results }).figures.map(({ text, status }) => `${text} ${status}`);
}

describe('numbers in words', () => {
  it.each([
    ['There were twelve failures.', ['twelve stated']],
    ['There were thirteen failures.', ['thirteen unsupported']],
    ['A dozen failures.', ['dozen stated']],
    ['Copies stand in three of the 26 tables.', ['three stated', '26 stated']],
    ['Copies stand in five of the 26 tables.', ['five unsupported', '26 stated']],
    ['The duration was 7190 s, twice as long as the median of 3600 s.', ['7190 s stated', 'twice derived', '3600 s stated']],
    ['Of 400 rows 204 are empty, half of the rows.', ['400 stated', '204 stated', 'half derived']],
    ['Of 400 rows 204 are empty, a quarter of the rows.', ['400 stated', '204 stated', 'a quarter unsupported']],
  ] as const)('are figures where they count or compare: %s', (answer, expected) => {
    expect(statuses(answer)).toEqual(expected);
  });

  it.each([
    'One of the tables is odd.',
    'The first run came in late.',
    'It is a two-step process.',
    'Take a second look.',
    'The two runs differ.',
    'There are two reasons for this.',
    'No two rows are alike.',
    'There are two ways to fix the table.',
  ])('are none in turns of phrase: %s', (answer) => {
    expect(statuses(answer)).toEqual([]);
  });
});
