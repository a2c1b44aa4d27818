import { suggestName } from '../core/nearest.ts';

/** The tool that a called name means, or what to suggest in its place. */
export type ToolMatch =
  | { readonly name: string; readonly suggestion?: undefined }
  | { readonly name?: undefined; readonly suggestion: string };

/**
 * Finds the offered tool that a model meant: the exact name, else the only one that is the same once case, `-` against
 * `_` and a prefix such as `functions.` are set aside. Anything else is not guessed at.
 */
export function matchToolName(called: string, offered: readonly string[]): ToolMatch {
  if (offered.includes(called)) return { name: called };
  const sought = normalise(called);
  const same = offered.filter((name) => normalise(name) === sought);
  if (same.length === 1 && same[0] !== undefined) return { name: same[0] };
  return { suggestion: suggestName(called, offered) };
}

function normalise(name: string): string {
  return name
    .trim()
    .replace(/^(?:functions?|tools?)[.:/]/i, '')
    .replace(/[\s-]/g, '_')
    .toLowerCase();
}
