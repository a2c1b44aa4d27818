import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type GeneratorRequest, type SeededRandom, seededRandom } from './seeded-random.ts';

const NOUNS = ['orders', 'refunds', 'visits', 'stock', 'prices', 'parcels', 'tickets', 'meters', 'claims', 'trips'];
const ROWS = 40;

/**
 * Writes `tables` CSV files of 40 rows, of which `odd` (3 unless given) hold something odd: rows that stand twice, or
 * placeholder words in a column. Answers which they are.
 */
export function generate({ folder, seed, parameters }: GeneratorRequest): Record<string, unknown> {
  const random = seededRandom(seed);
  const count = Number(parameters.tables ?? 5);
  const places = Array.from({ length: count }, (_, place) => place);
  const odd = random.draw(places, Number(parameters.odd ?? 3)).sort((left, right) => left - right);
  const copied = odd.filter((_, index) => index % 2 === 0);
  const data = join(folder, 'data');
  mkdirSync(data);
  const copies: string[] = [];
  const placeholders: string[] = [];
  for (const place of places) {
    const name = `${NOUNS[place % NOUNS.length]}_${String(place + 1).padStart(3, '0')}`;
    const isOdd = odd.includes(place);
    const kind = !isOdd ? 'clean' : copied.includes(place) ? 'copies' : 'placeholders';
    writeFileSync(join(data, `${name}.csv`), tableText(random, kind));
    if (kind === 'copies') copies.push(name);
    if (kind === 'placeholders') placeholders.push(name);
  }
  return { tables: count, copies, placeholders, odd: [...copies, ...placeholders] };
}

function tableText(random: SeededRandom, kind: 'clean' | 'copies' | 'placeholders'): string {
  const first = random.between(1_000, 9_000);
  const rows = Array.from({ length: ROWS }, (_, row) => {
    const day = `2026-03-${String((row % 28) + 1).padStart(2, '0')}`;
    const region = random.pick(['north', 'south', 'east', 'west']);
    return [first + row, day, region, (random.between(100, 99_999) / 100).toFixed(2), random.pick(['open', 'paid', 'void'])];
  });
  const number = random.between(3, 6);
  if (kind === 'placeholders') for (const row of rows.slice(10, 10 + number)) row[2] = 'N/A';
  const copied = kind === 'copies' ? rows.slice(5, 5 + number) : [];
  return `${['id,day,region,amount,state', ...[...rows, ...copied].map((row) => row.join(','))].join('\n')}\n`;
}
