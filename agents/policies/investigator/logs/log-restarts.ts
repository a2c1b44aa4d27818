import type { ToolResult } from '../../../../src/core/tool-result.ts';
import { type Finding, NOTHING, type PartReport, tell } from '../part-report.ts';
import { clock, figure } from '../read-data.ts';
import type { LogFacts } from './log-facts.ts';
import { saidBy } from './log-messages.ts';

/** What a program says of itself when it begins. */
const BEGINS =
  /^(?:\W*[\w.-]+ )?(?:start(?:ing|ed|up)|boot(?:ing|ed)|launch(?:ing|ed)|initiali[sz](?:ing|ed)|application start\w*)\b|\bstart(?:ing|ed)\b.*\bversion\b/i;
/** A task, a request or a session begins many times; a program that begins so often is begun again. */
const OF_WORK =
  /\b(task|job|batch|attempt|run|step|phase|stage|request|get|post|put|patch|delete|head|query|session|connection|https?|load|loading|import|export|sync|cycle|thread|worker|executor|process|dag|model|window|partition|shuffle|transaction|checkpoint|compaction|scan|gc|cleanup|backup|migration|reading|writing)\b/i;
const ENDS = /\b(finish\w*|complet\w*|done|ended|succe\w*|stopp\w*|shut\w*|exit\w*|terminat\w*)\b/i;
const OF_START = /\b(start\w*|boot\w*|launch\w*|initiali[sz]\w*|ready|listening)\b/i;
const OFTEN = 3;

/** A program that begins again and again, and never says why it ended: something outside ends it. */
export function restarts({ messages }: LogFacts, result: ToolResult, { lead }: { readonly lead: boolean }): PartReport {
  const begun = messages.filter((one) => {
    const text = saidBy(one);
    return BEGINS.test(text) && (/\bversion\b/i.test(text) || !OF_WORK.test(text)) && (one.number('count') ?? 0) >= OFTEN;
  });
  const [most] = [...begun].sort((left, right) => (right.number('count') ?? 0) - (left.number('count') ?? 0));
  const ends = messages.filter((one) => ENDS.test(saidBy(one)) && !OF_START.test(saidBy(one)));
  // What says each time that it ended is a job that runs that often.
  if (!most || ends.some((one) => (one.number('count') ?? 0) * 2 >= (most.number('count') ?? 0))) return NOTHING;
  const finding: Finding = {
    kind: 'cause',
    claim: `It began again and again without a word of why it had ended: "${saidBy(most).slice(0, 160)}", count ${figure(most.number('count'))}, first ${clock(most.text('first'))}, last ${clock(most.text('last'))}; so something outside ends it, such as a limit of memory or a check of its health.`,
    evidence: [result.id],
    confidence: 'medium',
    refuted_by: 'somebody who restarted it, or a schedule that starts it that often',
  };
  return lead ? tell(finding) : { ...NOTHING, findings: [{ ...finding, kind: 'observation' }] };
}
