import type { Problem } from '../core/errors.ts';

/** Keys and indexes from the top of a document to a value. */
export type Path = readonly (string | number)[];

/** A value as the file has it, for messages: never what came out of the environment. */
export interface Reference {
  readonly text: string;
  readonly shown: string;
  readonly where: string;
}

/** A YAML file turned into plain values, which still knows where each came from. */
export interface YamlDocument {
  /** Absolute. */
  readonly file: string;
  readonly value: Readonly<Record<string, unknown>>;
  /** `file:line:column` of the key or the value at a path, or of the nearest thing around it. */
  where(path: Path, part?: 'key' | 'value'): string;
  /** The text at a path as written, with `${NAME}` not filled in. */
  shown(path: Path): string | undefined;
  /** Places of values that lack a variable: what else is wrong with them only follows from that. */
  readonly unfilled: ReadonlySet<string>;
}

/** `document` is absent when the file could not be read at all. */
export interface YamlReading {
  readonly document?: YamlDocument;
  readonly problems: readonly Problem[];
}

/** What is special about the values of a kind of file. */
export interface YamlRules {
  /** Fills in `${NAME}` in text. */
  readonly environment: NodeJS.ProcessEnv;
  /** True where text is taken as it stands. */
  readonly isLiteral?: (path: Path) => boolean;
  /** True where an empty value is a value; elsewhere its key counts as absent. */
  readonly keepsEmpty?: (path: Path) => boolean;
  /** Other spellings of keys in the map at a path, each with the key it stands for. */
  readonly synonyms?: (path: Path) => Readonly<Record<string, string>> | undefined;
}

/** The text at a path with its place, or undefined when it is not text. */
export function referenceAt(document: YamlDocument, path: Path): Reference | undefined {
  let value: unknown = document.value;
  for (const step of path) value = (value as Record<string | number, unknown> | undefined)?.[step];
  if (typeof value !== 'string') return undefined;
  return { text: value, shown: document.shown(path) ?? value, where: document.where(path) };
}

/** The texts of the list at a path; a single text counts as a list of one. */
export function referencesAt(document: YamlDocument, path: Path): readonly Reference[] {
  let value: unknown = document.value;
  for (const step of path) value = (value as Record<string | number, unknown> | undefined)?.[step];
  if (!Array.isArray(value)) return [referenceAt(document, path)].filter((one) => one !== undefined);
  return value.map((_, index) => referenceAt(document, [...path, index])).filter((one) => one !== undefined);
}
