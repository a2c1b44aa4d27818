import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { askInvestigator } from './ask-investigator.ts';

const place = mkdtempSync(join(tmpdir(), 'soloist-moment-'));
afterAll(() => rmSync(place, { recursive: true, force: true }));

function folder(name: string, lines: readonly string[]): string {
  const made = mkdtempSync(join(place, 'files-'));
  writeFileSync(join(made, name), `${lines.join('\n')}\n`);
  return made;
}

const DAYS = Array.from({ length: 12 }, (_, at) => `2026-06-${String(at + 1).padStart(2, '0')}`);

it('says of lines with a time that they are of that time, though an error before them bears none', async () => {
  const parts = DAYS.flatMap((day) =>
    day === '2026-06-07' ? [] : Array.from({ length: 10 }, (_, at) => `${day}-${at},${day},${20 + ((at * 7) % 13)}`),
  );
  const log = DAYS.map((day) => `${day}T22:00:00Z ${day === '2026-06-07' ? 'WARNING no file matches parts' : 'INFO fetched the parts'}`);
  const sources = [
    `data=files:${folder('parts.csv', ['part,built_on,weight', ...parts])}`,
    `logs=logs:${folder('fetch.log', ['ERROR: no settings were found, taking those that ship', ...log])}`,
  ];
  const { answer } = await askInvestigator({ question: 'Why are the parts of 2026-06-07 missing?', sources });
  expect(answer).toMatch(/[Tt]he logs of that time, and of no time before it, hold: 2026-06-07T22:00:00Z "no file matches parts"/);
  expect(answer).not.toContain('do not say of which time');
});
