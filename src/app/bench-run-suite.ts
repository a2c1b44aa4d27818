import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchReport } from '../bench/bench-report.ts';
import type { CellResult } from '../bench/cell.ts';
import { type ArmFacts, accountFairness, type FairnessLine, unfairLines } from '../bench/fairness.ts';
import { makeBenchReport } from '../bench/make-report.ts';
import { choosableNames, planCells } from '../bench/plan-cells.ts';
import type { SuiteSpec } from '../bench/suite-spec.ts';
import { configurationError } from '../config/load-project.ts';
import { SoloistError } from '../core/errors.ts';
import { suggestName } from '../core/nearest.ts';
import type { Scope } from '../core/scope.ts';
import type { BenchRun } from '../store/bench-store.ts';
import { type Arm, factsOfArm, makeArms } from './bench-arms.ts';
import { conditionsOf } from './bench-conditions.ts';
import { findSuite } from './bench-find-suite.ts';
import { fingerprintOf } from './bench-fingerprint.ts';
import { type LoadedSuite, loadSuite } from './bench-load-suite.ts';
import { createBenchModels } from './bench-models.ts';
import { type Bench, runCells } from './bench-run-cells.ts';
import { VERSION } from './version.ts';
import { openWorkspace } from './workspace.ts';

export interface BenchRequest {
  /** Path of a suite, or its name. */
  readonly suite: string;
  /** The user's project: its log keeps the results, its settings of models hold. */
  readonly folder: string;
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly model?: string;
  readonly only: readonly string[];
  /** Designs that a rule of `--fail-under` names. */
  readonly gated?: readonly string[];
  readonly concurrency: number;
  /** Begins anew though an unfinished run is there. */
  readonly fresh: boolean;
  /** Stops the suite; cells under way are dropped, finished ones are kept. */
  readonly scope: Scope;
  readonly onStart?: (start: BenchStart) => void;
  readonly onCell?: (result: CellResult, done: readonly CellResult[]) => void;
}

export interface BenchStart {
  readonly suite: SuiteSpec;
  readonly run: string;
  /** Cells that an earlier try has finished. */
  readonly kept: readonly CellResult[];
  readonly planned: number;
  readonly fairness: readonly FairnessLine[];
}

export interface BenchOutcome {
  readonly report: BenchReport;
  /** False when it was stopped before its last cell. */
  readonly finished: boolean;
}

/**
 * Runs a suite, or goes on with an unfinished run of the same one, and answers its report.
 *
 * @throws SoloistError `configuration` for faults of the suite and for designs that are not comparable; `usage` for an
 * unknown suite or name in `only`; `store_unusable`.
 */
export async function runBench(request: BenchRequest): Promise<BenchOutcome> {
  const { folder, cwd, environment } = request;
  const loaded = await loadSuite(findSuite(request.suite, folder, cwd), cwd, environment);
  const { suite } = loaded;
  const own = await openWorkspace({ folder, sourceFlags: [], environment });
  await own.close();
  const project = suite.project ?? (existsSync(join(suite.folder, 'soloist.yaml')) ? suite.folder : folder);
  const opened = await openWorkspace({
    folder: project,
    sourceFlags: [],
    environment: { ...environment, SOLOIST_HOME: join(own.home, 'bench') },
  });
  const workspace = { ...opened, project: { ...opened.project, models: { ...opened.project.models, ...own.project.models } } };
  const { openBenchStore } = await import('../store/bench-store.ts');
  const store = await openBenchStore({ folder: own.home, tenant: 'local' });
  const models = createBenchModels(workspace);
  try {
    return await runWith({ request, loaded, workspace, store, models });
  } finally {
    await models.close();
    store.close();
    await opened.close();
  }
}

async function runWith(bench: Bench): Promise<BenchOutcome> {
  const { request, loaded, workspace, store } = bench;
  const { suite, document } = loaded;
  refuseUnknownNames(suite, request);
  const made = makeArms({ workspace, suite, document, model: request.model });
  const facts: ArmFacts[] = [];
  for (const arm of made) facts.push(await factsOfArm(workspace, arm));
  const fairness = accountFairness(facts, suite.varies);
  refuseUnfair(loaded, fairness);
  const arms = made.map((arm, index) => withFixedModel(arm, facts[index]));
  const blocks = planCells(suite, request.only);
  const cells = blocks.flatMap((block) => block.cells);
  if (cells.length === 0)
    throw new SoloistError('usage', `--only: no design meets a case in "${request.only.join(',')}"`, {
      fix: 'write a pair as design/case',
    });
  const asked = { models: facts.map(({ models }) => models), only: request.only };
  const run = openRun(bench, { fingerprint: fingerprintOf(workspace, suite, { arms, asked }), planned: cells.length });
  const kept = store.cells(run.run).map(({ result }) => JSON.parse(result) as CellResult);
  request.onStart?.({ suite, run: run.run, kept, planned: cells.length, fairness });
  const { results, warmUps } = await runCells(bench, { run, arms, blocks, kept });
  const finished = results.length >= cells.length;
  if (finished) store.finish(run.run, Date.now());
  const head = {
    run: run.run,
    startedAt: new Date(run.startedAt).toISOString(),
    version: VERSION,
    cellsPlanned: cells.length,
    fairness,
    conditions: conditionsOf(suite, { results, concurrency: request.concurrency, warmUps }),
    warmUps,
  };
  return { report: makeBenchReport(suite, results, head), finished };
}

function refuseUnknownNames(suite: SuiteSpec, { only, gated = [] }: Pick<BenchRequest, 'only' | 'gated'>): void {
  const designs = suite.designs.map(({ name }) => name);
  const ungated = gated.find((name) => !designs.includes(name));
  if (ungated !== undefined)
    throw new SoloistError('usage', `--fail-under: the suite has no design "${ungated}"`, { fix: suggestName(ungated, designs) });
  const names = choosableNames(suite);
  const unknown = only.flatMap((name) => name.split('/')).find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new SoloistError('usage', `--only: the suite has no design, case or tag "${unknown}"`, { fix: suggestName(unknown, names) });
}

function refuseUnfair({ document }: LoadedSuite, fairness: readonly FairnessLine[]): void {
  const unfair = unfairLines(fairness);
  if (unfair.length === 0) return;
  throw configurationError(
    unfair.map(({ what, detail }) => ({
      where: document.where(['designs'], 'key'),
      fact: `the designs are not comparable: ${what} differs (${detail})`,
      fix: 'make it the same (`tools`, `limits` of a design, `budget` of the suite), or name it under `varies` when it is what is tested',
    })),
  );
}

/** What `auto` means is settled once, so that all cells run on the same model. */
function withFixedModel(arm: Arm, facts: ArmFacts | undefined): Arm {
  const only = facts?.models.length === 1 ? facts.models[0] : undefined;
  return arm.asked === undefined && only !== undefined ? { ...arm, asked: only } : arm;
}

function openRun({ request, loaded, store }: Bench, { fingerprint, planned }: { fingerprint: string; planned: number }): BenchRun {
  const known = request.fresh ? undefined : store.unfinished(fingerprint);
  if (known) return known;
  const run: BenchRun = {
    run: `b-${Date.now().toString(36)}-${randomBytes(2).toString('hex')}`,
    suite: loaded.suite.name,
    fingerprint,
    startedAt: Date.now(),
    finishedAt: null,
    version: VERSION,
    planned,
    warmUps: '[]',
  };
  store.begin(run);
  return run;
}
