import { counted } from '../core/counted.ts';
import type { Figure } from '../core/figure.ts';
import { renderDelegationLine } from '../delegation/audit-render.ts';
import { costOf } from '../trace/format-figures.ts';
import type { ReportedFinding, RunReport } from './run-report.ts';

/** The report as Markdown: the answer first, then findings with evidence, what is ruled out, what was not checked, and the cost. */
export function renderReport(report: RunReport): string {
  const parts = [
    headOf(report),
    ...findingSections(report),
    figureSection(report),
    warningSection(report),
    delegationSection(report),
    memorySection(report),
    costLine(report),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function headOf(report: RunReport): string {
  const answer = report.answer.trim();
  if (report.status === 'ok') return answer;
  const note = `**Not finished (${report.status})**${report.reason ? `: ${report.reason}` : ''}`;
  return answer ? `${note}\n\n${answer}` : note;
}

const MOST_SHOWN = 20;

/** How many figures stand where, and which stand nowhere. */
function figureSection({ figures, absences }: RunReport): string {
  const unfounded = absences.filter(({ supported }) => !supported);
  if (figures.length === 0 && unfounded.length === 0) return '';
  const count = (status: Figure['status']): number => figures.filter((figure) => figure.status === status).length;
  const head = `${counted(figures.length, 'figure')}: ${count('stated')} stated, ${count('derived')} derived, ${count('given')} given, ${count('unsupported')} unsupported.`;
  const lines = [
    ...figures
      .filter(({ status }) => status === 'unsupported')
      .map(({ text, reason }) => `- ${text}${reason === undefined ? ': no tool result holds it' : `: ${reason}`}`),
    ...unfounded.map(({ text, reason }) => `- “${text.replace(/\s+/g, ' ')}”${reason === undefined ? '' : `: ${reason}`}`),
  ];
  const more = lines.length > MOST_SHOWN ? [`- and ${lines.length - MOST_SHOWN} more`] : [];
  return ['## Figures', `${head}${lines.length > 0 ? ' Not supported:' : ''}`, [...lines.slice(0, MOST_SHOWN), ...more].join('\n')]
    .filter((part) => part !== '')
    .join('\n\n');
}

function findingSections(report: RunReport): string[] {
  const byKind = (...kinds: string[]): ReportedFinding[] => report.findings.filter((finding) => kinds.includes(finding.kind));
  return [
    section('Findings', byKind('cause', 'observation')),
    section('Ruled out', byKind('ruled_out')),
    section('Not checked', byKind('not_checked')),
  ];
}

function section(title: string, findings: readonly ReportedFinding[]): string {
  if (findings.length === 0) return '';
  return `## ${title}\n\n${findings.map(findingLine).join('\n')}`;
}

function findingLine(finding: ReportedFinding): string {
  const evidence = finding.evidence.length > 0 ? ` [${finding.evidence.join(', ')}]` : '';
  const kind = finding.kind === 'cause' ? '**Cause.** ' : '';
  const confidence =
    finding.kind === 'not_checked'
      ? ''
      : ` (${finding.confidence} confidence${finding.refutedBy ? `; refuted by: ${finding.refutedBy}` : ''})`;
  return `- ${kind}${oneLine(finding.claim)}${evidence}${confidence}`;
}

function warningSection(report: RunReport): string {
  return report.warnings.length === 0 ? '' : `## Warnings\n\n${report.warnings.map((warning) => `- ${warning}`).join('\n')}`;
}

function delegationSection({ delegations }: RunReport): string {
  return delegations.length === 0 ? '' : `## Delegations\n\n${delegations.map(renderDelegationLine).join('\n')}`;
}

/** One line each; what was recalled is background and no evidence. */
function memorySection({ notes }: RunReport): string {
  const recalled = notes.recalled.map(
    ({ id, key, text, age, why }) => `- Background ${id}${key ? ` (${key})` : ''}, ${age}: ${oneLine(text)} – ${why}`,
  );
  const written = notes.written.map(
    ({ id, key, text, verdict, judged }) => `- Noted ${id} (${key}, ${verdict}${judged ? '' : ', unjudged'}): ${oneLine(text)}`,
  );
  const lines = [...recalled, ...written];
  return lines.length === 0 ? '' : `## Memory\n\n${lines.join('\n')}`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function costLine(report: RunReport): string {
  const { modelCalls, toolCalls, inputTokens, outputTokens, peakContextTokens, wallMs } = report.usage;
  const estimated = report.model === 'rules' ? ' (estimated; no model was called)' : '';
  const calls = report.model === 'rules' ? `${counted(modelCalls, 'turn')} of the rules` : counted(modelCalls, 'model call');
  const own = embeddingLine(report);
  return `## Cost\n\n${calls}, ${counted(toolCalls, 'tool call')}, ${inputTokens} tokens in, ${outputTokens} out, peak window ${peakContextTokens}${estimated}${costOf(report.usage)}, ${(wallMs / 1000).toFixed(1)} s. ${sentence(report.modelChoice ?? `model: ${report.model}`)}. Session: ${report.session}.${own}`;
}

/** What memory asked of an embedding model is no model call of the agent, and a line of its own. */
function embeddingLine({ embeddings }: RunReport): string {
  if (!embeddings) return '';
  const part = embeddings.cost === undefined ? '' : ', which is part of the cost above';
  return `\n\nRecall beside that: ${counted(embeddings.calls, 'embedding call')}, ${embeddings.tokens} tokens${costOf(embeddings)}${part}.`;
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
