import type { AgentSpec } from '../core/agent-spec.ts';
import { SoloistError } from '../core/errors.ts';
import { placeOptions } from '../trace/again-command.ts';
import { createModelPool, type ModelPool } from './model-pool.ts';
import { type PastSession, readPastSession } from './past-session.ts';
import { flagOf, missingSources } from './recorded-sources.ts';
import type { Workspace } from './workspace.ts';

/** A session of the log, ready to go on. */
export interface ResumedSession {
  readonly past: PastSession;
  readonly agent: AgentSpec;
  readonly question: string;
  readonly models: ModelPool;
}

/**
 * Finds the session and the models it ran on; `asked` names another model for all of its agents.
 *
 * @throws SoloistError `not_found`, `usage` or `refused` as {@link readPastSession}; `configuration` when its agent is gone, `usage` when
 * a source is.
 */
export async function resumeSession(workspace: Workspace, reference: string, asked: string | undefined): Promise<ResumedSession> {
  const past = readPastSession(await workspace.openLog(), reference);
  const { agent: name, question, modelAsked, model } = past.opened;
  const agent = workspace.project.agents.find((one) => one.name === name);
  if (!agent) {
    throw new SoloistError('configuration', `session ${past.session} is of agent "${name}", which this project does not have`, {
      fix: 'give the folder it ran in with --project',
    });
  }
  const missing = missingSources(past.opened.sources, workspace.catalog.specs);
  if (missing.length > 0) {
    const names = missing.map((source) => `${source.name} (${source.kind})`).join(', ');
    throw new SoloistError('usage', `session ${past.session} had sources that are not there now: ${names}`, {
      fix: `soloist run --resume ${past.session}${placeOptions({ sources: missing.map(flagOf) })}`,
    });
  }
  const recorded = (agentName: string): string | undefined => (agentName === name ? model : past.modelOf(agentName)) ?? modelAsked;
  const models = createModelPool(workspace, asked, recorded);
  return { past, agent, question, models };
}
