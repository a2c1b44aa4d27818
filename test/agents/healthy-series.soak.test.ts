import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { askInvestigator, claims } from './ask-investigator.ts';

const place = mkdtempSync(join(tmpdir(), 'soloist-series-'));
afterAll(() => rmSync(place, { recursive: true, force: true }));

const range = (count: number): number[] => Array.from({ length: count }, (_, at) => at);
const two = (number: number): string => String(number).padStart(2, '0');
const stamp = (time: number): string => new Date(time).toISOString().slice(0, 19).replace('T', ' ');

function files(tables: Readonly<Record<string, readonly string[]>>): string {
  const folder = mkdtempSync(join(place, 'files-'));
  for (const [name, lines] of Object.entries(tables)) writeFileSync(join(folder, `${name}.csv`), `${lines.join('\n')}\n`);
  return `data=files:${folder}`;
}

describe('the investigator without a model', () => {
  it('takes no codes of one length for codes that lost their zeros, though only one file has some that begin with one', async () => {
    const source = files(
      Object.fromEntries(
        range(12).map((at) => {
          const rows = range(60).map(
            (one) => `${two(at)}${String(one).padStart(4, '0')},2026-03-${two(at + 10)} 10:${two(one)}:00,${60 + ((one * 7) % 90)}`,
          );
          return [`calls_2026-03-${two(at + 10)}`, ['call_id,begun_at,seconds', ...rows]];
        }),
      ),
    );
    for (const question of ['Why are calls missing on 18 March?', 'seconds look off, what happened?'])
      expect(claims(await askInvestigator({ question, sources: [source] }), 'cause')).toEqual([]);
  });

  it('takes things that go through states for no incident: a state that has yet to begin, and days that thin out to the end', async () => {
    const start = Date.parse('2026-02-02T00:00:00Z');
    const steps = range(400).flatMap((at) =>
      ['new', 'active', 'closed']
        .slice(0, 1 + (at % 3))
        .map((state, step) => `C${at},${state},${stamp(start + at * 31 * 60_000 + step * 30 * 3_600_000)}`),
    );
    const people = range(400).map((at) => `C${at},${['new', 'active', 'closed'][at % 3]},${stamp(start + at * 31 * 60_000)},${at % 7}`);
    const source = files({
      person_events: ['person_id,state,changed_at', ...steps],
      persons: ['person_id,state,created_at,score', ...people],
    });
    for (const question of ['persons look odd, why?', 'why do persons differ from person_events?'])
      expect(claims(await askInvestigator({ question, sources: [source] }), 'cause')).toEqual([]);
  });

  it('finds in SQLite whose clock is ahead, by all that these rows have in common', async () => {
    const ask = async (hours: number) => {
      const file = join(place, `${hours}.sqlite`);
      const opened = new Database(file);
      opened.exec('CREATE TABLE events (id TEXT, platform TEXT, version TEXT, event_time TEXT, received_at TEXT)');
      const insert = opened.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?)');
      opened.exec('BEGIN');
      for (const at of range(2000)) {
        const received = Date.parse('2026-05-11T00:00:00Z') + at * 300_000;
        const [platform, version] = [at % 2 ? 'ios' : 'android', at > 900 && at % 4 === 0 ? '4.2' : '4.1'];
        const ahead = platform === 'android' && version === '4.2' ? hours * 3_600_000 : 0;
        insert.run(`e${at}`, platform, version, stamp(received - 20_000 + ahead), stamp(received));
      }
      opened.exec('COMMIT');
      opened.close();
      return askInvestigator({ question: 'Why do events have an event_time later than received_at?', sources: [`data=sqlite:${file}`] });
    };
    const ill = await ask(3);
    expect(ill.answer).toMatch(
      /^In 274 rows of `events`, all of `platform` android and `version` 4\.2, `received_at` lies before `event_time`/,
    );
    expect(claims(await ask(0), 'cause')).toEqual([]);
  });
});
