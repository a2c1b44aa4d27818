import { runBench } from '../../src/app/bench-run-suite.ts';
import { Scope } from '../../src/core/scope.ts';
import { callsTools, done, type FakeAnswer, type FakeRequest, part, startFakeOllama } from '../support/fake-ollama.ts';
import { PROJECT, writeProject } from './suite-project.ts';

const LIMITS = 'limits: { tokens: 200000, turns: 30, seconds: 60 }\n';

/** Agents whose replies the server scripts by the name that their instructions hold. */
function agentFile(name: string, more: string): string {
  return `name: ${name}\ndescription: Counts. Use it in tests.\ninstructions: You are ${name}.\n${more}`;
}

function leadFile(name: string, child: string, more: string): string {
  const subagent = `subagents:\n  - agent: ${child}\n    justification: { buys: [parallelism, context_isolation], because: Two counts at once. }\n`;
  return agentFile(name, `tools: []\n${subagent}${more}`);
}

/** Six designs, `cases` cases and the seeds given, on a model that the fake server plays. */
function suiteFile(cases: number, seeds: readonly number[]): string {
  const list = Array.from({ length: cases }, (_, at) => {
    const setup = `{ generator: make-items.mjs, with: { rows: ${10 + at} } }`;
    return `  - { id: case${at}, tags: [served], task: 'How many rows are there?', source: 'files:data', setup: ${setup} }`;
  });
  return `name: served
about: Six designs on a served model.
designs:
  plain: { agent: plain }
  clumsy: { agent: clumsy }
  handing: { agent: handing }
  fanning: { agent: fanning }
  hanging: { agent: hanging }
  broken: { agent: broken }
cases:
${list.join('\n')}
expect:
  - { number: '{{rows}}', near: rows }
seeds: [${seeds.join(', ')}]
budget: { tokens: 200000, turns: 30, seconds: 60 }
`;
}

const FILES = {
  // A place for every reply, so that no call is stopped before the server has seen it.
  'soloist.yaml': 'name: served\nsources: {}\nmodels: { served: { model: ollama/fake, parallel: 8 } }\n',
  'agents/plain.yaml': agentFile('plain', `tools: [query_sql]\n${LIMITS}`),
  'agents/clumsy.yaml': agentFile('clumsy', `tools: [query_sql]\n${LIMITS}`),
  'agents/handing.yaml': leadFile('handing', 'worker', LIMITS),
  'agents/fanning.yaml': leadFile('fanning', 'worker', LIMITS),
  'agents/hanging.yaml': leadFile('hanging', 'sleeper', LIMITS),
  'agents/broken.yaml': agentFile('broken', `tools: [query_sql]\n${LIMITS}`),
  'agents/worker.yaml': agentFile('worker', 'tools: [query_sql]\n'),
  'agents/sleeper.yaml': agentFile('sleeper', 'tools: [query_sql]\nlimits: { seconds: 1.5 }\n'),
};

interface Counts {
  readonly input: number;
  readonly output: number;
}

/** What the server says it counted for each chat, by its place among the chats. */
export function countsOf(index: number): Counts {
  return { input: 100 + (index % 37), output: 10 + (index % 11) };
}

type ChatMessage = { readonly role: string; readonly content: string };

/** Plays all agents: who is asked stands in the system message, how far it is in the history. */
function answerFor(request: FakeRequest, index: number): FakeAnswer {
  const messages = request.body.messages as readonly ChatMessage[];
  const name = /You are (\w+)/.exec(messages[0]?.content ?? '')?.[1] ?? '';
  const results = messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
  const { input, output } = countsOf(index);
  const end = done({ prompt_eval_count: input, eval_count: output });
  const says = (content: string): FakeAnswer => ({ steps: [part({ content }), end] });
  const calls = (tool: string, args: unknown): FakeAnswer => ({ steps: [...(callsTools([tool, args]).steps ?? []).slice(0, -1), end] });
  const count = { sql: 'SELECT count(*) FROM items' };
  const last = results.at(-1) ?? '';
  const rows = /"rows":\[\[(\d+)\]\]/.exec(last)?.[1] ?? 'no';
  switch (name) {
    case 'plain':
    case 'worker':
      return results.length === 0 ? calls('query_sql', count) : says(`${rows} rows are there`);
    case 'clumsy':
      if (results.length === 0) return calls('run_a_query', { statement: 'x' });
      return results.length === 1 ? calls('querySql', { ...count, max_rows: '5' }) : says(`${rows} rows are there`);
    case 'sleeper':
      return request.body.tools === undefined || messages.at(-1)?.content.includes('limit is reached')
        ? says('nothing was counted')
        : { steps: [{ hang: true }] };
    case 'handing':
    case 'fanning':
    case 'hanging': {
      if (results.length > 0) return says(`${/(\d+) rows are there/.exec(last)?.[1] ?? 'no'} rows`);
      const tasks = Array.from({ length: name === 'handing' ? 1 : 2 }, (_, at) => ({
        goal: `Count the rows of the table items, count ${at + 1}.`,
      }));
      const why = tasks.length === 1 ? 'context_isolation' : 'parallelism';
      return calls(name === 'hanging' ? 'sleeper' : 'worker', { tasks, why, because: 'The counts are independent.' });
    }
    case 'broken':
      return { status: 400, headers: { 'content-type': 'application/json' }, steps: [{ raw: JSON.stringify({ error: 'no such luck' }) }] };
    default:
      return says('ready');
  }
}

/** Runs the suite against a fake server; answers the report and what the server itself has on record. */
export async function runServedSuite(cases: number, seeds: readonly number[]) {
  const server = await startFakeOllama({ chat: answerFor });
  const { folder, remove } = writeProject({
    ...FILES,
    'served.yaml': suiteFile(cases, seeds),
    'counting.yaml': PROJECT['counting.yaml'] ?? '',
  });
  try {
    const { report, finished } = await runBench({
      suite: `${folder}/served.yaml`,
      folder,
      cwd: folder,
      environment: { SOLOIST_HOME: `${folder}/home`, OLLAMA_HOST: server.host },
      model: 'served',
      only: [],
      concurrency: 4,
      fresh: false,
      scope: new Scope(),
    });
    const served = { chats: server.chats.length, answered: 0, closedEarly: 0, input: 0, output: 0 };
    for (const [index, chat] of server.chats.entries()) {
      const name = /You are (\w+)/.exec((chat.body.messages as readonly ChatMessage[])[0]?.content ?? '')?.[1];
      if (chat.closedEarly) served.closedEarly++;
      if (chat.closedEarly || name === 'broken') continue;
      served.answered++;
      served.input += countsOf(index).input;
      served.output += countsOf(index).output;
    }
    return { report, finished, served, seeds: server.chats.map(({ body }) => (body.options as { seed?: number } | undefined)?.seed) };
  } finally {
    await server.close();
    remove();
  }
}
