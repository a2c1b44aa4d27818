import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunReport } from '../../src/app/run-report.ts';
import { runSession } from '../../src/app/run-session.ts';
import { openWorkspace } from '../../src/app/workspace.ts';
import type { Event } from '../../src/core/event.ts';
import type { ChatModel } from '../../src/core/model.ts';
import { Scope } from '../../src/core/scope.ts';

/** Two agents, `boss` and `worker`, and a tool `count_rows` that answers 1000 and more rows for a table's name. */
const FILES: Readonly<Record<string, string>> = {
  'soloist.yaml': 'name: team\nsources: {}\n',
  'agents/boss.yaml': `name: boss
description: Leads. Use it in tests.
instructions: Lead.
tools: [count_rows]
subagents:
  - agent: worker
    justification:
      buys: [parallelism, context_isolation]
      because: Tables are independent of one another.
    concurrency: 8
limits: { turns: 200, tool_calls: 400, tokens: 4000000, context: 64000 }
`,
  'agents/worker.yaml': `name: worker
description: Counts one table. Use it for many tables.
instructions: Count.
tools: [count_rows]
limits: { turns: 20, tool_calls: 20, tokens: 200000 }
`,
  'tools/count-rows.ts': `import { complete, defineTool, z } from 'soloist';
export const countRows = defineTool({
  name: 'count_rows',
  description: 'Counts the rows of a table.',
  input: z.object({ table: z.string() }),
  output: z.object({ rows: z.number() }),
  effect: 'read',
  run: async ({ table }) => {
    if (table === 'broken') throw new Error('no such table');
    return complete({ rows: 1000 + Number(table.replace(/\\D/g, '') || 0) });
  },
});
`,
};

export interface TeamRun {
  readonly boss: ChatModel;
  readonly question?: string;
  readonly worker: ChatModel;
  /** Files that differ from the usual ones, by path. */
  readonly files?: Readonly<Record<string, string>>;
  readonly critic?: ChatModel;
  readonly scope?: Scope;
  readonly work?: Scope;
}

export interface TeamResult {
  readonly report: RunReport;
  readonly events: readonly Event[];
}

/** Runs `boss` on scripted models through the real session, with a real project in a temporary folder. */
export async function runTeam(run: TeamRun): Promise<TeamResult> {
  const folder = mkdtempSync(join(tmpdir(), 'soloist-team-'));
  for (const [path, text] of Object.entries({ ...FILES, ...run.files })) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const workspace = await openWorkspace({ folder, sourceFlags: [], environment: { SOLOIST_HOME: join(folder, 'home') } });
  const events: Event[] = [];
  const scope = run.scope ?? new Scope();
  try {
    const report = await runSession({
      workspace,
      agent: workspace.agent('boss'),
      question: run.question ?? 'Count all tables.',
      model: run.boss,
      modelFor: async (agent) => (agent.name === 'boss' ? run.boss : run.worker),
      ...(run.critic ? { critic: run.critic } : {}),
      scope,
      work: run.work ?? new Scope(scope),
      onEvent: (event) => events.push(event),
    });
    return { report, events };
  } finally {
    await workspace.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
