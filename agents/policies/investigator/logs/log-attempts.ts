import type { ToolResult } from '../../../../src/core/tool-result.ts';
import { cite, type Finding, NOTHING, type PartReport } from '../part-report.ts';
import { enumerate } from '../read-data.ts';
import type { LogFacts } from './log-facts.ts';

/** Tasks by the logs, with their attempts and how they ended. */
export function attempts(facts: LogFacts, result: ToolResult, { lead }: { readonly lead: boolean }): PartReport {
  const told = facts.tasks.map((task) => {
    const tries = task.number('attempts') ?? 1;
    return `\`${task.text('task') ?? '?'}\` ${tries} ${tries === 1 ? 'attempt' : 'attempts'} (${task.text('final_state') ?? 'unknown'})`;
  });
  if (told.length === 0) return NOTHING;
  const claim = `Tasks by the logs, with how they ended: ${enumerate(told, 10)}`;
  const findings: Finding[] = [{ kind: 'observation', claim: `${claim}.`, evidence: [result.id], confidence: 'high' }];
  const repeated = repeatedErrors(facts);
  for (const text of repeated.slice(0, 3)) findings.push({ kind: 'observation', claim: text, evidence: [result.id], confidence: 'medium' });
  const again = repeated.slice(0, 1).map((text) => `${text.replace(/\.$/, '')}${cite(result)}.`);
  return { answer: lead ? [`${claim}${cite(result)}.`, ...again] : [], detail: [], findings };
}

/** Errors that came in more than one attempt of a task that did not end well: trying again did not help. */
function repeatedErrors(facts: LogFacts): string[] {
  const seen = new Map<string, { readonly task: string; readonly text: string; readonly attempts: Set<number> }>();
  for (const { task, attempt, text, kind, consequence } of facts.timeline) {
    if (task === null || attempt === null || consequence || (kind !== 'error' && kind !== 'error_text')) continue;
    const known = seen.get(`${task}\n${text}`);
    if (known) known.attempts.add(attempt);
    else seen.set(`${task}\n${text}`, { task, text, attempts: new Set([attempt]) });
  }
  const ended = (task: string): string | null => facts.tasks.find((one) => one.text('task') === task)?.text('final_state') ?? null;
  return [...seen.values()]
    .filter(({ task, attempts: tries }) => tries.size > 1 && ended(task) !== 'success')
    .map(
      ({ task, text, attempts: tries }) =>
        `Trying again did not help: \`${task}\` ${enumerate([...tries].map((attempt) => `attempt ${attempt}`))} met the same error, "${text.slice(0, 200)}".`,
    );
}
