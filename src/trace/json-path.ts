/** One value of a JSON document with the way to it: `data.rows[3].count`. */
export interface Leaf {
  readonly path: string;
  readonly value: string | number | boolean;
}

/** All values of a document, in order; nulls are left out. */
export function* leavesOf(value: unknown, path = ''): Generator<Leaf> {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') yield { path, value };
  else if (Array.isArray(value)) for (const [index, item] of value.entries()) yield* leavesOf(item, `${path}[${index}]`);
  else if (value !== null && typeof value === 'object')
    for (const [key, item] of Object.entries(value)) yield* leavesOf(item, path === '' ? key : `${path}.${key}`);
}

/** The value at a path of the form that {@link leavesOf} gives; `undefined` where there is none. */
export function valueAt(document: unknown, path: string): unknown {
  let value = document;
  for (const part of path.match(/[^.[\]]+/g) ?? []) {
    if (value === null || typeof value !== 'object') return undefined;
    value = (value as Record<string, unknown>)[part];
  }
  return value;
}
