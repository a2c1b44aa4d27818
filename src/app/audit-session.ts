import { counted } from '../core/counted.ts';
import type { SessionSummary } from '../core/event.ts';
import { auditEvents } from '../delegation/audit.ts';
import type { DelegationAudit } from '../delegation/audit-claims.ts';
import { type AgentRecord, startAgentRecords } from '../delegation/audit-recommend.ts';
import { renderAgentRecord, renderDelegation } from '../delegation/audit-render.ts';
import type { Workspace } from './workspace.ts';

/** What `soloist audit SESSION --json` prints; a public shape. */
export interface SessionAuditReport {
  readonly session: string;
  readonly agent: string;
  readonly question: string;
  readonly status: string;
  readonly delegations: readonly DelegationAudit[];
}

/** What `soloist audit --all --json` prints; a public shape. `file` is absent for agents that the project no longer has. */
export interface AgentsAuditReport {
  readonly sessions: number;
  readonly agents: readonly (AgentRecord & { readonly file?: string })[];
}

/**
 * Audits one session from its log alone.
 *
 * @param reference an id, the beginning of one, or `-1` for the latest
 * @throws SoloistError `not_found`, or `usage` when several sessions begin so
 */
export async function auditSession(workspace: Workspace, reference: string): Promise<SessionAuditReport> {
  const log = await workspace.openLog();
  const { session, agent, question, status }: SessionSummary = log.findSession(reference);
  return { session, agent, question, status, delegations: auditEvents(log.read(session), workspace.project.audit) };
}

/** Audits every session of the log, one after the other, and adds them up agent by agent. */
export async function auditAgents(workspace: Workspace): Promise<AgentsAuditReport> {
  const thresholds = workspace.project.audit;
  const log = await workspace.openLog();
  const records = startAgentRecords(thresholds);
  const sessions = log.listSessions(MOST_SESSIONS);
  for (const { session } of sessions) records.take(session, auditEvents(log.read(session), thresholds));
  const files = new Map(workspace.project.agents.map(({ name, file }) => [name, file]));
  const agents = records.finish().map((record) => {
    const file = files.get(record.agent);
    return { ...record, ...(file === undefined ? {} : { file }) };
  });
  return { sessions: sessions.length, agents };
}

const MOST_SESSIONS = 1_000_000;

export function renderSessionAudit({ session, agent, status, delegations }: SessionAuditReport): string {
  const head = `Session ${session} of ${agent} (${status})`;
  if (delegations.length === 0) return `${head}: nothing was delegated.\n`;
  const paid = delegations.filter((one) => one.verdict === 'paid').length;
  return `${head}: ${paid} of ${delegations.length} delegations paid.\n\n${delegations.map(renderDelegation).join('\n')}\n`;
}

export function renderAgentsAudit({ sessions, agents }: AgentsAuditReport): string {
  const head = counted(sessions, 'session');
  if (agents.length === 0) return `${head}: nothing was delegated.\n`;
  return `${head}, ${counted(agents.length, 'agent')} delegated to.\n\n${agents.map(renderAgentRecord).join('\n')}\n`;
}
