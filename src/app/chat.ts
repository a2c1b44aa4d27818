import type { AgentSpec } from '../core/agent-spec.ts';
import type { Approve } from '../core/approval.ts';
import type { Event } from '../core/event.ts';
import type { ChatModel, Delta } from '../core/model.ts';
import type { Scope } from '../core/scope.ts';
import { readPastSession } from './past-session.ts';
import type { RunReport } from './run-report.ts';
import { runSession } from './run-session.ts';
import type { Workspace } from './workspace.ts';

export interface ChatOptions {
  readonly workspace: Workspace;
  readonly agent: AgentSpec;
  readonly model: ChatModel;
  readonly modelFor: (agent: AgentSpec) => Promise<ChatModel>;
  readonly modelAsked?: string;
  readonly modelChoice?: string;
  readonly approve?: Approve;
  readonly onEvent?: (event: Event) => void;
  readonly onDelta?: (delta: Delta) => void;
  /** A session to go on asking in. */
  readonly session?: string;
}

/** Questions one after the other. */
export interface Chat {
  /** The session that the next question belongs to; none before the first. */
  readonly session: string | undefined;
  ask(question: string, scopes: { readonly scope: Scope; readonly work: Scope }): Promise<RunReport>;
  /** The next question begins a session of its own. */
  startAnew(): void;
}

/**
 * A model keeps what it has read: each further question is a round of the same session. Fixed rules know one question a
 * run, so each of theirs is a session.
 */
export function createChat(options: ChatOptions): Chat {
  const { workspace, model, session: wanted, ...rest } = options;
  let session = wanted;
  return {
    get session() {
      return session;
    },
    async ask(question, scopes) {
      const goesOn = session !== undefined && model.kind !== 'rules';
      const past = goesOn ? readPastSession(await workspace.openLog(), session ?? '', true) : undefined;
      const report = await runSession({
        ...{ ...rest, ...scopes, workspace, model },
        question: past?.opened.question ?? question,
        ...(past ? { past, followUp: question } : {}),
      });
      session = report.session;
      return report;
    },
    startAnew() {
      session = undefined;
    },
  };
}
