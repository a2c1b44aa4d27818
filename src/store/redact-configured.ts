import type { RedactionPattern } from '../core/project.ts';

/** A project's pattern, ready to run. */
export interface ConfiguredPattern {
  readonly pattern: RegExp;
  readonly mark: string;
}

/** @throws SyntaxError for what is no regular expression; the reading of soloist.yaml has refused those. */
export function compileConfigured(patterns: readonly RedactionPattern[]): readonly ConfiguredPattern[] {
  return patterns.map(({ name, pattern }) => ({ pattern: new RegExp(pattern, 'g'), mark: `[redacted:${name}]` }));
}

/**
 * The text without what the patterns find. JSON stays JSON: where a bare number was found, its mark is put in quotes.
 */
export function cleanConfigured(text: string, patterns: readonly ConfiguredPattern[]): string {
  const clean = replaceAll(text, patterns);
  if (clean === text || !/^\s*[[{]/.test(text)) return clean;
  const whole = parsed(text);
  if (whole === undefined || parsed(clean) !== undefined) return clean;
  return JSON.stringify(cleanValue(whole.value, patterns));
}

function replaceAll(text: string, patterns: readonly ConfiguredPattern[]): string {
  return patterns.reduce((rest, { pattern, mark }) => rest.replace(pattern, () => mark), text);
}

function cleanValue(value: unknown, patterns: readonly ConfiguredPattern[]): unknown {
  if (typeof value === 'string') return replaceAll(value, patterns);
  if (Array.isArray(value)) return value.map((item) => cleanValue(item, patterns));
  if (typeof value === 'number') {
    const text = String(value);
    const clean = replaceAll(text, patterns);
    return clean === text ? value : clean;
  }
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [replaceAll(key, patterns), cleanValue(item, patterns)]));
}

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
