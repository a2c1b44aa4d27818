import type { JsonSchema } from '../../core/model.ts';

const DEPTH = 12;

/**
 * A schema in the forms that model servers take: `$ref` inlined, boolean sub-schemas dropped (or made open), `const` as
 * a one-item `enum`, `oneOf` as `anyOf`, and limits that servers discard told in the description. Validation still uses
 * the full schema.
 */
export function sanitiseSchema(schema: JsonSchema): JsonSchema {
  const definitions = { ...record(schema.definitions), ...record(schema.$defs) };
  const { $defs: _, definitions: __, $schema: ___, ...body } = sanitise(schema, definitions, DEPTH) as Record<string, unknown>;
  return { ...body, type: 'object', properties: record(body.properties) };
}

const LIMITS: Readonly<Record<string, string>> = {
  minimum: 'at least',
  maximum: 'at most',
  exclusiveMinimum: 'more than',
  exclusiveMaximum: 'less than',
  minItems: 'fewest items',
  maxItems: 'most items',
  minLength: 'shortest length',
  maxLength: 'longest length',
  pattern: 'matching',
  format: 'format',
  default: 'default',
};
const KEPT = new Set(['type', 'enum', 'required', 'description', 'items', 'anyOf', 'properties']);

function sanitise(node: unknown, definitions: Readonly<Record<string, unknown>>, depth: number): unknown {
  if (depth === 0 || node === null || typeof node !== 'object' || Array.isArray(node)) return {};
  const resolved = resolve(node as Record<string, unknown>, definitions);
  const result: Record<string, unknown> = {};
  const notes: string[] = [];
  for (const [key, value] of Object.entries(resolved)) {
    if (key === 'properties') result.properties = sanitiseProperties(record(value), definitions, depth);
    else if (key === 'items') result.items = sanitise(value, definitions, depth - 1);
    else if ((key === 'anyOf' || key === 'oneOf') && Array.isArray(value)) {
      result.anyOf = value.filter((part) => typeof part === 'object').map((part) => sanitise(part, definitions, depth - 1));
    } else if (key === 'allOf' && Array.isArray(value)) Object.assign(result, mergeAll(value, definitions, depth));
    else if (key === 'const') result.enum = [value];
    else if (KEPT.has(key)) result[key] = value;
    else if (key in LIMITS && isTelling(key, value))
      notes.push(`${LIMITS[key]} ${typeof value === 'string' ? value : JSON.stringify(value)}`);
  }
  if (notes.length > 0) result.description = [result.description, `(${notes.join(', ')})`].filter(Boolean).join(' ');
  return result;
}

/** Zod writes the whole range of safe integers as limits; they say nothing. */
function isTelling(key: string, value: unknown): boolean {
  return !(key.endsWith('imum') && typeof value === 'number' && Math.abs(value) >= Number.MAX_SAFE_INTEGER);
}

function sanitiseProperties(properties: Readonly<Record<string, unknown>>, definitions: Readonly<Record<string, unknown>>, depth: number) {
  const kept = Object.entries(properties).filter(([, child]) => child !== false);
  return Object.fromEntries(kept.map(([name, child]) => [name, sanitise(child === true ? {} : child, definitions, depth - 1)]));
}

function mergeAll(parts: readonly unknown[], definitions: Readonly<Record<string, unknown>>, depth: number): Record<string, unknown> {
  const merged: Record<string, unknown> = {};
  for (const part of parts) {
    const one = sanitise(part, definitions, depth - 1) as Record<string, unknown>;
    const properties = { ...record(merged.properties), ...record(one.properties) };
    const required = [...new Set([...list(merged.required), ...list(one.required)])];
    Object.assign(merged, one);
    if (Object.keys(properties).length > 0) merged.properties = properties;
    if (required.length > 0) merged.required = required;
  }
  return merged;
}

function resolve(node: Record<string, unknown>, definitions: Readonly<Record<string, unknown>>): Record<string, unknown> {
  let current = node;
  for (let hops = 0; typeof current.$ref === 'string' && hops < DEPTH; hops++) {
    const { $ref, ...beside } = current;
    const target = definitions[($ref as string).replace(/^#\/(?:\$defs|definitions)\//, '')];
    current = { ...record(target), ...beside };
  }
  return current;
}

function record(value: unknown): Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
