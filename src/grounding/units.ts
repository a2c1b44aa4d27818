import { wordsOf } from './label-words.ts';

/** What a number is measured in, as far as it matters for comparing; `time` is a span without a stated unit. */
export type Unit = 'ns' | 'us' | 'ms' | 's' | 'min' | 'h' | 'd' | 'week' | 'time' | '%' | 'points' | 'ratio' | 'bytes' | 'cents' | 'money';

const SECONDS: Readonly<Partial<Record<Unit, number>>> = {
  ns: 1e-9,
  us: 1e-6,
  ms: 1e-3,
  s: 1,
  time: 1,
  min: 60,
  h: 3600,
  d: 86_400,
  week: 604_800,
};

/** Seconds in one of this unit; `undefined` for what is no span of time. */
export function secondsIn(unit: Unit | undefined): number | undefined {
  return unit === undefined ? undefined : SECONDS[unit];
}

const WRITTEN: Readonly<Record<string, Unit>> = {
  ns: 'ns',
  nanosecond: 'ns',
  us: 'us',
  µs: 'us',
  microsecond: 'us',
  ms: 'ms',
  millisecond: 'ms',
  milli: 'ms',
  millis: 'ms',
  s: 's',
  sec: 's',
  secs: 's',
  second: 's',
  sekunde: 's',
  sekunden: 's',
  min: 'min',
  mins: 'min',
  minute: 'min',
  minuten: 'min',
  h: 'h',
  hr: 'h',
  hrs: 'h',
  hour: 'h',
  std: 'h',
  stunde: 'h',
  stunden: 'h',
  d: 'd',
  day: 'd',
  tag: 'd',
  tage: 'd',
  tagen: 'd',
  week: 'week',
  '%': '%',
  percent: '%',
  pct: '%',
  percentage: '%',
  prozent: '%',
  pp: 'points',
  '×': 'ratio',
  x: 'ratio',
  times: 'ratio',
  fold: 'ratio',
  mal: 'ratio',
  fach: 'ratio',
  byte: 'bytes',
  b: 'bytes',
  kb: 'bytes',
  mb: 'bytes',
  gb: 'bytes',
  tb: 'bytes',
  kib: 'bytes',
  mib: 'bytes',
  gib: 'bytes',
  '€': 'money',
  eur: 'money',
  euro: 'money',
  $: 'money',
  usd: 'money',
  dollar: 'money',
  '£': 'money',
  gbp: 'money',
  cent: 'cents',
};

const BYTES: Readonly<Record<string, readonly number[]>> = {
  kb: [1e3, 1024],
  mb: [1e6, 1024 ** 2],
  gb: [1e9, 1024 ** 3],
  tb: [1e12, 1024 ** 4],
  kib: [1024],
  mib: [1024 ** 2],
  gib: [1024 ** 3],
};

const SCALES: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  tsd: 1e3,
  tausend: 1e3,
  m: 1e6,
  mio: 1e6,
  mn: 1e6,
  million: 1e6,
  millionen: 1e6,
  bn: 1e9,
  billion: 1e9,
  mrd: 1e9,
};

/** The unit that a word behind a number names, singular or plural. */
export function unitOfWord(word: string): Unit | undefined {
  const lower = word.toLowerCase();
  return WRITTEN[lower] ?? (lower.length > 3 && lower.endsWith('s') ? WRITTEN[lower.slice(0, -1)] : undefined);
}

/** Factors that `KB` or `GiB` may stand for. */
export function byteFactors(word: string): readonly number[] {
  return BYTES[word.toLowerCase()] ?? [1];
}

/** What `k`, `million`, `Mio` multiply by. */
export function scaleOfWord(word: string): number | undefined {
  if (word === 'M' || word === 'm') return word === 'M' ? 1e6 : undefined;
  const lower = word.toLowerCase();
  return SCALES[lower] ?? (lower.length > 4 && lower.endsWith('s') ? SCALES[lower.slice(0, -1)] : undefined);
}

const SPAN_NAMES: ReadonlySet<string> = new Set(
  'duration elapsed latency runtime took execution lag lateness delay age timeout interval wait waited waiting'.split(' '),
);

/** Words behind the unit in the name of a field: `task_s_sum`, `wait_ms_p95`. */
const STATISTIC = /^(?:sum|total|max|min|mean|median|avg|average|p\d*|stddev|first|last|before|after)$/;

/** True for a name that says how values were put together, and not which. */
export function isStatistic(name: string): boolean {
  return wordsOf(name).every((word) => STATISTIC.test(word));
}

/** The unit that a field's name tells: `_s`, `task_s_sum`, `seconds_at_max`, `size_mb`, `duration_ratio`. */
export function unitOfName(name: string): { readonly unit: Unit; readonly factor: number } | undefined {
  const named = wordsOf(name);
  const measured = named.findLastIndex((word) => !STATISTIC.test(word));
  const words = named.slice(0, Math.max(measured, 0) + 1);
  const last = words.at(-1) ?? '';
  const ending = ['s', 'd', 'h', 'b', 'min', 'x', 'm'].includes(last) && words.length === 1 ? undefined : unitOfWord(last);
  if (ending && last !== 'x' && last !== 'day' && last !== 'days')
    return { unit: ending, factor: ending === 'bytes' ? (byteFactors(last)[0] ?? 1) : 1 };
  for (const word of words) {
    if (/^(?:seconds?|minutes?|hours?|milliseconds?|nanoseconds?|percent|pct|cents|bytes)$/.test(word))
      return { unit: unitOfWord(word) ?? 'time', factor: 1 };
  }
  if (words.some((word) => ['ratio', 'share', 'fraction', 'factor', 'rate', 'proportion'].includes(word)))
    return { unit: 'ratio', factor: 1 };
  if (words.some((word) => SPAN_NAMES.has(word)) && !words.some((word) => ['count', 'rows', 'tasks', 'runs'].includes(word)))
    return { unit: 'time', factor: 1 };
  return undefined;
}
