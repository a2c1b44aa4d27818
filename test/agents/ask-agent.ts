import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createModelPool } from '../../src/app/model-pool.ts';
import type { RunReport } from '../../src/app/run-report.ts';
import { runSession } from '../../src/app/run-session.ts';
import { openWorkspace } from '../../src/app/workspace.ts';
import type { ChildConclusion } from '../../src/core/conclusion.ts';
import type { Event } from '../../src/core/event.ts';
import { Scope } from '../../src/core/scope.ts';

export interface AgentQuestion {
  readonly agent: string;
  readonly question: string;
  /** As `--source` takes them. */
  readonly sources?: readonly string[];
  /** As `--project` takes it; an empty folder unless given. */
  readonly project?: string;
}

export interface AgentAnswer {
  readonly report: RunReport;
  readonly events: readonly Event[];
  /** Conclusions of its children, in the order in which they came. */
  readonly conclusions: readonly ChildConclusion[];
}

/** Runs a shipped agent and its subagents with their rules, with the real tools, sources and log. */
export async function askAgent({ agent: name, question, sources = [], project }: AgentQuestion): Promise<AgentAnswer> {
  const home = mkdtempSync(join(tmpdir(), 'soloist-ask-'));
  const workspace = await openWorkspace({
    folder: project ?? home,
    sourceFlags: sources,
    environment: { SOLOIST_HOME: join(home, 'log'), HOME: home },
  });
  const models = createModelPool(workspace, 'rules');
  const scope = new Scope();
  const events: Event[] = [];
  try {
    const agent = workspace.agent(name);
    const { model } = await models.choose(agent);
    const report = await runSession({
      workspace,
      agent,
      question,
      model,
      modelFor: async (child) => (await models.choose(child)).model,
      scope,
      work: new Scope(scope),
      onEvent: (event) => events.push(event),
    });
    const conclusions = events.flatMap(({ body }) => (body.type === 'child.concluded' ? [body.conclusion] : []));
    return { report, events, conclusions };
  } finally {
    await models.close();
    await workspace.close();
    rmSync(home, { recursive: true, force: true });
  }
}
