import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { askInvestigator, claims } from './ask-investigator.ts';

const place = mkdtempSync(join(tmpdir(), 'soloist-hours-'));
afterAll(() => rmSync(place, { recursive: true, force: true }));

const two = (number: number): string => String(number).padStart(2, '0');
const LINES = ['dock', 'gate', 'ramp', 'yard'];

/** One day of scans, so many an hour at each place. */
async function causesWith(scans: (line: string, hour: number) => number): Promise<string> {
  const folder = mkdtempSync(join(place, 'scans-'));
  const rows = Array.from({ length: 24 }, (_, hour) =>
    LINES.flatMap((line) =>
      Array.from(
        { length: scans(line, hour) },
        (_row, at) => `${line}-${hour}-${at},2026-04-21 ${two(hour)}:${two((at * 7) % 60)}:00,${line}`,
      ),
    ),
  ).flat();
  writeFileSync(join(folder, 'scans.csv'), `scan,scanned_at,line\n${rows.join('\n')}\n`);
  const report = await askInvestigator({ question: 'Why are scans missing on 21 April?', sources: [`data=files:${folder}`] });
  return claims(report, 'cause').join('\n');
}

describe('groups of rows of one day', () => {
  it('are told of by the hour where one ends', async () => {
    // 24 hours of 10 rows, or 18 until 17:59 and none in the 6 after it.
    const told = await causesWith((line, hour) => (line === 'gate' && hour > 17 ? 0 : 10));
    expect(told).toContain(
      'gate ends on 2026-04-21 17:00, with no row on the 6 hours after it (hours_after_last 6), and 180 rows on 18 hours until then',
    );
    expect(told).not.toMatch(/\bdays\b/);
  });

  it('are told of by the hour where one has fewer rows', async () => {
    const told = await causesWith((line, hour) => (line === 'gate' && hour > 14 ? 2 : 10));
    expect(told).toContain(
      'the rows an hour of these values of `line` alone change at one hour, as value / first hour / least and most rows an hour before / least and most since: gate / 2026-04-21 15:00 / 10 / 10 / 2 / 2',
    );
  });

  it('move to no other hours where one has more rows than the others', async () => {
    expect(await causesWith((line) => (line === 'gate' ? 12 : 3))).toBe('');
  });
});
