/** The middle value (mean of the two middle ones); null for no values. */
export function median(values: readonly number[]): number | null {
  return quantile(values, 0.5);
}

/** The quantile by linear interpolation between order statistics (type 7, as numpy and R do by default). */
export function quantile(values: readonly number[], share: number): number | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort((left, right) => left - right);
  const at = (sorted.length - 1) * share;
  const below = sorted[Math.floor(at)] ?? 0;
  const above = sorted[Math.ceil(at)] ?? below;
  return below + (above - below) * (at - Math.floor(at));
}

/** To one decimal: seconds as they are shown. */
export function seconds(value: number | null): number | null {
  return value === null ? null : Math.round(value * 10) / 10;
}

/** Seconds to a millisecond: a single task's own figure. */
export function milliseconds(value: number | null): number | null {
  return value === null ? null : Math.round(value * 1000) / 1000;
}

/** To whole seconds: sums over many tasks. */
export function wholeSeconds(value: number | null): number | null {
  return value === null ? null : Math.round(value);
}

/** To two decimals; null when there is nothing to divide by. */
export function ratio(value: number | null, by: number | null): number | null {
  return value === null || by === null || by === 0 ? null : Math.round((value / by) * 100) / 100;
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
