import { afterEach, describe, expect, it } from 'vitest';
import { Scope } from '../../../src/core/scope.ts';
import { openTestFiles, type TestFiles } from './write-files.ts';

let files: TestFiles | undefined;

afterEach(async () => {
  await files?.close();
  files = undefined;
});

/** What the sniffing says, and the rows and the sum of a column that a query gets. */
async function read(text: string, name = 'a.csv') {
  files = await openTestFiles({ [name]: text });
  const reading = await files.source.readings?.sniff(name, new Scope());
  if (!reading) throw new Error('not read');
  return { names: reading.columns.map((column) => column.name), codes: reading.warnings.map(({ code }) => code), reading };
}

const rows = (count: number, row: (n: number) => string): string => Array.from({ length: count }, (_, at) => `${row(at + 1)}\n`).join('');
const pairs = rows(20, (n) => `${n},${n}`);

describe('what stands above a table', () => {
  it.each([
    ['comments of which one holds the delimiter', `# from x\n# at 2026-01-01, by y\n#\nid,n\n${pairs}`, ['id', 'n']],
    ['a header that begins with the sign of comments', `#id,n\n${pairs}`, ['#id', 'n']],
    [
      'titles that a spreadsheet padded',
      `Report:,Sales,,\nAt,2026-05-01,,\n,,,\nid,name,n,m\n${rows(20, (n) => `${n},x,${n},1`)}`,
      ['id', 'name', 'n', 'm'],
    ],
    ['years as names', `region,2024,2025,n\n${rows(20, (n) => `r${n},1,2,${n}`)}`, ['region', '2024', '2025', 'n']],
    ['days as names', `sku,2026-01-01,2026-01-02,n\n${rows(20, (n) => `s${n},1,2,${n}`)}`, ['sku', '2026-01-01', '2026-01-02', 'n']],
    ['a header without a name for the first column', `name,n\n${rows(20, (n) => `r${n},x,${n}`)}`, ['column1', 'name', 'n']],
    [
      'a rule below the header',
      ` id | name | n \n----+------+---\n${rows(20, (n) => ` ${n} | x    | ${n}`)}(20 rows)\n`,
      ['id', 'name', 'n'],
    ],
    ['the marks of Markdown', `| id | n |\n|---|---|\n${rows(20, (n) => `| ${n} | ${n} |`)}`, ['column1', 'id', 'n', 'column4']],
  ])('%s', async (_, text, expected) => {
    expect((await read(text)).names).toEqual(expected);
    expect(await files?.rows('SELECT count(*), sum(n) FROM a')).toEqual([[20, 210]]);
  });

  it('leaves a first row of years a row where the rows below hold years too', async () => {
    const { names, codes } = await read(rows(20, (n) => `r${n},${2000 + n},${2001 + n}`));
    expect([names.length, codes]).toEqual([3, ['no_header']]);
    expect(await files?.rows('SELECT count(*) FROM a')).toEqual([[20]]);
  });
});

describe('what a name and a cut say', () => {
  it('reads a .tsv by its tabs where commas cut its lines as evenly', async () => {
    const text = `freq,geo\\time\t2021\t2022\n${rows(20, (n) => `A,L${n}\t${n}\t${n}`)}`;
    expect((await read(text, 'a.tsv')).names).toEqual(['freq,geo\\time', '2021', '2022']);
  });

  it('takes a text for UTF-8 of which only the last character is cut', async () => {
    files = await openTestFiles({ 'a.csv': Buffer.concat([Buffer.from(`id,name\n${rows(20, (n) => `${n},é`)}21,`), Buffer.from([0xc3])]) });
    const reading = await files.source.readings?.sniff('a.csv', new Scope());
    expect([reading?.encoding?.name, reading?.encoding?.invalid?.count]).toEqual(['utf-8', 1]);
    expect(await files.rows("SELECT count(*) FROM a WHERE name = 'é'")).toEqual([[20]]);
  });
});

describe('records that are no rows', () => {
  const regions = ['N', 'S'].map((region) => `${rows(10, (n) => `${region},x,${n}`)}Subtotal ${region},,55\n`).join('');
  it.each([
    ['totals among the rows', `region,name,n\n${regions}Total,,110\n`, 20, 110, 'total_rows'],
    ['totals among the rows, in Japanese', `region,name,n\n${regions.replaceAll('Subtotal', '小計')}合計,,110\n`, 20, 110, 'total_rows'],
    ['totals among the rows, in Russian', `region,name,n\n${regions.replaceAll('Subtotal', 'Итого')}Итого,,110\n`, 20, 110, 'total_rows'],
    ['a total below the rows, in Russian', `region,name,n\n${rows(20, (n) => `r${n},x,${n}`)}Итого,,210\n`, 20, 210, 'footer'],
    ['a header that comes again in another case', `id,n\n${pairs}ID,N\n${pairs}`, 40, 420, 'repeated_header'],
    [
      'totals with a colon, without an empty cell',
      `shop,a,n\n${rows(20, (n) => `s${n},1,${n}`)}Total: shops,20,210\nTotal: all,20,210\n`,
      20,
      210,
      'footer',
    ],
    ['a balance', `day,text,n\n${rows(20, (n) => `2026-05-${String(n).padStart(2, '0')},x,${n}`)}Endsaldo,,99\n`, 20, 210, 'footer'],
    ["the sign that ends PostgreSQL's COPY", `${rows(20, (n) => `${n}\tx\t${n}`)}\\.\n`.replace(/^/, 'id\tx\tn\n'), 20, 210, 'footer'],
    ['the sign that ends a text of DOS', `id,n\n${pairs}\u001a`, 20, 210, 'footer'],
    ['a trailer of another width', `t,name,x,n\n${rows(20, (n) => `D,a,1,${n}`)}T,20,210\n`, 20, 210, 'footer'],
  ])('%s', async (_, text, count, sum, code) => {
    expect((await read(text)).codes).toContain(code);
    expect(await files?.rows('SELECT count(*), sum(n) FROM a')).toEqual([[count, sum]]);
  });

  it('are told of with the result of every query', async () => {
    await read(`region,name,n\n${regions}`);
    const request = { sql: 'SELECT sum(n) FROM a', maxRows: 1, maxBytes: 1000, timeoutMs: 9_000, scope: new Scope() };
    const outcome = await files?.source.tables?.query(request);
    expect(outcome?.ok && outcome.warnings.map(({ code }) => code)).toEqual(['footer', 'total_rows']);
  });

  it('keeps a row of dashes below the first row', async () => {
    await read(`a,b,n\n1,x,5\n---,---,---\n2,y,6\n`);
    expect(await files?.rows('SELECT count(*) FROM a')).toEqual([[3]]);
  });

  it.each(['Total', '合計'])('keeps rows that are named a total and hold all values, and says so: %s', async (name) => {
    const { codes } = await read(`sex,year,n\n${rows(20, (n) => `${n % 2 ? 'F' : 'M'},${2000 + n},${n}`)}${name},2001,5\n`);
    expect(codes).toEqual(['rows_named_total']);
    expect(await files?.rows('SELECT count(*) FROM a')).toEqual([[21]]);
  });

  it('keeps a name that reads like a total where nothing is missing, and tells of a last row that lacks the others', async () => {
    const { codes } = await read(`shop,city,n\n${rows(20, (n) => `${n === 7 ? 'Total Wine' : 'x'},y,${n}`)},,210\n`);
    expect(codes).toEqual(['last_row_unlike']);
    expect(await files?.rows('SELECT count(*), sum(n) FROM a')).toEqual([[21, 420]]);
  });
});
