import type { LineSample } from '../../core/file-reading.ts';
import { booleanCell, type CanonicalCell, doubleCell, integerCell, numberCell, timeCell } from './canonical-cell.ts';
import { NUMBER_STYLES, type NumberStyle } from './classify-cell.ts';
import type { ColumnEvidence, Shape } from './column-evidence.ts';
import { decideDate } from './decide-date.ts';
import { decideDressed } from './decide-dressed.ts';
import type { DateOrder } from './parse-date.ts';

/** How a column is read, and why. */
export interface ColumnDecision {
  /** As the reading shows it: `decimal(12,2)`. */
  readonly type: string;
  /** The engine's type that its cells are cast to. */
  readonly engineType: string;
  /** Absent where cells are kept as they are. */
  readonly canonical?: CanonicalCell;
  readonly format?: string;
  readonly evidence: string;
  /** `atLeast`: counted in a sample only. */
  readonly misfits?: { readonly type: string; readonly count: number; readonly samples: readonly LineSample[]; readonly atLeast?: boolean };
  readonly alternatives: readonly { readonly reading: string; readonly evidence: string }[];
  readonly warning?: string;
  /** What the reading left out, which is no doubt about it. */
  readonly note?: { readonly code: string; readonly message: string };
}

/** What other columns and files say. */
export interface ColumnHints {
  readonly name: string;
  /** Decimal mark that other columns of the file settled. */
  readonly decimalMark?: ',' | '.' | undefined;
  /** What settled it: other columns, or the name of a file beside this one. */
  readonly decimalMarkFrom?: string | undefined;
  /** Date orders that other columns, or files with the same columns, settled, by family. */
  readonly dateOrders?: ReadonlyMap<string, { readonly order: DateOrder; readonly from: string }> | undefined;
}

/** Decimals beyond which a double is another number than the text. */
const DOUBLE_DIGITS = 17;

const text = (evidence: string, extra: Partial<ColumnDecision> = {}): ColumnDecision => ({
  type: 'text',
  engineType: 'VARCHAR',
  evidence,
  alternatives: [],
  ...extra,
});

/** Decides a column's type from all that was counted; whatever not every cell fits stays text. */
export function decideColumn(evidence: ColumnEvidence, hints: ColumnHints): ColumnDecision {
  const { shapes } = evidence;
  const cells = Object.values(shapes).reduce((sum, count) => sum + count, 0);
  if (cells === 0) {
    const words = evidence.nullWords.size > 0;
    return words ? text('only words for a missing value') : { ...text('no cell has a value'), type: 'empty' };
  }
  if (shapes.json > 0) return { ...text(`${shapes.json} of ${cells} values are objects or lists`), type: 'json', engineType: 'JSON' };
  const numbers = shapes.integer + shapes.number + shapes.not_finite;
  if (numbers === cells) return decideDressed(evidence, cells, decideNumber(evidence, hints, cells));
  if (shapes.boolean === cells)
    return { type: 'boolean', engineType: 'BOOLEAN', canonical: booleanCell, evidence: all(cells), alternatives: [] };
  if (shapes.time === cells) return decideTime(evidence, cells);
  if (shapes.date + shapes.timestamp === cells) return decideDate(evidence, hints, cells);
  return text(`${shapes.other} of ${cells} values are words`, nearlyAll(evidence, cells));
}

function all(cells: number): string {
  return `all ${cells} values fit`;
}

/** Names the type that at least nine in ten cells have and the few that do not. */
function nearlyAll({ shapes, samples }: ColumnEvidence, cells: number): Partial<ColumnDecision> {
  const groups: readonly (readonly [string, readonly Shape[]])[] = [
    ['number', ['integer', 'number', 'not_finite']],
    ['date', ['date', 'timestamp']],
    ['time', ['time']],
    ['boolean', ['boolean']],
  ];
  for (const [type, members] of groups) {
    const fitting = members.reduce((sum, shape) => sum + shapes[shape], 0);
    if (fitting < cells * 0.8 || fitting === cells) continue;
    const others = (Object.keys(shapes) as Shape[]).filter((shape) => !members.includes(shape));
    const found = others.flatMap((shape) => samples[shape] ?? []).slice(0, 3);
    return { misfits: { type, count: cells - fitting, samples: found } };
  }
  return {};
}

function decideTime(evidence: ColumnEvidence, cells: number): ColumnDecision {
  if (evidence.zoned > 0 || evidence.fractionDigits > 6)
    return text('times of day with a zone or finer than microseconds are kept as text');
  return { type: 'time', engineType: 'TIME', canonical: timeCell, evidence: all(cells), alternatives: [] };
}

function decideNumber(evidence: ColumnEvidence, hints: ColumnHints, cells: number): ColumnDecision {
  const { shapes } = evidence;
  if (evidence.leadingZeros > 0) {
    return text(`${evidence.leadingZeros} of ${cells} values have leading zeros: codes, not amounts`, {
      alternatives: [{ reading: 'integer', evidence: 'all are digits, but the zeros would be lost' }],
    });
  }
  if (evidence.beyondDouble > 0) return text(`${evidence.beyondDouble} of ${cells} values are beyond what a double holds`);
  const { codes, exponents } = evidence;
  if (codes > 0 && codes === exponents && shapes.number === exponents && shapes.not_finite === 0) {
    return text(`${codes} of ${cells} values read like 12E3: codes, not amounts`, {
      alternatives: [{ reading: 'double', evidence: 'all fit as numbers with an exponent, but different codes would become one number' }],
    });
  }
  if (
    shapes.number > 0 &&
    exponents === 0 &&
    /(^|[_ ])(version|release)$/i.test(hints.name) &&
    /^\d+\.\d+$/.test(evidence.samples.number?.[0]?.text ?? '')
  ) {
    return text('versions: 1.10 is not 1.1', { alternatives: [{ reading: 'decimal', evidence: 'all fit as numbers' }] });
  }
  if (evidence.pluses === cells && cells > 1) {
    return text(`all ${cells} values are written with a plus: telephone numbers or other codes, not amounts`, {
      alternatives: [{ reading: 'integer', evidence: 'all are digits, but the signs would be lost' }],
    });
  }
  if (shapes.number === 0 && shapes.not_finite === 0) return decideInteger(evidence, hints, cells);
  const fitting = NUMBER_STYLES.filter((_, index) => evidence.styleFits[index] === shapes.number);
  if (fitting.length === 0) return mixedStyles(evidence, cells);
  const style = chooseStyle(evidence, fitting, hints);
  const decision = decimalType(evidence, style, cells);
  const alternatives = otherStyles(evidence, style, fitting);
  const settled = alternatives.length > 0 && hints.decimalMark === style.decimal;
  const because = settled ? `${decision.evidence}; ${hints.decimalMarkFrom} settle the decimal mark` : decision.evidence;
  const sample = evidence.samples.number?.[0]?.text ?? '';
  const unsettled = alternatives.length > 0 && !settled;
  const warning = unsettled
    ? { warning: `values such as ${sample} fit ${style.format} and the other way round: read as ${style.format}` }
    : {};
  return { ...decision, ...warning, evidence: because, ...(style.bit === 1 ? {} : { format: style.format }), alternatives };
}

function mixedStyles(evidence: ColumnEvidence, cells: number): ColumnDecision {
  const most = Math.max(...evidence.styleFits);
  const best = evidence.styleFits.indexOf(most);
  const miss = evidence.styleMisses[best];
  return text(`numbers are written in several ways; no way fits all ${cells} values`, {
    misfits: { type: `number as ${NUMBER_STYLES[best]?.format}`, count: evidence.shapes.number - most, samples: miss ? [miss] : [] },
  });
}

/** `1,234` alone is one and a bit or a thousand: what the other columns settled decides, else groups of three. */
function chooseStyle(evidence: ColumnEvidence, fitting: readonly NumberStyle[], hints: ColumnHints): NumberStyle {
  const [first] = fitting as readonly [NumberStyle, ...NumberStyle[]];
  const settled = hints.decimalMark && fitting.find((style) => style.decimal === hints.decimalMark);
  if (settled) return settled;
  const groups = fitting.find((style) => style.bit === 4);
  return first.bit === 2 && groups && evidence.shapes.number > 0 ? groups : first;
}

/** Only readings that give other values count: a way without group signs is part of the same way with them. */
function otherStyles(evidence: ColumnEvidence, chosen: NumberStyle, fitting: readonly NumberStyle[]): ColumnDecision['alternatives'] {
  const sample = evidence.samples.number?.[0]?.text ?? '';
  const isMarked = evidence.digits.dotScale > 0 || evidence.digits.commaScale > 0;
  const other = isMarked ? fitting.find((style) => style.decimal !== chosen.decimal) : undefined;
  return other === undefined ? [] : [{ reading: `numbers as ${other.format}`, evidence: `values such as ${sample} fit both ways` }];
}

function decimalType(evidence: ColumnEvidence, style: NumberStyle, cells: number): ColumnDecision {
  const { digits, exponents, shapes } = evidence;
  const whole = style.decimal === '.' ? digits.dotWhole : digits.commaWhole;
  const scale = style.decimal === '.' ? digits.dotScale : digits.commaScale;
  const double = { type: 'double', engineType: 'DOUBLE', canonical: doubleCell(style), alternatives: [] };
  if (exponents > 0 || shapes.not_finite > 0) {
    const because = exponents > 0 ? `${exponents} values have an exponent` : `${shapes.not_finite} values are NaN or infinite`;
    if (whole + scale > 15 && shapes.integer > 0 && whole > 15) return text(`${because}, others have more digits than a double holds`);
    const long = scale > DOUBLE_DIGITS ? { warning: `has up to ${scale} decimals: read as double, which keeps 15 to 17 digits` } : {};
    const lost = evidence.rounded > 0 ? { warning: roundedBySpreadsheet(evidence) } : {};
    return { ...double, evidence: `${all(cells)}; ${because}`, ...long, ...lost };
  }
  if (whole + scale > 38) {
    if (whole > 15) return text(`numbers of up to ${whole} + ${scale} digits are beyond every exact type`);
    return { ...double, evidence: all(cells), warning: `has up to ${scale} decimals: read as double, which keeps 15 to 17 digits` };
  }
  const precision = Math.max(whole + scale, 1);
  const type = scale === 0 ? 'integer' : `decimal(${precision},${scale})`;
  return { type, engineType: `DECIMAL(${precision},${scale})`, canonical: numberCell(style), evidence: all(cells), alternatives: [] };
}

function roundedBySpreadsheet({ rounded, samples }: ColumnEvidence): string {
  return `${rounded} values are written like ${samples.number?.[0]?.text}, as spreadsheets show long numbers: the digits behind are lost`;
}

function decideInteger(evidence: ColumnEvidence, hints: ColumnHints, cells: number): ColumnDecision {
  const { leastInteger: least, greatestInteger: greatest } = evidence;
  const engineType = integerType(least, greatest);
  if (engineType === undefined || evidence.digits.dotWhole > 45) return text('whole numbers beyond 128 bits are kept as text');
  return {
    type: 'integer',
    engineType,
    canonical: integerCell,
    evidence: `${all(cells)}${engineType === 'BIGINT' ? '' : `; up to ${greatest} needs more than 64 bits with a sign`}`,
    alternatives: otherIntegers(evidence, hints),
  };
}

function integerType(least: bigint, greatest: bigint): string | undefined {
  if (least >= -(2n ** 63n) && greatest < 2n ** 63n) return 'BIGINT';
  if (least >= -(2n ** 127n) && greatest < 2n ** 127n) return 'HUGEINT';
  return least >= 0n && greatest < 2n ** 128n ? 'UHUGEINT' : undefined;
}

const EPOCHS: readonly (readonly [string, bigint])[] = [
  ['seconds', 1n],
  ['milliseconds', 1_000n],
  ['microseconds', 1_000_000n],
  ['nanoseconds', 1_000_000_000n],
];

/** Whole numbers that also fit as dates: `20260131`, or a count since 1970 in a column named like a time. */
function otherIntegers(evidence: ColumnEvidence, { name }: ColumnHints): ColumnDecision['alternatives'] {
  const { leastInteger: least, greatestInteger: greatest } = evidence;
  const compact = (value: bigint): boolean => /^(19|20)\d{2}(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])$/.test(value.toString());
  const stamp = (value: bigint): boolean =>
    /^(19|20)\d{2}(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])([01]\d|2[0-3])[0-5]\d[0-5]\d$/.test(value.toString());
  if (stamp(least) && stamp(greatest)) return [{ reading: 'timestamp as yyyymmddhhmmss', evidence: `from ${least} to ${greatest}` }];
  if (compact(least) && compact(greatest)) return [{ reading: 'date as yyyymmdd', evidence: `from ${least} to ${greatest}` }];
  const serial = /date|datum|(_|^)day$/i.test(name) && least >= 25_569n && greatest < 73_051n;
  if (serial) {
    const day = (value: bigint): string => new Date((Number(value) - 25_569) * 86_400_000).toISOString().slice(0, 10);
    return [{ reading: 'days as spreadsheets count them, from 1899-12-30', evidence: `would be ${day(least)} to ${day(greatest)}` }];
  }
  if (!/time|date|epoch|stamp|(_|^)(at|ts|on)$|created|updated|modified/i.test(name)) return [];
  for (const [unit, factor] of EPOCHS) {
    if (least >= 631_152_000n * factor && greatest < 4_102_444_800n * factor) {
      const day = (value: bigint): string => new Date(Number(value / factor) * 1000).toISOString().slice(0, 10);
      return [{ reading: `${unit} since 1970`, evidence: `would be ${day(least)} to ${day(greatest)}` }];
    }
  }
  const [seconds, later] = [
    least >= 631_152_000n && least < 4_102_444_800n,
    EPOCHS.slice(1).find(([, by]) => greatest >= 631_152_000n * by && greatest < 4_102_444_800n * by),
  ];
  if (!seconds || !later) return [];
  return [{ reading: `seconds and ${later[0]} since 1970 in one column`, evidence: `from ${least} to ${greatest}: no one unit fits both` }];
}
