import type { z } from 'zod';
import type { Problem } from '../core/errors.ts';
import { suggestName } from '../core/nearest.ts';
import type { Path, YamlDocument } from './yaml-document.ts';

type Issue = z.core.$ZodIssue;
type Schema = z.core.$ZodType;

const WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map of keys',
  record: 'a map of keys',
};

/** What a schema finds wrong with a document, each at its line and column. Values are shown as written in the file only. */
export function schemaProblems(schema: Schema, error: z.core.$ZodError, document: YamlDocument): Problem[] {
  return error.issues.flatMap((issue) => translate(issue, issue.path as Path, { schema, document }));
}

interface Place {
  readonly schema: Schema;
  readonly document: YamlDocument;
}

function translate(issue: Issue, path: Path, place: Place): Problem[] {
  const { document, schema } = place;
  const label = path.length > 0 ? `"${path.join('.')}"` : 'the file';
  const where = document.where(path);
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => ({
        where: document.where([...path, key], 'key'),
        fact: `unknown key "${key}"${path.length > 0 ? ` in ${label}` : ''}`,
        fix: suggestName(key, keysAt(schema, path)),
      }));
    case 'invalid_type':
      if (valueAt(document, path) === undefined) {
        return [{ where: document.where(path.slice(0, -1)), fact: `${label} is missing`, fix: `add the key "${path.at(-1)}"` }];
      }
      return [{ where, fact: `${label} is ${kindOf(valueAt(document, path))}`, fix: `write ${WORDS[issue.expected] ?? issue.expected}` }];
    case 'invalid_value':
      return [
        {
          where,
          fact: `${label} has the unknown value ${shownValue(document, path)}`,
          fix: suggestName(document.shown(path) ?? String(valueAt(document, path)), issue.values.map(String)),
        },
      ];
    case 'invalid_union':
      return translateUnion(issue, path, place);
    case 'invalid_key':
      return [
        {
          where: document.where(path, 'key'),
          fact: `the name "${path.at(-1)}" is not valid`,
          fix: 'begin with a letter; use letters, digits, "-" and "_"',
        },
      ];
    case 'too_small':
      return [
        {
          where,
          fact: `${label} is too ${issue.origin === 'string' || issue.origin === 'array' ? 'short' : 'small'}`,
          fix: smallest(issue),
        },
      ];
    case 'too_big':
      return [{ where, fact: `${label} is too large`, fix: `write at most ${issue.maximum}` }];
    default:
      return [{ where, fact: `${label} ${issue.message}` }];
  }
}

function smallest(issue: z.core.$ZodIssueTooSmall): string {
  if (issue.origin === 'string') return 'write something';
  if (issue.origin === 'array') return `list at least ${issue.minimum}`;
  return issue.inclusive ? `write at least ${issue.minimum}` : `write more than ${issue.minimum}`;
}

/** The complaints of the branch that the author meant: the one whose type fits. */
function translateUnion(issue: z.core.$ZodIssueInvalidUnion, path: Path, place: Place): Problem[] {
  const value = valueAt(place.document, path);
  const misses = (inner: Issue) =>
    inner.path.length === 0 && (inner.code === 'invalid_type' || (inner.code === 'invalid_value' && typeof value !== 'string'));
  const meant = issue.errors.find((branch) => !branch.some(misses));
  if (meant) return meant.flatMap((inner) => translate(inner, [...path, ...(inner.path as Path)], place));
  const expected = issue.errors.flat().flatMap((inner) => {
    if (inner.code === 'invalid_value') return inner.values.map(String);
    return inner.code === 'invalid_type' ? [WORDS[inner.expected] ?? inner.expected] : [];
  });
  const fact = `"${path.join('.')}" is ${kindOf(value)}`;
  return [{ where: place.document.where(path), fact, fix: `write ${[...new Set(expected)].join(' or ')}` }];
}

function valueAt(document: YamlDocument, path: Path): unknown {
  let value: unknown = document.value;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string | number, unknown>)[step];
  }
  return value;
}

function shownValue(document: YamlDocument, path: Path): string {
  return JSON.stringify(document.shown(path) ?? valueAt(document, path)) ?? 'nothing';
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'empty';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return 'text';
  if (typeof value === 'number') return Number.isFinite(value) ? 'a number' : 'not a finite number';
  return typeof value === 'boolean' ? 'true or false' : 'a map of keys';
}

/** The keys a schema knows in the map at a path. */
function keysAt(schema: Schema, path: Path): string[] {
  const definition = (schema as unknown as { _zod: { def: Definition } })._zod.def;
  if (definition.innerType) return keysAt(definition.innerType, path);
  if (definition.options) return definition.options.flatMap((option) => keysAt(option, path));
  const [step, ...rest] = path;
  if (definition.shape) {
    if (step === undefined) return Object.keys(definition.shape);
    const inner = definition.shape[step];
    return inner ? keysAt(inner, rest) : [];
  }
  const inner = definition.element ?? definition.valueType;
  return inner && step !== undefined ? keysAt(inner, rest) : [];
}

interface Definition {
  readonly innerType?: Schema;
  readonly options?: readonly Schema[];
  readonly shape?: Readonly<Record<string | number, Schema>>;
  readonly element?: Schema;
  readonly valueType?: Schema;
}
