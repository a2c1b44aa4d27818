import { type NumberStyle, plainNumber } from './classify-cell.ts';
import { type DateOrder, isoDate, parseDate, parseTime, type TimeParts } from './parse-date.ts';

/** Turns a cell into the text that the engine casts without a choice of its own; undefined when it does not fit. */
export type CanonicalCell = (text: string) => string | undefined;

export const integerCell: CanonicalCell = (text) => (text.startsWith('+') ? text.slice(1) : text);

/** Numbers of a style, whole or not. */
export function numberCell(style: NumberStyle): CanonicalCell {
  return (text) => {
    const plain = plainNumber(text, style);
    return plain.startsWith('+') ? plain.slice(1) : plain;
  };
}

/** As `numberCell`, with NaN and infinities in the engine's words. */
export function doubleCell(style: NumberStyle): CanonicalCell {
  const plain = numberCell(style);
  return (text) => {
    if (/nan|ind/i.test(text)) return 'nan';
    if (/inf/i.test(text)) return text.startsWith('-') ? '-inf' : 'inf';
    return plain(text);
  };
}

export const booleanCell: CanonicalCell = (text) => text.toLowerCase();

export const timeCell: CanonicalCell = (text) => {
  const time = parseTime(text);
  return time && `${time.clock}${time.fraction ? `.${time.fraction}` : ''}`;
};

/** Dates alone, `YYYY-MM-DD`. */
export function dateCell(order: DateOrder): CanonicalCell {
  return (text) => {
    const date = parseDate(text);
    return date?.orders.includes(order) ? isoDate(date.groups, order) : undefined;
  };
}

/** Dates with a time; what has none starts at midnight. `utc` moves cells with a zone to UTC and drops the zone. */
export function timestampCell(order: DateOrder, utc: boolean): CanonicalCell {
  return (text) => {
    const date = parseDate(text);
    if (!date?.orders.includes(order)) return undefined;
    const day = isoDate(date.groups, order);
    if (date.time === null) return `${day} 00:00:00`;
    return utc ? inUtc(day, date.time) : `${day} ${date.time.clock}${fraction(date.time)}${date.time.zone}`;
  };
}

function inUtc(day: string, time: TimeParts): string {
  if (time.zone === '' || time.zone === '+00:00') return `${day} ${time.clock}${fraction(time)}`;
  const instant = new Date(`${day}T${time.clock}${time.zone}`);
  return `${instant.toISOString().slice(0, 19).replace('T', ' ')}${fraction(time)}`;
}

function fraction(time: TimeParts): string {
  return time.fraction ? `.${time.fraction}` : '';
}
