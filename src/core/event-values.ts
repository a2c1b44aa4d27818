import { parseLenientJson } from './lenient-json.ts';

/** A value of a file of events, with the line, or the place in the list, where it stands; `why` where none could be read. */
export interface EventValue {
  readonly value: unknown;
  readonly place: number;
  readonly why?: string;
}

/** Keys under which collectors, queues and archives put an event or a list of them. */
const ENVELOPES = ['events', 'event', 'payload', 'data', 'body', 'value', 'message', 'Records', 'records'];
/** Keys of which an event has at least one. */
const OWN = ['eventTime', 'eventType', 'run', 'job', 'dataset'];
const DEEPEST = 3;

/**
 * The OpenLineage events of a text: one value, a list of them, one or several a line, in the envelopes of those who passed them on,
 * or behind the words of a log line.
 */
export function eventValues(text: string): readonly EventValue[] {
  const whole = parseLenientJson(text);
  if (whole.ok) return open(whole.value, 0).map((value, index) => ({ value, place: index + 1 }));
  const lines = text.split(/\r?\n/).flatMap((line, index) => (line.trim() ? [readLine(line, index + 1)] : []));
  const isLog = lines.some(({ behindWords }) => behindWords);
  return lines.flatMap(({ values, place, why, hasObject }): EventValue[] => {
    if (why === undefined) return values.map((value) => ({ value, place }));
    return isLog && !hasObject ? [] : [{ value: undefined, place, why }];
  });
}

interface Line {
  readonly values: readonly unknown[];
  readonly place: number;
  readonly why?: string;
  readonly behindWords: boolean;
  readonly hasObject: boolean;
}

function readLine(line: string, place: number): Line {
  const read = parseLenientJson(line);
  if (read.ok) return { values: open(read.value, 0), place, behindWords: false, hasObject: true };
  const start = line.indexOf('{');
  const inside = start > 0 && line.includes('"eventTime"') ? parseLenientJson(line.slice(start)) : undefined;
  if (inside?.ok) return { values: open(inside.value, 0), place, behindWords: true, hasObject: true };
  return { values: [], place, why: `not JSON: ${read.message}`, behindWords: false, hasObject: line.includes('"eventTime"') };
}

/** The events in a list or an envelope; anything else as it is. */
function open(value: unknown, depth: number): unknown[] {
  if (Array.isArray(value)) return value.flatMap((one) => open(one, depth + 1));
  if (value === null || typeof value !== 'object' || depth > DEEPEST || OWN.some((key) => key in value)) return [value];
  for (const key of ENVELOPES) {
    const inside = (value as Readonly<Record<string, unknown>>)[key];
    const read = typeof inside === 'string' && inside.startsWith('{') ? parseLenientJson(inside) : undefined;
    const held = read?.ok ? read.value : inside;
    if (held !== null && typeof held === 'object') return open(held, depth + 1);
  }
  return [value];
}
