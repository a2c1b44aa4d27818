import { dateCell, timestampCell } from './canonical-cell.ts';
import type { ColumnEvidence, DateFamily } from './column-evidence.ts';
import type { ColumnDecision, ColumnHints } from './decide-column.ts';
import { type DateOrder, dateFormat } from './parse-date.ts';

const ORDERS: readonly DateOrder[] = ['ymd', 'dmy', 'mdy', 'ydm'];

interface OrderChoice {
  readonly order: DateOrder;
  readonly because: string;
  readonly others: readonly DateOrder[];
  /** `values`: no other order fits. */
  readonly by: 'values' | 'neighbours' | 'habit';
}

/** Decides between date, timestamp, and text, and the order of day and month by values that fit one order only. */
export function decideDate(evidence: ColumnEvidence, hints: ColumnHints, cells: number): ColumnDecision {
  const [entry, ...more] = [...evidence.families.entries()].sort((left, right) => right[1].cells - left[1].cells);
  if (entry === undefined) return textBecause('no date was seen');
  const [name, family] = entry;
  if (more.length > 0) return severalFamilies(evidence, cells, family);
  const choice = chooseOrder(name, family, hints);
  if (choice === undefined) return noOrder(evidence, name, family, cells);
  const format = dateFormat(name, choice.order);
  const alternatives = choice.others.map((order) => ({ reading: `dates as ${dateFormat(name, order)}`, evidence: 'fits every value too' }));
  const typed = typeOf(evidence, choice.order, cells);
  if (typed.type === 'text') return typed;
  const warning =
    choice.by === 'values' ? {} : { warning: `day and month could be the other way round: read as ${format} because ${choice.because}` };
  return { ...typed, format, evidence: `all ${cells} values fit; ${choice.because}`, alternatives, ...warning };
}

function textBecause(evidence: string, extra: Partial<ColumnDecision> = {}): ColumnDecision {
  return { type: 'text', engineType: 'VARCHAR', evidence, alternatives: [], ...extra };
}

function severalFamilies(evidence: ColumnEvidence, cells: number, family: DateFamily): ColumnDecision {
  const written = [...evidence.families.entries()].map(([name, { cells: count }]) => `${count} like ${sampleOf(name)}`).join(', ');
  return textBecause(`dates are written in several ways: ${written}`, {
    misfits: { type: 'date', count: cells - family.cells, samples: [] },
  });
}

function sampleOf(family: string): string {
  return dateFormat(family, family[0] === 'Y' ? 'ymd' : 'dmy');
}

function chooseOrder(name: string, family: DateFamily, hints: ColumnHints): OrderChoice | undefined {
  const fitting = ORDERS.filter((order) => family.fits[order] === family.cells);
  const [only, second] = fitting;
  if (only === undefined) return undefined;
  if (second === undefined) return { order: only, because: decisive(name, family, only), others: [], by: 'values' };
  if (name[0] === 'Y') return { order: 'ymd', because: 'the year comes first', others: [], by: 'values' };
  const hint = hints.dateOrders?.get(name);
  const rest = (order: DateOrder): DateOrder[] => fitting.filter((other) => other !== order);
  if (hint && fitting.includes(hint.order)) {
    return { order: hint.order, because: `${hint.from} fits this order only`, others: rest(hint.order), by: 'neighbours' };
  }
  if (name[1] === '.' && fitting.includes('dmy')) {
    return { order: 'dmy', because: 'dates with dots are written day first', others: rest('dmy'), by: 'habit' };
  }
  const [first, month] = [family.first.size, family.second.size];
  if (first !== month && Math.max(first, month) >= 3 && name[0] === 'y') {
    const order = first > month ? 'dmy' : 'mdy';
    const because = `the ${first > month ? 'first' : 'second'} number takes more values (${Math.max(first, month)} against ${Math.min(first, month)}), as days do`;
    return { order, because, others: rest(order), by: 'habit' };
  }
  return undefined;
}

function decisive(name: string, family: DateFamily, order: DateOrder): string {
  if (name[0] === 'Y') return 'the year comes first';
  if (name[0] === 'n') return 'the month is a word';
  const other = order === 'dmy' ? 'mdy' : 'dmy';
  const against = family.cells - family.fits[other];
  return `${against} of them fit ${dateFormat(name, order)} only, ${family.cells - against} would fit ${dateFormat(name, other)} too`;
}

/** No order fits all cells, or several do and nothing decides: the text is kept, since a guess would change the dates. */
function noOrder(evidence: ColumnEvidence, name: string, family: DateFamily, cells: number): ColumnDecision {
  const fitting = ORDERS.filter((order) => family.fits[order] === family.cells);
  if (fitting.length === 0) {
    const best = ORDERS.reduce((left, right) => (family.fits[right] > family.fits[left] ? right : left));
    const misfits = { type: `date as ${dateFormat(name, best)}`, count: cells - family.fits[best], samples: evidence.samples.date ?? [] };
    return textBecause('no order of day and month fits every value', { misfits });
  }
  const written = fitting.map((order) => dateFormat(name, order));
  return textBecause(`dates, but ${written.join(' and ')} fit every value: kept as text`, {
    alternatives: written.map((format) => ({ reading: `dates as ${format}`, evidence: 'fits every value' })),
    warning: `dates fit ${written.join(' and ')} and nothing decides: kept as text`,
  });
}

function typeOf(evidence: ColumnEvidence, order: DateOrder, cells: number): ColumnDecision {
  const { shapes, zoned, fractionDigits, years } = evidence;
  if (shapes.timestamp === 0) return typed('date', 'DATE', dateCell(order));
  if (zoned > 0 && zoned < shapes.date + shapes.timestamp) {
    const mixed = `${zoned} of ${cells} times have a time zone, the others do not: kept as text`;
    return textBecause(mixed, { note: { code: 'mixed_zones', message: mixed } });
  }
  if (fractionDigits > 9) return textBecause('times finer than nanoseconds are kept as text');
  if (fractionDigits > 6) {
    if (years.least < 1678 || years.greatest > 2261) return textBecause('nanoseconds outside 1678 to 2261 are kept as text');
    return typed('timestamp_ns', 'TIMESTAMP_NS', timestampCell(order, true));
  }
  return zoned > 0
    ? typed('timestamptz', 'TIMESTAMPTZ', timestampCell(order, false))
    : typed('timestamp', 'TIMESTAMP', timestampCell(order, false));
}

function typed(type: string, engineType: string, canonical: NonNullable<ColumnDecision['canonical']>): ColumnDecision {
  return { type, engineType, canonical, evidence: '', alternatives: [] };
}

/**
 * The ways in which texts that are kept as they stand read as dates, the likeliest first; empty where not all of them are dates
 * written alike. JSON has no dates, so such texts are not read as them.
 */
export function dateReadings(evidence: ColumnEvidence, hints: ColumnHints): ColumnDecision['alternatives'] {
  const [entry, ...more] = evidence.families.entries();
  if (entry === undefined || more.length > 0 || entry[1].cells !== evidence.shapes.other) return [];
  const [name, family] = entry;
  const choice = chooseOrder(name, family, hints);
  const orders = choice ? [choice.order, ...choice.others] : ORDERS.filter((order) => family.fits[order] === family.cells);
  return orders.map((order) => ({
    reading: `dates as ${dateFormat(name, order)}`,
    evidence: order === choice?.order ? `all ${family.cells} texts fit; ${choice.because}` : 'fits every text too',
  }));
}
