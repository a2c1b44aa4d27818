/** A JSON value of unknown shape, read without trust: what is not there, or of another type, is null or empty. */
export interface Reading {
  readonly value: unknown;
  at(key: string): Reading;
  list(key: string): readonly Reading[];
  texts(key: string): readonly string[];
  text(key: string): string | null;
  number(key: string): number | null;
  flag(key: string): boolean | null;
  entries(): readonly (readonly [string, Reading])[];
}

export function read(value: unknown): Reading {
  const fields = value !== null && typeof value === 'object' ? (value as Readonly<Record<string, unknown>>) : {};
  const items = (key: string): readonly unknown[] => {
    const found = fields[key];
    return Array.isArray(found) ? found : [];
  };
  return {
    value,
    at: (key) => read(fields[key]),
    list: (key) => items(key).map(read),
    texts: (key) => items(key).filter((item) => typeof item === 'string'),
    text: (key) => {
      const found = fields[key];
      return typeof found === 'string' ? found : null;
    },
    number: (key) => {
      const found = fields[key];
      return typeof found === 'number' ? found : null;
    },
    flag: (key) => {
      const found = fields[key];
      return typeof found === 'boolean' ? found : null;
    },
    entries: () => Object.entries(fields).map(([key, item]) => [key, read(item)] as const),
  };
}

/** A figure as the tool gave it; what no tool gave is unknown. */
export function figure(value: number | string | null | undefined, unit = ''): string {
  return value === null || value === undefined ? 'unknown' : `${value}${unit}`;
}

/** Seconds as the tool gave them; where they are many, also as one says them: `6494.8 s (1 h 48 min)`. */
export function lasting(seconds: number | null | undefined): string {
  if (typeof seconds !== 'number' || seconds < 600) return figure(seconds, ' s');
  const minutes = Math.round(seconds / 60);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return `${seconds} s (${[hours > 0 ? `${hours} h` : '', rest > 0 ? `${rest} min` : ''].filter(Boolean).join(' ')})`;
}

/** `a, b and c`, or `a, b, c and 4 more`. */
export function enumerate(items: readonly string[], most = 6, total = items.length): string {
  if (total > Math.min(most, items.length)) return `${items.slice(0, most).join(', ')} and ${total - Math.min(most, items.length)} more`;
  return items.length < 2 ? (items[0] ?? '') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}

/** A time as the tool gave it, without a fraction of zeros. */
export function clock(time: string | null): string {
  return time === null ? 'unknown' : time.replace(/\.0+(?=Z|[+-]|$)/, '');
}

/** A time as a table holds it, in milliseconds since 1970; one without a zone is taken for one of UTC. */
export function momentOf(time: string): number {
  const written = time.replace(' ', 'T');
  return Date.parse(/(Z|[+-]\d\d(:?\d\d)?)$/.test(written.slice(10)) ? written.replace(/([+-]\d\d)$/, '$1:00') : `${written}Z`);
}

/** A text that begins with a capital letter, as a sentence does. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Counts by what they are of, as the tool gives them: `success 3`. */
export function countsOf(counts: Reading): string[] {
  return counts.entries().map(([of, count]) => `${of} ${String(count.value)}`);
}
