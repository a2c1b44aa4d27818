import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runSession } from '../src/app/run-session.ts';
import { openWorkspace } from '../src/app/workspace.ts';
import type { Event } from '../src/core/event.ts';
import { Scope } from '../src/core/scope.ts';
import type { Tool } from '../src/core/tool.ts';
import { scriptedModel } from '../src/models/scripted.ts';

const EXAMPLES = fileURLToPath(new URL('../examples/', import.meta.url));
const COPIED = ['nightly-sales/airflow', 'nightly-sales/dbt', 'nightly-sales/logs', 'nightly-sales/warehouse.duckdb', 'samples'];
const NOW = '2026-03-17T06:00:00.000Z';

/** A result as a tool of a project's own might give it, too large for the window: what `read_blob` is shown on. */
const LARGE = { data: { rows: Array.from({ length: 400 }, (_, index) => ({ partition: index, rows: 40_000 + index })) } };

export interface ExampleRun {
  readonly input: Readonly<Record<string, unknown>>;
  readonly result: unknown;
}

/** Sources that stand beside the bundled example. */
const SAMPLES = new Set<unknown>(['landing', 'events', 'spark', 'airflow']);

/** Runs the example of every tool, in two real sessions played by a script; answers input and result by the tool's name. */
export async function runToolExamples(tools: readonly Tool[]): Promise<ReadonlyMap<string, ExampleRun>> {
  const airflow = await startStandIn();
  const { port } = airflow.address() as AddressInfo;
  try {
    const isSample = (tool: Tool): boolean => SAMPLES.has(tool.example?.source);
    const nightly = await playExamples(
      tools.filter((tool) => !isSample(tool)),
      NIGHTLY_SALES,
      port,
    );
    const samples = await playExamples(tools.filter(isSample), sampleSources(port), port);
    return new Map([...nightly, ...samples]);
  } finally {
    airflow.close();
  }
}

async function playExamples(tools: readonly Tool[], sources: string, port: number): Promise<[string, ExampleRun][]> {
  const folder = mkdtempSync(join(tmpdir(), 'soloist-docs-'));
  try {
    writeProject(folder, sources, port);
    const workspace = await openWorkspace({ folder, sourceFlags: [], environment: { SOLOIST_HOME: join(folder, 'home') } });
    const reference = (await workspace.openLog()).putBlob(JSON.stringify(LARGE));
    const calls = tools.map(({ name, example }) => ({ tool: name, input: example ?? { reference, path: 'data.rows', limit: 2 } }));
    const results: string[] = [];
    const onEvent = ({ body }: Event): void => {
      if (body.type === 'tool.finished') results.push(body.content);
    };
    const model = scriptedModel([...calls.map((call) => ({ calls: [call] })), { text: 'Done.' }]);
    const scope = new Scope();
    const agent = workspace.agent('guide');
    const now = (): Date => new Date(NOW);
    await runSession({ workspace, agent, question: 'Show every tool.', model, scope, work: new Scope(scope), now, onEvent });
    await workspace.close();
    return calls.map(({ tool, input }, index) => [tool, { input, result: mask(results[index] ?? '{}') }]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const NIGHTS = ['14', '15', '16', '17'].map((day) => `nightly-sales/dbt/night_2026-03-${day}`);
const NIGHTLY_SALES = `  runs: airflow-export:nightly-sales/airflow
  warehouse: duckdb:nightly-sales/warehouse.duckdb
  logs: logs:nightly-sales/logs
  dbt: { kind: dbt, path: ${JSON.stringify(NIGHTS)} }`;

function sampleSources(port: number): string {
  return `  landing: files:samples/landing
  events: openlineage:samples/events
  spark: logs:samples/spark
  airflow: { kind: airflow, url: "http://127.0.0.1:${port}", token: none }`;
}

/** A copy of the examples whose files have one time, whenever they were checked out. */
function writeProject(folder: string, sources: string, port: number): void {
  for (const name of COPIED) cpSync(join(EXAMPLES, name), join(folder, name), { recursive: true });
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    utimesSync(join(folder, name), new Date(NOW), new Date(NOW));
  mkdirSync(join(folder, 'agents'));
  writeFileSync(join(folder, 'soloist.yaml'), `name: guide\nsources:\n${sources}\nwebhooks: { oncall: "http://127.0.0.1:${port}/hook" }\n`);
  writeFileSync(
    join(folder, 'agents/guide.yaml'),
    'name: guide\ndescription: Shows the tools.\ninstructions: Show the tools.\ntools: ["*"]\nload_tools: { above: 1000 }\nmemory: { recall: true, write: true }\nlimits: { turns: 200, tool_calls: 200, tokens: 100000000, context: 1000000, seconds: 300 }\n',
  );
}

/** As much of Airflow's REST API as a dry run asks for. */
function startStandIn(): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume();
    const path = request.url ?? '';
    const failed = { task_id: 'load_partition', map_index: 117, state: 'failed', try_number: 1 };
    const answer = path.includes('clearTaskInstances')
      ? { task_instances: [failed], total_entries: 1 }
      : { dag_id: 'nightly_sales', is_paused: false, state: 'running' };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

/** What differs from machine to machine and from run to run. */
function mask(text: string): unknown {
  const steady = text
    .replace(/"as_of":"[^"]*"/g, `"as_of":"${NOW}"`)
    .replace(/"session":"[^"]*"/g, '"session":"s-1k3xw9a80-demo"')
    .replace(/"(elapsed_ms|elapsed_s)":[\d.]+/g, '"$1":1')
    .replace(/127\.0\.0\.1:\d+/g, 'hooks.example.com');
  return JSON.parse(steady);
}
