import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { searchLogs } from '../../../tools/logs/search-logs.ts';
import { summarizeLog } from '../../../tools/logs/summarize-log.ts';
import { runOnFolder, withFolder } from './log-context.ts';

interface Found {
  readonly matches: readonly { readonly time: string | null; readonly level?: string }[];
}

/** The times of all lines of a file that was written last at `changed`. */
async function timesOf(text: string | Buffer, { name = 'a.log', changed = '2026-05-10' } = {}) {
  let times: (string | null)[] = [];
  let said = '';
  await withFolder(async (folder) => {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
    await utimes(path, new Date(changed), new Date(changed));
    const { data, warnings = [] } = await runOnFolder<Found>(searchLogs, folder, { pattern: 'full|begin', limit: 200 });
    times = (data as Found).matches.map(({ time }) => time);
    said = warnings.find(({ code }) => code === 'year_inferred')?.message ?? '';
  });
  return { times, said };
}

const syslog = (...days: readonly string[]): string => days.map((day) => `${day} 10:00:30 host app[1]: disk full\n`).join('');

describe('times without a year', () => {
  it.each([
    ['May  1 10:00:30 host app[12]: disk full', '2026-05-01T10:00:30Z'],
    ['<11>May  1 10:00:30 host app: disk full', '2026-05-01T10:00:30Z'],
    ['E0501 10:00:30.123456    1 a.go:12] disk full', '2026-05-01T10:00:30.123456Z'],
    ['May  1 10:00:30.123 ERROR disk full', '2026-05-01T10:00:30.123Z'],
    ['May 1 10:00:30 ERROR disk full', '2026-05-01T10:00:30Z'],
    ['*May  1 10:00:30.123 UTC: %LINK-3-UPDOWN: disk full', '2026-05-01T10:00:30.123Z'],
    ['05-01 10:00:30.123  1234  5678 E Loader  : disk full', '2026-05-01T10:00:30.123Z'],
    ['ERROR 05-01 10:00:30 [loader.py:12] disk full', '2026-05-01T10:00:30Z'],
    ['[05-01 10:00:30] ERROR disk full', '2026-05-01T10:00:30Z'],
    ['05-01 10:00:30,123 ERROR disk full', '2026-05-01T10:00:30.123Z'],
  ])('take it from the time of the file, and say so: %s', async (line, expected) => {
    await withFolder(async (folder) => {
      await writeFile(join(folder, 'a.log'), `${line}\n`);
      await utimes(join(folder, 'a.log'), new Date('2026-05-10'), new Date('2026-05-10'));
      const { data, warnings } = await runOnFolder<Found>(searchLogs, folder, { text: 'disk full' });
      const level = line.startsWith('May  1 10:00:30 host') ? {} : { level: 'error' };
      expect((data as Found).matches).toMatchObject([{ time: expected, ...level }]);
      expect(warnings).toContainEqual({
        code: 'year_inferred',
        message: '1 of the matches give no year; it was inferred from the time of the file (2026-05-10)',
      });
    });
  });

  it.each([
    ['the turn of the year', syslog('Dec 30', 'Dec 31', 'Jan  1'), { changed: '2026-01-01T12:00:00Z' }, [2025, 2025, 2026]],
    ['a line that came late', syslog('Dec 31', 'Jan  1', 'Dec 31', 'Jan  1'), { changed: '2026-01-02' }, [2025, 2025, 2026, 2026]],
    ['days that would lie in the future', syslog('Nov  3', 'Nov  4'), { changed: '2026-05-10' }, [2025, 2025]],
    ['a file copied long after', syslog('Jan  3', 'Nov  4'), { changed: '2026-03-01' }, [2025, 2025]],
    ['more than a year', syslog('Jan  3', 'Nov  4', 'Jun  5', 'Feb  1'), { changed: '2026-03-01' }, [2024, 2024, 2025, 2026]],
    ['a leap day', syslog('Feb 28', 'Feb 29', 'Mar  1'), { changed: '2026-05-10' }, [2024, 2024, 2024]],
    ['a date in the name', syslog('Nov  3', 'Nov  4'), { name: 'syslog-20221105.log' }, [2022, 2022]],
    ['a folder by month', syslog('Dec 31', 'Jan  1'), { name: '2023/01/syslog.log' }, [2022, 2023]],
    ['a full date inside', `Log file created at: 2021/11/03 10:00:00\n${syslog('Nov  3', 'Nov  4')}`, {}, [2021, 2021]],
    ['a full date in a message', `${syslog('Nov  3')}Nov  4 10:00:31 host app[1]: begin of 2020-11-04\n`, {}, [2020, 2020]],
  ])('go by %s', async (_, text, options, years) => {
    const { times } = await timesOf(text, options);
    expect(times.map((time) => Number(time?.slice(0, 4))).sort()).toEqual(years);
  });

  it('take it from what gzip noted of the file it packed', async () => {
    const packed = gzipSync(syslog('Nov  3'));
    packed.writeUInt32LE(Date.UTC(2019, 10, 5) / 1000, 4);
    const { times, said } = await timesOf(packed, { name: 'a.log.gz' });
    expect(times).toEqual(['2019-11-03T10:00:30Z']);
    expect(said).toContain('the time of the file (2019-11-05)');
  });

  it('are placed among others by the summary, which counts them', async () => {
    await withFolder(async (folder) => {
      await writeFile(join(folder, 'a.log'), syslog('May  1', 'May  2'));
      await utimes(join(folder, 'a.log'), new Date('2026-05-10'), new Date('2026-05-10'));
      const { data, warnings = [] } = await runOnFolder<Record<string, never>>(summarizeLog, folder);
      expect(data).toMatchObject({
        files: { items: [{ first_time: '2026-05-01T10:00:30Z', records_without_year: 2, year_from: 'the time of the file (2026-05-10)' }] },
      });
      expect(warnings.map(({ code }) => code)).toEqual(['zone_assumed', 'year_inferred']);
    });
  });

  it('leave times with a year, and times without a date, as they are', async () => {
    const lines = 'May  1 2025 10:00:30 ERROR disk full\n10:00:31 ERROR disk full\nFri May 02 10:00:30 2025 ERROR disk full\n';
    const { times, said } = await timesOf(lines);
    expect({ times, said }).toEqual({ times: ['2025-05-01T10:00:30Z', null, '2025-05-02T10:00:30Z'], said: '' });
  });
});
