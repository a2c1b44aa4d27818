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
});
