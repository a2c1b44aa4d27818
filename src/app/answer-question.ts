import type { Approve } from '../core/approval.ts';
import type { Event } from '../core/event.ts';
import type { Delta } from '../core/model.ts';
import type { Scope } from '../core/scope.ts';
import { createModelPool } from './model-pool.ts';
import { resumeSession } from './resume-session.ts';
import type { RunReport } from './run-report.ts';
import { runSession } from './run-session.ts';
import type { Workspace } from './workspace.ts';

/** What is to be done: a question to an agent, or a session to go on with. */
export type Wanted = { readonly agent: string; readonly question: string } | { readonly resume: string };

export interface AnswerOptions {
  /** `auto`, `rules`, `ollama/<name>`, `openai/<name>` or a name of the project's; for every agent of the run. */
  readonly model: string | undefined;
  /** Stops everything at once. */
  readonly scope: Scope;
  /** A child of `scope`: stopping it lets the agent conclude from what it has. */
  readonly work: Scope;
  readonly onEvent?: ((event: Event) => void) | undefined;
  readonly onDelta?: ((delta: Delta) => void) | undefined;
  /** Told which model `auto` took, and why, before it is asked anything. */
  readonly onModel?: ((remark: string) => void) | undefined;
  readonly approve?: Approve | undefined;
}

/**
 * Chooses the models, runs one session, and lets go of the models again.
 *
 * @throws SoloistError `configuration` for an agent or a model that there is not, `usage` for a session that cannot be gone on with,
 * `store_unusable` when the log cannot be written.
 */
export async function answerQuestion(workspace: Workspace, wanted: Wanted, options: AnswerOptions): Promise<RunReport> {
  const asked =
    'resume' in wanted
      ? await resumeSession(workspace, wanted.resume, options.model)
      : { agent: workspace.agent(wanted.agent), question: wanted.question, models: createModelPool(workspace, options.model) };
  const { models } = asked;
  try {
    const { model, remark } = await models.choose(asked.agent);
    if (remark) options.onModel?.(remark);
    return await runSession({
      workspace,
      agent: asked.agent,
      question: asked.question,
      ...('past' in asked ? { past: asked.past } : {}),
      model,
      ...(options.model === undefined ? {} : { modelAsked: options.model }),
      modelFor: async (child) => (await models.choose(child)).model,
      scope: options.scope,
      work: options.work,
      ...(options.onEvent ? { onEvent: options.onEvent } : {}),
      ...(options.onDelta ? { onDelta: options.onDelta } : {}),
      ...(options.approve ? { approve: options.approve } : {}),
      ...(remark ? { modelChoice: remark } : {}),
    });
  } finally {
    await models.close();
  }
}
