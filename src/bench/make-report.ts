import type { BenchReport, Difference, ReportGroup } from './bench-report.ts';
import type { CellResult, Timing } from './cell.ts';
import { compareCells, pairCells } from './compare-designs.ts';
import type { CaseSpec, SuiteSpec } from './suite-spec.ts';
import { summarise, summariseCases } from './summarise.ts';
import { verdictOf } from './verdict.ts';

export type ReportHead = Pick<BenchReport, 'run' | 'startedAt' | 'version' | 'cellsPlanned' | 'fairness' | 'conditions' | 'warmUps'>;

/** The report of the cells there are, finished or not. */
export function makeBenchReport(suite: SuiteSpec, cells: readonly CellResult[], head: ReportHead): BenchReport {
  const inOrder = orderCells(suite, cells);
  return {
    format: 'soloist-bench-1',
    suite: suite.name,
    about: suite.about,
    claim: suite.claim,
    ...head,
    baseline: suite.baseline,
    designs: suite.designs.map(({ name, about }) => ({ name, about })),
    ...(suite.axis === undefined ? {} : { axis: suite.axis }),
    seeds: suite.seeds,
    repeat: suite.repeat,
    simulate: suite.simulate,
    ...(suite.price ? { price: suite.price } : {}),
    ...(suite.judge === undefined ? {} : { judge: suite.judge }),
    groups: (['simulated', 'measured'] as const).flatMap((timing) => groupOf(suite, inOrder, timing)),
    cells: inOrder,
  };
}

/** In the order of the file, so that the same cells give the same report whatever order they ran in. */
function orderCells(suite: SuiteSpec, cells: readonly CellResult[]): CellResult[] {
  const cases = new Map(suite.cases.map(({ id }, place) => [id, place]));
  const designs = new Map(suite.designs.map(({ name }, place) => [name, place]));
  const seeds = new Map(suite.seeds.map((seed, place) => [seed, place]));
  const placeOf = (cell: CellResult): number[] => [
    cases.get(cell.case) ?? 0,
    seeds.get(cell.seed) ?? 0,
    cell.repeat,
    designs.get(cell.design) ?? 0,
  ];
  return [...cells].sort((left, right) => {
    const mine = placeOf(left);
    const differing = placeOf(right).map((place, index) => (mine[index] ?? 0) - place);
    return differing.find((one) => one !== 0) ?? 0;
  });
}

function groupOf(suite: SuiteSpec, all: readonly CellResult[], timing: Timing): ReportGroup[] {
  const cells = all.filter((cell) => cell.timing === timing);
  if (cells.length === 0) return [];
  const designs = suite.designs.map(({ name }) => name).filter((name) => cells.some(({ design }) => design === name));
  const differences = differencesOf(suite, cells, designs);
  return [
    {
      timing,
      designs: designs.map((name) =>
        summarise(
          name,
          cells.filter(({ design }) => design === name),
        ),
      ),
      cases: summariseCases(designs, suite.cases, cells),
      differences,
      verdicts: differences.map(verdictOf),
    },
  ];
}

/** Each tag first, then all tasks together. */
function differencesOf(suite: SuiteSpec, cells: readonly CellResult[], designs: readonly string[]): Difference[] {
  const { baseline } = suite;
  if (!designs.includes(baseline)) return [];
  return tagsOf(suite.cases).flatMap(({ tag, cases }) => {
    const own = cells.filter((cell) => cases.has(cell.case));
    const others = own.filter(({ design }) => design === baseline);
    return designs
      .filter((design) => design !== baseline)
      .flatMap((design) => {
        const mine = own.filter((cell) => cell.design === design);
        const pairs = pairCells(mine, others);
        return pairs.length === 0 ? [] : [compareCells(pairs, { tag, design, baseline })];
      });
  });
}

function tagsOf(cases: readonly CaseSpec[]): readonly { readonly tag: string; readonly cases: ReadonlySet<string> }[] {
  const tags = [...new Set(cases.flatMap((one) => one.tags))];
  const named = tags.map((tag) => ({ tag, cases: new Set(cases.filter((one) => one.tags.includes(tag)).map(({ id }) => id)) }));
  const all = { tag: 'all', cases: new Set(cases.map(({ id }) => id)) };
  return named.length === 1 && named[0]?.cases.size === all.cases.size ? named : [...named, all];
}
