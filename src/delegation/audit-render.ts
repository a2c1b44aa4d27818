import { counted } from '../core/counted.ts';
import type { DelegationAudit } from './audit-claims.ts';
import type { AgentRecord } from './audit-recommend.ts';

/** One line for a delegation, and one for each of its claims. */
export function renderDelegation(one: DelegationAudit): string {
  const named = one.claims.find(({ claim }) => claim === one.why);
  const head = `- **${one.agent}** (${one.id}, ${counted(one.children, 'task')}) for ${one.why}: **${one.verdict}**${named?.cameTrue && one.verdict !== 'paid' ? `, since it ended ${one.status}` : ''}`;
  const claims = one.claims.map(
    ({ claim, cameTrue, measured }) => `  - ${claim} ${cameTrue ? 'came true' : 'did not come true'}: ${measured}.`,
  );
  return [head, ...claims, `  - ${costOf(one)}`].join('\n');
}

function costOf(one: DelegationAudit): string {
  const { inline } = one;
  return `Cost: ${counted(one.modelCalls, 'model call')}, ${one.inputTokens} tokens in, ${one.outputTokens} out, ${(one.wallMs / 1000).toFixed(1)} s, peak window ${Math.max(one.peakContextTokens, one.callerPeakTokens)}. Inline: ${counted(inline.modelCalls, 'model call')}, ${inline.inputTokens} tokens in, peak window ${inline.peakContextTokens}.`;
}

/** The short block after a run: a line for each delegation. */
export function renderDelegationLine(one: DelegationAudit): string {
  const named = one.claims.find(({ claim }) => claim === one.why);
  return `- ${one.agent}, ${counted(one.children, 'task')}, for ${one.why}: **${one.verdict}** (${named?.measured ?? 'the claim is not in its file'}). ${costOf(one)}`;
}

/** What the agents were worth over many sessions, as a list with a recommendation each. */
export function renderAgentRecord(record: AgentRecord & { readonly file?: string }): string {
  const head = `- **${record.agent}**${record.file ? ` (${record.file})` : ''}: **${record.recommendation}**. ${record.reason}.`;
  const cost = `  - ${counted(record.delegations, 'delegation')} in ${counted(record.sessions, 'session')}, ${record.paid} paid; ${record.children} children, ${counted(record.modelCalls, 'model call')}, ${record.inputTokens} tokens in, ${record.outputTokens} out, ${(record.wallMs / 1000).toFixed(1)} s. Inline: ${counted(record.inline.modelCalls, 'model call')}, ${record.inline.inputTokens} tokens in.`;
  return `${head}\n${cost}`;
}
