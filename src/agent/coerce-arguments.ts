import type { JsonSchema } from '../core/model.ts';
import { nearestName } from '../core/nearest.ts';

export type CoercedArguments =
  | { readonly ok: true; readonly value: Readonly<Record<string, unknown>>; readonly coercions: readonly string[] }
  | { readonly ok: false; readonly problem: string };

/**
 * Makes a model's arguments fit a tool's schema, only as the schema itself says: text that holds an object becomes the
 * object (encoded once or twice), "12" becomes 12 where a number is wanted, 5 becomes "5" where text is wanted, a single value
 * becomes a list where a list is wanted, null for an optional key is dropped. All else is left for validation to refuse.
 */
export function coerceArguments(raw: unknown, schema: JsonSchema): CoercedArguments {
  const coercions: string[] = [];
  const value = readObject(raw, coercions);
  if (value === undefined) return { ok: false, problem: `the arguments are not a JSON object: ${preview(raw)}` };
  const properties = (schema.properties ?? {}) as Readonly<Record<string, JsonSchema>>;
  const required = new Set((schema.required ?? []) as readonly string[]);
  const known = Object.keys(properties);
  const result: Record<string, unknown> = {};
  for (const [key, given] of Object.entries(value)) {
    const property = properties[key];
    if (!property) {
      if (schema.additionalProperties === undefined || schema.additionalProperties === false)
        return { ok: false, problem: unknownKey(key, known) };
      result[key] = given;
    } else if (given === null && !required.has(key) && !allows(property, 'null')) coercions.push(`${key}: null was dropped`);
    else result[key] = coerceValue(given, property, { path: key, coercions });
  }
  return { ok: true, value: result, coercions };
}

function unknownKey(key: string, known: readonly string[]): string {
  const near = nearestName(key, known);
  return `there is no argument "${key}"${near ? `; did you mean "${near}"?` : `; the arguments are: ${known.join(', ') || 'none'}`}`;
}

/** An object, or text that holds one, encoded at most twice; nothing at all is an empty object. */
function readObject(raw: unknown, coercions: string[]): Record<string, unknown> | undefined {
  let value = raw;
  for (let decoded = 0; decoded < 3; decoded++) {
    if (value === null || value === undefined || value === '') return {};
    if (typeof value === 'object') return Array.isArray(value) ? undefined : (value as Record<string, unknown>);
    if (typeof value !== 'string') return undefined;
    value = parseJson(value);
    if (value === undefined) return undefined;
    if (decoded === 0) coercions.push('the arguments came as text and were parsed');
  }
  return undefined;
}

interface Place {
  readonly path: string;
  readonly coercions: string[];
}

function coerceValue(given: unknown, schema: JsonSchema, place: Place): unknown {
  if (fits(given, schema)) return descend(given, schema, place);
  const coerced = convert(given, schema);
  if (coerced === undefined) return given;
  place.coercions.push(`${place.path}: ${preview(given)} became ${preview(coerced)}`);
  return descend(coerced, schema, place);
}

/** Items of lists and properties of objects are coerced too. */
function descend(value: unknown, schema: JsonSchema, place: Place): unknown {
  const items = schema.items as JsonSchema | undefined;
  if (Array.isArray(value) && items && typeof items === 'object') {
    return value.map((item, index) => coerceValue(item, items, { ...place, path: `${place.path}[${index}]` }));
  }
  const properties = schema.properties as Readonly<Record<string, JsonSchema>> | undefined;
  if (value !== null && typeof value === 'object' && !Array.isArray(value) && properties) {
    return Object.fromEntries(
      Object.entries(value).map(([key, child]) => {
        const property = properties[key];
        return [key, property ? coerceValue(child, property, { ...place, path: `${place.path}.${key}` }) : child];
      }),
    );
  }
  return value;
}

/** The given value as one of the types that the schema allows, or `undefined` when none can be made of it without guessing. */
function convert(given: unknown, schema: JsonSchema): unknown {
  const text = typeof given === 'string' ? given.trim() : undefined;
  if (text !== undefined) {
    if (allows(schema, 'integer') && /^[+-]?\d+$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
    if (allows(schema, 'number') && /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text)) return Number(text);
    if (allows(schema, 'boolean') && /^(true|false)$/i.test(text)) return text.toLowerCase() === 'true';
    const parsed = /^[[{]/.test(text) ? parseJson(text) : undefined;
    if (Array.isArray(parsed) && allows(schema, 'array')) return parsed;
    if (parsed !== null && typeof parsed === 'object' && !Array.isArray(parsed) && allows(schema, 'object')) return parsed;
  }
  if (allows(schema, 'integer') && typeof given === 'number' && Number.isInteger(given)) return given;
  if (allows(schema, 'string') && (typeof given === 'number' || typeof given === 'boolean')) return String(given);
  if (allows(schema, 'array') && given !== null && typeof given !== 'object') return [given];
  return undefined;
}

function fits(value: unknown, schema: JsonSchema): boolean {
  const type = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
  if (type === 'number') return allows(schema, 'number') || (Number.isInteger(value) && allows(schema, 'integer'));
  return allows(schema, type);
}

function allows(schema: JsonSchema, type: string): boolean {
  const options = (schema.anyOf ?? schema.oneOf) as readonly JsonSchema[] | undefined;
  if (options) return options.some((option) => allows(option, type));
  if (schema.type === undefined)
    return schema.enum === undefined || (schema.enum as readonly unknown[]).some((value) => typeof value === type);
  return Array.isArray(schema.type) ? schema.type.includes(type) : schema.type === type;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function preview(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
