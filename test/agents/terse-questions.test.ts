import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { askInvestigator, claims } from './ask-investigator.ts';

const place = mkdtempSync(join(tmpdir(), 'soloist-terse-'));
afterAll(() => rmSync(place, { recursive: true, force: true }));

const range = (count: number): number[] => Array.from({ length: count }, (_, at) => at);
const two = (number: number): string => String(number).padStart(2, '0');

function files(tables: Readonly<Record<string, readonly string[]>>): string[] {
  const folder = mkdtempSync(join(place, 'files-'));
  for (const [name, lines] of Object.entries(tables)) writeFileSync(join(folder, `${name}.csv`), `${lines.join('\n')}\n`);
  return [`data=files:${folder}`];
}

describe('a terse question', () => {
  /** Six rows an hour, 144 a day; on the 14th none from 9 to 15 where hours are lost, 102. */
  const clicks = (lost: boolean) =>
    files(
      Object.fromEntries(
        range(7).map((day) => [
          `clicks_202603${two(10 + day)}`,
          [
            'clkId,evt_ts,cost_usd',
            ...range(144)
              .map((at) => ({ at, hour: Math.floor(at / 6) }))
              .filter(({ hour }) => !lost || day !== 4 || hour < 9 || hour > 15)
              .map(({ at, hour }) => `c${day * 144 + at},2026-03-${10 + day} ${two(hour)}:${two((at * 7) % 60)}:00,${1 + (at % 5) / 10}`),
          ],
        ]),
      ),
    );

  it.each(['clicks down on 3/14 why', 'did we loose clicks on the 14th?'])(
    'finds the file of its day that is too short, though by no half: %s',
    async (question) => {
      expect((await askInvestigator({ question, sources: clicks(true) })).answer).toMatch(
        /^`clicks_20260314` has 102 rows, where `clicks_20260313` has 144 /,
      );
      expect(claims(await askInvestigator({ question, sources: clicks(false) }), 'cause')).toEqual([]);
    },
  );

  /** Twelve people a day, whose numbers have no zeros before them from the 11th on where they lost them: 48 rows. */
  const hours = (lost: boolean) =>
    files({
      ma_stamm: [
        'ma_pers_nr,ma_abt,ma_gehalt',
        ...range(12).map((one) => `0001${two(one)},${one % 2 ? 'VK' : 'IT'},${40_000 + one * 900}`),
      ],
      ma_zeit: [
        'zt_pers_nr,zt_tag,zt_std',
        ...range(10).flatMap((day) =>
          range(12).map((one) => `${lost && day >= 6 ? '' : '000'}1${two(one)},2026-05-${two(5 + day)},${7 + ((one + day) % 4) / 4}`),
        ),
      ],
    });

  it('finds rows that lost their match by keys that are called alike but for the prefix of their tables', async () => {
    const question = 'hours missing for all depts since 5/11';
    expect((await askInvestigator({ question, sources: hours(true) })).answer).toMatch(
      /^48 of 120 rows of `ma_zeit` have no match in `ma_stamm` by `zt_pers_nr`: .* first_day 2026-05-11, .*; 48 of them do match when leading zeros are left out/,
    );
    expect(claims(await askInvestigator({ question, sources: hours(false) }), 'cause')).toEqual([]);
  });
});
