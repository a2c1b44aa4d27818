import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { callsTools, fails, says } from '../../src/testing/fake-answer.ts';
import { startFakeOllama } from '../../src/testing/fake-ollama.ts';
import { startFakeOpenAi } from '../../src/testing/fake-openai.ts';
import type { FakeServer } from '../../src/testing/fake-server.ts';
import { runCli } from '../support/run-cli.ts';

const servers: FakeServer[] = [];
const folders: string[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

async function started<Server extends FakeServer>(starting: Promise<Server>): Promise<Server> {
  const server = await starting;
  servers.push(server);
  return server;
}

/** A project with one table, and these models. */
function newProject(models: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'soloist-cli-models-'));
  folders.push(folder);
  mkdirSync(join(folder, 'data'));
  writeFileSync(join(folder, 'data/orders.csv'), 'id,amount\n1,10\n2,20\n');
  writeFileSync(join(folder, 'soloist.yaml'), `name: test\nmodels:\n${models}\nsources:\n  data: files:data\n`);
  return folder;
}

/** A command line starts a process of its own, which a busy machine takes its time for. */
const PATIENCE = 120_000;
const COUNTS = { prompt_eval_count: 1_000, eval_count: 100 };

describe('soloist run with a model server', () => {
  it('runs on an OpenAI-compatible server from the first request to the cost', { timeout: PATIENCE }, async () => {
    const chat = [callsTools(['list_sources', {}]), says('The orders are there.', COUNTS)];
    const fake = await started(startFakeOpenAi({ chat, apiKey: 'sk-test-1' }));
    const project = newProject('  default: {model: openai/x, price: {input: 2, output: 10}}');
    const environment = { SOLOIST_HOME: join(project, 'home'), OPENAI_BASE_URL: fake.baseUrl, OPENAI_API_KEY: 'sk-test-1' };
    const argv = ['run', 'investigator', 'How many orders are there?', '--project', project, '--model', 'openai/x'];
    const { code, stdout, stderr } = await runCli([...argv, '--json'], { environment });
    expect(stderr).not.toMatch(/failed/);
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({ model: 'openai/x', answer: 'The orders are there.' });
    // (50 + 1,000) tokens in at 2 and (5 + 100) out at 10 a million.
    expect(report.usage.cost).toBeCloseTo((1_050 * 2 + 105 * 10) / 1e6, 9);
    expect(code).toBe(report.status === 'ok' ? 0 : 1);
    expect(fake.chats[0]?.body).toMatchObject({ model: 'x', stream: true });
    expect(fake.chats[1]?.body.messages).toMatchObject([{ role: 'system' }, { role: 'user' }, { role: 'assistant' }, { role: 'tool' }]);
    expect(stdout + stderr).not.toContain('sk-test-1');
    const printed = await runCli(argv, { environment });
    expect(printed.stdout).toMatch(/## Cost\n\n.*, cost 0\.0\d+, /);
  });

  it('goes on with the next model when one fails, and says so', { timeout: PATIENCE }, async () => {
    const broken = await started(startFakeOllama({ chat: [fails(401, 'unauthorized')] }));
    const other = await started(startFakeOpenAi({ chat: [says('It is late.')] }));
    const project = newProject('  default: {model: ollama/x, fallback: [openai/y]}');
    const environment = { SOLOIST_HOME: join(project, 'home'), OLLAMA_HOST: broken.host, OPENAI_BASE_URL: other.baseUrl };
    const { stdout, stderr } = await runCli(['run', 'investigator', 'Why?', '--project', project, '--json'], { environment });
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({ model: 'openai/y', answer: 'It is late.' });
    expect(report.usage).not.toHaveProperty('cost');
    expect(report.warnings).toEqual([expect.stringMatching(/ollama\/x failed \(not_authorised.*going on with openai\/y/)]);
    expect(stderr).toContain('going on with openai/y');
  });

  it('acts by JSON on a model that takes no tools', { timeout: PATIENCE }, async () => {
    const chat = [says('{"action":{"tool":"list_sources","arguments":{}}}'), says('{"action":{"answer":"There is one source."}}')];
    const fake = await started(startFakeOllama({ chat, show: { capabilities: ['completion'] } }));
    const project = newProject('  default: ollama/tiny');
    const environment = { SOLOIST_HOME: join(project, 'home'), OLLAMA_HOST: fake.host };
    const { stdout } = await runCli(['run', 'investigator', 'What is there?', '--project', project, '--json'], { environment });
    expect(JSON.parse(stdout)).toMatchObject({ answer: 'There is one source.', usage: { toolCalls: 1 } });
    for (const { body } of fake.chats) expect(body).not.toHaveProperty('tools');
    const last = (fake.chats[1]?.body.messages ?? []) as { role: string; content: string }[];
    expect(last.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
    expect(last[3]?.content).toMatch(/^Result of list_sources \(call_1\):/);
  });
});
