import {
  asFields,
  asList,
  asPlain,
  type Bound,
  between,
  type CheckRule,
  type Contract,
  type ContractCheck,
  type Fields,
  numberText,
  type SkippedCheck,
} from './contract-check.ts';

/** The list under `checks for TABLE` of SodaCL: lines such as `missing_count(email) < 5`, with or without fields. */
export function readSodaChecks(list: readonly unknown[]): Contract {
  const checks: ContractCheck[] = [];
  const skipped: SkippedCheck[] = [];
  for (const item of list) {
    const fields = asFields(item);
    const text = typeof item === 'string' ? item : (Object.keys(fields)[0] ?? '');
    const values = typeof item === 'string' ? {} : asFields(fields[text]);
    const found = text === 'schema' ? readSchema(values) : readLine(text, values);
    if (found === undefined) skipped.push({ label: text, because: 'this check is not known here' });
    else checks.push(...found);
  }
  return { checks, skipped };
}

type Checks = readonly ContractCheck[];

function readLine(text: string, values: Fields): Checks | undefined {
  const match = /^\s*([a-z_ ]+?)\s*(?:\(([^)]*)\))?\s*((?:not )?between .+|[<>=!]=?.+|must exist.*)?$/i.exec(text);
  if (!match) return undefined;
  const name = (match[1] ?? '').toLowerCase();
  const columns = (match[2] ?? '')
    .split(',')
    .map(unquote)
    .filter((part) => part !== '');
  if (name === 'values in') return readReference(text, columns, match[3] ?? '');
  const when = match[3] ?? whenOf(values.fail) ?? whenOf(values.warn);
  const label = match[3] === undefined && when !== undefined ? `${text} ${when}` : text;
  const severity = match[3] === undefined && values.fail === undefined && values.warn !== undefined ? { severity: 'warn' as const } : {};
  const column = columns[0];
  const common = { label, ...(column === undefined ? {} : { column }), ...severity };
  if (name === 'failed rows') return readFailedRows(text, values);
  if (name === 'freshness') return readFreshness(common, when);
  const bounds = readCondition(when ?? '');
  if (bounds === undefined) return undefined;
  const percent = name.endsWith('_percent');
  if (name === 'row_count') return [{ ...common, rule: { kind: 'metric', metric: 'row_count', bounds } }];
  if (/^(min|max|avg|sum)$/.test(name) && column !== undefined)
    return [{ ...common, rule: { kind: 'metric', metric: name as 'min', bounds } }];
  const allow = { bounds, percent };
  if (/^missing_(count|percent)$/.test(name) && column !== undefined) return [{ ...common, allow, rule: { kind: 'not_null' } }];
  if (/^duplicate_(count|percent)$/.test(name) && column !== undefined) return [{ ...common, allow, rule: { kind: 'unique', columns } }];
  const invalid = /^invalid_(count|percent)$/.test(name) && column !== undefined ? readValidity(values) : undefined;
  return invalid?.map((rule) => ({ ...common, allow, rule }));
}

function unquote(text: string): string {
  return text.trim().replace(/^["'`](.*)["'`]$/, '$1');
}

function whenOf(value: unknown): string | undefined {
  // A threshold that fails is the reverse of the condition that holds.
  const text = typeof value === 'string' ? /^when\s+(.+)$/i.exec(value.trim())?.[1] : undefined;
  return text === undefined ? undefined : reverse(text);
}

const REVERSED: Readonly<Record<string, string>> = { '<': '>=', '<=': '>', '>': '<=', '>=': '<', '=': '!=', '!=': '=', '<>': '=' };

function reverse(condition: string): string | undefined {
  const match = /^\s*(<=|>=|!=|<>|<|>|=)\s*(.+)$/.exec(condition);
  return match ? `${REVERSED[match[1] ?? '']} ${match[2]}` : undefined;
}

/** `< 5`, `= 0`, `between 1 and 5`, with or without a per cent sign. */
export function readCondition(text: string): readonly Bound[] | undefined {
  const range = /^between\s+(\S+)\s+and\s+(\S+)$/i.exec(text.trim());
  if (range) {
    const bounds = between(range[1]?.replace('%', ''), range[2]?.replace('%', ''));
    return bounds.length === 2 ? bounds : undefined;
  }
  const match = /^(<=|>=|!=|<>|<|>|==?)\s*(\S+?)\s*%?$/.exec(text.trim());
  const value = numberText(match?.[2]);
  if (!match || value === undefined) return undefined;
  const operator = match[1] === '==' ? '=' : match[1] === '!=' ? '<>' : match[1];
  return [{ operator: operator as Bound['operator'], value }];
}

/** What "valid" means, in the words of SodaCL (with blanks) or of contracts (with underscores). */
export function readValidity(values: Fields): readonly CheckRule[] | undefined {
  const fields = Object.fromEntries(Object.entries(values).map(([key, value]) => [key.replaceAll(' ', '_'), value]));
  const rules: CheckRule[] = [];
  if (fields.valid_values !== undefined) rules.push({ kind: 'accepted_values', values: asPlain(fields.valid_values) });
  if (fields.invalid_values !== undefined) rules.push({ kind: 'rejected_values', values: asPlain(fields.invalid_values) });
  const pattern = fields.valid_regex ?? asFields(fields.valid_format).regex;
  if (typeof pattern === 'string') rules.push({ kind: 'pattern', pattern });
  const range = between(fields.valid_min, fields.valid_max);
  if (range.length > 0) rules.push({ kind: 'range', bounds: range });
  const length = between(fields.valid_min_length ?? fields.valid_length, fields.valid_max_length ?? fields.valid_length);
  if (length.length > 0) rules.push({ kind: 'length', bounds: length });
  return rules.length === 0 ? undefined : rules;
}

function readReference(text: string, columns: readonly string[], rest: string): Checks | undefined {
  const match = /^must exist in\s+(\S+)\s*\(([^)]+)\)/i.exec(rest);
  const [column] = columns;
  const to = unquote(match?.[1] ?? '');
  return match && column !== undefined
    ? [{ label: text, column, rule: { kind: 'relationship', to, field: unquote(match[2] ?? '') } }]
    : undefined;
}

function readFailedRows(text: string, values: Fields): Checks | undefined {
  const condition = values['fail condition'];
  return typeof condition === 'string'
    ? [{ label: `${text}: ${condition}`, rule: { kind: 'expression', sql: `NOT (${condition})` } }]
    : undefined;
}

function readFreshness(common: Omit<ContractCheck, 'rule'>, when: string | undefined): Checks | undefined {
  const maxSeconds = readDuration(/^<=?\s*(.+)$/.exec(when ?? '')?.[1] ?? '');
  return maxSeconds === undefined || common.column === undefined ? undefined : [{ ...common, rule: { kind: 'freshness', maxSeconds } }];
}

const SECONDS: Readonly<Record<string, number>> = { d: 86_400, h: 3_600, m: 60, s: 1 };

/** `1d`, `36h`, `1d6h30m`. */
function readDuration(text: string): number | undefined {
  if (!/^(\d+[dhms])+$/.test(text.trim())) return undefined;
  return [...text.matchAll(/(\d+)([dhms])/g)].reduce((sum, [, amount, unit]) => sum + Number(amount) * (SECONDS[unit ?? ''] ?? 0), 0);
}

function readSchema(values: Fields): Checks {
  const checks: ContractCheck[] = [];
  for (const part of [asFields(values.fail), asFields(values.warn)]) {
    for (const column of asList(part['when required column missing']).map(String))
      checks.push({ label: `required column ${column}`, column, rule: { kind: 'column_exists' } });
    for (const column of asList(part['when forbidden column present']).map(String))
      checks.push({ label: `forbidden column ${column}`, column, rule: { kind: 'column_forbidden' } });
    for (const [column, expected] of Object.entries(asFields(part['when wrong column type'])))
      checks.push({ label: `type of ${column}`, column, rule: { kind: 'type', expected: String(expected) } });
  }
  return checks;
}
