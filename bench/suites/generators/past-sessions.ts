import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type GeneratorRequest, type SeededRandom, seededRandom } from './seeded-random.ts';

const TEAMS = ['harbour', 'meadow', 'granite', 'lantern', 'copper', 'willow', 'summit', 'delta'];
const SUBJECTS = ['orders', 'refunds', 'stock', 'visits', 'parcels', 'claims', 'meters', 'trips'];

interface Past {
  readonly question: string;
  readonly answer: string;
  readonly daysAgo: number;
  readonly result: string;
}

/**
 * `sessions` earlier sessions about tables, and one table as it is now. Two speak of the table that is asked about (one where
 * there is but one): who owned it, then who owns it since, and how many rows it had then, which is no longer so.
 */
export function generate({ folder, seed, parameters }: GeneratorRequest): Record<string, unknown> {
  const random = seededRandom(seed);
  const count = Number(parameters.sessions ?? 10);
  const [before = '', owner = ''] = random.draw(TEAMS, 2);
  const asked = `${random.pick(SUBJECTS)}_main`;
  const [rowsThen, rowsNow] = [random.between(120, 180), random.between(200, 260)];
  const spoken: Past[] = [
    pastOf(random, { table: asked, owner: before, rows: rowsThen - 20, since: 'from the beginning', daysAgo: 120 + random.between(0, 30) }),
    pastOf(random, {
      table: asked,
      owner,
      rows: rowsThen,
      since: `since it was handed over by team ${before}`,
      daysAgo: 20 + random.between(0, 9),
    }),
  ];
  const others = Array.from({ length: Math.max(0, count - 2) }, (_, place) =>
    pastOf(random, {
      table: `${random.pick(SUBJECTS)}_${String(place + 1).padStart(3, '0')}`,
      owner: random.pick(TEAMS),
      rows: random.between(100, 900),
      since: 'from the beginning',
      daysAgo: 1 + random.between(0, 300),
    }),
  );
  const history = [...spoken.slice(-Math.min(2, count)), ...others].sort((left, right) => right.daysAgo - left.daysAgo);
  const data = join(folder, 'data');
  mkdirSync(data);
  const rows = Array.from({ length: rowsNow }, (_, row) => `${row + 1},${random.pick(['open', 'paid', 'void'])}`);
  writeFileSync(join(data, `${asked}.csv`), `${['id,state', ...rows].join('\n')}\n`);
  const transcript = history.map((past, place) => transcriptOf(past, place)).join('\n\n');
  return { sessions: count, asked, owner, before, rows_then: rowsThen, rows_now: rowsNow, history, transcript };
}

interface Known {
  readonly table: string;
  readonly owner: string;
  readonly rows: number;
  readonly since: string;
  readonly daysAgo: number;
}

function pastOf(random: SeededRandom, { table, owner, rows, since, daysAgo }: Known): Past {
  const sample = Array.from({ length: 8 }, (_, row) => [row + 1, random.pick(['open', 'paid', 'void']), random.between(100, 99_999) / 100]);
  return {
    question: `Who owns the table ${table}, and how many rows does it have?`,
    answer: `The table ${table} is owned by team ${owner} ${since}; it had ${rows} rows that day [r1].`,
    daysAgo,
    result: JSON.stringify({ id: 'r1', tool: 'query_sql', status: 'ok', data: { rows: [[rows]], sample } }),
  };
}

function transcriptOf({ question, answer, daysAgo, result }: Past, place: number): string {
  return `[session ${place + 1}, ${daysAgo} days ago]\nUser: ${question}\nTool: ${result}\nAssistant: ${answer}`;
}
