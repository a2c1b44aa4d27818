import { createModelPool } from '../../src/app/model-pool.ts';
import { resumeSession } from '../../src/app/resume-session.ts';
import { runSession } from '../../src/app/run-session.ts';
import { openWorkspace } from '../../src/app/workspace.ts';
import { Scope } from '../../src/core/scope.ts';

/**
 * Runs agent `boss` of a project under its rules, or goes on with a session of it, and prints the report; kills its own
 * process as soon as so many events are on disk. Arguments: folder, session (empty for a new one), events (0 for none).
 */
const [folder = '', reference = '', killAt = '0'] = process.argv.slice(2);
const workspace = await openWorkspace({ folder, sourceFlags: [], environment: process.env });
const wanted =
  reference === ''
    ? { agent: workspace.agent('boss'), question: 'How many rows in all?', models: createModelPool(workspace, undefined) }
    : await resumeSession(workspace, reference, undefined);
const { agent, question, models } = wanted;
const scope = new Scope();
let events = 0;
const report = await runSession({
  workspace,
  agent,
  question,
  model: (await models.choose(agent)).model,
  modelFor: async (child) => (await models.choose(child)).model,
  scope,
  work: new Scope(scope),
  onEvent: () => {
    events++;
    if (events === Number(killAt)) process.kill(process.pid, 'SIGKILL');
  },
  ...('past' in wanted ? { past: wanted.past } : {}),
});
process.stdout.write(JSON.stringify(report));
await workspace.close();
