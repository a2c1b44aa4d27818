/**
 * A time as ISO 8601 in UTC with microseconds, so that times compare as text; null for what is no time. A text without a
 * zone is taken as UTC, a date as its first moment. Digits beyond microseconds are kept.
 */
export function utcTime(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const match = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d{2}:?\d{2})?$/.exec(value.trim());
  if (!match) return null;
  const [, day = '', clock = '00:00', fraction = '', zone = 'Z'] = match;
  const seconds = clock.length === 5 ? `${clock}:00` : clock;
  const offset = zone === 'Z' || zone.includes(':') ? zone : `${zone.slice(0, 3)}:${zone.slice(3)}`;
  const at = Date.parse(`${day}T${seconds}${offset}`);
  if (Number.isNaN(at)) return null;
  return `${new Date(at).toISOString().slice(0, 19)}.${fraction.padEnd(6, '0')}Z`;
}
