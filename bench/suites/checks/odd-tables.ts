interface CheckRequest {
  readonly answer: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

/** Every odd table stands in a line that speaks of its kind of oddity, and no clean one in any such line. */
export function check({ answer, facts }: CheckRequest): { readonly passed: boolean; readonly detail: string } {
  const { copies, placeholders } = facts as { readonly copies: readonly string[]; readonly placeholders: readonly string[] };
  const lines = answer.split('\n');
  const named = (pattern: RegExp): Set<string> =>
    new Set(lines.filter((line) => pattern.test(line)).flatMap((line) => line.match(/[a-z]+_\d{3}/g) ?? []));
  const faults = [
    ...compare('copies', named(/cop(?:y|ies)|duplicate/i), copies),
    ...compare('placeholders', named(/placeholder|N\/A/i), placeholders),
  ];
  return {
    passed: faults.length === 0,
    detail: faults.join('; ') || `${copies.length} with copies, ${placeholders.length} with placeholders`,
  };
}

function compare(kind: string, named: ReadonlySet<string>, wanted: readonly string[]): string[] {
  const missing = wanted.filter((name) => !named.has(name));
  const surplus = [...named].filter((name) => !wanted.includes(name));
  return [
    ...(missing.length > 0 ? [`${kind} not found in ${missing.join(', ')}`] : []),
    ...(surplus.length > 0 ? [`${kind} claimed of ${surplus.join(', ')}`] : []),
  ];
}
