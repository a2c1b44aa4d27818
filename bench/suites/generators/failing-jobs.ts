import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type GeneratorRequest, type SeededRandom, seededRandom } from './seeded-random.ts';

const KINDS = ['load', 'clean', 'join', 'mart', 'feed', 'sync', 'dedup', 'report'];
const FAULTS = ['disk full on volume', 'certificate expired for host', 'column dropped in feed', 'permission revoked on bucket'];
const NOISE = 120;

/**
 * Writes `jobs.csv`: job, status, upstream, message. From the job that is asked about, `links` jobs failed because the
 * one upstream of them failed; only the last failed by itself. Beside them stand jobs that ran, and other chains.
 */
export function generate({ folder, seed, parameters }: GeneratorRequest): Record<string, unknown> {
  const random = seededRandom(seed);
  const links = Number(parameters.links ?? 2);
  const names = jobNames(random, NOISE + links + 40);
  const chain = names.splice(0, links);
  const rows = [...failedChain(random, chain), ...failedChain(random, names.splice(0, 4)), ...failedChain(random, names.splice(0, 3))];
  for (const name of names) rows.push([name, 'success', random.pick(names), '']);
  const data = join(folder, 'data');
  mkdirSync(data);
  const shuffled = random.draw(rows, rows.length);
  writeFileSync(join(data, 'jobs.csv'), `${['job,status,upstream,message', ...shuffled.map((row) => row.join(','))].join('\n')}\n`);
  const root = rows[links - 1] ?? [];
  return { links, asked: chain[0] ?? '', root: root[0] ?? '', message: root[3] ?? '' };
}

/** The last of the chain failed by itself; the others name the next one. */
function failedChain(random: SeededRandom, chain: readonly string[]): string[][] {
  return chain.map((name, place) => {
    const upstream = chain[place + 1] ?? '';
    const message = upstream === '' ? `${random.pick(FAULTS)} E${random.between(1_000, 9_999)}` : 'upstream job failed';
    return [name, 'failed', upstream, message];
  });
}

function jobNames(random: SeededRandom, count: number): string[] {
  const names = new Set<string>();
  while (names.size < count) names.add(`${random.pick(KINDS)}_${random.between(0, 65_535).toString(16).padStart(4, '0')}`);
  return [...names];
}
