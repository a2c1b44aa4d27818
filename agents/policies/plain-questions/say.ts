import { type Finding, type PartReport, tell } from '../investigator/part-report.ts';

/** One sentence that answers, with the results that it rests on, as an answer and a finding. */
export function say(claim: string, ...evidence: readonly string[]): PartReport {
  const finding: Finding = { kind: 'observation', claim: `${claim}.`, evidence: evidence.filter((id) => id !== ''), confidence: 'high' };
  return tell(finding);
}
