import { describe, expect, it } from 'vitest';
import { groundAnswer } from '../../src/grounding/ground-answer.ts';
import type { GroundingResult } from '../../src/grounding/result-index.ts';

function result(data: object, complete = true): GroundingResult {
  return { id: 'r1', tool: 'look', arguments: {}, complete, informative: true, content: JSON.stringify({ id: 'r1', complete, data }) };
}

function statuses(answer: string, on: GroundingResult): string[] {
  return groundAnswer({ answer, question: '', results: [on] }).figures.map(({ text, status }) => `${text} ${status}`);
}

const days = Array.from({ length: 30 }, (_, at) => ({
  day: `2026-01-${String(at + 1).padStart(2, '0')}`,
  rows: [7, 12, 13, 20, 28].includes(at) ? 0 : 90 + at,
  users: at === 3 ? 0 : 40 + at,
}));

describe('days on which there is nothing', () => {
  it('are counted from a list of all days', () => {
    expect(statuses('`orders` has no rows on 5 of the days [r1].', result({ days }))).toEqual(['5 derived']);
    expect(statuses('There are no users on 1 of the days [r1].', result({ days }))).toEqual(['1 derived']);
    for (const answer of ['no rows on 4 of the days', 'no rows on 6 of the days', 'no users on 5 of the days', 'few rows on 5 of the days'])
      expect(statuses(`There are ${answer} [r1].`, result({ days })), answer).toEqual([`${/\d/.exec(answer)?.[0]} unsupported`]);
    expect(statuses('`orders` has no rows on 5 of the days [r1].', result({ days }, false))).toEqual(['5 unsupported']);
  });

  it('are counted from a list of those that are missing', () => {
    const missing = days.filter(({ rows }) => rows === 0).map(({ day }) => day);
    expect(statuses('`orders` has no rows on 5 of the days [r1].', result({ missing }))).toEqual(['5 derived']);
    expect(statuses('`orders` has no rows on 4 of the days [r1].', result({ missing }))).toEqual(['4 unsupported']);
    expect(statuses('`orders` has no rows in 5 of the columns [r1].', result({ missing }))).toEqual(['5 unsupported']);
    expect(statuses('`orders` has no rows on 5 of the days [r1].', result({ missing: ['a', 'b', 'c', 'd', 'e'] }))).toEqual([
      '5 unsupported',
    ]);
  });
});

describe('the sum of what was lost', () => {
  const rows = [
    { day: '2026-01-08', shop: 'north', lost: 13 },
    { day: '2026-01-13', shop: 'south', lost: 5 },
    { day: '2026-01-14', shop: 'north', lost: 12 },
  ];

  it('is told of all', () => {
    // 13 + 5 + 12 = 30
    expect(statuses('30 rows were lost [r1].', result({ rows }))).toEqual(['30 derived']);
    expect(statuses('31 rows were lost [r1].', result({ rows }))).toEqual(['31 unsupported']);
    expect(statuses('30 rows were lost [r1].', result({ rows }, false))).toEqual(['30 unsupported']);
  });

  it('is not told of a part', () => {
    for (const part of ['in south', 'on 2026-01-13', 'on the 13th', 'each day', 'in January', 'on Tuesday'])
      expect(statuses(`30 rows were lost ${part} [r1].`, result({ rows }))[0], part).toBe('30 unsupported');
  });
});

describe('a version', () => {
  const log = result({
    lines: ['running PostgreSQL 9.3.5 on x86_64', 'dbt=1.8.2, adapter duckdb 1.9.1', 'made on 9.3.26'],
    spark_version: '3.5.1',
  });

  it('may be told by its first parts', () => {
    expect(statuses('It is PostgreSQL 9.3 with dbt 1.8, duckdb version 1.9 and Spark 3.5 [r1].', log)).toEqual([
      ...['9.3 stated', '1.8 stated', '1.9 stated', '3.5 stated'],
    ]);
  });

  it('is that of what it is told of', () => {
    for (const other of ['PostgreSQL 9.4', 'PostgreSQL 3.5', 'MySQL 9.3', 'dbt 1.9', 'Spark 1.8'])
      expect(statuses(`It is ${other} [r1].`, log), other).toEqual([`${other.split(' ')[1]} unsupported`]);
  });

  it('is no day', () => {
    expect(statuses('It was made on 9.3 [r1].', result({ line: 'made on 9.3.26' }))).toEqual(['9.3 unsupported']);
  });
});

describe('the name of a series', () => {
  const files = result({ files: ['run_2026-03-11_offset0.json', 'run_2026-03-12_offset0.json'] });

  it('goes on behind what stands for the part that differs', () => {
    expect(statuses('The series run_<day>_offset0.json is whole [r1].', files)).toEqual(['_offset0.json stated']);
    expect(statuses('The series run_<day>_offset7.json is whole [r1].', files)).toEqual(['_offset7.json unsupported']);
    expect(statuses('The series run_<day>_set0.json is whole [r1].', files)).toEqual(['_set0.json unsupported']);
  });
});
