import type { ChildConclusion, ConclusionStatus } from '../core/conclusion.ts';
import type { ToolStatus } from '../core/tool-result.ts';
import { FINDING_TOOL } from './finding-from-result.ts';

/** What the results of an agent's calls amount to, as far as an answer can rest on them. */
export interface EvidenceCount {
  /** Results that held data, findings and lists of what there is aside. */
  informative: number;
  /** Lists of what there is, and looks at how a file is written, that held something. */
  listings: number;
  /** Looks into data that failed or were refused. */
  failedLooks: number;
}

/** What is known of a call that ended: of a subagent's, also how its children ended. */
interface Counting {
  readonly evidence: EvidenceCount;
  readonly delegations: ReadonlyMap<string, readonly { readonly id: string }[]>;
  readonly conclusions: ReadonlyMap<string, Pick<ChildConclusion, 'status' | 'evidence'>>;
}

const LISTINGS: ReadonlySet<string> = new Set(['list_tables', 'list_files', 'list_artifacts', 'sniff_file']);

/** Of a call of a subagent, the conclusions tell: with none of them resting on anything it brought nothing. */
export function countEvidence(
  { evidence, delegations, conclusions }: Counting,
  { tool, status, resultId }: { readonly tool: string; readonly status: ToolStatus; readonly resultId: string },
): void {
  if (tool === FINDING_TOOL) return;
  const children = delegations.get(resultId);
  const held = (status === 'ok' || status === 'partial') && (children?.some(({ id }) => broughtData(conclusions.get(id))) ?? true);
  if (LISTINGS.has(tool)) evidence.listings += held ? 1 : 0;
  else if (held) evidence.informative++;
  else if (status !== 'no_data') evidence.failedLooks++;
}

const CUT_SHORT: ReadonlySet<ConclusionStatus> = new Set(['budget', 'timeout', 'aborted']);

/** A child that was cut short concludes from what it had read by then. */
function broughtData(conclusion: Pick<ChildConclusion, 'status' | 'evidence'> | undefined): boolean {
  if (!conclusion) return false;
  return conclusion.status === 'ok' || (CUT_SHORT.has(conclusion.status) && conclusion.evidence.length > 0);
}

/** An answer after calls that brought no data rests on nothing; so does one after a list of what there is when every look into it failed. */
export function restsOnData({ informative, listings, failedLooks }: EvidenceCount): boolean {
  return informative > 0 || (listings > 0 && failedLooks === 0);
}
