import type { TableEngine } from '../../src/core/source.ts';
import { type ColumnClass, isNumeric } from './column-class.ts';

/** What the engines say differently; all other SQL of these tools is the same for each. `x` is a quoted column. */
export interface SqlDialect {
  /** A form of the column that can be grouped and compared, for types that have no equality. */
  comparable(x: string, type: string): string;
  /** True where a number or time is neither NaN nor infinite; undefined where the class cannot hold such. */
  isFinite(x: string, kind: ColumnClass, type: string): string | undefined;
  /** The number of distinct values; `exact` false may be an estimate where the engine has one. */
  countDistinct(x: string, exact: boolean): string;
  readonly estimatesDistinct: boolean;
  /** An array of the values at these places in order; undefined where the engine has none. */
  quantiles(x: string, exact: boolean, fractions: readonly number[]): string | undefined;
  /** The sum without loss where the type allows it. */
  sum(x: string, kind: ColumnClass): string;
  /** True for digits that begin with a zero. */
  hasLeadingZero(x: string): string;
  /** True when the value counts as a text (SQLite holds any type in any column). */
  isText(x: string): string | undefined;
  /** The first ten characters of a time as text: its day. */
  day(x: string): string;
  readonly hasGroupingSets: boolean;
  readonly rowNumbers?: RowNumbers;
  /** True for a text that begins with a bracket and is valid JSON; where the engine cannot tell, ends with `close` as well. */
  isJson(x: string, close: string): string;
  /** The distinct keys of texts that are JSON objects, a row each; undefined where the engine has no such function. */
  jsonKeys?(x: string, from: string): string;
  /** True where a group holds different values; NULL beside a value counts as one. */
  varies(x: string): string;
}

interface RowNumbers {
  /** A number that is the same for values that are alike as grouping has it, NULL included. */
  of(list: readonly string[]): string;
  /** Counts what is made with a collation, under which texts are alike where their bytes, and so their numbers, are not. */
  readonly collations: string;
}

const NOT_FINITE = "('NaN', 'Infinity', '-Infinity')";

const isPartlyNull = (x: string): string => `(COUNT(${x}) > 0 AND COUNT(${x}) < COUNT(*))`;

const DUCKDB: SqlDialect = {
  comparable: (x, type) => (/^(MAP|UNION|VARIANT|JSON|GEOMETRY)/i.test(type) ? `CAST(${x} AS TEXT)` : x),
  isFinite: (x, kind) => (kind === 'float' || kind === 'time' ? `isfinite(${x})` : undefined),
  countDistinct: (x, exact) => (exact ? `COUNT(DISTINCT ${x})` : `approx_count_distinct(${x})`),
  estimatesDistinct: true,
  quantiles: (x, exact, fractions) => `CAST(${exact ? 'quantile_disc' : 'approx_quantile'}(${x}, [${fractions.join(', ')}]) AS TEXT[])`,
  sum: (x, kind) => (kind === 'float' ? `fsum(${x})` : `SUM(${x})`),
  hasLeadingZero: (x) => `regexp_full_match(${x}, '0[0-9]+')`,
  isText: () => undefined,
  day: (x) => `CAST(CAST(${x} AS DATE) AS TEXT)`,
  hasGroupingSets: true,
  rowNumbers: {
    of: (list) => `hash(${list.join(', ')})`,
    collations:
      'SELECT COUNT(*) FROM (SELECT sql FROM duckdb_tables() UNION ALL SELECT sql FROM duckdb_views() WHERE NOT internal) AS made ' +
      "WHERE sql ILIKE '%collate%'",
  },
  varies: (x) => `MIN(${x}) <> MAX(${x}) OR ${isPartlyNull(x)}`,
  isJson: (x) => `json_valid(${x})`,
  jsonKeys: (x, from) =>
    `SELECT DISTINCT unnest(json_keys(${x})) AS k FROM ${from} WHERE CASE WHEN ${x} LIKE '{%' THEN json_valid(${x}) END`,
};

const POSTGRES: SqlDialect = {
  comparable: (x, type) => (/^(json|xml|uuid|point|box|path|polygon|circle|line|lseg)/i.test(type) ? `CAST(${x} AS TEXT)` : x),
  isFinite: (x, kind, type) => {
    if (kind === 'float' || /^numeric$/i.test(type)) return `CAST(${x} AS TEXT) NOT IN ${NOT_FINITE}`;
    return kind === 'time' ? `isfinite(${x})` : undefined;
  },
  countDistinct: (x) => `COUNT(DISTINCT ${x})`,
  estimatesDistinct: false,
  quantiles: (x, exact, fractions) =>
    exact ? `array_to_json(CAST(percentile_disc(ARRAY[${fractions.join(', ')}]) WITHIN GROUP (ORDER BY ${x}) AS TEXT[]))` : undefined,
  sum: (x) => `SUM(${x})`,
  hasLeadingZero: (x) => `${x} ~ '^0[0-9]+$'`,
  isText: () => undefined,
  day: (x) => `to_char(${x}, 'YYYY-MM-DD')`,
  hasGroupingSets: true,
  varies: (x) => `COUNT(DISTINCT ${x}) > 1 OR ${isPartlyNull(x)}`,
  isJson: (x, close) => `${x} LIKE '%${close}'`,
};

const SQLITE: SqlDialect = {
  comparable: (x) => x,
  // Of neither sort: NULL, and texts or blobs among numbers.
  isFinite: (x, kind) =>
    isNumeric(kind) ? `CASE typeof(${x}) WHEN 'integer' THEN 1 WHEN 'real' THEN abs(${x}) <= 1.7976931348623157e308 END` : undefined,
  countDistinct: (x) => `COUNT(DISTINCT ${x})`,
  estimatesDistinct: false,
  quantiles: () => undefined,
  sum: (x) => `SUM(CASE WHEN typeof(${x}) IN ('integer', 'real') THEN ${x} END)`,
  hasLeadingZero: (x) => `(length(${x}) > 1 AND ${x} GLOB '0*' AND ${x} NOT GLOB '*[^0-9]*')`,
  isText: (x) => `typeof(${x}) = 'text'`,
  day: (x) => `substr(CAST(${x} AS TEXT), 1, 10)`,
  hasGroupingSets: false,
  varies: (x) => `COUNT(DISTINCT ${x}) > 1 OR ${isPartlyNull(x)}`,
  isJson: (x) => `json_valid(${x})`,
};

const DIALECTS: Readonly<Record<TableEngine['dialect'], SqlDialect>> = { duckdb: DUCKDB, postgres: POSTGRES, sqlite: SQLITE };

export function dialectOf(engine: TableEngine): SqlDialect {
  return DIALECTS[engine.dialect];
}
