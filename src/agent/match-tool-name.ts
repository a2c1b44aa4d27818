import { nearestName, suggestName } from '../core/nearest.ts';

/** The tool a called name stands for, or a suggestion where it stands for none. */
export interface ToolNameMatch {
  readonly name: string | undefined;
  readonly suggestion: string;
}

/** Exact, else the only name that is equal once case, `-` and `_`, and a `functions.` prefix are set aside. */
export function matchToolName(called: string, names: readonly string[]): ToolNameMatch {
  if (names.includes(called)) return { name: called, suggestion: '' };
  const wanted = normalise(called);
  const equal = names.filter((name) => normalise(name) === wanted);
  if (equal.length === 1) return { name: equal[0], suggestion: '' };
  const near = nearestName(called, names);
  return {
    name: undefined,
    suggestion: near === undefined ? suggestName(called, names) : `did you mean "${near}"? The tools are: ${names.join(', ')}`,
  };
}

function normalise(name: string): string {
  return name
    .trim()
    .replace(/^(functions?|tools?)[.:/]/i, '')
    .toLowerCase()
    .replace(/[-_\s]/g, '');
}
