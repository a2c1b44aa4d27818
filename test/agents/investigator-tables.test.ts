import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askInvestigator, claims } from './ask-investigator.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'soloist-tables-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, files: Readonly<Record<string, readonly string[]>>): string {
  const target = join(folder, name);
  mkdirSync(target, { recursive: true });
  for (const [file, lines] of Object.entries(files)) writeFileSync(join(target, file), `${lines.join('\n')}\n`);
  return target;
}

/** Tickets 1 to 90 in batches of 30; the first try got `committed` batches in before it failed, the second wrote all three. */
function twiceLoaded(committed: number): { readonly tickets: string[]; readonly first: string[]; readonly second: string[] } {
  const row = (ticket: number, attempt: number): string =>
    `T${1000 + ticket},${ticket * 3},2026-04-0${attempt} 05:0${Math.floor((ticket - 1) / 30)}:00,${attempt},${Math.floor((ticket - 1) / 30)}`;
  const tickets = Array.from({ length: 90 }, (_, index) => index + 1);
  const line = (minute: number, text: string): string =>
    `[2026-04-02T05:${String(minute).padStart(2, '0')}:00.000+0000] {load.py:10} ${text}`;
  const batches = (count: number, minute: number): string[] =>
    Array.from({ length: count }, (_, batch) => line(minute + batch, `INFO - inserted batch ${batch} rows=30, committed`));
  return {
    tickets: [
      'ticket,price,loaded_at,try_number,batch',
      ...tickets.filter((ticket) => ticket <= committed * 30).map((ticket) => row(ticket, 1)),
      ...tickets.map((ticket) => row(ticket, 2)),
    ],
    first: [
      line(0, 'INFO - Starting attempt 1 of 2'),
      ...batches(committed, 1),
      line(9, 'ERROR - Task failed with exception'),
      'TimeoutError: lost the database',
    ],
    second: [
      line(20, 'INFO - Starting attempt 2 of 2'),
      ...batches(3, 21),
      line(29, 'INFO - Marking task as SUCCESS. dag_id=tickets, task_id=load_tickets'),
    ],
  };
}

describe('the investigator without a model, on data', () => {
  it.each([{ committed: 1 }, { committed: 2 }])(
    'tells copies of a second try from the rows it kept ($committed batches)',
    async ({ committed }) => {
      const { tickets, first, second } = twiceLoaded(committed);
      const path = write(`twice-${committed}`, {
        'tickets.csv': tickets,
        'load_tickets.attempt_1.log': first,
        'load_tickets.attempt_2.log': second,
      });
      const report = await askInvestigator({
        question: 'Why are there duplicates in tickets?',
        sources: [`data=files:${path}`, `logs=logs:${path}`],
      });
      const extra = committed * 30;
      // Each ticket costs three times its number: the sum of the first n is 3n(n + 1)/2.
      const right = (3 * 90 * 91) / 2;
      const wrong = right + (3 * extra * (extra + 1)) / 2;
      expect(report.answer).toContain(`${extra} rows of \`tickets\` are copies of another but for`);
      expect(report.answer).toContain(`${90 + extra} rows with 90 distinct values of \`ticket\``);
      expect(report.answer).toContain(`\`price\` ${wrong} in all, of which ${wrong - right} by the extra copies, ${right} without them`);
      expect(report.answer).toMatch(
        /attempt 1 of `load_tickets` had written rows .* when it failed .*lost the database.*attempt 2 of `load_tickets` wrote again/,
      );
      expect(claims(report, 'cause')).toHaveLength(2);
    },
  );

  it('rests what copies add to totals on the result that holds both', async () => {
    const load = (run: string, count: number) => Array.from({ length: count }, (_, at) => `T${at},${at * 3},${run}`);
    const path = write('totals', { 'tickets.csv': ['ticket,price,load_id', ...load('first', 20), ...load('second', 5)] });
    const report = await askInvestigator({ question: 'Why are there duplicates in tickets?', sources: [`data=files:${path}`] });
    // 3 * 19 * 20 / 2 is 570, and 3 * 4 * 5 / 2 is 30.
    expect(report.answer).toContain('Totals: `price` 600 in all, of which 30 by the extra copies, 570 without them');
    expect(report.figures.filter(({ status }) => status === 'unsupported')).toEqual([]);
  });

  it('says that there are none where every row is its own', async () => {
    const path = write('single', { 'tickets.csv': ['ticket,price', ...Array.from({ length: 40 }, (_, index) => `T${index},${index}`)] });
    const report = await askInvestigator({ question: 'Are there duplicates in tickets?', sources: [`files:${path}`] });
    expect(report.answer).toContain('no row is a copy of another');
    expect(claims(report, 'ruled_out').join()).toContain('Duplicates in `tickets`');
    expect(claims(report, 'cause')).toEqual([]);
  });

  it('counts the rows that a table lacks by day, and says that they came late', async () => {
    const rows = Array.from({ length: 60 }, (_, index) => {
      const day = 1 + Math.floor(index / 20);
      const late = index % 20 === 19 || (day === 2 && index % 4 === 0);
      return {
        id: `E${index}`,
        day,
        late,
        cents: 100 + index,
        text: `E${index},2026-01-0${day} 10:00:00,2026-01-0${day + (late ? 2 : 0)} 11:00:00,${100 + index}`,
      };
    });
    const path = write('late', {
      'raw_events.csv': ['event_id,event_time,loaded_at,cents', ...rows.map((row) => row.text)],
      'mart_events.csv': [
        'event_id,event_time,cents',
        ...rows.filter((row) => !row.late).map((row) => `${row.id},2026-01-0${row.day} 10:00:00,${row.cents}`),
      ],
    });
    const report = await askInvestigator({ question: 'The mart has fewer rows than raw. Where did they go?', sources: [`files:${path}`] });
    const missing = rows.filter((row) => row.late);
    expect(report.answer).toContain(`${missing.length} rows of \`raw_events\` are not in \`mart_events\``);
    expect(report.answer).toContain(`total of \`cents\` ${missing.reduce((sum, row) => sum + row.cents, 0)}`);
    for (const day of [1, 2, 3]) expect(report.answer).toContain(`2026-01-0${day}: ${missing.filter((row) => row.day === day).length}`);
    expect(claims(report, 'cause')[0]).toContain('2 days 01:00:00');
  });

  it('names what changed from file to file and totals the series by the first layout', async () => {
    const file = (header: string, line: (index: number) => string): string[] => [
      header,
      ...Array.from({ length: 20 }, (_, index) => line(index)),
    ];
    const price = (index: number): number => 2000 + index * 10;
    const path = write('series', {
      'sales_2026-06-01.csv': file('sale_id,price_cents', (index) => `${100 + index},${price(index)}`),
      'sales_2026-06-02.csv': file('sale_id,price_cents', (index) => `${200 + index},${price(index)}`),
      'sales_2026-06-03.csv': file('sale_id,gross_cents', (index) => `${300 + index},${price(index)}`),
      'sales_2026-06-04.csv': file('sale_id,price_cents', (index) => `${400 + index},${(price(index) / 100).toFixed(2)}`),
    });
    const report = await askInvestigator({
      question: 'What changed in the files, and what is the right total?',
      sources: [`files:${path}`],
    });
    expect(report.answer).toContain('`sales_2026-06-03`: `price_cents` is called `gross_cents`');
    expect(report.answer).toMatch(/`sales_2026-06-04`: `price_cents` became DECIMAL/);
    expect(claims(report, 'cause').join()).not.toContain('sales_2026-06-02');
    // 20 prices from 2000 in steps of 10, in four files.
    const total = 4 * (20 * 2000 + (10 * 19 * 20) / 2);
    expect(report.answer).toMatch(new RegExp(`\`price_cents\` comes to ${total}(\\.00)? over 4 files`));
  });

  it('profiles every file that there is and says once what they agree on', async () => {
    const lines = (mark: string): string[] => [
      `name${mark}price`,
      ...Array.from({ length: 12 }, (_, index) => `thing ${index}${mark}${index}.50`),
    ];
    const path = write('profiles', { 'a.csv': lines(','), 'b.csv': lines(';') });
    const report = await askInvestigator({
      question: 'Profile each file: rows, columns, types, total of price.',
      sources: [`files:${path}`],
    });
    expect(report.answer).toContain('All have the same figures: 12 rows, 2 columns');
    expect(report.answer).toContain('total 72.00');
  });

  it('finds what the logs say came first, and that the retry met the same error', async () => {
    const record = (time: string, level: string, event: string): string =>
      JSON.stringify({ timestamp: `2026-03-02T${time}Z`, level, event });
    const path = write('logs', {
      'copy.attempt_1.jsonl': [
        record('01:00:00', 'info', 'Starting attempt 1 of 2'),
        record('01:05:00', 'warning', 'disk /mnt/spool_7 is 99 % full'),
        record('01:06:00', 'error', 'cannot write /mnt/spool_7/part.tmp'),
      ],
      'copy.attempt_2.jsonl': [
        record('01:20:00', 'info', 'Starting attempt 2 of 2'),
        record('01:26:00', 'error', 'cannot write /mnt/spool_7/part.tmp'),
      ],
    });
    const report = await askInvestigator({
      question: 'What happened in which order, and what is the first cause?',
      sources: [`logs=logs:${path}`],
    });
    expect(report.answer).toContain('cannot write /mnt/spool_7/part.tmp');
    expect(report.answer.indexOf('01:05:00')).toBeLessThan(report.answer.indexOf('01:26:00'));
    expect(claims(report, 'cause')).toHaveLength(1);
    expect(report.answer).toContain('Trying again did not help: `copy` attempt 1 and attempt 2 met the same error');
  });
});
