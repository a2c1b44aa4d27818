import type { WarmUp } from '../bench/bench-report.ts';
import type { CellResult } from '../bench/cell.ts';
import type { SuiteSpec } from '../bench/suite-spec.ts';

export interface RunConditions {
  readonly results: readonly CellResult[];
  readonly concurrency: number;
  readonly warmUps: readonly WarmUp[];
}

/** How a suite was run, in sentences that a reader of its figures has to know. */
export function conditionsOf(suite: SuiteSpec, { results, concurrency, warmUps }: RunConditions): readonly string[] {
  const has = (timing: CellResult['timing']): boolean => results.some((cell) => cell.timing === timing);
  const seeds = `${suite.seeds.length} ${suite.seeds.length === 1 ? 'seed' : 'seeds'} (${suite.seeds.join(', ')})`;
  const times = suite.repeat === 1 ? 'once' : `${suite.repeat} times`;
  return [
    `Each case is run ${times} by every design with ${seeds}; the order of the designs is drawn anew for each case and seed.`,
    ...(has('simulated') ? [simulatedSentence(suite)] : []),
    ...(has('measured') ? measuredSentences(warmUps, concurrency) : []),
    ...(suite.judge === undefined ? [] : [`Some checks were answered by a model as judge: ${suite.judge}.`]),
  ];
}

function simulatedSentence({ simulate }: SuiteSpec): string {
  const { promptTokensPerSecond, outputTokensPerSecond, slots, toolMs, toolsAtOnce, cache } = simulate;
  const cached =
    cache === 'prefix'
      ? 'a prompt cache that holds what the same conversation sent or got before and nothing else'
      : 'no prompt cache: every prompt is read whole';
  return `Simulated: no model was called. The rules of each agent ran on the real data, so calls, results and windows are real; tokens are estimated at four characters each; time is worked out from ${promptTokensPerSecond} prompt tokens and ${outputTokensPerSecond} output tokens a second in each of ${slots} slots, ${toolMs} ms for every tool call with ${toolsAtOnce} at once, and ${cached}.`;
}

function measuredSentences(warmUps: readonly WarmUp[], concurrency: number): string[] {
  const failed = warmUps.flatMap(({ model, failure }) => (failure === undefined ? [] : [`${model}: ${failure}`]));
  return [
    'Measured: tokens are those that the model server counted; its prompt cache is its own and the same for all designs.',
    `Each model was called once before the first cell (${warmUps.map(({ model }) => model).join(', ') || 'not needed'}); that call counts for no design.`,
    ...(failed.length > 0 ? [`The call before the first cell failed: ${failed.join('; ')}.`] : []),
    ...(concurrency > 1 ? [`${concurrency} cells ran at once, so that wall times hold waiting for one another.`] : []),
  ];
}
