import type { Play } from '../../../../src/core/policy.ts';
import type { ToolResult } from '../../../../src/core/tool-result.ts';
import { LOGS_OF_THAT_TIME } from '../join-reasons.ts';
import { callIfOffered, NOTHING, type PartReport, tell, usable } from '../part-report.ts';
import { clock, enumerate, figure } from '../read-data.ts';
import { type LogFacts, readLogFacts } from './log-facts.ts';
import { HELD_UP, saidBy } from './log-messages.ts';

const MOST_SHOWN = 2;

export interface HeldUp {
  readonly source?: string;
  /** From when on the logs were read. */
  readonly since?: string;
  /** Tasks whose own work took longer. */
  readonly slower: readonly string[];
}

/** What the logs of a run whose work took longer tell of waiting for something outside, and of no time before it. */
export async function heldUp(play: Play, { messages }: LogFacts, result: ToolResult, request: HeldUp): Promise<PartReport> {
  const { source, since, slower } = request;
  const waits = messages.filter((one) => HELD_UP.test(saidBy(one)));
  if (slower.length === 0 || since === undefined || waits.length === 0) return NOTHING;
  const whole = await callIfOffered(play, 'summarize_log', source ? { source } : {});
  const before = usable(whole) ? readLogFacts(whole.data).messages : [];
  const isOld = (template: string | null): boolean =>
    before.some((one) => one.text('template') === template && Date.parse(one.text('first') ?? '') < Date.parse(since));
  const told = waits.filter((one) => !isOld(one.text('template'))).slice(0, MOST_SHOWN);
  if (told.length === 0) return NOTHING;
  const said = told.map((one) => {
    const count = one.number('count') ?? 1;
    const times = count > 1 ? ` (count ${figure(count)}, last ${clock(one.text('last'))})` : '';
    return `${clock(one.text('first'))} "${saidBy(one).replaceAll('\n', ' ').slice(0, 240)}"${times}`;
  });
  return tell({
    kind: 'cause',
    claim: `${LOGS_OF_THAT_TIME} say what it waited for: ${enumerate(said)}.`,
    evidence: [result.id, ...(usable(whole) ? [whole.id] : [])],
    confidence: 'medium',
    refuted_by: 'the same lines in the logs of a run of usual length',
  });
}
