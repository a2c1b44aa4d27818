import type { Cell } from '../../src/core/source.ts';
import { findColumn, type OpenTable, QuestionError } from './ask-table.ts';
import { isNumeric } from './column-class.ts';
import { type Bound, type CheckRule, type ContractCheck, numberText, type Plain } from './contract-check.ts';
import { compareExact, type ExactNumber, exactText, parseExact } from './exact-number.ts';
import { measureFreshness } from './freshness.ts';
import type { ProfiledColumn } from './profile-sql.ts';
import { filteredRelation, isClosed, runQuery } from './run-query.ts';
import { readTimeColumn } from './time-sql.ts';
import { isSameType } from './type-names.ts';

/** What became of a check. `breaches` counts rows, or for uniqueness values that come more than once. */
export interface CheckResult {
  readonly check: ContractCheck;
  readonly status: 'pass' | 'breach' | 'not_evaluated';
  readonly breaches?: number;
  readonly of?: number;
  readonly value?: Cell;
  readonly samples?: readonly Cell[];
  readonly because?: string;
}

const SAMPLES = 3;

interface Evaluation {
  readonly check: ContractCheck;
  readonly table: OpenTable;
  readonly now: Date;
}

/** Evaluates one check; what cannot be evaluated says why, and never counts as passed. */
export async function evaluateCheck(evaluation: Evaluation): Promise<CheckResult> {
  const { check } = evaluation;
  try {
    return await evaluate({ ...evaluation, table: await filtered(evaluation) });
  } catch (error) {
    return { check, status: 'not_evaluated', because: error instanceof Error ? error.message : 'failed' };
  }
}

async function filtered({ table, check }: Evaluation): Promise<OpenTable> {
  return check.where === undefined ? table : { ...table, from: await filteredRelation(table, table.from, check.where) };
}

async function evaluate(evaluation: Evaluation): Promise<CheckResult> {
  const { check, table } = evaluation;
  const { rule } = check;
  if (rule.kind === 'column_exists' || rule.kind === 'column_forbidden') {
    const exists = table.columns.some(({ info }) => info.name.toLowerCase() === check.column?.toLowerCase());
    return { check, status: exists === (rule.kind === 'column_exists') ? 'pass' : 'breach' };
  }
  if (rule.kind === 'unique') return evaluateUnique(evaluation, rule.columns);
  if (rule.kind === 'metric') return evaluateMetric(evaluation, rule);
  if (rule.kind === 'expression') return countBreaches(evaluation, await expressionBreach(evaluation, rule.sql), undefined);
  const column = findColumn(table, check.column ?? '');
  if (rule.kind === 'type')
    return { check, status: isSameType(rule.expected, column.info.type) ? 'pass' : 'breach', value: column.info.type };
  if (rule.kind === 'freshness') return evaluateFreshness(evaluation, column, rule.maxSeconds);
  const breach = rule.kind === 'relationship' ? await relationshipBreach(evaluation, column, rule) : valueBreach(table, column, rule);
  return countBreaches(evaluation, breach, column);
}

type ValueRule = Extract<CheckRule, { kind: 'not_null' | 'accepted_values' | 'rejected_values' | 'range' | 'length' | 'pattern' }>;

/** SQL that is true for a row in breach. NULL breaches only where it is asked for. */
function valueBreach(table: OpenTable, column: ProfiledColumn, rule: ValueRule): string {
  const x = column.sql;
  if (rule.kind === 'not_null') return `${x} IS NULL`;
  if (rule.kind === 'accepted_values' || rule.kind === 'rejected_values') {
    const listed = isIn(table, column, rule.values);
    return rule.kind === 'accepted_values' ? `${x} IS NOT NULL AND NOT (${listed})` : listed;
  }
  if (rule.kind === 'pattern') {
    if (table.engine.dialect === 'sqlite') throw new QuestionError('no_patterns', 'SQLite has no regular expressions');
    const text = `CAST(${x} AS TEXT)`;
    const pattern = quoteText(rule.pattern);
    return table.engine.dialect === 'postgres' ? `${text} !~ ${pattern}` : `NOT regexp_matches(${text}, ${pattern})`;
  }
  if (rule.bounds.length === 0) throw new QuestionError('no_bounds', 'it gives no bounds that are numbers or dates');
  const measured = rule.kind === 'length' ? `LENGTH(CAST(${x} AS TEXT))` : x;
  const holds = rule.bounds.map(({ operator, value }) => `${measured} ${operator} ${literal(value)}`).join(' AND ');
  return `${x} IS NOT NULL AND NOT (${holds})`;
}

/** Numbers are compared as numbers where all are some, else as texts. */
function isIn(table: OpenTable, { sql, kind }: ProfiledColumn, values: readonly Plain[]): string {
  const given = values.filter((value) => value !== null);
  if (given.length === 0) throw new QuestionError('no_values', 'it names no values');
  const numbers = given.map(numberText);
  if (isNumeric(kind) && numbers.every((value) => value !== undefined)) return `${sql} IN (${numbers.join(', ')})`;
  const isLite = table.engine.dialect === 'sqlite';
  const texts = given.map((value) => quoteText(isLite && typeof value === 'boolean' ? String(Number(value)) : String(value)));
  return `CAST(${sql} AS TEXT) IN (${texts.join(', ')})`;
}

function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

function literal(value: string): string {
  return numberText(value) === undefined ? quoteText(value) : value;
}

async function expressionBreach({ table, check }: Evaluation, sql: string): Promise<string> {
  const whole = check.column === undefined ? sql : sql.replaceAll('{column}', findColumn(table, check.column).sql);
  if (!isClosed(whole))
    throw new QuestionError('bad_expression', 'an expression must be one condition: brackets and quotes closed, no semicolon, no comment');
  return `NOT (${whole})`;
}

async function relationshipBreach(
  { table }: Evaluation,
  column: ProfiledColumn,
  { to, field }: { readonly to: string; readonly field: string },
): Promise<string> {
  const other = await table.engine.describeTable(to, table.scope);
  const target = other.columns.find(({ name }) => name.toLowerCase() === field.toLowerCase());
  if (!target) throw new QuestionError('unknown_column', `"${to}" has no column "${field}"`);
  const name = table.engine.quote(target.name);
  const relation = await table.engine.relation(to, table.scope);
  return `${column.sql} IS NOT NULL AND ${column.sql} NOT IN (SELECT ${name} FROM ${relation} WHERE ${name} IS NOT NULL)`;
}

async function countBreaches({ check, table }: Evaluation, breach: string, column: ProfiledColumn | undefined): Promise<CheckResult> {
  const [[of, found] = []] = await runQuery(table, `SELECT COUNT(*), COUNT(CASE WHEN ${breach} THEN 1 END) FROM ${table.from}`);
  const breaches = Number(found ?? 0);
  const status = isAllowed(check, breaches, Number(of ?? 0)) ? 'pass' : 'breach';
  if (breaches === 0 || column === undefined || check.rule.kind === 'not_null') return { check, status, breaches, of: Number(of ?? 0) };
  const x = table.dialect.comparable(column.sql, column.info.type);
  const rows = await runQuery(
    table,
    `SELECT v FROM (SELECT ${x} AS v, COUNT(*) AS n FROM ${table.from} WHERE ${breach} GROUP BY ${x}) AS wrong ORDER BY n DESC, v LIMIT ${SAMPLES}`,
  );
  return { check, status, breaches, of: Number(of ?? 0), samples: rows.map(([value]) => value ?? null) };
}

function isAllowed({ allow }: ContractCheck, breaches: number, of: number): boolean {
  if (allow === undefined) return breaches === 0;
  const value: ExactNumber = allow.percent
    ? (parseExact(of === 0 ? 0 : String((breaches / of) * 100)) ?? { digits: 0n, scale: 0 })
    : { digits: BigInt(breaches), scale: 0 };
  return allow.bounds.every((bound) => holds(value, bound));
}

function holds(value: ExactNumber, { operator, value: limit }: Bound): boolean {
  const bound = parseExact(limit);
  if (!bound) throw new QuestionError('no_bounds', `"${limit}" is no number`);
  const order = compareExact(value, bound);
  if (operator === '<') return order < 0;
  if (operator === '<=') return order <= 0;
  if (operator === '>') return order > 0;
  if (operator === '>=') return order >= 0;
  return operator === '=' ? order === 0 : order !== 0;
}

/** Rows with NULL in the key do not count, as in dbt and Soda. */
async function evaluateUnique({ check, table }: Evaluation, names: readonly string[]): Promise<CheckResult> {
  const columns = names.map((name) => findColumn(table, name));
  if (columns.length === 0) throw new QuestionError('no_columns', 'it names no columns');
  const keys = columns.map(({ sql, info }) => table.dialect.comparable(sql, info.type));
  const filled = columns.map(({ sql }) => `${sql} IS NOT NULL`).join(' AND ');
  const groups = `SELECT ${keys.map((key, index) => `${key} AS k${index}`).join(', ')}, COUNT(*) AS n FROM ${table.from} WHERE ${filled} GROUP BY ${keys.join(', ')} HAVING COUNT(*) > 1`;
  const [[found] = []] = await runQuery(table, `SELECT COUNT(*) FROM (${groups}) AS doubles`);
  const [[of] = []] = await runQuery(table, `SELECT COUNT(*) FROM ${table.from}`);
  const breaches = Number(found ?? 0);
  const status = isAllowed(check, breaches, Number(of ?? 0)) ? 'pass' : 'breach';
  const list = columns.map((_, index) => `k${index}`).join(', ');
  const rows =
    breaches === 0 ? [] : await runQuery(table, `SELECT ${list}, n FROM (${groups}) AS doubles ORDER BY n DESC, ${list} LIMIT ${SAMPLES}`);
  const samples = rows.map((row) => `${row.slice(0, -1).map(String).join(', ')} (${row.at(-1)} rows)`);
  return { check, status, breaches, of: Number(of ?? 0), ...(samples.length > 0 ? { samples } : {}) };
}

async function evaluateMetric({ check, table }: Evaluation, rule: Extract<CheckRule, { kind: 'metric' }>): Promise<CheckResult> {
  if (rule.bounds.length === 0) throw new QuestionError('no_bounds', 'it gives no bounds that are numbers');
  const column = rule.metric === 'row_count' ? undefined : findColumn(table, check.column ?? '');
  const sql = column === undefined ? 'COUNT(*)' : metricSql(table, column, rule.metric);
  const [[value] = []] = await runQuery(table, `SELECT ${sql} FROM ${table.from}`);
  const number = parseExact(value);
  if (number === undefined)
    throw new QuestionError(
      'no_value',
      `it has no value that is a number (${value === null || value === undefined ? 'NULL' : String(value)})`,
    );
  return { check, status: rule.bounds.every((bound) => holds(number, bound)) ? 'pass' : 'breach', value: exactText(number) };
}

function metricSql(table: OpenTable, { sql, kind }: ProfiledColumn, metric: string): string {
  if (metric === 'sum') return table.dialect.sum(sql, kind);
  return metric === 'distinct_count' ? `COUNT(DISTINCT ${sql})` : `${metric.toUpperCase()}(${sql})`;
}

async function evaluateFreshness({ check, table, now }: Evaluation, column: ProfiledColumn, maxSeconds: number): Promise<CheckResult> {
  const time = await readTimeColumn(table, table.from, column);
  if (!time) throw new QuestionError('not_a_time', 'its values cannot be read as times');
  const found = await measureFreshness(table, time, {
    zone: 'UTC',
    asOf: Math.floor(now.getTime() / 1000),
    maxAgeHours: maxSeconds / 3_600,
  });
  if (found.age_seconds === null) throw new QuestionError('no_value', 'it holds no time that is not in the future');
  return { check, status: found.age_seconds <= maxSeconds ? 'pass' : 'breach', value: found.newest };
}
