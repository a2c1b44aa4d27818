import pLimit from 'p-limit';
import type { WarmUp } from '../bench/bench-report.ts';
import { type CellResult, cellKey } from '../bench/cell.ts';
import type { CellBlock, PlannedCell } from '../bench/plan-cells.ts';
import type { ChatModel } from '../core/model.ts';
import type { BenchRun, BenchStore } from '../store/bench-store.ts';
import type { Arm } from './bench-arms.ts';
import { type BlockKeeper, createBlockKeeper, type OpenBlock } from './bench-blocks.ts';
import type { LoadedSuite } from './bench-load-suite.ts';
import { type BenchModels, pricesOf } from './bench-models.ts';
import { openPast } from './bench-past-sessions.ts';
import { runCell } from './bench-run-cell.ts';
import type { BenchRequest } from './bench-run-suite.ts';
import { warmUp } from './bench-warm-up.ts';
import type { Workspace } from './workspace.ts';

/** A suite made ready to run. */
export interface Bench {
  readonly request: BenchRequest;
  readonly loaded: LoadedSuite;
  /** The project of the suite, without any case's sources. */
  readonly workspace: Workspace;
  readonly store: BenchStore;
  readonly models: BenchModels;
}

export interface CellWork {
  readonly run: BenchRun;
  readonly arms: readonly Arm[];
  readonly blocks: readonly CellBlock[];
  /** Cells that an earlier try has finished. */
  readonly kept: readonly CellResult[];
}

/** Runs the cells that are not kept yet and stores each as it ends; answers all that are there when it is over or stopped. */
export async function runCells(
  bench: Bench,
  { run, arms, blocks, kept }: CellWork,
): Promise<{ readonly results: readonly CellResult[]; readonly warmUps: readonly WarmUp[] }> {
  const { request } = bench;
  const done = new Set(kept.map(cellKey));
  const open = blocks.flatMap((block) => block.cells.filter(({ place }) => !done.has(cellKey(place))).map((cell) => ({ block, cell })));
  const left = new Map(blocks.map((block) => [block, open.filter((one) => one.block === block).length]));
  const keeper = await keepBlocks(bench, left);
  const limit = pLimit(request.concurrency);
  const results = [...kept];
  let fault: unknown;
  try {
    const { warmUps, judge } = await readyModels(bench, { run, arms, cells: open.map(({ cell }) => cell) });
    const play = async (block: CellBlock, cell: PlannedCell): Promise<void> => {
      if (request.scope.stopped || fault !== undefined) return;
      try {
        const result = await playCell(bench, { block, cell, arms, keeper, judge });
        if (!result) return;
        store(bench.store, run, result);
        results.push(result);
        request.onCell?.(result, results);
      } catch (error) {
        fault ??= error;
      } finally {
        await keeper.release(block);
      }
    };
    await Promise.all(open.map(({ block, cell }) => limit(() => play(block, cell))));
    if (fault !== undefined) throw fault;
    return { results, warmUps };
  } finally {
    await keeper.close();
  }
}

async function keepBlocks({ loaded, workspace }: Bench, left: ReadonlyMap<CellBlock, number>): Promise<BlockKeeper> {
  return createBlockKeeper({ suiteFolder: loaded.suite.folder, workspace, log: await workspace.openLog() }, left);
}

interface CellPlay {
  readonly block: CellBlock;
  readonly cell: PlannedCell;
  readonly arms: readonly Arm[];
  readonly keeper: BlockKeeper;
  readonly judge: ChatModel | undefined;
}

async function playCell(bench: Bench, play: CellPlay): Promise<CellResult | undefined> {
  const { block, cell, arms, keeper } = play;
  const arm = arms.find((one) => one.design === cell.design);
  if (!arm) return undefined;
  const opened = await keeper.open(block);
  if (!cell.design.memory) return playArm(bench, { ...play, arm, opened });
  const past = await openPast(opened);
  try {
    const result = await playArm(bench, { ...play, arm, opened: { ...opened, workspace: past.workspace } });
    if (result) await past.keep(result.session, await opened.workspace.openLog());
    return result;
  } finally {
    await past.close();
  }
}

type ArmPlay = CellPlay & { readonly arm: Arm; readonly opened: OpenBlock };

async function playArm(
  { request, loaded, workspace, models }: Bench,
  { cell: { place, design }, arm, opened: { data, workspace: own }, judge }: ArmPlay,
): Promise<CellResult | undefined> {
  const model = await models.modelFor(arm.agent, arm.asked, place.seed);
  return runCell({
    place,
    workspace: own,
    agent: arm.agent,
    modelFor: (agent) => models.modelFor(agent, arm.asked, place.seed),
    data,
    question: design.appends === undefined ? data.task : `${data.task}\n\n${data.fill(design.appends)}`,
    withMemory: design.memory,
    timing: model.kind === 'model' ? 'measured' : 'simulated',
    speed: loaded.suite.simulate,
    priceOf: pricesOf(workspace, loaded.suite),
    judge,
    scope: request.scope,
  });
}

function store(kept: BenchStore, { run }: BenchRun, result: CellResult): void {
  const { design, seed, repeat, session, timing, passed } = result;
  const cell = { design, caseId: result.case, seed, repeat, session, timing, passed };
  kept.record(run, { ...cell, finishedAt: Date.now(), result: JSON.stringify(result) });
}

/** Warms up each model once, and finds the judge. Warm-ups of the tries before stay on record. */
async function readyModels(
  { request, loaded, models, store: kept }: Bench,
  { run, arms, cells }: { readonly run: BenchRun; readonly arms: readonly Arm[]; readonly cells: readonly PlannedCell[] },
): Promise<{ readonly warmUps: readonly WarmUp[]; readonly judge: ChatModel | undefined }> {
  const warmUps = JSON.parse(run.warmUps) as WarmUp[];
  const { judge } = loaded.suite;
  const [first] = arms;
  const judging = judge !== undefined && first && cells.length > 0 ? await models.modelFor(first.agent, judge, 0) : undefined;
  const warm = new Set<string>();
  for (const { design, place } of cells) {
    const arm = arms.find((one) => one.design === design);
    if (!arm || request.scope.stopped) continue;
    const model = await models.modelFor(arm.agent, arm.asked, place.seed);
    if (model.kind !== 'model' || warm.has(model.id)) continue;
    warm.add(model.id);
    warmUps.push(await warmUp(model, request.scope));
    kept.setWarmUps(run.run, JSON.stringify(warmUps));
  }
  return { warmUps, judge: judging };
}
