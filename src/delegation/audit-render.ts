import type { DelegationAudit } from './audit-claims.ts';
import type { AgentRecord } from './audit-recommend.ts';

/** One line for a delegation, and one for each of its claims. */
export function renderDelegation(one: DelegationAudit): string {
  const named = one.claims.find(({ claim }) => claim === one.why);
  const head = `- **${one.agent}** (${one.id}, ${one.children} ${one.children === 1 ? 'task' : 'tasks'}) for ${one.why}: **${one.verdict}**${named?.cameTrue && one.verdict !== 'paid' ? `, since it ended ${one.status}` : ''}`;
  const claims = one.claims.map(
    ({ claim, cameTrue, measured }) => `  - ${claim} ${cameTrue ? 'came true' : 'did not come true'}: ${measured}.`,
  );
  return [head, ...claims, `  - ${costOf(one)}`].join('\n');
}

function costOf(one: DelegationAudit): string {
  const { inline } = one;
  return `Cost: ${one.modelCalls} model calls, ${one.inputTokens} tokens in, ${one.outputTokens} out, ${(one.wallMs / 1000).toFixed(1)} s, peak window ${Math.max(one.peakContextTokens, one.callerPeakTokens)}. Inline: ${inline.modelCalls} model calls, ${inline.inputTokens} tokens in, peak window ${inline.peakContextTokens}.`;
}

/** The short block after a run: a line for each delegation. */
export function renderDelegationLine(one: DelegationAudit): string {
  const named = one.claims.find(({ claim }) => claim === one.why);
  return `- ${one.agent}, ${one.children} ${one.children === 1 ? 'task' : 'tasks'}, for ${one.why}: **${one.verdict}** (${named?.measured ?? 'the claim is not in its file'}). ${costOf(one)}`;
}

/** What the agents were worth over many sessions, as a list with a recommendation each. */
export function renderAgentRecord(record: AgentRecord & { readonly file?: string }): string {
  const head = `- **${record.agent}**${record.file ? ` (${record.file})` : ''}: **${record.recommendation}**. ${record.reason}.`;
  const cost = `  - ${record.delegations} delegations in ${record.sessions} sessions, ${record.paid} paid; ${record.children} children, ${record.modelCalls} model calls, ${record.inputTokens} tokens in, ${record.outputTokens} out, ${(record.wallMs / 1000).toFixed(1)} s. Inline: ${record.inline.modelCalls} model calls, ${record.inline.inputTokens} tokens in.`;
  return `${head}\n${cost}`;
}
