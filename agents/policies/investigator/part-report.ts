import type { Play } from '../../../src/core/policy.ts';
import type { ToolResult } from '../../../src/core/tool-result.ts';
import { read } from './read-data.ts';

export interface Finding {
  readonly kind: 'cause' | 'observation' | 'ruled_out' | 'not_checked';
  readonly claim: string;
  readonly evidence: readonly string[];
  readonly confidence: 'high' | 'medium' | 'low';
  readonly refuted_by?: string;
}

/** What one part of an investigation found: sentences that answer the question, and findings to be recorded. */
export interface PartReport {
  readonly answer: readonly string[];
  /** Lines that explain the answer, shown below it. */
  readonly detail: readonly string[];
  readonly findings: readonly Finding[];
}

export const NOTHING: PartReport = { answer: [], detail: [], findings: [] };

const CLAIM_CHARACTERS = 900;

export function mergeReports(reports: readonly PartReport[]): PartReport {
  return {
    answer: [...new Set(reports.flatMap((report) => report.answer))],
    detail: [...new Set(reports.flatMap((report) => report.detail))],
    findings: reports.flatMap((report) => report.findings),
  };
}

/** Findings that are the answer too, each with its evidence behind it. */
export function tell(...findings: readonly Finding[]): PartReport {
  const answer = findings.map(({ claim, evidence }) => `${claim.replace(/\.$/, '')}${cite(...evidence.map((id) => ({ id })))}.`);
  return { answer, detail: [], findings };
}

/** A cause that the data show; another look at the source could refute it. The claim has no full stop. */
export function tellCause(claim: string, evidence: readonly string[], refutedBy = 'the same in the source of the table'): PartReport {
  return tell({ kind: 'cause', claim: `${claim}.`, evidence, confidence: 'high', refuted_by: refutedBy });
}

/** The same report, told of as something seen beside the cause. */
export function asObservations(report: PartReport): PartReport {
  return {
    ...report,
    findings: report.findings.map((finding) => (finding.kind === 'cause' ? { ...finding, kind: 'observation' as const } : finding)),
  };
}

export function notChecked(claim: string): PartReport {
  return { ...NOTHING, findings: [{ kind: 'not_checked', claim, evidence: [], confidence: 'low' }] };
}

/** The ids of those results that there are, each once. */
export function idsOf(...results: readonly ({ readonly id: string } | undefined)[]): string[] {
  return [...new Set(results.flatMap((result) => (result?.id ? [result.id] : [])))];
}

/** The ids as they stand in text: ` [r3] [r4]`. */
export function cite(...results: readonly ({ readonly id: string } | undefined)[]): string {
  return idsOf(...results)
    .map((id) => ` [${id}]`)
    .join('');
}

/** Why a result holds no data; what an engine adds in brackets speaks of its own copies of a file. */
export function whyUnread(result: ToolResult | undefined): string | undefined {
  const message = read(result?.data).text('message') ?? result?.status;
  return message?.replace(/ \([A-Z][\w ]*Error[\w ]*: [^)]*\)?/g, '').slice(0, 300);
}

export interface UsableResult extends ToolResult {
  readonly status: 'ok' | 'partial';
}

/** What a result says of its source; that a list was shortened for the window is no such thing. */
export function sourceWarnings(result: ToolResult, most: number): readonly string[] {
  const telling = result.warnings.filter(({ code }) => !/shortened|left_out|not_shown|cut/.test(code));
  return telling.slice(0, most).map(({ message }) => message);
}

export function usable(result: ToolResult | undefined): result is UsableResult {
  return result !== undefined && (result.status === 'ok' || result.status === 'partial');
}

/** A call of a tool that may not be on offer. */
export async function callIfOffered(play: Play, tool: string, input: Readonly<Record<string, unknown>>): Promise<ToolResult | undefined> {
  return play.tools.has(tool) ? play.call(tool, input) : undefined;
}

/** Records all findings in one turn; a claim twice is recorded once. */
export async function recordFindings(play: Play, findings: readonly Finding[]): Promise<void> {
  if (!play.tools.has('record_finding')) return;
  const seen = new Set<string>();
  const fresh = findings.filter(({ claim }) => !seen.has(claim) && seen.add(claim));
  await Promise.all(
    fresh.map(({ evidence, claim, ...rest }) =>
      play.call('record_finding', { ...rest, claim: clip(claim), evidence: [...new Set(evidence.filter((id) => id !== ''))] }),
    ),
  );
}

/** Ends at a word, so that no number is cut in two. */
function clip(text: string): string {
  return text.length <= CLAIM_CHARACTERS ? text : `${text.slice(0, CLAIM_CHARACTERS).replace(/\S+$/, '')}(cut)`;
}
