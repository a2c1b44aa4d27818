import type { CellResult } from '../bench/cell.ts';
import { shareWithInterval, whole } from '../bench/report/format-values.ts';
import { summarise } from '../bench/summarise.ts';
import { SoloistError } from '../core/errors.ts';
import { suggestName } from '../core/nearest.ts';
import { openWorkspace, type WorkspaceOptions } from './workspace.ts';

/** What `soloist bench history --json` prints; a public shape, newest run first. */
export interface BenchHistory {
  readonly runs: readonly PastRun[];
}

export interface PastRun {
  readonly run: string;
  readonly suite: string;
  readonly startedAt: string;
  readonly finished: boolean;
  readonly version: string;
  readonly cells: number;
  readonly planned: number;
  readonly designs: readonly PastDesign[];
}

export interface PastDesign {
  readonly design: string;
  readonly timing: CellResult['timing'];
  readonly models: readonly string[];
  readonly passed: number;
  readonly cells: number;
  readonly success: { readonly value: number; readonly low: number; readonly high: number };
  readonly tokens: number;
  readonly wallMs: number;
}

/** The runs of suites that the project's log keeps; of one suite where it is named. */
export async function readHistory(options: WorkspaceOptions, suite: string | undefined, limit: number): Promise<BenchHistory> {
  const workspace = await openWorkspace(options);
  await workspace.close();
  const { openBenchStore } = await import('../store/bench-store.ts');
  const store = await openBenchStore({ folder: workspace.home, tenant: 'local' });
  try {
    const all = store.runs(100_000);
    const runs = all.filter((one) => suite === undefined || one.suite === suite);
    if (suite !== undefined && runs.length === 0 && all.length > 0) {
      const names = [...new Set(all.map((one) => one.suite))];
      throw new SoloistError('not_found', `no suite "${suite}" has been run here`, { fix: suggestName(suite, names) });
    }
    return {
      runs: runs.slice(0, limit).map(({ run, suite: name, startedAt, finishedAt, version, planned }) => {
        const cells = store.cells(run).map(({ result }) => JSON.parse(result) as CellResult);
        return {
          run,
          suite: name,
          startedAt: new Date(startedAt).toISOString(),
          finished: finishedAt !== null,
          version,
          cells: cells.length,
          planned,
          designs: designsOf(cells),
        };
      }),
    };
  } finally {
    store.close();
  }
}

function designsOf(cells: readonly CellResult[]): PastDesign[] {
  const kinds = [...new Set(cells.map(({ design, timing }) => `${timing} ${design}`))].sort();
  return kinds.map((kind) => {
    const own = cells.filter(({ design, timing }) => `${timing} ${design}` === kind);
    const {
      design,
      passed,
      success = { value: 0, low: 0, high: 1 },
      inputTokens,
      outputTokens,
      wallMs,
    } = summarise(own[0]?.design ?? '', own);
    const models = [...new Set(own.map(({ model }) => model))].filter((model) => model !== '');
    const tokens = Math.round(inputTokens + outputTokens);
    return {
      design,
      timing: own[0]?.timing ?? 'simulated',
      models,
      passed,
      cells: own.length,
      success,
      tokens,
      wallMs: Math.round(wallMs),
    };
  });
}

export function renderHistory({ runs }: BenchHistory): string {
  if (runs.length === 0) return 'No suite has been run here yet.\n';
  const blocks = runs.map((run) => {
    const state = run.finished ? '' : `, not finished (${run.cells} of ${run.planned} runs)`;
    const lines = run.designs.map(
      ({ design, timing, models, success, passed, cells, tokens, wallMs }) =>
        `  ${design}: success ${shareWithInterval(success)} (${passed} of ${cells}), ${whole(tokens)} tokens, ${(wallMs / 1000).toFixed(1)} s ${timing}, ${models.join(', ')}`,
    );
    return [`${run.startedAt}  ${run.suite}  ${run.run}${state}`, ...lines].join('\n');
  });
  return `${blocks.join('\n\n')}\n`;
}
