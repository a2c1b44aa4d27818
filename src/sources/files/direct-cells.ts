import { NUMBER_STYLES } from './classify-cell.ts';
import type { ColumnDecision } from './decide-column.ts';

const INTEGERS = new Set(['BIGINT', 'HUGEINT', 'UHUGEINT']);
/** Whole numbers among doubles have no more digits than a double keeps. */
const DOUBLE_DIGITS = 15;
const CLOCK = '([01][0-9]|2[0-3]):[0-5][0-9]';

/**
 * SQL that reads a trimmed cell as the decision has it, for the ways to write a value that the engine reads as we do; undefined
 * for all others. What does not fit exactly comes out as NULL, never as another value.
 */
export function directCell(decision: ColumnDecision, cell: string): string | undefined {
  const { engineType, format } = decision;
  if (INTEGERS.has(engineType)) {
    if (format !== undefined) return undefined;
    const cast = `TRY_CAST(${cell} AS ${engineType})`;
    return `CASE WHEN CAST(${cast} AS VARCHAR) = ${cell} THEN ${cast} END`;
  }
  const cast = (text: string): string => `TRY_CAST(${text} AS ${engineType})`;
  if (engineType === 'DOUBLE') return format === undefined ? matching(cell, doublePattern(), cast(cell)) : undefined;
  if (engineType === 'BOOLEAN') return matching(cell, '(?i)true|false', cast(cell));
  if (engineType === 'TIME') return matching(cell, `${CLOCK}(:[0-5][0-9](\\.[0-9]{1,6})?)?`, cast(cell));
  if (engineType.startsWith('DECIMAL')) return decimalCell(decision, cell);
  return engineType === 'DATE' || engineType.startsWith('TIMESTAMP') ? dateCell(decision, cell) : undefined;
}

function matching(cell: string, pattern: string, value: string): string {
  return `CASE WHEN regexp_full_match(${cell}, '${pattern}') THEN ${value} END`;
}

function doublePattern(): string {
  const whole = `(0|[1-9][0-9]{0,${DOUBLE_DIGITS - 1}})`;
  const number = `[+-]?(${whole}|[0-9]{1,${DOUBLE_DIGITS}}\\.[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]{1,2})?`;
  return `${number}|[+-]?(?i:nan|inf|infinity)`;
}

function decimalCell({ engineType, format }: ColumnDecision, cell: string): string | undefined {
  const style = NUMBER_STYLES.find((candidate) => candidate.format === (format ?? '1234.56'));
  const [, precision, scale] = /\((\d+),(\d+)\)/.exec(engineType) ?? [];
  if (style === undefined || style.group === ' ' || style.group === "'" || precision === undefined) return undefined;
  const mark = style.decimal === '.' ? '\\.' : ',';
  const whole = Math.max(1, Number(precision) - Number(scale));
  const places = `{0,${scale}}`;
  const grouped = style.group ? `|[0-9]{1,3}(${style.group.replace('.', '\\.')}[0-9]{3})+(${mark}[0-9]${places})?` : '';
  const plain = `0|[1-9][0-9]{0,${whole - 1}}|[0-9]{1,${whole}}${mark}[0-9]${places}|${mark}[0-9]{1,${Math.max(1, Number(scale))}}`;
  const bare = style.group ? `replace(${cell}, '${style.group}', '')` : cell;
  const canonical = style.decimal === ',' ? `replace(${bare}, ',', '.')` : bare;
  return matching(cell, `[+-]?(${plain}${grouped})`, `TRY_CAST(${canonical} AS ${engineType})`);
}

/** Formats of dates with their parts in figures and the year in four. */
function dateCell({ engineType, format = '' }: ColumnDecision, cell: string): string | undefined {
  if (!/^(yyyy|mm|dd)([-/.])(yyyy|mm|dd)\2(yyyy|mm|dd)$/.test(format)) return undefined;
  const day = format.replaceAll('.', '\\.').replace('yyyy', '[0-9]{4}').replace('mm', '[0-9]{1,2}').replace('dd', '[0-9]{1,2}');
  const isIso = format === 'yyyy-mm-dd';
  const picture = datePicture(format);
  if (engineType === 'DATE')
    return matching(cell, day, isIso ? `TRY_CAST(${cell} AS DATE)` : `CAST(try_strptime(${cell}, '${picture}') AS DATE)`);
  if (isIso) return matching(cell, isoPattern(engineType, day), `TRY_CAST(${cell} AS ${engineType})`);
  if (engineType !== 'TIMESTAMP') return undefined;
  const pictures = [`${picture} %H:%M:%S`, `${picture} %H:%M`, picture].map((each) => `'${each}'`).join(', ');
  return matching(cell, `${day}( ${CLOCK}(:[0-5][0-9])?)?`, `try_strptime(${cell}, [${pictures}])`);
}

/** The engine's spelling of a format such as `dd/mm/yyyy`. */
export function datePicture(format: string): string {
  return format.replace('yyyy', '%Y').replace('mm', '%m').replace('dd', '%d');
}

function isoPattern(engineType: string, day: string): string {
  const seconds = `:[0-5][0-9](\\.[0-9]{1,${engineType === 'TIMESTAMP_NS' ? 9 : 6}})?`;
  if (engineType === 'TIMESTAMPTZ') return `${day}[T ]${CLOCK}${seconds}(Z|[+-][0-9]{2}(:?[0-9]{2})?)`;
  return `${day}([T ]${CLOCK}(${seconds})?)?`;
}
