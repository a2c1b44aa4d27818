import type { Problem } from '../core/errors.ts';
import type { RedactionPattern } from '../core/project.ts';
import type { YamlDocument } from './yaml-document.ts';

/** Steps that a pattern may take at one place of a text: the product of how often its parts may repeat. */
const MOST_STEPS = 10_000;
const MOST_CHARACTERS = 300;

/** What is wrong with `memory.redact`, each at its line and column: these patterns run over everything that is logged. */
export function checkRedaction(document: YamlDocument, patterns: readonly RedactionPattern[]): Problem[] {
  const names = patterns.map(({ name }) => name);
  return patterns.flatMap(({ name, pattern }, index) => {
    const where = document.where(['memory', 'redact', index, 'pattern']);
    const refusal = refuseRedaction(pattern);
    const twice = names.indexOf(name) < index;
    return [
      ...(refusal ? [{ where, ...refusal }] : []),
      ...(twice
        ? [
            {
              where: document.where(['memory', 'redact', index, 'name']),
              fact: `the name "${name}" is given twice`,
              fix: 'rename one of them',
            },
          ]
        : []),
    ];
  });
}

/** Why a pattern is not run, or nothing. */
export function refuseRedaction(pattern: string): { readonly fact: string; readonly fix: string } | undefined {
  if (pattern.length > MOST_CHARACTERS)
    return { fact: `the pattern is longer than ${MOST_CHARACTERS} characters`, fix: 'split it into several' };
  try {
    if (new RegExp(pattern).test(''))
      return { fact: 'the pattern matches nothing at all', fix: 'make at least one character of it required' };
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^Invalid regular expression: /, '').slice(0, 160) : 'unknown';
    return { fact: `the pattern is no regular expression: ${reason}`, fix: 'correct its syntax' };
  }
  const plain = pattern.replace(/\\[^1-9k]/g, '_').replace(/\[(?:\\.|[^\]\\])*\]/g, '_');
  if (/\\(?:[1-9]|k<)/.test(plain)) return { fact: 'the pattern refers back to a group', fix: 'write it without \\1 or \\k' };
  if (/[*+]|\{\d*,\}/.test(plain)) return { fact: 'a repetition in the pattern has no bound', fix: 'write {0,40} for * and {1,40} for +' };
  const ranges = [...plain.matchAll(/\{(\d+)(?:,(\d+))?\}/g)].map(([, least, most]) => Number(most ?? least) - Number(least) + 1);
  if (ranges.reduce((product, range) => product * range, 1) > MOST_STEPS || repeatsGroup(plain))
    return { fact: 'the pattern may take too long over a long text', fix: 'repeat single characters only, and narrow the bounds' };
  return undefined;
}

/** A repeated group that itself repeats or branches, such as `(a{1,9}|b){1,9}`. */
function repeatsGroup(plain: string): boolean {
  const open: boolean[] = [];
  for (let at = 0; at < plain.length; at++) {
    const character = plain[at];
    if (character === '(') open.push(false);
    else if (character === ')') {
      const risky = open.pop() ?? false;
      if (risky && plain[at + 1] === '{') return true;
      if (risky && open.length > 0) open[open.length - 1] = true;
    } else if ((character === '|' || character === '{') && open.length > 0) open[open.length - 1] = true;
  }
  return false;
}
