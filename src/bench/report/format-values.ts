import type { Estimate } from '../statistics/proportions.ts';

/** A whole number with a comma at every third digit. */
export function whole(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** A mean of counts: whole from ten on, else with one decimal where it is not whole. */
export function mean(value: number): string {
  return value >= 10 || Number.isInteger(value) ? whole(value) : value.toFixed(1);
}

export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}

export function percent(share: number): string {
  return String(Math.round(share * 100));
}

/** `92 % [78, 97]`. */
export function shareWithInterval(estimate: Estimate | undefined): string {
  if (!estimate) return '–';
  return `${percent(estimate.value)} % [${percent(estimate.low)}, ${percent(estimate.high)}]`;
}

/** Four significant digits: prices have no currency of their own here. */
export function money(value: number | undefined): string {
  if (value === undefined) return '–';
  return value === 0 ? '0' : value.toPrecision(4).replace(/\.?0+$/, '');
}

/** `1.4 [1.3, 1.5]`, times as much. */
export function ratioWithInterval(estimate: Estimate | undefined): string {
  if (!estimate) return '–';
  return `${estimate.value.toFixed(2)} [${estimate.low.toFixed(2)}, ${estimate.high.toFixed(2)}]`;
}
