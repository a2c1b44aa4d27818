import { afterAll, describe, expect, it } from 'vitest';
import { dropFolder, makeFolder } from '../tools/artifacts/call-tool.ts';
import { askInvestigator, claims } from './ask-investigator.ts';

const folders: string[] = [];

afterAll(() => {
  for (const one of folders) dropFolder(one);
});

const DAYS = Array.from({ length: 14 }, (_, at) => `2026-11-${String(at + 4).padStart(2, '0')}`);

/** Files of a day each, whose rows bear no time: the day stands in their name alone. */
function files(name: (day: string) => string, lines: (day: string, at: number) => readonly string[]): Record<string, string> {
  return Object.fromEntries(DAYS.map((day, at) => [name(day), `${lines(day, at).join('\n')}\n`]));
}

/** Rows that differ from day to day by a fixed rule: about 200, of three depots. */
function parcels(day: string, at: number, without = ''): string[] {
  const rows = Array.from({ length: 198 + ((at * 7) % 5) }, (_, row) => [
    `${day}-${row}`,
    ['east', 'west', 'quay'][row % 3],
    1 + ((row * 13 + at) % 40),
  ]);
  return ['parcel_id,depot,kilos', ...rows.filter(([, depot]) => depot !== without).map((row) => row.join(','))];
}

interface Story {
  readonly name: string;
  readonly questions: readonly string[];
  readonly files: (ill: boolean) => Record<string, string>;
  readonly cause: RegExp;
}

const STORIES: readonly Story[] = [
  {
    name: 'a group that one file lacks',
    // 2026-11-10 is a Tuesday: 66 of its 198 to 202 rows are those of the quay.
    questions: ['parcels down 30% on tuesday', 'why is the file of 2026-11-10 so small?', 'rows missing for the 10th in parcels'],
    files: (ill) =>
      files(
        (day) => `parcels_${day}.csv`,
        (day, at) => parcels(day, at, ill && day === '2026-11-10' ? 'quay' : ''),
      ),
    cause: /^In `parcels_<day>` rows of a value of `depot` are missing on whole days: quay has none on 2026-11-10/,
  },
  {
    name: 'a folder of a day that brings the rows of the day before again',
    questions: ['parcels doubled on nov 12', 'parcels of the 12th are 2x, why'],
    files: (ill) =>
      files(
        (day) => `parcels/dt=${day}/part-0.csv`,
        (day, at) => [...parcels(day, at), ...(ill && day === '2026-11-12' ? parcels('2026-11-11', 7).slice(1) : [])],
      ),
    cause:
      /^\d+ values of `parcel_id` stand in several files \(\d+ in `parcels\/dt=2026-11-11\/part-0` and \d+ in `parcels\/dt=2026-11-12\/part-0`\)/,
  },
  {
    name: 'files that end at a limit',
    questions: ['parcels stopped growing', 'is the export of parcels capped?'],
    files: (ill) =>
      files(
        (day) => `parcels_${day}.csv`,
        (day, at) => [
          'parcel_id,kilos',
          ...Array.from({ length: Math.min(ill ? 500 : 9999, 413 + at * 17) }, (_, row) => `${day}-${row},${1 + ((row * 13 + at) % 40)}`),
        ],
      ),
    // 413 + 17 * 6 = 515 is the first above 500: 2026-11-10, and 8 days are left.
    cause: /^The most rows a day of `parcels_<day>` by `file_day` are exactly 500, on 8 of 14 days .* first_day 2026-11-10/,
  },
  {
    name: 'one file whose letters are damaged',
    questions: ['weird characters in depot', 'depot names look broken on one day, which file?'],
    files: (ill) =>
      files(
        (day) => `parcels_${day}.csv`,
        (day, at) => [
          'parcel_id,depot',
          ...Array.from(
            { length: 90 },
            (_, row) => `${day}-${row},${ill && at === 2 && row % 2 === 0 ? 'MÃ¼nchen' : ['München', 'Bern'][row % 2]}`,
          ),
        ],
      ),
    cause: /^`depot` of `parcels_<day>` holds damaged letters in 45 rows .* first_day 2026-11-06, last_day 2026-11-06/,
  },
  {
    name: 'a file of a header alone',
    questions: ['no parcels on the 13th', 'parcels of 2026-11-13 are missing, though the loader was green'],
    files: (ill) =>
      files(
        (day) => `parcels_${day.replaceAll('-', '')}.csv`,
        (day, at) => parcels(day, at).slice(0, ill && day === '2026-11-13' ? 1 : undefined),
      ),
    cause: /^`parcels_20261113` has 0 rows, where `parcels_\d+` has \d+/,
  },
  {
    name: 'a column that is called otherwise from one file on',
    questions: ['kilos is null', 'why is kilos empty from the 15th'],
    files: (ill) =>
      files(
        (day) => `parcels_${day}.csv`,
        (day, at) => parcels(day, at).map((line) => (ill && day >= '2026-11-15' ? line.replace('kilos', 'weight') : line)),
      ),
    cause:
      /^Against `parcels_2026-11-04`, these later files changed: `parcels_2026-11-15`, `parcels_2026-11-16` and `parcels_2026-11-17`: `kilos` is called `weight`/,
  },
];

describe('the investigator without a model, on files whose day stands in their name', () => {
  const cases = STORIES.flatMap(({ questions, ...story }) => questions.map((question) => ({ ...story, question })));
  const ask = (question: string, content: Record<string, string>) => {
    const folder = makeFolder(content);
    folders.push(folder);
    return askInvestigator({ question, sources: [`files:${folder}`] });
  };

  it.each(cases)('names the cause first: $name: $question', async ({ question, files: content, cause }) => {
    const { answer } = await ask(question, content(true));
    expect(answer).toMatch(cause);
    expect(answer).not.toContain('(unsupported)');
  });

  it.each(cases)('names no cause where there is none: $name: $question', async ({ question, files: content }) => {
    expect(claims(await ask(question, content(false)), 'cause')).toEqual([]);
  });
});
