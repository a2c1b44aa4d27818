import type { CallUsage } from '../core/usage.ts';

/** `8,474`. */
export function count(number: number): string {
  return String(number).replace(/\B(?=(?:\d{3})+(?!\d))/g, ',');
}

/** `950 ms`, `12.3 s`, `4 min 05 s`. */
export function duration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 120_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;
}

/** `2026-03-17 06:00:00 UTC`. */
export function moment(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** `315 in, 30 out, 1.2 s`; a tilde where the counts are an estimate. */
export function tokens({ inputTokens, outputTokens, totalMs, estimated }: CallUsage): string {
  const about = estimated ? '~' : '';
  const told = inputTokens === undefined && outputTokens === undefined;
  const counts = told ? 'tokens unknown' : `${about}${count(inputTokens ?? 0)} tokens in, ${about}${count(outputTokens ?? 0)} out`;
  return `${counts}, ${duration(totalMs)}`;
}

/** `, cost 0.0123`; nothing where nothing had a price. */
export function costOf({ cost }: { readonly cost?: number }): string {
  return cost === undefined ? '' : `, cost ${Number(cost.toPrecision(3))}`;
}
