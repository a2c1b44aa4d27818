import type { NameMatch } from './match-name.ts';
import type { NumberMention } from './mention.ts';
import type { ResultIndex } from './result-index.ts';

export interface VersionMatch extends NameMatch {
  /** As the result has it. */
  readonly whole: string;
}

const NAMED = /(\p{L}[\p{L}_+#-]+)[\s=:]+(?:version\s+|v)?$/iu;

/** "PostgreSQL 9.3" where a result has `PostgreSQL 9.3.5`, or 9.3.5 in a field that is called so: the first parts of a version. */
export function findVersion({ text, unit, start }: NumberMention, answer: string, { texts }: ResultIndex): VersionMatch | undefined {
  if (unit !== undefined || !/^\d{1,3}\.\d{1,3}$/.test(text)) return undefined;
  const name = NAMED.exec(answer.slice(Math.max(0, start - 40), start))?.[1]?.toLowerCase();
  if (name === undefined) return undefined;
  const version = new RegExp(`(?<![\\d.])${text.replace('.', '\\.')}\\.(\\d{1,4})(?!\\d)`, 'g');
  for (const [result, places] of texts.entries())
    for (const { text: held, path } of places)
      for (const match of held.matchAll(version)) {
        if (isDate(text, match[1] ?? '')) continue;
        const before = held.slice(Math.max(0, match.index - 16 - name.length), match.index);
        const field = /[^.[\]]*$/.exec(path.replace(/\[\d+\]$/, ''))?.[0].toLowerCase() ?? '';
        if (isNamed(before, name) || (match.index <= 1 && field.split(/[_\W]+/).includes(name))) return { result, path, whole: match[0] };
      }
  return undefined;
}

/** 9.3.26 and 9.3.2026 may be days. */
function isDate(text: string, last: string): boolean {
  const [day, month] = text.split('.').map(Number);
  return (last.length === 2 || last.length === 4) && (day ?? 0) <= 31 && (month ?? 0) <= 12;
}

/** With no other number and no end of a sentence between. */
function isNamed(before: string, name: string): boolean {
  const at = before.lastIndexOf(name);
  return at >= 0 && !/[\p{L}\d]$/u.test(before.slice(0, at)) && /^(?![\p{L}])[^\d;,.!?\n]*$/u.test(before.slice(at + name.length));
}
