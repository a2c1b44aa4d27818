import { counted } from '../core/counted.ts';
import type { Difference, Metric } from './bench-report.ts';
import { LEAST_PAIRS, pairsToTell } from './statistics/paired.ts';
import type { Estimate } from './statistics/proportions.ts';

const WORDS: Readonly<Record<Metric, string>> = {
  wallMs: 'wall time',
  tokens: 'tokens',
  peakOrchestrator: 'peak context',
  modelCalls: 'model calls',
  cost: 'cost',
};

const COUNTED: ReadonlySet<Metric> = new Set(['tokens', 'modelCalls']);

/** More runs than anybody makes. */
const MOST_NAMED = 1_000;

type Direction = 'less' | 'more' | 'same' | 'untold';

/** A difference in one sentence of plain words, with intervals and, where nothing can be told, how many pairs would. */
export function verdictOf(difference: Difference): string {
  const { tag, design, baseline, pairs } = difference;
  const where = tag === 'all' ? 'Over all tasks' : `On *${tag}* tasks`;
  if (pairs < LEAST_PAIRS) {
    const needed = LEAST_PAIRS - pairs;
    return `${where} there are not enough runs to tell ${design} from ${baseline}: ${counted(pairs, 'pair')} of the ${LEAST_PAIRS} that an interval needs; ${needed} more would do for costs, ${difference.pairsForSuccess} in all for success.`;
  }
  const told = (['wallMs', 'tokens', 'peakOrchestrator'] as const).flatMap((metric) => tell(difference, metric) ?? []);
  const words = enumerate(told.map((one) => one.words));
  const success = successWords(difference);
  const lead = leadOf(difference, { told, success: success.direction });
  const end = `${success.words} (${counted(pairs, 'pair')}).`;
  if (lead === undefined) return `${where} ${design} takes ${words}, compared with ${baseline}, ${end}`;
  const how = lead.inAll ? 'is better in all' : 'is faster and takes fewer tokens';
  if (lead.of === baseline) return `${where} ${baseline} ${how}: ${design} takes ${words}, ${end}`;
  return `${where} ${design} ${how}: it takes ${words}, compared with ${baseline}, ${end}`;
}

interface Told {
  readonly direction: Direction;
  readonly words: string;
}

/** Who is ahead in wall time and tokens without falling behind in success, and whether in the size of the window too. */
function leadOf(
  { design, baseline, passed, baselinePassed }: Difference,
  { told, success }: { readonly told: readonly Told[]; readonly success: Direction },
): { readonly of: string; readonly inAll: boolean } | undefined {
  const [wall, tokens, peak] = told.map(({ direction }) => direction);
  if (wall !== tokens) return undefined;
  if (wall === 'more' && success !== 'more' && passed <= baselinePassed) return { of: baseline, inAll: peak !== 'less' };
  if (wall === 'less' && success !== 'less' && passed >= baselinePassed) return { of: design, inAll: peak !== 'more' };
  return undefined;
}

/** `61 % [55, 66] less wall time`, `2.1 times [2.0, 2.2] the tokens`. */
function tell({ ratios, pairs }: Difference, metric: Metric): Told | undefined {
  const ratio = ratios[metric];
  if (!ratio) return undefined;
  const direction = directionOf(ratio);
  const word = WORDS[metric];
  if (direction === 'same') return { direction, words: `the same ${word}` };
  if (direction === 'less') {
    const [value, low, high] = [ratio.value, ratio.high, ratio.low].map((one) => Math.round((1 - one) * 100));
    return { direction, words: `${value} % [${low}, ${high}] ${COUNTED.has(metric) ? 'fewer' : 'less'} ${word}` };
  }
  const shown = `${times(ratio.value)} times [${times(ratio.low)}, ${times(ratio.high)}] the ${word}`;
  if (direction === 'more') return { direction, words: shown };
  const needed = pairsToTell(ratio, 1, pairs);
  return { direction, words: `${shown} (not told apart${neededWords(needed)})` };
}

function neededWords(needed: number | undefined): string {
  if (needed === undefined) return '';
  return needed > MOST_NAMED ? `; not even ${MOST_NAMED} pairs would tell` : `; about ${needed} pairs would tell`;
}

function directionOf({ value, low, high }: Estimate): Direction {
  if (low === 1 && high === 1 && value === 1) return 'same';
  return high < 1 ? 'less' : low > 1 ? 'more' : 'untold';
}

function successWords(difference: Difference): Told {
  const { success, passed, baselinePassed, pairs, pairsForSuccess } = difference;
  if (!success) return { direction: 'untold', words: 'with no success to compare' };
  const counts = `${passed} against ${baselinePassed} of ${pairs}`;
  const interval = `[${points(success.low)}, ${points(success.high)}]`;
  if (success.low > 0) return { direction: 'more', words: `with ${points(success.value)} points ${interval} more success (${counts})` };
  if (success.high < 0)
    return {
      direction: 'less',
      words: `with ${points(-success.value)} points [${points(-success.high)}, ${points(-success.low)}] less success (${counts})`,
    };
  const enough = pairs >= pairsForSuccess;
  const more = enough ? '' : `; ${pairsForSuccess} pairs would tell a difference of 5 points`;
  if (passed === baselinePassed) return { direction: 'same', words: `at equal success (${passed} of ${pairs} each${more})` };
  return { direction: 'untold', words: `success not told apart (${counts}, ${points(success.value)} points ${interval}${more})` };
}

function points(share: number): string {
  const rounded = Math.round(share * 100);
  return String(rounded === 0 ? 0 : rounded);
}

function times(value: number): string {
  return value >= 10 ? value.toFixed(0) : value >= 0.995 ? value.toFixed(2).replace(/0$/, '') : value.toFixed(2);
}

function enumerate(parts: readonly string[]): string {
  return parts.length > 1 ? `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}` : (parts[0] ?? 'nothing that could be compared');
}
