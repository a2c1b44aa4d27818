import type { JsonSchema } from '../core/model.ts';
import { nearestName } from '../core/nearest.ts';

export type CoercedArguments =
  | { readonly ok: true; readonly value: Readonly<Record<string, unknown>>; readonly coercions: readonly string[] }
  | { readonly ok: false; readonly problem: string };

const DEPTH = 16;

/**
 * Makes a model's arguments fit a tool's schema, only as the schema says: text of a number where a number is wanted,
 * text of JSON where a list or an object is, a single value where a list is, a number where only text is. Nothing is
 * changed that already fits, a value that would lose precision is left alone, and every change is told. Unknown keys
 * are a problem: they are named with the nearest known one.
 */
export function coerceArguments(raw: unknown, schema: JsonSchema): CoercedArguments {
  const coercions: string[] = [];
  const object = readObject(raw, coercions);
  if (!object) return { ok: false, problem: `the arguments are not a JSON object: ${excerpt(raw)}` };
  const root: Place = { path: '', definitions: definitionsOf(schema), coercions, depth: DEPTH };
  const value = coerceObject(object, resolve(schema, root), root);
  const unknown = unknownKeys(value, schema);
  return unknown ? { ok: false, problem: unknown } : { ok: true, value, coercions };
}

interface Place {
  readonly path: string;
  readonly definitions: Readonly<Record<string, unknown>>;
  readonly coercions: string[];
  readonly depth: number;
}

const NO_DEFINITIONS: Fields = {};

function definitionsOf({ definitions, $defs }: Fields): Fields {
  return definitions === undefined && $defs === undefined ? NO_DEFINITIONS : { ...asRecord(definitions), ...asRecord($defs) };
}

type Fields = Readonly<Record<string, unknown>>;

/** The arguments as an object: JSON text of one is read, encoded once or twice; nothing at all is an empty one. */
function readObject(raw: unknown, coercions: string[]): Fields | undefined {
  let value = raw;
  for (let times = 0; typeof value === 'string' && times < 2; times++) {
    if (value.trim() === '') return {};
    value = parseJson(value);
    if (value === undefined) return undefined;
    coercions.push('arguments: read from JSON text');
  }
  if (value === null || value === undefined) return {};
  return typeof value === 'object' && !Array.isArray(value) ? (value as Fields) : undefined;
}

function coerceObject(value: Fields, schema: Fields, place: Place): Fields {
  const properties = asRecord(schema.properties);
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : [];
  let changed: Record<string, unknown> | undefined;
  for (const key of Object.keys(value)) {
    const child = value[key];
    const childSchema = properties[key];
    if (childSchema === undefined || typeof childSchema !== 'object' || isPlainFit(child, childSchema as Fields)) continue;
    const path = place.path === '' ? key : `${place.path}.${key}`;
    const options = alternatives(childSchema as Fields, place);
    if (child === null && !required.includes(key) && !options.some((option) => typesOf(option).has('null'))) {
      changed ??= { ...value };
      delete changed[key];
      place.coercions.push(`${path}: null left out`);
      continue;
    }
    const fitted = coerceValue(child, options, { ...place, path, depth: place.depth - 1 });
    if (fitted === child) continue;
    changed ??= { ...value };
    changed[key] = fitted;
  }
  return changed ?? value;
}

/** The common case, decided without looking further: a value of the one simple type that the schema names. */
function isPlainFit(value: unknown, { type, enum: choices }: Fields): boolean {
  if (choices !== undefined) return false;
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type && (type === 'string' || type === 'number' || type === 'boolean');
}

/** The value itself if any alternative takes it as it is; else the first alternative that it can be made to fit. */
function coerceValue(value: unknown, options: readonly Fields[], place: Place): unknown {
  if (place.depth <= 0 || options.length === 0) return value;
  const taken = options.find((option) => takes(value, option));
  if (taken) return coerceInside(value, taken, place);
  for (const option of options) {
    const made = convert(value, option);
    if (made === undefined) continue;
    place.coercions.push(`${place.path}: ${excerpt(value)} taken as ${excerpt(made)}`);
    return coerceInside(made, option, place);
  }
  return value;
}

function coerceInside(value: unknown, schema: Fields, place: Place): unknown {
  if (Array.isArray(value)) {
    if (schema.items === null || typeof schema.items !== 'object') return value;
    const options = alternatives(schema.items as Fields, place);
    const items = value.map((item, index) =>
      coerceValue(item, options, { ...place, path: `${place.path}.${index}`, depth: place.depth - 1 }),
    );
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  return value !== null && typeof value === 'object' ? coerceObject(value as Fields, schema, place) : value;
}

function takes(value: unknown, schema: Fields): boolean {
  if ('const' in schema) return value === schema.const;
  if (Array.isArray(schema.enum)) return schema.enum.includes(value);
  const types = typesOf(schema);
  return types.size === 0 || types.has(typeName(value)) || (types.has('number') && typeName(value) === 'integer');
}

/** The value in the form that the schema wants, or `undefined` when it has none there. */
function convert(value: unknown, schema: Fields): unknown {
  const allowed = 'const' in schema ? [schema.const] : Array.isArray(schema.enum) ? (schema.enum as unknown[]) : undefined;
  if (allowed) return allowed.find((one) => typeof one !== typeof value && typeof one !== 'object' && String(one) === String(value));
  const types = typesOf(schema);
  if (typeof value === 'string') {
    const made = convertText(value, types);
    if (made !== undefined) return made;
  }
  if (typeof value === 'number' && types.size === 1 && types.has('string')) return String(value);
  if (types.has('array') && value !== null && !Array.isArray(value)) return asList(value, schema);
  return undefined;
}

function convertText(text: string, types: ReadonlySet<string>): unknown {
  const trimmed = text.trim();
  if (types.has('integer') || types.has('number')) {
    const number = readNumber(trimmed, !types.has('number'));
    if (number !== undefined) return number;
  }
  if (types.has('boolean') && /^(?:true|false)$/i.test(trimmed)) return trimmed.toLowerCase() === 'true';
  if (types.has('null') && trimmed === 'null') return null;
  const parsed =
    (types.has('array') && trimmed.startsWith('[')) || (types.has('object') && trimmed.startsWith('{')) ? parseJson(trimmed) : undefined;
  return parsed !== undefined && types.has(typeName(parsed)) ? parsed : undefined;
}

/** A single value in a list, if the list may hold it. */
function asList(value: unknown, schema: Fields): unknown[] | undefined {
  const items = schema.items;
  if (items === null || typeof items !== 'object') return [value];
  return takes(value, items as Fields) || convert(value, items as Fields) !== undefined ? [value] : undefined;
}

/** Only a number that is written in full: no loss of digits, no empty text, no hexadecimal. */
function readNumber(text: string, whole: boolean): number | undefined {
  if (!/^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)) return undefined;
  const number = Number(text);
  if (whole && !Number.isInteger(number)) return undefined;
  const tooLarge = Number.isInteger(number) && !Number.isSafeInteger(number);
  return Number.isFinite(number) && !tooLarge ? number : undefined;
}

function alternatives(schema: Fields, place: Place): Fields[] {
  const resolved = resolve(schema, place);
  const branches = [resolved.anyOf, resolved.oneOf].find(Array.isArray) as unknown[] | undefined;
  if (!branches) return [resolved];
  return branches.filter((branch) => branch !== null && typeof branch === 'object').map((branch) => resolve(branch as Fields, place));
}

function resolve(schema: Fields, { definitions }: Place): Fields {
  let current = schema;
  for (let hops = 0; typeof current.$ref === 'string' && hops < DEPTH; hops++) {
    current = asRecord(definitions[current.$ref.replace(/^#\/(?:\$defs|definitions)\//, '')]);
  }
  return current;
}

function unknownKeys(value: Fields, schema: JsonSchema): string | undefined {
  if (schema.properties === undefined || (schema.additionalProperties !== undefined && schema.additionalProperties !== false))
    return undefined;
  const properties = asRecord(schema.properties);
  const unknown = Object.keys(value).filter((key) => !Object.hasOwn(properties, key));
  if (unknown.length === 0) return undefined;
  const known = Object.keys(properties);
  const named = unknown.map((key) => {
    const near = nearestName(key, known);
    return near === undefined ? `"${key}"` : `"${key}" (did you mean "${near}"?)`;
  });
  return `there is no argument ${named.join(', ')}; the arguments are: ${known.join(', ') || 'none'}`;
}

function typesOf(schema: Fields): ReadonlySet<string> {
  const { type } = schema;
  return new Set(typeof type === 'string' ? [type] : Array.isArray(type) ? (type as string[]) : []);
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value;
}

function asRecord(value: unknown): Fields {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Fields) : {};
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function excerpt(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= 80 ? text : `${text.slice(0, 80)}…`;
}
