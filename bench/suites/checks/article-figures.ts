interface CheckRequest {
  readonly answer: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

/** Both figures of every article stand in a line that names its subject. */
export function check({ answer, facts }: CheckRequest): { readonly passed: boolean; readonly detail: string } {
  const { subjects, firsts, seconds } = facts as Record<'subjects' | 'firsts' | 'seconds', readonly string[]>;
  const lines = answer.split('\n');
  const missing = subjects.filter((subject, place) => {
    const line = lines.find((one) => one.toLowerCase().includes(subject.replace(/^the /, '').toLowerCase())) ?? '';
    return !holds(line, firsts[place] ?? '') || !holds(line, seconds[place] ?? '');
  });
  const detail =
    missing.length === 0
      ? `${subjects.length} articles with both figures`
      : `a figure is missing of ${missing.length}: ${missing.slice(0, 3).join('; ')}`;
  return { passed: missing.length === 0, detail };
}

/** The figure by itself, not as part of another. */
function holds(line: string, figure: string): boolean {
  return new RegExp(`(?<![\\d.,])${figure.replace('.', '\\.').replace(',', ',?')}(?![\\d]|[.,]\\d)`).test(line);
}
