import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { z } from 'zod';
import type { checkSchema } from '../bench/suite-schema.ts';
import type { CheckSpec } from '../bench/suite-spec.ts';
import type { Path, YamlDocument } from '../config/yaml-document.ts';
import type { Problem } from '../core/errors.ts';

type CheckYaml = z.output<typeof checkSchema>;

/** The keys that say what is checked, each with the keys that may stand beside it. */
const KINDS = {
  contains: ['ignore_case'],
  any_of: ['ignore_case'],
  must_not: ['ignore_case'],
  regex: ['flags'],
  json: ['equals', 'tolerance'],
  number: ['tolerance', 'percent', 'near'],
  set: ['pattern'],
  grounded: [],
  function: ['with'],
  judge: [],
} as const satisfies Partial<Record<keyof CheckYaml, readonly (keyof CheckYaml)[]>>;

type Kind = keyof typeof KINDS;
const KIND_NAMES = Object.keys(KINDS) as Kind[];
const ANYWHERE: readonly string[] = ['in', 'label'];

export interface CheckReading {
  readonly check?: CheckSpec;
  readonly problems: readonly Problem[];
}

/** One check of a suite file. */
export function readCheck(yaml: CheckYaml, path: Path, { document, folder }: { document: YamlDocument; folder: string }): CheckReading {
  const kinds = KIND_NAMES.filter((kind) => yaml[kind] !== undefined);
  const [kind, second] = kinds;
  if (kind === undefined) return problem(document.where(path), 'a check says nothing to check', `write one of: ${KIND_NAMES.join(', ')}`);
  if (second !== undefined)
    return problem(document.where([...path, second], 'key'), `a check holds both "${kind}" and "${second}"`, 'write them as two checks');
  const allowed: readonly string[] = [kind, ...KINDS[kind], ...ANYWHERE];
  const foreign = Object.keys(yaml).find((key) => !allowed.includes(key));
  if (foreign !== undefined) {
    const beside = KINDS[kind].length > 0 ? `beside it may stand: ${KINDS[kind].join(', ')}` : 'nothing stands beside it';
    return problem(document.where([...path, foreign], 'key'), `"${foreign}" does not go with "${kind}"`, beside);
  }
  const wrong = wrongValue(yaml, kind, path, { document, folder });
  if (wrong) return { problems: [wrong] };
  return {
    check: { ...specOf(yaml, kind, folder), within: yaml.in ?? 'answer', label: yaml.label ?? labelOf(yaml, kind) } as CheckSpec,
    problems: [],
  };
}

function problem(where: string, fact: string, fix: string): CheckReading {
  return { problems: [{ where, fact, fix }] };
}

function wrongValue(yaml: CheckYaml, kind: Kind, path: Path, place: { document: YamlDocument; folder: string }): Problem | undefined {
  const { document, folder } = place;
  const patterns = [
    ['regex', yaml.regex],
    ['near', yaml.near],
    ['pattern', yaml.pattern],
  ] as const;
  for (const [key, pattern] of patterns) {
    const fault = pattern === undefined ? undefined : patternFault(pattern, key === 'regex' ? (yaml.flags ?? 'i') : '');
    if (fault) return { where: document.where([...path, key]), fact: `"${key}" is not a pattern: ${fault}`, fix: 'correct it' };
  }
  if (kind === 'set' && yaml.pattern === undefined)
    return {
      where: document.where([...path, 'set']),
      fact: 'a set has no pattern',
      fix: 'add "pattern", which finds an item in the answer',
    };
  if (kind === 'json' && yaml.equals === undefined)
    return { where: document.where([...path, 'json']), fact: '"json" has no value to compare with', fix: 'add "equals"' };
  if (yaml.function !== undefined && !existsSync(resolve(folder, yaml.function)))
    return {
      where: document.where([...path, 'function']),
      fact: `there is no file "${yaml.function}"`,
      fix: 'check the path; it is relative to the suite',
    };
  return undefined;
}

function patternFault(pattern: string, flags: string): string | undefined {
  // Placeholders are filled in with plain texts later.
  const filled = pattern.replace(/\{\{\w+\}\}/g, 'x');
  try {
    new RegExp(filled, flags);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message.replace(/^Invalid regular expression: /, '') : String(error);
  }
}

function specOf(yaml: CheckYaml, kind: Kind, folder: string): Record<string, unknown> {
  const ignoreCase = yaml.ignore_case ?? true;
  switch (kind) {
    case 'contains':
    case 'any_of':
    case 'must_not':
      return { kind, texts: [yaml[kind] ?? []].flat(), ignoreCase };
    case 'regex':
      return { kind, pattern: yaml.regex, flags: yaml.flags ?? 'i' };
    case 'json':
      return { kind, path: yaml.json, equals: yaml.equals, tolerance: yaml.tolerance ?? 0 };
    case 'number':
      return { kind, value: yaml.number, tolerance: yaml.tolerance ?? 0, percent: yaml.percent ?? 0, near: yaml.near };
    case 'set':
      return { kind, items: yaml.set, pattern: yaml.pattern };
    case 'grounded':
      return { kind };
    case 'function':
      return { kind, file: resolve(folder, yaml.function ?? ''), parameters: yaml.with ?? {} };
    case 'judge':
      return { kind, question: yaml.judge };
  }
}

function labelOf(yaml: CheckYaml, kind: Kind): string {
  const value = yaml[kind];
  const shown = kind === 'grounded' ? '' : ` ${Array.isArray(value) ? value.join(', ') : String(value)}`;
  const near = yaml.near === undefined ? '' : ` near ${yaml.near}`;
  const label = `${kind.replace('_', ' ')}${shown}${near}`;
  return label.length > 80 ? `${label.slice(0, 80)}…` : label;
}
