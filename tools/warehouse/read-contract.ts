import { QuestionError } from './ask-table.ts';
import {
  asFields,
  asList,
  asPlain,
  between,
  type CheckRule,
  type Contract,
  type ContractCheck,
  type Fields,
  numberText,
  type SkippedCheck,
} from './contract-check.ts';
import { cutText } from './fit-items.ts';
import { readDbtModel } from './read-dbt-contract.ts';
import { readSuite } from './read-expectations.ts';
import { readSodaChecks } from './read-soda-contract.ts';
import { readSodaFour } from './read-soda-four.ts';

export interface ReadContract extends Contract {
  readonly language: string;
  /** Tables that the text also holds checks of. */
  readonly otherTables: readonly string[];
}

/**
 * The checks that a text in YAML or JSON holds for a table.
 *
 * @throws QuestionError where it cannot be read, or says nothing about the table.
 */
export async function readContract(text: string, table: string): Promise<ReadContract> {
  const { parse } = await import('yaml');
  let parsed: unknown;
  try {
    parsed = parse(text, { maxAliasCount: 50, logLevel: 'silent' });
  } catch (error) {
    throw new QuestionError(
      'bad_contract',
      `the contract is neither YAML nor JSON: ${cutText(error instanceof Error ? (error.message.split('\n')[0] ?? '') : '', 300)}`,
    );
  }
  if (Array.isArray(parsed)) return { language: 'list of checks', otherTables: [], ...readInline(parsed) };
  const fields = asFields(parsed);
  const nodes = ['models', 'seeds', 'snapshots'].flatMap((key) => asList(fields[key]).map(asFields));
  const sources = asList(fields.sources).flatMap((source) => asList(asFields(source).tables).map(asFields));
  if (nodes.length + sources.length > 0) return pickDbt([...nodes, ...sources], table);
  const sections = Object.keys(fields).filter((key) => /^checks for /i.test(key));
  if (sections.length > 0) return pickSoda(fields, sections, table);
  if (fields.expectations !== undefined) return { language: 'Great Expectations suite', otherTables: [], ...readSuite(fields) };
  if (fields.dataset !== undefined || asList(fields.columns).some((column) => asFields(column).checks !== undefined))
    return { language: 'Soda contract', otherTables: [], ...readSodaFour(fields) };
  if (fields.checks !== undefined) return { language: 'list of checks', otherTables: [], ...readInline(asList(fields.checks)) };
  if (fields.columns !== undefined) return { language: 'dbt columns', otherTables: [], ...readDbtModel(fields) };
  throw new QuestionError('bad_contract', 'the contract holds neither dbt models, Soda checks, expectations nor a list of checks');
}

function lastPart(name: string): string {
  return (name.toLowerCase().split(/[./]/).at(-1) ?? '').replaceAll('"', '');
}

/** The part about the table; the only part there is, whatever it is called. */
function choose(names: readonly string[], table: string): number {
  const place = names.findIndex((name) => lastPart(name) === lastPart(table));
  if (place >= 0) return place;
  if (names.length === 1) return 0;
  throw new QuestionError(
    'other_table',
    `the contract says nothing about "${cutText(table, 80)}"; it is about ${cutText(names.slice(0, 20).join(', '), 600)}`,
  );
}

function others(names: readonly string[], place: number): readonly string[] {
  return names.filter((_, index) => index !== place);
}

function pickDbt(models: readonly Fields[], table: string): ReadContract {
  const names = models.map((model) => String(model.name ?? ''));
  const place = choose(names, table);
  return { language: 'dbt schema', otherTables: others(names, place), ...readDbtModel(models[place] ?? {}) };
}

function pickSoda(fields: Fields, sections: readonly string[], table: string): ReadContract {
  const names = sections.map((section) => section.replace(/^checks for /i, '').trim());
  const place = choose(names, table);
  return { language: 'SodaCL', otherTables: others(names, place), ...readSodaChecks(asList(fields[sections[place] ?? ''])) };
}

/** Our own list: `{check: not_null, column: id}` and the like. */
export function readInline(list: readonly unknown[]): Contract {
  const checks: ContractCheck[] = [];
  const skipped: SkippedCheck[] = [];
  for (const item of list.map(asFields)) {
    const name = String(item.check ?? item.type ?? 'unnamed');
    const columns = asList(item.columns ?? item.column).map(String);
    const label = columns.length === 0 ? name : `${name} on ${columns.join(', ')}`;
    const rules = inlineRules(name, item, columns);
    const extra = typeof item.where === 'string' ? { where: item.where } : {};
    if (rules.length === 0) skipped.push({ label, because: 'this check is not known here, or lacks what it needs' });
    for (const { rule, column } of rules) checks.push({ label, ...(column === undefined ? {} : { column }), rule, ...extra });
  }
  return { checks, skipped };
}

function inlineRules(
  name: string,
  item: Fields,
  columns: readonly string[],
): readonly { readonly rule: CheckRule; readonly column?: string }[] {
  const [column] = columns;
  const bounds = between(item.min, item.max);
  const each = (rule: CheckRule) => columns.map((own) => ({ rule, column: own }));
  if (name === 'not_null') return each({ kind: 'not_null' });
  if (name === 'required_columns' || name === 'column_exists') return each({ kind: 'column_exists' });
  if (name === 'forbidden_columns') return each({ kind: 'column_forbidden' });
  if (name === 'unique') return column === undefined ? [] : [{ rule: { kind: 'unique', columns }, column }];
  if (name === 'accepted_values') return each({ kind: 'accepted_values', values: asPlain(item.values) });
  if ((name === 'range' || name === 'length') && bounds.length > 0) return each({ kind: name, bounds });
  if (name === 'pattern' && typeof item.pattern === 'string') return each({ kind: 'pattern', pattern: item.pattern });
  if (name === 'type' && typeof item.expected === 'string') return each({ kind: 'type', expected: item.expected });
  if (name === 'relationship' && typeof item.to === 'string' && typeof item.field === 'string')
    return each({ kind: 'relationship', to: item.to, field: item.field });
  if (name === 'expression' && typeof item.sql === 'string') return [{ rule: { kind: 'expression', sql: item.sql } }];
  if (name === 'row_count' && bounds.length > 0) return [{ rule: { kind: 'metric', metric: 'row_count', bounds } }];
  const hours = numberText(item.max_age_hours);
  return name === 'freshness' && hours !== undefined ? each({ kind: 'freshness', maxSeconds: Number(hours) * 3_600 }) : [];
}
