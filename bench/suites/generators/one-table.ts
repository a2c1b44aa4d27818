import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type GeneratorRequest, seededRandom } from './seeded-random.ts';

const REGIONS = ['north', 'south', 'east', 'west'];
const STATES = ['open', 'paid', 'void'];
const ROWS = 200;

/** Writes a table of sales among four others, and answers what the questions on it have for an answer. */
export function generate({ folder, seed }: GeneratorRequest): Record<string, unknown> {
  const random = seededRandom(seed);
  const data = join(folder, 'data');
  mkdirSync(data);
  const names = random.draw(['sales', 'visits', 'stock', 'trips', 'claims', 'meters'], 5);
  const [asked = ''] = names;
  const sums = new Map(REGIONS.map((region) => [region, 0]));
  let paid = 0;
  for (const name of names) {
    const rows = Array.from({ length: ROWS }, (_, row) => {
      const cents = random.between(100, 99_999);
      const [region, state] = [random.pick(REGIONS), random.pick(STATES)];
      if (name === asked) sums.set(region, (sums.get(region) ?? 0) + cents);
      if (name === asked && state === 'paid') paid++;
      return [row + 1, region, (cents / 100).toFixed(2), state].join(',');
    });
    writeFileSync(join(data, `${name}.csv`), `${['id,region,amount,state', ...rows].join('\n')}\n`);
  }
  const [region = '', cents = 0] = [...sums].sort((left, right) => right[1] - left[1])[0] ?? [];
  return { asked, paid, region, sum: (cents / 100).toFixed(2) };
}
