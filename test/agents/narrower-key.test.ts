import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { askInvestigator, claims } from './ask-investigator.ts';

const place = mkdtempSync(join(tmpdir(), 'soloist-narrower-'));
afterAll(() => rmSync(place, { recursive: true, force: true }));

/** Ten stays on each of 30 days. */
const STAYS = Array.from({ length: 300 }, (_, at) => ({
  day: Math.floor(at / 10),
  line: `S${at},2026-04-${String(1 + Math.floor(at / 10)).padStart(2, '0')},${60 + ((at * 37) % 200)}`,
}));

async function causesWith(kept: (stay: { readonly day: number }, at: number) => boolean): Promise<string> {
  const folder = mkdtempSync(join(place, 'files-'));
  const csv = (lines: readonly { readonly line: string }[]): string =>
    `stay_id,arrives,price\n${lines.map(({ line }) => line).join('\n')}\n`;
  writeFileSync(join(folder, 'raw_stays.csv'), csv(STAYS));
  writeFileSync(join(folder, 'stays_clean.csv'), csv(STAYS.filter(kept)));
  const question = 'Why has stays_clean fewer rows than raw_stays?';
  return claims(await askInvestigator({ question, sources: [`data=files:${folder}`] }), 'cause').join('\n');
}

it('says that rows were taken for duplicates only where what is left are no duplicates by the same columns', async () => {
  expect(await causesWith((_, at) => at % 10 === 3)).toContain('`stays_clean` holds one row for each `arrives`');
  // As many rows as there are days, but of the last three days.
  expect(await causesWith(({ day }) => day >= 27)).not.toContain('one row for each');
});
