const OPEN = '\uE000';
const CLOSE = '\uE001';

/**
 * Hides the braces of `${NAME}`, so that it may stand unquoted inside a flow map, where YAML would take the brace for a
 * map. No character is added or lost: positions stay right.
 */
export function maskVariables(text: string): string {
  return text.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, `$$${OPEN}$1${CLOSE}`);
}

/** The text as it was before {@link maskVariables}. */
export function unmaskVariables(text: string): string {
  return text.replaceAll(OPEN, '{').replaceAll(CLOSE, '}');
}

export interface FilledText {
  readonly text: string;
  /** True when something came out of the environment. */
  readonly filled: boolean;
  /** Names that the environment lacks, each as it stands in the masked text. */
  readonly missing: readonly { readonly name: string; readonly masked: string }[];
}

/** Fills in the variables of a masked text; `$${NAME}` stands for a plain `${NAME}`. */
export function fillVariables(masked: string, environment: NodeJS.ProcessEnv): FilledText {
  const missing: { name: string; masked: string }[] = [];
  let filled = false;
  const text = masked.replace(/(\$?)\$\uE000([A-Za-z0-9_]+)\uE001/g, (whole, escaping: string, name: string) => {
    if (escaping) return `\${${name}}`;
    const value = environment[name];
    if (value === undefined) {
      missing.push({ name, masked: whole });
      return unmaskVariables(whole);
    }
    filled = true;
    return value;
  });
  return { text: text.replaceAll('$${', '${'), filled, missing };
}
