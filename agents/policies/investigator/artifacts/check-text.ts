import type { Reading } from '../read-data.ts';

/** A check with what it saw, what it wants, and how far apart the two are. */
export function checkText(one: Reading): string {
  const on = [one.text('target'), one.text('column')].filter((part) => part !== null).map((part) => part.trim());
  const rows = one.at('failing_rows').value;
  const observed = one.text('observed');
  const parts = [
    one.text('status') ?? '',
    ...(observed === null ? [] : [`observed ${observed}`]),
    ...boundsText(one),
    ...argumentsText(one.text('expected')),
    ...(rows === undefined ? [] : [`failing rows ${String(rows)}`]),
    ...(one.text('message') === null ? [] : [one.text('message') ?? '']),
  ];
  return `\`${one.text('check') ?? ''}\`${on.length === 0 ? '' : ` on ${on.join('.')}`} (${parts.filter((part) => part !== '').join(', ')})`;
}

function boundsText(one: Reading): string[] {
  const [min, max, outside] = [one.number('expected_min'), one.number('expected_max'), one.number('outside_by')];
  return [
    ...(min === null ? [] : [`expected min ${min}`]),
    ...(max === null ? [] : [`expected max ${max}`]),
    ...(outside === null ? [] : [`outside by ${outside}`]),
  ];
}

/** What else a check was told, in words: `{"value_set":["a","b"]}` is `value set: a, b`. */
function argumentsText(text: string | null): string[] {
  if (text === null) return [];
  if (!text.startsWith('{')) return [`expected ${text}`];
  const rest = Object.entries(parse(text) ?? {}).filter(([key, value]) => !/^(min|max)_value$/.test(key) || typeof value !== 'number');
  return rest.map(([key, value]) => `${key.replaceAll('_', ' ')}: ${valueText(value)}`);
}

function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch {
    return undefined;
  }
}

function valueText(value: unknown): string {
  if (Array.isArray(value))
    return value.length === 0 ? 'none' : `${value.slice(0, 6).map(String).join(', ')}${value.length > 6 ? ' and others' : ''}`;
  return typeof value === 'object' ? JSON.stringify(value).replace(/[{}"]/g, '') : String(value);
}
