import type { Cell, ColumnInfo } from '../../src/core/source.ts';
import { type ColumnClass, classifyType, isNumeric } from './column-class.ts';
import type { SqlDialect } from './sql-dialect.ts';

export const QUANTILES = [0.05, 0.25, 0.5, 0.75, 0.95] as const;

export const PLACEHOLDER_WORDS: readonly string[] =
  'n/a,na,n.a.,#n/a,null,none,nil,nan,-,--,---,?,??,.,unknown,unbekannt,undefined,tbd,missing,not available,not applicable,(null),(blank),\\n'.split(
    ',',
  );

/** Days that stand for "none" or "for ever" rather than for a date. */
export const SENTINEL_DAYS: readonly string[] = [
  '0001-01-01',
  '1000-01-01',
  '1753-01-01',
  '1899-12-30',
  '1899-12-31',
  '1900-01-01',
  '1900-01-02',
  '1970-01-01',
  '2099-12-31',
  '2100-01-01',
  '2199-12-31',
  '2999-12-31',
  '3000-01-01',
  '4712-12-31',
  '9999-01-01',
  '9999-12-31',
];

export interface ProfiledColumn {
  readonly info: ColumnInfo;
  readonly kind: ColumnClass;
  /** Quoted. */
  readonly sql: string;
}

export function toProfiledColumn(info: ColumnInfo, quote: (name: string) => string): ProfiledColumn {
  return { info, kind: classifyType(info.type), sql: quote(info.name) };
}

export type Measure =
  | 'filled'
  | 'distinct'
  | 'min'
  | 'max'
  | 'sum'
  | 'quantiles'
  | 'non_finite'
  | 'blank'
  | 'placeholder'
  | 'padded'
  | 'leading_zeros'
  | 'longest'
  | 'sentinel'
  | 'not_text'
  | 'json_objects'
  | 'json_lists';

export type Measures = Readonly<Partial<Record<Measure, Cell>>>;

/** What is asked of a column, each as one aggregate, so that one scan answers for all columns. */
export function measureColumn(
  column: ProfiledColumn,
  dialect: SqlDialect,
  { exact, withQuantiles = true }: { readonly exact: boolean; readonly withQuantiles?: boolean | undefined },
): readonly (readonly [Measure, string])[] {
  const { kind, info, sql } = column;
  const x = dialect.comparable(sql, info.type);
  const finite = dialect.isFinite(sql, kind, info.type);
  const value = finite === undefined ? x : `CASE WHEN ${finite} THEN ${x} END`;
  const isOrdered = kind !== 'other' || /^(TIME|INTERVAL|UUID)/i.test(info.type);
  const measures: [Measure, string][] = [
    ['filled', `COUNT(${sql})`],
    ['distinct', dialect.countDistinct(x, exact)],
  ];
  if (finite !== undefined) measures.push(['non_finite', `COUNT(CASE WHEN NOT (${finite}) THEN 1 END)`]);
  if (isOrdered && kind !== 'boolean') measures.push(['min', `MIN(${value})`], ['max', `MAX(${value})`]);
  if (kind === 'boolean') measures.push(['sum', `COUNT(CASE WHEN ${sql} THEN 1 END)`]);
  if (isNumeric(kind)) measures.push(['sum', dialect.sum(value, kind)]);
  if (withQuantiles && (isNumeric(kind) || kind === 'time')) {
    const quantiles = dialect.quantiles(value, exact, QUANTILES);
    if (quantiles !== undefined) measures.push(['quantiles', quantiles]);
  }
  if (kind === 'time') measures.push(['sentinel', countWhen(`${dialect.day(value)} IN (${texts(SENTINEL_DAYS)})`)]);
  if (mayHoldJson(column))
    measures.push(['json_objects', countJson(column, dialect, ['{', '}'])], ['json_lists', countJson(column, dialect, ['[', ']'])]);
  return kind === 'text' || dialect.isText(sql) !== undefined ? [...measures, ...measureText(column, dialect)] : measures;
}

/** Whether its values may be JSON objects or lists written as text. */
function mayHoldJson({ kind, info }: ProfiledColumn): boolean {
  return (kind === 'text' && !/^(ENUM|NAME|CITEXT)/i.test(info.type)) || /^JSON/i.test(info.type);
}

function countJson({ sql, info }: ProfiledColumn, dialect: SqlDialect, [open, close]: readonly [string, string]): string {
  const text = /^JSON/i.test(info.type) ? asText(sql) : sql;
  return countWhen(`CASE WHEN ${text} LIKE '${open}%' THEN ${dialect.isJson(text, close)} ELSE FALSE END`);
}

function measureText({ sql, info, kind }: ProfiledColumn, dialect: SqlDialect): [Measure, string][] {
  const text = /^(ENUM|NAME|CITEXT)/i.test(info.type) ? asText(sql) : sql;
  const guard = dialect.isText(sql);
  const when = (condition: string): string => countWhen(guard === undefined ? condition : `${guard} AND ${condition}`);
  const longest = Math.max(...PLACEHOLDER_WORDS.map((word) => word.length)) + 4;
  const measures: [Measure, string][] = [
    ['blank', when(`TRIM(${text}) = ''`)],
    ['placeholder', when(`LENGTH(${text}) <= ${longest} AND LOWER(TRIM(${text})) IN (${texts(PLACEHOLDER_WORDS)})`)],
    ['padded', when(`${text} <> TRIM(${text}) AND TRIM(${text}) <> ''`)],
    ['leading_zeros', when(dialect.hasLeadingZero(text))],
  ];
  if (kind === 'text') measures.push(['longest', `MAX(LENGTH(${text}))`]);
  if (guard !== undefined && isNumeric(kind)) measures.push(['not_text', countWhen(`${guard}`)]);
  return measures;
}

export function asText(expression: string): string {
  return `CAST(${expression} AS TEXT)`;
}

export function texts(values: readonly string[]): string {
  return values.map((value) => `'${value.replaceAll("'", "''")}'`).join(', ');
}

function countWhen(condition: string): string {
  return `COUNT(CASE WHEN ${condition} THEN 1 END)`;
}
