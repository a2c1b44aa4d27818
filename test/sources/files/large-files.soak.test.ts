import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Scope } from '../../../src/core/scope.ts';
import { type DuckDbSession, openDuckDb } from '../../../src/sources/duckdb/duckdb-session.ts';
import { defineDirect, NotDirectError } from '../../../src/sources/files/define-direct.ts';
import { defineTable, type TableTarget } from '../../../src/sources/files/define-table.ts';
import { examineFile } from '../../../src/sources/files/examine-file.ts';
import { openTestFiles } from './write-files.ts';

const scope = new Scope();
let folder: string;
let session: DuckDbSession;
let count = 0;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'soloist-large-'));
  for (const name of ['tables', 'scratch']) mkdirSync(join(folder, name));
  session = await openDuckDb({ folder: join(folder, 'tables'), scratch: join(folder, 'scratch') });
});

afterAll(async () => {
  await session.close();
  rmSync(folder, { recursive: true, force: true });
});

async function read(name: string) {
  const asked = { sql: `SELECT * FROM "${name}"`, maxRows: 1000, maxBytes: 10_000_000, timeoutMs: 20_000, scope };
  const outcome = await session.select(asked);
  if (!outcome.ok) throw new Error(outcome.message);
  return { rows: outcome.rows, columns: outcome.columns.map(({ name, type }) => `${name} ${type.replace(/\(\d+,/, '(*,')}`) };
}

/** The table as the engine reads the file by itself, and as we read it record by record; the first is undefined where it is not used. */
async function readBothWays(text: string | Buffer) {
  const number = ++count;
  const path = join(folder, `${number}.csv`);
  writeFileSync(path, text);
  const target: TableTarget = { session, folder: join(folder, 'tables'), number, name: `direct${number}`, scope, partitions: () => [] };
  const plain = await examineFile(path, { name: 'a.csv', scope, largeBytes: 0 });
  const careful = await examineFile(path, { name: 'a.csv', scope, careful: true });
  if (careful.plan) await defineTable(path, careful.plan, { ...target, name: `careful${number}` });
  const byRecord = careful.plan && (await read(`careful${number}`));
  const direct = plain.plan?.kind === 'delimited' ? plain.plan.direct : undefined;
  if (direct === undefined) return { byEngine: undefined, byRecord, reading: plain.reading };
  try {
    const warnings = await defineDirect(path, direct, target);
    return { byEngine: await read(`direct${number}`), byRecord, warnings, reading: plain.reading };
  } catch (error) {
    if (error instanceof NotDirectError) return { byEngine: undefined, byRecord, reading: plain.reading };
    throw error;
  }
}

const rows = (line: (row: number) => string, header = 'id,v', eol = '\n'): string =>
  [header, ...Array.from({ length: 30 }, (_, row) => line(row)), ''].join(eol);

describe('a plain file that the engine reads by itself', () => {
  it.each([
    ['integers with words for a missing value', rows((row) => `${row},${row === 7 ? 'N/A' : row * 3}`)],
    ['ids beyond 64 bits', rows((row) => `${10n ** 19n + BigInt(row)},${-(2n ** 64n) - BigInt(row)}`)],
    [
      'amounts with signs, bare points and many digits',
      rows((row) => `${row},${['+1.5', '-.25', '7.', '123456789012345.123456'][row % 4]}`),
    ],
    ['decimal commas', rows((row) => `${row};${row},5`, 'id;v')],
    ['thousands', rows((row) => `${row};"${row + 1},234.50"`, 'id;v')],
    ['dotted thousands', rows((row) => `${row};${row + 1}.234,50`, 'id;v')],
    ['numbers with exponents and NaN', rows((row) => `${row},${['1e5', '-2.5E-3', 'NaN', '-inf', '4'][row % 5]}`)],
    ['codes with leading zeros', rows((row) => `${row},00${row}`)],
    ['truth values of any case', rows((row) => `${row},${['true', 'FALSE', 'True'][row % 3]}`)],
    ['dates day first', rows((row) => `${row},${row + 1}/02/2024`.replace(/,(29|30|31)\/02/, ',$1/03'))],
    ['dates that fit both ways', rows((row) => `${row},0${(row % 9) + 1}/0${(row % 7) + 1}/2024`)],
    ['dates that no calendar has', rows((row) => `${row},2024-02-${row + 1}`)],
    ['times with zones', rows((row) => `${row},2024-03-31T0${row % 10}:30:00.125${['Z', '+02:00', '-0530'][row % 3]}`)],
    ['times without seconds', rows((row) => `${row},2024-03-31 0${row % 10}:30`)],
    ['nanoseconds', rows((row) => `${row},2024-03-31T01:30:00.12345678${row % 10}`)],
    ['times of day', rows((row) => `${row},0${row % 10}:30:00`)],
    ['quotes, commas and line ends in texts', rows((row) => `${row},"he said ""${row}"",\nand left"`)],
    ['quoted and bare empty cells', rows((row) => `${row},${['', '""', 'x', ' '][row % 4]}`)],
    ['carriage returns at line ends', rows((row) => `${row},text ${row}`, 'id,v', '\r\n')],
    ['columns without a value', rows((row) => `${row},`, 'id,v')],
    ['blanks around numbers', rows((row) => `${row}, ${row * 2} `)],
    ['a row that is short', rows((row) => (row === 9 ? '9,1' : `${row},1,2`), 'id,v,w')],
    ['rows of one cell', rows((row) => (row % 10 === 3 ? 'note' : `${row},x,2`), 'id,v,w')],
    ['names that come twice', rows((row) => `${row},${row}`, 'id,ID')],
  ])('has the same rows and types as read record by record: %s', async (_, text) => {
    const { byEngine, byRecord } = await readBothWays(text);
    if (byEngine) expect(byEngine).toEqual(byRecord);
    expect(byRecord?.rows).toHaveLength(30);
  });

  it('is one with short rows, which are counted with their lines', async () => {
    const { byEngine, warnings, reading } = await readBothWays(rows((row) => (row % 10 === 3 ? `${row},1` : `${row},1,2`), 'id,v,w'));
    expect(byEngine?.rows[3]).toEqual([3, 1, null]);
    expect(warnings).toEqual([]);
    expect(reading.warnings.find(({ code }) => code === 'short_rows')?.message).toBe(
      '3 rows have fewer than 3 fields (lines 5, 15, 25); what is missing is NULL',
    );
  });

  it('is one for plain numbers, dates and texts', async () => {
    const { byEngine } = await readBothWays(rows((row) => `${row},2024-01-01,"a, b",1.5`, 'id,day,note,v'));
    expect(byEngine?.columns).toEqual(['id BIGINT', 'day DATE', 'note VARCHAR', 'v DECIMAL(*,1)']);
  });

  it.each([
    ['a row that is long', rows((row) => (row === 9 ? '9,1,2,3' : `${row},1,2`), 'id,v,w')],
    ['a row that is short where texts hold line ends', rows((row) => (row === 9 ? '9' : `${row},"a\nb",2`), 'id,v,w')],
    ['a line of blanks', rows((row) => (row === 9 ? ' ' : `${row},1`))],
    ['a blank line', rows((row) => (row === 9 ? '' : `${row},1`))],
    ['the header again', rows((row) => (row === 9 ? 'id,v' : `${row},1`))],
    ['one line end of another kind', rows((row) => `${row},1`, 'id,v', '\r\n').replace(/\r\n$/, '\n')],
    ['a quote inside a text', rows((row) => `${row},a 5" pipe`)],
    ['text behind a closing quote', rows((row) => `${row},"a"b`)],
    ['a blank before a quote', rows((row) => (row === 9 ? '9, "x, y"' : `${row},"x"`))],
    ['a footer', `${rows((row) => `${row},1.5,a`, 'id,v,w')}Total,45.0,\n`],
    ['a cut last line', `${rows((row) => `${row},1,2`, 'id,v,w')}30,1`],
    [
      'bytes that are no UTF-8',
      Buffer.from(
        rows((row) => `${row},caf\u00e9`),
        'latin1',
      ),
    ],
    ['a zero byte', rows((row) => `${row},x`).replace('x', '\0')],
    ['lines before the header', `Report of May\n\n${rows((row) => `${row},1`)}`],
  ])('is not one with %s', async (_, text) => {
    const { byEngine } = await readBothWays(text);
    expect(byEngine).toBeUndefined();
  });

  it('gives what reading record by record gives, whatever the cells', async () => {
    const cell = fc.oneof(
      fc.constantFrom(
        '',
        '""',
        'N/A',
        '-',
        'null',
        '0',
        '-0',
        '+7',
        '007',
        '1.50',
        '1,5',
        '1,234',
        '1e3',
        'NaN',
        'true',
        '12:30',
        ' 5',
        '5 ',
        '1_000',
      ),
      fc.constantFrom(
        '2024-01-05',
        '05/01/2024',
        '25/01/2024',
        '01/25/2024',
        '2024-01-05T10:00:00Z',
        '2024-01-05 24:00:00',
        '5.1.2024',
        '0x1F',
      ),
      fc.constantFrom(
        '"a ""b"""',
        '"x\ny"',
        'Zürich',
        '99999999999999999999',
        '0.1',
        '.5',
        '5.',
        '170141183460469231731687303715884105728',
      ),
    );
    const column = fc.array(cell, { minLength: 1, maxLength: 3 });
    const file = fc.array(column, { minLength: 2, maxLength: 4 });
    let direct = 0;
    await fc.assert(
      fc.asyncProperty(file, async (kinds) => {
        const header = kinds.map((_, index) => `name${index}`).join(';');
        const text = rows((row) => kinds.map((cells) => cells[row % cells.length]).join(';'), header);
        const { byEngine, byRecord } = await readBothWays(text);
        if (byEngine === undefined) return;
        direct++;
        expect(byEngine).toEqual(byRecord);
      }),
      { numRuns: 60, seed: 11 },
    );
    expect(direct).toBeGreaterThan(12);
  }, 60_000);
});

describe('what only one place far inside a large file shows', () => {
  const header = 'number,amount,day,code,maybe\n';
  const lines = 600_000;
  const line = (row: number): string =>
    `${String(row + 100_000).padStart(9, '1')},${(row % 90) + 10}.25,0${(row % 9) + 1}/0${(row % 7) + 1}/2024,${(row % 90) + 10},\n`;
  /** Between two samples: samples of 256 KiB start at every 24th of the file. */
  const place = Math.round(lines * (12.6 / 24));
  let content = '';

  beforeAll(() => {
    const all = Array.from({ length: lines }, (_, row) => line(row));
    all[place] = '111111111,N/A,25/03/2024,abc,7\n';
    content = header + all.join('');
  });

  it('decides the type and the order of dates, and is counted exactly', async () => {
    const files = await openTestFiles({ 'orders.csv': content });
    try {
      const { columns, warnings } = await files.source.tables!.describeTable('orders', new Scope());
      expect(columns.map(({ type }) => type)).toEqual(['BIGINT', 'DECIMAL(18,2)', 'DATE', 'VARCHAR', 'BIGINT']);
      const messages = warnings.map(({ message }) => message).join('\n');
      expect(messages).toContain('"amount": read as NULL: "N/A" 1 times');
      expect(messages).toContain('"code" is text because 1 of its values do not fit number: "abc"');
      expect(messages).not.toContain('the other way round');
      const sum = Array.from({ length: lines }, (_, row) => (row === place ? 0 : (row % 90) * 100 + 1025)).reduce(
        (total, cents) => total + cents,
      );
      const sql = `SELECT count(*), CAST(sum(amount) * 100 AS BIGINT), max(day)::VARCHAR, count(maybe) FROM orders`;
      expect(await files.rows(sql)).toEqual([[lines, sum, '2024-07-09', 1]]);
    } finally {
      await files.close();
    }
  });

  it('goes on being read for the next one who asks when the time of the first was over', async () => {
    const files = await openTestFiles({ 'orders.csv': content });
    try {
      const ask = (timeoutMs: number) =>
        files.source.tables!.query({ sql: 'SELECT count(*) FROM orders', maxRows: 1, maxBytes: 1000, timeoutMs, scope: new Scope() });
      const first = await ask(5);
      expect(first).toMatchObject({ ok: false, code: 'still_reading' });
      expect(await ask(30_000)).toMatchObject({ ok: true, rows: [[lines]] });
    } finally {
      await files.close();
    }
  });

  it('is left when the source is closed before it is read', async () => {
    const files = await openTestFiles({ 'orders.csv': content });
    const asking = files.source.tables!.query({
      sql: 'SELECT 1 FROM orders',
      maxRows: 1,
      maxBytes: 1000,
      timeoutMs: 10,
      scope: new Scope(),
    });
    expect(await asking).toMatchObject({ ok: false });
    await expect(files.close()).resolves.toBeUndefined();
  });
});

describe('an object around more records than fit into one value', () => {
  it('is read record by record', async () => {
    const note = 'x'.repeat(4000);
    const records = Array.from({ length: 17_000 }, (_, id) => `{"id":${id},"note":"${note}"}`);
    const files = await openTestFiles({ 'a.json': `{"meta":{"page":1},"data":[${records.join(',\n')}]}` });
    try {
      expect(await files.rows('SELECT count(*), sum(id), min(length(note)) FROM a')).toEqual([[17_000, 144_491_500, 4000]]);
    } finally {
      await files.close();
    }
  });
});
