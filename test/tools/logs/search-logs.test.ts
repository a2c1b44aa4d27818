import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { searchLogs } from '../../../tools/logs/search-logs.ts';
import { runOnFolder, withFolder } from './log-context.ts';

const mixed = fileURLToPath(new URL('../../cases/mixed-log-formats/', import.meta.url));

interface Found {
  readonly total_matches: number;
  readonly matches: readonly {
    file: string;
    line: number;
    time: string | null;
    zone_given: boolean;
    attempt?: number;
    text: string;
    before?: string[];
    following?: string[];
  }[];
}

async function search(folder: string, input: Record<string, unknown>) {
  const outcome = await runOnFolder<Found>(searchLogs, folder, input);
  expect(JSON.stringify(outcome).length).toBeLessThan(10_000);
  return outcome;
}

async function searchText(text: string, input: Record<string, unknown>) {
  let found: Awaited<ReturnType<typeof search>> | undefined;
  await withFolder(async (folder) => {
    await writeFile(join(folder, 'a.log'), text);
    found = await search(folder, input);
  });
  return found!;
}

const line = (second: number, message: string): string =>
  `2026-03-02 01:${String(Math.floor(second / 60)).padStart(2, '0')}:${String(second % 60).padStart(2, '0')},000 INFO ${message}\n`;

describe('search_logs', () => {
  it('finds text with file, line, attempt and UTC time, with the lines around', async () => {
    const { data, status, complete } = await search(mixed, { text: 'column "paid_at" does not exist', context: 1 });
    expect({ status, complete, total: data.total_matches }).toEqual({ status: 'ok', complete: true, total: 2 });
    expect(data.matches.map(({ file, line: at, attempt, time }) => ({ file, at, attempt, time }))).toEqual([
      { file: 'dbt_run.attempt_1_and_2.log', at: 4, attempt: 1, time: '2026-03-02T02:03:10.001Z' },
      { file: 'dbt_run.attempt_1_and_2.log', at: 19, attempt: 2, time: '2026-03-02T02:11:20.500Z' },
    ]);
    expect(data.matches[1]?.before?.[0]).toContain('Starting attempt 2 of 2');
    expect(data.matches[1]?.following?.[0]).toContain('Task failed with exception');
  });

  it('searches by level alone, one match a record, in UTC order across files', async () => {
    const { data } = await search(mixed, { level: 'warning' });
    // By hand: 2 warnings, 4 errors; 01:58:30.5, 01:59:10, 02:03:09.9, 02:03:11.7, 02:11:21, 02:11:31.
    expect(data.matches.map((match) => match.time?.slice(11, 19))).toEqual([
      '01:58:30',
      '01:59:10',
      '02:03:09',
      '02:03:11',
      '02:11:21',
      '02:11:31',
    ]);
  });

  it('counts all matches and returns the earliest or the latest', async () => {
    const text = Array.from({ length: 500 }, (_, at) => line(at, `tick ${at}`)).join('');
    const earliest = await searchText(text, { pattern: 'tick \\d+$', limit: 3 });
    expect(earliest).toMatchObject({ status: 'partial', complete: false, total: 500, returned: 3 });
    expect(earliest.data.matches.map((match) => match.line)).toEqual([1, 2, 3]);
    const latest = await searchText(text, { pattern: 'TICK', limit: 3, order: 'latest' });
    expect(latest.data.matches.map((match) => match.line)).toEqual([498, 499, 500]);
    expect((await searchText(text, { pattern: 'TICK', case_sensitive: true })).status).toBe('no_data');
  });

  it('says when a time was read as UTC for want of a zone', async () => {
    const { data, warnings } = await searchText(line(1, 'tick'), { text: 'tick' });
    expect(data.matches[0]).toMatchObject({ time: '2026-03-02T01:00:01.000Z', zone_given: false });
    expect(warnings.map((warning) => warning.code)).toContain('zone_assumed');
  });

  it('keeps to a time window', async () => {
    const text = Array.from({ length: 120 }, (_, at) => line(at, `tick ${at}`)).join('');
    const { data } = await searchText(text, { text: 'tick', since: '2026-03-02T01:00:10', until: '2026-03-02T01:00:13Z' });
    expect(data.matches.map((match) => match.line)).toEqual([11, 12, 13]);
  });

  it.each(['(a+)+b', '(a|aa)*b', '((a*)b)*c', '(x)\\1', 'a'.repeat(201), '(', '(?:a{1,5}){20}'])(
    'refuses the pattern %s',
    async (pattern) => {
      expect(await searchText('aaaa\n', { pattern })).toMatchObject({ status: 'refused', warnings: [{ code: 'unsafe_pattern' }] });
    },
  );

  it.each(['a(b|c)d', '[+*]+', '\\(a+\\)', 'a{2}', '(ab)+'])('runs the pattern %s', async (pattern) => {
    expect((await searchText('aaaa\n', { pattern })).status).not.toBe('refused');
  });

  it('stops a pattern that is slow all the same and answers in part', async () => {
    const { status, warnings } = await searchText(`${'a'.repeat(4000)}\n`.repeat(50), { pattern: 'a*a*a*a*a*b' });
    expect(status).toBe('partial');
    expect(warnings.map((warning) => warning.code)).toContain('pattern_too_slow');
  });

  it('refuses a search for nothing and a time that is none', async () => {
    expect((await searchText('a\n', {})).status).toBe('refused');
    expect((await searchText('a\n', { text: 'a', since: 'soon' })).status).toBe('refused');
  });

  it('finds text that JSON holds behind escapes', async () => {
    const { data } = await searchText(
      `${JSON.stringify({ timestamp: '2026-03-02T01:00:00Z', level: 'error', event: 'column "x" lost' })}\n`,
      { text: 'column "x" lost' },
    );
    expect(data.total_matches).toBe(1);
  });

  it('stays within its size when lines are long and matches many', async () => {
    const { data } = await searchText(line(1, `tick ${'y'.repeat(900)}`).repeat(300), { text: 'tick', context: 5, limit: 200 });
    expect(data.total_matches).toBe(300);
    expect(data.matches.length).toBeGreaterThan(0);
  });
});
