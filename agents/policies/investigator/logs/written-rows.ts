import type { ToolResult } from '../../../../src/core/tool-result.ts';
import { cite, type Finding, NOTHING, type PartReport } from '../part-report.ts';
import { clock, enumerate } from '../read-data.ts';
import type { LogFacts } from './log-facts.ts';

interface Attempt {
  readonly task: string | null;
  readonly attempt: number | null;
  readonly texts: string[];
}

/** What each attempt says it wrote: rows that a failed attempt had committed are there twice after the next. */
export function writtenRows(facts: LogFacts, result: ToolResult, { explain }: { readonly explain: boolean }): PartReport {
  const attempts = new Map<string, Attempt>();
  for (const { task, attempt, text, kind } of facts.timeline) {
    if (kind !== 'rows') continue;
    const key = JSON.stringify([task, attempt]);
    const known = attempts.get(key) ?? { task, attempt, texts: [] };
    known.texts.push(`"${text.slice(0, 80)}"`);
    attempts.set(key, known);
  }
  if (attempts.size === 0) return NOTHING;
  const told = [...attempts.values()].map((one) => `${nameOf(one)}: ${enumerate(one.texts, 6)}`);
  const claim = `Rows written, by the logs: ${told.slice(0, 4).join('; ')}.`;
  const written: Finding = { kind: 'observation', claim, evidence: [result.id], confidence: 'high' };
  const why = explain ? writtenTwice(facts, [...attempts.values()]) : undefined;
  if (why === undefined) return { ...NOTHING, findings: [written] };
  return {
    ...NOTHING,
    answer: [`${why.replace(/\.$/, '')}${cite(result)}.`],
    findings: [
      {
        kind: 'cause',
        claim: why,
        evidence: [result.id],
        confidence: 'high',
        refuted_by: 'a load that removes what an earlier attempt had written before it writes again',
      },
      written,
    ],
  };
}

/** An attempt that wrote and then failed, and a later one of the same task that wrote again. */
function writtenTwice(facts: LogFacts, attempts: readonly Attempt[]): string | undefined {
  for (const first of attempts) {
    const error = facts.timeline.find((event) => event.kind === 'error' && event.task === first.task && event.attempt === first.attempt);
    const next = attempts.find((one) => one.task === first.task && (one.attempt ?? 0) > (first.attempt ?? 0));
    if (!error || !next) continue;
    const failed = `failed${error.time === null ? '' : ` at ${clock(error.time)}`} ("${error.text.slice(0, 160)}")`;
    return `By the logs ${nameOf(first)} had written rows (${enumerate(first.texts, 4)}) when it ${failed}, and ${nameOf(next)} wrote again (${enumerate(next.texts, 4)}).`;
  }
  return undefined;
}

function nameOf({ task, attempt }: Attempt): string {
  const who = task === null ? 'a task without a name' : `\`${task}\``;
  return attempt === null ? who : `attempt ${attempt} of ${who}`;
}
