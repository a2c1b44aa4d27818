import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isoDate, parseDate, parseTime } from '../../../src/sources/files/parse-date.ts';

describe('parseDate', () => {
  it('offers both orders only where both are dates', () => {
    expect(parseDate('03/04/2026')?.orders).toEqual(['dmy', 'mdy']);
    expect(parseDate('25/04/2026')?.orders).toEqual(['dmy']);
    expect(parseDate('04/25/2026')?.orders).toEqual(['mdy']);
    expect(parseDate('31/04/2026')).toBeUndefined();
    expect(parseDate('29/02/2024')?.orders).toEqual(['dmy']);
    expect(parseDate('29/02/2026')).toBeUndefined();
  });

  it('reads back every day it is given, in either order', () => {
    fc.assert(
      fc.property(fc.date({ min: new Date('1971-01-01'), max: new Date('2068-12-31'), noInvalidDate: true }), (date) => {
        const iso = date.toISOString().slice(0, 10);
        const [year, month, day] = iso.split('-');
        const dmy = parseDate(`${day}/${month}/${year}`);
        const mdy = parseDate(`${month}-${day}-${year}`);
        expect(dmy && isoDate(dmy.groups, 'dmy')).toBe(iso);
        expect(mdy && isoDate(mdy.groups, 'mdy')).toBe(iso);
      }),
    );
  });

  it('reads months as words, halves of the day, zones and nanoseconds', () => {
    const named = parseDate('3-Nov-23');
    expect(named && isoDate(named.groups, 'dmy')).toBe('2023-11-03');
    expect(parseDate('2026-02-01T12:00:00.123456007+0200')?.time).toEqual({ clock: '12:00:00', fraction: '123456007', zone: '+02:00' });
    expect(parseTime('12:05 am')?.clock).toBe('00:05:00');
    expect(parseTime('25:00')).toBeUndefined();
  });

  it.each([
    ['2026年5月1日', '2026-05-01'],
    ['2026年05月01日 10:30', '2026-05-01'],
    ['2026년 5월 1일', '2026-05-01'],
    ['1. Mai 2026', '2026-05-01'],
    ['1 de mayo de 2026', '2026-05-01'],
    ['01 févr. 2026', '2026-02-01'],
    ['14 juillet 2026', '2026-07-14'],
    ['14-juin-2026', '2026-06-14'],
    ['5 dez 2026', '2026-12-05'],
    ['31 März 2026', '2026-03-31'],
    ['1 ott 2026', '2026-10-01'],
    ['2026年13月1日', undefined],
    ['5 General 2020', undefined],
    ['3 outlets 2024', undefined],
    ['30 février 2026', undefined],
  ])('reads days as they are written in other languages: %s', (text, expected) => {
    const found = parseDate(text);
    expect(found && isoDate(found.groups, found.orders[0] ?? 'ymd')).toBe(expected);
  });
});
