// Runs what was bundled as users run it, then leaves the bytecode of all that ran beside the script. `warm` starts it in a folder of its own, where it writes a project.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const QUESTION = "Why did last night's nightly_sales run take three times as long?";
const TASKS = ['first', 'second'].map((place) => ({ goal: `Add up the ${place} numbers with your tool.` }));

/** A folder that is not warmed works as well, only slower: its script is compiled at every start. */
export function warm(folder) {
  const home = mkdtempSync(join(tmpdir(), 'soloist-warm-'));
  const { status, stderr } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), folder], {
    cwd: home,
    env: { ...process.env, SOLOIST_HOME: home, NODE_OPTIONS: '', NO_COLOR: '1' },
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    timeout: 60_000,
  });
  rmSync(home, { recursive: true, force: true });
  if (status !== 0) process.stderr.write(`soloist is built without its bytecode and starts slower:\n${stderr.slice(-2_000)}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = process.argv[2];
  const part = (path) => import(join(folder, 'src', path));
  const { runCommand } = await part('cli/program.js');
  await runCommand(['run', 'investigator', QUESTION, '--project', join(root, 'examples/nightly-sales'), '--model', 'rules']);
  await runTeam(await part('index.js'), await part('testing.js'));
  const { script, bytecodeFile } = await part('chunks/load-script.js');
  writeFileSync(bytecodeFile, script.createCachedData());
  process.exit();
}

/** A model's answers, streamed: an agent that hands two tasks to children, each with a call of a user's tool. */
async function runTeam({ openProject }, { startFakeOllama, callsTools, says }) {
  const server = await startFakeOllama({ chat: ({ body }) => answer(body, { callsTools, says }) });
  writeProject();
  const project = await openProject({ environment: { ...process.env, OLLAMA_HOST: server.host } });
  const report = await project.run('lead', 'Add up the numbers.', { model: 'ollama/fake' });
  if (report.status !== 'ok') throw new Error(`the run to warm up with ended as ${report.status}: ${report.answer}`);
  await project.close();
  await server.close();
}

/** The lead asks the worker twice, a worker its tool five times, then both conclude. */
function answer({ messages, tools = [] }, { callsTools, says }) {
  const results = messages.filter(({ role }) => role === 'tool').length;
  const leads = tools.some((tool) => tool.function.name === 'worker');
  if (leads && results === 0)
    return callsTools(['worker', { tasks: TASKS, why: 'parallelism', because: 'The numbers do not depend on one another.' }]);
  if (!leads && results < 5) return callsTools(['add', { numbers: [results, 40 + results] }], ['add', { numbers: [results] }]);
  return says('The numbers were added: the last sum is 48.');
}

function writeProject() {
  const agent = (name, rest) => `name: ${name}\ndescription: Adds up. Use it to add up.\ninstructions: Add up with your tool.\n${rest}`;
  const reason = 'justification: { buys: [parallelism], because: The numbers do not depend on one another. }';
  const files = {
    'soloist.yaml': 'name: warm\nsources: {}\n',
    'agents/lead.yaml': agent('lead', `subagents:\n  - agent: worker\n    ${reason}\n    concurrency: 2\n`),
    'agents/worker.yaml': agent('worker', 'tools: [add]\n'),
    'tools/add.mjs': `import { complete, defineTool, z } from 'soloist';
export const add = defineTool({ name: 'add', description: 'Adds numbers up.', effect: 'read', input: z.object({ numbers: z.array(z.number()) }),
  output: z.object({ sum: z.number() }), run: async ({ numbers }) => complete({ sum: numbers.reduce((sum, one) => sum + one, 0) }) });
`,
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, text);
  }
}
