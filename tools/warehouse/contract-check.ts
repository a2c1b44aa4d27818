/** A comparison with a number or a date, kept as text. */
export interface Bound {
  readonly operator: '<' | '<=' | '>' | '>=' | '=' | '<>';
  readonly value: string;
}

export type Plain = string | number | boolean | null;

/** What a check asks, whatever language it was written in. */
export type CheckRule =
  | { readonly kind: 'column_exists' }
  | { readonly kind: 'column_forbidden' }
  | { readonly kind: 'not_null' }
  | { readonly kind: 'type'; readonly expected: string }
  | { readonly kind: 'unique'; readonly columns: readonly string[] }
  | { readonly kind: 'accepted_values'; readonly values: readonly Plain[] }
  | { readonly kind: 'rejected_values'; readonly values: readonly Plain[] }
  | { readonly kind: 'range'; readonly bounds: readonly Bound[] }
  | { readonly kind: 'length'; readonly bounds: readonly Bound[] }
  | { readonly kind: 'pattern'; readonly pattern: string }
  | { readonly kind: 'relationship'; readonly to: string; readonly field: string }
  | { readonly kind: 'expression'; readonly sql: string }
  | {
      readonly kind: 'metric';
      readonly metric: 'row_count' | 'min' | 'max' | 'avg' | 'sum' | 'distinct_count';
      readonly bounds: readonly Bound[];
    }
  | { readonly kind: 'freshness'; readonly maxSeconds: number };

export interface ContractCheck {
  /** As the contract has it, for the result. */
  readonly label: string;
  readonly column?: string;
  readonly rule: CheckRule;
  /** How many breaches are allowed; none when left out. */
  readonly allow?: { readonly bounds: readonly Bound[]; readonly percent: boolean };
  readonly where?: string;
  readonly severity?: 'warn';
}

export interface SkippedCheck {
  readonly label: string;
  readonly because: string;
}

/** Checks of one table, and what of its contract could not be turned into any. */
export interface Contract {
  readonly checks: readonly ContractCheck[];
  readonly skipped: readonly SkippedCheck[];
}

export type Fields = Readonly<Record<string, unknown>>;

export function asFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
}

export function asPlain(values: unknown): readonly Plain[] {
  return asList(values).filter((value): value is Plain => value === null || ['string', 'number', 'boolean'].includes(typeof value));
}

/** A number of a contract as text; undefined for what is none. */
export function numberText(value: unknown): string | undefined {
  const text = typeof value === 'number' || typeof value === 'bigint' || typeof value === 'string' ? String(value).trim() : '';
  return /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,3})?$/i.test(text) ? text : undefined;
}

/** A number or an ISO date or time as text; undefined for what is neither. */
function boundText(value: unknown): string | undefined {
  const day = value instanceof Date ? value.toISOString() : typeof value === 'string' ? value.trim() : '';
  return numberText(value) ?? (/^\d{4}-\d\d-\d\d([T ][\d:.]+Z?)?$/.test(day) ? day : undefined);
}

/** Lower and upper bounds, each left out where it is no number or date. */
export function between(low: unknown, high: unknown, strict: { readonly low?: boolean; readonly high?: boolean } = {}): readonly Bound[] {
  const [least, most] = [boundText(low), boundText(high)];
  return [
    ...(least === undefined ? [] : [{ operator: strict.low ? ('>' as const) : ('>=' as const), value: least }]),
    ...(most === undefined ? [] : [{ operator: strict.high ? ('<' as const) : ('<=' as const), value: most }]),
  ];
}
