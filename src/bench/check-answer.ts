import type { CheckOutcome } from './cell.ts';
import { readJsonAnswer, sameJson, valueAtPath } from './json-path.ts';
import { readNumbers, sentencesWith } from './read-numbers.ts';
import type { CheckSpec } from './suite-spec.ts';

/** What is checked of a run. */
export interface Subject {
  readonly answer: string;
  readonly findings: readonly string[];
  /** Figures of the answer that no tool result holds; absent where they were not looked up. */
  readonly unsupportedFigures?: readonly string[];
}

export interface Verdict {
  readonly passed: boolean;
  readonly detail: string;
}

/** Checks that need more than the text: made by whoever knows modules and models. */
export interface OutsideChecks {
  readonly callFunction: (check: Extract<CheckSpec, { kind: 'function' }>) => Promise<Verdict>;
  /** `undefined` when no judge is named or it did not answer. */
  readonly askJudge: (question: string, text: string) => Promise<Verdict | undefined>;
}

/** Every check in order, each by itself; one that throws has failed, with its message. */
export async function checkAnswer(
  checks: readonly CheckSpec[],
  subject: Subject,
  outside: OutsideChecks,
): Promise<readonly CheckOutcome[]> {
  const outcomes: CheckOutcome[] = [];
  for (const check of checks) {
    const verdict = await verdictOf(check, subject, outside);
    const outcome = verdict === undefined ? 'not available' : verdict.passed ? 'passed' : 'failed';
    outcomes.push({ label: check.label, kind: check.kind, outcome, detail: verdict?.detail ?? unavailable(check.kind) });
  }
  return outcomes;
}

function unavailable(kind: CheckSpec['kind']): string {
  return kind === 'judge' ? 'the judge did not answer' : 'figures were not looked up in this run';
}

async function verdictOf(check: CheckSpec, subject: Subject, outside: OutsideChecks): Promise<Verdict | undefined> {
  const text = textOf(check, subject);
  switch (check.kind) {
    case 'grounded':
      return groundedVerdict(subject);
    case 'judge':
      return outside.askJudge(check.question, text);
    case 'function':
      try {
        return await outside.callFunction(check);
      } catch (error) {
        return { passed: false, detail: `the function failed: ${error instanceof Error ? error.message : String(error)}` };
      }
    default:
      return textVerdict(check, text);
  }
}

function textOf({ within }: CheckSpec, { answer, findings }: Subject): string {
  if (within === 'answer') return answer;
  return within === 'findings' ? findings.join('\n') : [answer, ...findings].join('\n');
}

type TextCheck = Exclude<CheckSpec, { kind: 'grounded' | 'judge' | 'function' }>;

function textVerdict(check: TextCheck, text: string): Verdict {
  switch (check.kind) {
    case 'contains': {
      const missing = check.texts.filter((wanted) => !holds(text, wanted, check.ignoreCase));
      return { passed: missing.length === 0, detail: missing.length === 0 ? 'all are there' : `not there: ${listed(missing)}` };
    }
    case 'any_of': {
      const found = check.texts.find((wanted) => holds(text, wanted, check.ignoreCase));
      return { passed: found !== undefined, detail: found === undefined ? `none is there: ${listed(check.texts)}` : `"${found}" is there` };
    }
    case 'must_not': {
      const found = check.texts.filter((wanted) => claims(text, wanted, check.ignoreCase));
      return { passed: found.length === 0, detail: found.length === 0 ? 'none is claimed' : `claimed: ${listed(found)}` };
    }
    case 'regex': {
      const passed = new RegExp(check.pattern, check.flags.replaceAll('g', '')).test(text);
      return { passed, detail: `/${check.pattern}/ ${passed ? 'matches' : 'does not match'}` };
    }
    case 'json':
      return jsonVerdict(check, text);
    case 'number':
      return numberVerdict(check, text);
    case 'set':
      return setVerdict(check, text);
  }
}

function holds(text: string, wanted: string, ignoreCase: boolean): boolean {
  return ignoreCase ? text.toLowerCase().includes(wanted.toLowerCase()) : text.includes(wanted);
}

function claims(text: string, wanted: string, ignoreCase: boolean): boolean {
  const pattern = /^\/(.+)\/$/s.exec(wanted)?.[1];
  return pattern === undefined ? holds(text, wanted, ignoreCase) : new RegExp(pattern, ignoreCase ? 'i' : '').test(text);
}

function jsonVerdict(check: Extract<CheckSpec, { kind: 'json' }>, text: string): Verdict {
  const read = readJsonAnswer(text);
  if (read === undefined) return { passed: false, detail: 'the answer is not JSON' };
  const { found, value } = valueAtPath(read, check.path);
  if (!found) return { passed: false, detail: `there is nothing at ${check.path}` };
  return { passed: sameJson(value, check.equals, check.tolerance), detail: `${check.path} is ${JSON.stringify(value)?.slice(0, 100)}` };
}

function numberVerdict(check: Extract<CheckSpec, { kind: 'number' }>, text: string): Verdict {
  const wanted = typeof check.value === 'number' ? check.value : Number(check.value.replaceAll(',', ''));
  if (!Number.isFinite(wanted)) return { passed: false, detail: `"${check.value}" is not a number` };
  const places = check.near === undefined ? [text] : sentencesWith(text, new RegExp(check.near, 'i'));
  if (places.length === 0) return { passed: false, detail: `no sentence matches /${check.near}/` };
  const numbers = places.flatMap(readNumbers);
  const reach = Math.max(check.tolerance, (Math.abs(wanted) * check.percent) / 100);
  // Half a unit of the last binary digit, so that 0.1 + 0.2 is 0.3.
  const slack = Math.abs(wanted) * 1e-12;
  const found = numbers.find((number) => Math.abs(number - wanted) <= reach + slack);
  if (found !== undefined) return { passed: true, detail: `${found} is there` };
  const nearest = [...numbers].sort((left, right) => Math.abs(left - wanted) - Math.abs(right - wanted))[0];
  return { passed: false, detail: nearest === undefined ? `no figure, not ${wanted}` : `${nearest} is nearest to ${wanted}` };
}

function setVerdict(check: Extract<CheckSpec, { kind: 'set' }>, text: string): Verdict {
  const wanted = new Set(typeof check.items === 'string' ? check.items.split(/\s*,\s*/).filter((item) => item !== '') : check.items);
  const named = new Set([...text.matchAll(new RegExp(check.pattern, 'g'))].map((match) => match[1] ?? match[0]));
  const missing = [...wanted].filter((item) => !named.has(item));
  const surplus = [...named].filter((item) => !wanted.has(item));
  const parts = [
    ...(missing.length > 0 ? [`missing: ${listed(missing)}`] : []),
    ...(surplus.length > 0 ? [`not asked for: ${listed(surplus)}`] : []),
  ];
  return { passed: parts.length === 0, detail: parts.join('; ') || `all ${wanted.size} and no other` };
}

function groundedVerdict({ unsupportedFigures }: Subject): Verdict | undefined {
  if (unsupportedFigures === undefined) return undefined;
  const none = unsupportedFigures.length === 0;
  return { passed: none, detail: none ? 'every figure stands in a result' : `in no result: ${listed(unsupportedFigures)}` };
}

function listed(items: readonly string[]): string {
  const shown = items.slice(0, 5).map((item) => (item.length > 80 ? `${item.slice(0, 80)}…` : item));
  return items.length > 5 ? `${shown.join(', ')} and ${items.length - 5} more` : shown.join(', ');
}
