import { type CellPlace, pairKey } from './cell.ts';
import { createRandom, seedFrom, shuffle } from './statistics/random.ts';
import type { CaseSpec, DesignSpec, SuiteSpec } from './suite-spec.ts';

/** Cells on the same data: one case with one seed, once, by every design, in an order of its own. */
export interface CellBlock {
  readonly caseSpec: CaseSpec;
  readonly seed: number;
  readonly repeat: number;
  readonly cells: readonly PlannedCell[];
}

export interface PlannedCell {
  readonly place: CellPlace;
  readonly design: DesignSpec;
  readonly caseSpec: CaseSpec;
}

/**
 * All cells of a suite in the order they run. The order of the designs is drawn anew for each case, seed and repeat,
 * from the seed, so that none profits from always being the second on a warm cache.
 *
 * @param only names of designs, cases or tags, or `design/case`; all when empty
 */
export function planCells(suite: SuiteSpec, only: readonly string[]): readonly CellBlock[] {
  const blocks: CellBlock[] = [];
  for (let repeat = 1; repeat <= suite.repeat; repeat++) {
    for (const seed of suite.seeds) {
      for (const caseSpec of suite.cases) {
        const random = createRandom(seedFrom(`${suite.name} ${pairKey({ case: caseSpec.id, seed, repeat })}`));
        const cells = shuffle(suite.designs, random)
          .filter((design) => isChosen(suite, { design, caseSpec }, only))
          .map((design) => ({ place: { design: design.name, case: caseSpec.id, seed, repeat }, design, caseSpec }));
        if (cells.length > 0) blocks.push({ caseSpec, seed, repeat, cells });
      }
    }
  }
  return blocks;
}

/** Names that `--only` may hold. */
export function choosableNames(suite: SuiteSpec): string[] {
  const cases = suite.cases.flatMap(({ id, tags }) => [id, ...tags]);
  return [...new Set([...suite.designs.map(({ name }) => name), ...cases])];
}

interface Candidate {
  readonly design: DesignSpec;
  readonly caseSpec: CaseSpec;
}

/** A cell has to fit one of the designs named, if any is, and one of the cases or tags named, if any is; or be named itself. */
function isChosen(suite: SuiteSpec, { design, caseSpec }: Candidate, only: readonly string[]): boolean {
  const designs = new Set(suite.designs.map(({ name }) => name));
  const pairs = only.filter((name) => name.includes('/'));
  if (pairs.includes(`${design.name}/${caseSpec.id}`)) return true;
  const plain = only.filter((name) => !name.includes('/'));
  if (plain.length === 0) return pairs.length === 0;
  const named = plain.filter((name) => designs.has(name));
  const kinds = plain.filter((name) => !designs.has(name));
  const fitsDesign = named.length === 0 || named.includes(design.name);
  return fitsDesign && (kinds.length === 0 || kinds.includes(caseSpec.id) || caseSpec.tags.some((tag) => kinds.includes(tag)));
}
