/**
 * A time given by the caller, as ISO 8601 UTC with microseconds, the form in which sources give theirs. A text without a
 * zone is taken as UTC, a date as its first moment. Undefined for what is no time.
 */
export function readMoment(text: string): string | undefined {
  const match = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?(?:\.\d{1,9})?)\s*(Z|[+-]\d{2}:?\d{2})?)?$/.exec(text.trim());
  if (!match) return undefined;
  const [, day = '', clock = '00:00', zone = 'Z'] = match;
  const at = Date.parse(`${day}T${clock}${zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone}`);
  if (Number.isNaN(at)) return undefined;
  const fraction = (/\.(\d+)/.exec(clock)?.[1] ?? '').padEnd(6, '0');
  return `${new Date(at).toISOString().slice(0, 19)}.${fraction}Z`;
}
