import { parseLenientJson } from '../../src/core/lenient-json.ts';
import { readFileText } from '../../src/core/read-file-text.ts';
import type { Artifact } from './find-artifacts.ts';

const LARGEST = 512 * 1024 * 1024;

export type Json = Readonly<Record<string, unknown>>;

export type ReadArtifact =
  | { readonly ok: true; readonly value: Json; readonly nonFinite: readonly string[]; readonly nonFiniteCount: number }
  | { readonly ok: false; readonly message: string };

/** The JSON object in the file, whatever Python wrote for numbers that are none; or why it cannot be read. Never rejects. */
export async function readArtifact(artifact: Pick<Artifact, 'absolutePath' | 'path' | 'bytes'>): Promise<ReadArtifact> {
  if (artifact.bytes > LARGEST) return { ok: false, message: `${artifact.path} is larger than 512 MB and was not read` };
  try {
    const read = parseLenientJson(await readFileText(artifact.absolutePath));
    if (!read.ok) return { ok: false, message: `${artifact.path}, line ${read.line}, column ${read.column}: ${read.message}` };
    if (!isObject(read.value)) return { ok: false, message: `${artifact.path} holds no JSON object` };
    return { ok: true, value: read.value, nonFinite: read.nonFinite, nonFiniteCount: read.nonFiniteCount };
  } catch (error) {
    return { ok: false, message: `${artifact.path} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})` };
  }
}

export function isObject(value: unknown): value is Json {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** The value as an object; empty for all else. */
export function objectOf(value: unknown): Json {
  return isObject(value) ? value : {};
}

/** The objects of a list; empty for all else. */
export function objectsOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** A text that is not empty. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
}

/** A number as it stands: also as text where a JavaScript number cannot hold it; null for all else. */
export function numberOf(value: unknown): number | string | null {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^(-?\d+(\.\d+)?([eE][+-]?\d+)?|NaN|-?Infinity)$/.test(value) ? value : null;
}
