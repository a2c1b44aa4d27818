import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callsTools, says, startFakeOllama } from '../support/fake-ollama.ts';
import { runCli } from '../support/run-cli.ts';

let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'soloist-cli-'));
});
afterAll(() => {
  rmSync(home, { recursive: true, force: true });
});

const inHome = () => ({ environment: { SOLOIST_HOME: home } });
const example = ['--project', 'examples/nightly-sales'];

describe('soloist run', () => {
  it('answers on stdout as Markdown, shows progress on stderr, and exits 0', async () => {
    const { code, stdout, stderr } = await runCli(
      ['run', 'investigator', "Why did last night's nightly_sales run take three times as long?", ...example],
      inHome(),
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(/6494\.8 s/);
    expect(stdout).toMatch(/## Findings/);
    expect(stdout).toMatch(/## Cost/);
    expect(stdout).not.toMatch(/step 1/);
    expect(stderr).toMatch(/model: rules \(no Ollama at \S*127\.0\.0\.1:9; fixed rules in place of a model\)/);
    expect(stderr).toMatch(/step 2 .*list_runs/);
  });

  it('prints one JSON object with --json, and nothing else on stdout', async () => {
    const { code, stdout } = await runCli(
      ['run', 'investigator', 'why so slow last night?', '--json', '--quiet', '--model', 'rules', ...example],
      inHome(),
    );
    expect(code).toBe(0);
    const report = JSON.parse(stdout);
    expect(Object.keys(report)).toEqual(
      expect.arrayContaining(['session', 'agent', 'model', 'status', 'answer', 'findings', 'usage', 'warnings']),
    );
    expect(report).toMatchObject({ agent: 'investigator', model: 'rules', status: 'ok' });
    for (const finding of report.findings)
      expect(finding).toMatchObject({ claim: expect.any(String), evidence: expect.any(Array), confidence: expect.any(String) });
    expect(Object.keys(report.usage)).toEqual(
      expect.arrayContaining(['modelCalls', 'toolCalls', 'inputTokens', 'outputTokens', 'peakContextTokens', 'wallMs']),
    );
  });

  it('streams events as JSON lines with --events', async () => {
    const { stdout } = await runCli(
      ['run', 'investigator', 'why so slow last night?', '--events', '--quiet', '--model', 'rules', ...example],
      inHome(),
    );
    const events = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events[0].body.type).toBe('session.opened');
    expect(events.at(-1).body.type).toBe('session.closed');
  });

  it('names the nearest agent and exits 2 when there is none of that name', async () => {
    const { code, stderr } = await runCli(['run', 'investigater', 'why?', ...example], inHome());
    expect(code).toBe(2);
    expect(stderr).toMatch(/there is no agent "investigater"; did you mean "investigator"\?/);
  });

  it('runs on bare sources without any project file', async () => {
    const { code, stdout } = await runCli(
      [
        'run',
        'investigator',
        'Why was the last run slow?',
        '--model',
        'rules',
        '--source',
        `runs=airflow-export:examples/nightly-sales/airflow`,
      ],
      { ...inHome(), cwd: join(import.meta.dirname, '../..') },
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(/reload_2025/);
  });
});

describe('a run that finds nothing', () => {
  it('does not look like a success, and says what to add', async () => {
    const folder = mkdtempSync(join(home, 'empty-'));
    const { code, stdout } = await runCli(
      ['run', 'investigator', 'Why is the total wrong?', '--model', 'rules', '--source', `files:${folder}`],
      inHome(),
    );
    expect(code).toBe(1);
    expect(stdout).toMatch(/Not finished \(no_evidence\)/);
    expect(stdout).toMatch(/--source data=files:FOLDER/);
  });
});

describe('soloist tools', () => {
  it('lists the tools', async () => {
    const { code, stdout } = await runCli(['tools', 'list', '--json', ...example], inHome());
    expect(code).toBe(0);
    expect(JSON.parse(stdout).map((tool: { name: string }) => tool.name)).toEqual(expect.arrayContaining(['list_runs', 'record_finding']));
  });

  it('calls a tool with input from stdin and prints one JSON object', async () => {
    const { code, stdout } = await runCli(['tools', 'call', 'list_runs', '--input', '-', ...example], {
      ...inHome(),
      stdin: '{"pipeline": "nightly_sales", "limit": "1"}',
    });
    expect(code).toBe(0);
    const result = JSON.parse(stdout);
    expect(result).toMatchObject({
      id: 'r1',
      tool: 'list_runs',
      data: { runs: [{ pipeline: 'nightly_sales' }] },
      again: { tool: 'list_runs', input: { limit: 1 } },
    });
    expect(result.warnings[0]).toEqual({ code: 'arguments_coerced', message: 'limit: "1" taken as 1' });
  });

  it('refuses arguments that do not fit, with the place and the way to the schema', async () => {
    const { code, stderr } = await runCli(['tools', 'call', 'list_runs', '--input', '{"pipelin": "x"}', ...example], inHome());
    expect(code).toBe(2);
    expect(stderr).toMatch(/there is no argument "pipelin" \(did you mean "pipeline"\?\)/);
    expect(stderr).toMatch(/soloist tools show list_runs/);
  });

  it('works without a log that can be written, and says so', async () => {
    writeFileSync(join(home, 'no-folder'), '');
    const { code, stdout } = await runCli(['tools', 'call', 'list_runs', ...example], {
      environment: { SOLOIST_HOME: join(home, 'no-folder') },
    });
    expect(code).toBe(0);
    expect(JSON.parse(stdout).warnings.at(-1)).toMatchObject({ code: 'log_unusable' });
  });

  it('refuses input that is not JSON', async () => {
    const { code, stderr } = await runCli(['tools', 'call', 'list_runs', '--input', '{nope', ...example], inHome());
    expect(code).toBe(2);
    expect(stderr).toMatch(/--input is not JSON/);
  });
});

describe('the command line', () => {
  it.each([
    ['a folder', ['agents', 'list', '--project', './there-is-none']],
    ['a source', ['run', 'investigator', 'why?', '--source', 'files:./there-is-none']],
    ['a session', ['trace', 'show', 's-there-is-none']],
    ['a note', ['memory', 'show', 'n-there-is-none']],
    ['a file to import', ['memory', 'import', './there-is-none']],
    ['an agent', ['run', 'there-is-none', 'why?']],
    ['a tool', ['tools', 'call', 'there_is_none']],
    ['a suite', ['bench', 'there-is-none']],
  ])('exits 2 when %s that is named is not there, and names it', async (_, argv) => {
    const { code, stderr } = await runCli(argv, inHome());
    expect(code).toBe(2);
    expect(stderr).toMatch(/there.is.none/);
  });

  it('exits 2 for an unknown verb and names the nearest', async () => {
    const { code, stderr } = await runCli(['tool', 'list']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/Did you mean tools\?/);
  });

  it('reports every problem of the configuration at once with its place', async () => {
    const folder = mkdtempSync(join(home, 'broken-'));
    writeFileSync(join(folder, 'soloist.yaml'), 'sources:\n  a: nowhere:./x\nmodls: {}\n');
    const { code, stderr } = await runCli(['agents', 'check', '--project', folder], inHome());
    expect(code).toBe(2);
    expect(stderr).toMatch(/soloist\.yaml:2:6/);
    expect(stderr).toMatch(/soloist\.yaml:3:1: unknown key "modls"; did you mean "models"\?/);
  });

  it('says what is wrong when the log cannot be made', async () => {
    writeFileSync(join(home, 'a-file'), '');
    const { code, stderr } = await runCli(['run', 'investigator', 'why?', '--model', 'rules', ...example], {
      environment: { SOLOIST_HOME: join(home, 'a-file') },
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(/a-file.*folder of the log database cannot be made.*SOLOIST_HOME/);
    expect(stderr).not.toMatch(/\n\s+at /);
  });
});

describe('with an Ollama server', () => {
  const tags = [{ name: 'qwen3:8b', details: { family: 'qwen3', parameter_size: '8.2B' }, capabilities: ['completion', 'tools'] }];

  it('chooses its model by itself, lets it call tools, and reports its counts', async () => {
    const server = await startFakeOllama({
      version: '0.33.0',
      tags,
      chat: [
        callsTools(['list_runs', { pipeline: 'nightly_sales', limit: 1 }]),
        says('The newest run took 6494.8 s [r1].', { prompt_eval_count: 900, eval_count: 12 }),
      ],
    });
    try {
      const { code, stdout, stderr } = await runCli(['run', 'investigator', 'how long did the newest run take?', '--json', ...example], {
        environment: { SOLOIST_HOME: home, OLLAMA_HOST: server.host },
      });
      expect(code).toBe(0);
      expect(stderr).toMatch(/model: ollama\/qwen3:8b at .* \(auto\)/);
      const report = JSON.parse(stdout);
      expect(report).toMatchObject({
        model: 'ollama/qwen3:8b',
        status: 'ok',
        answer: 'The newest run took 6494.8 s [r1].',
        usage: { modelCalls: 2, toolCalls: 1, inputTokens: 950, outputTokens: 17 },
      });
      const second = server.chats[1]!.body.messages as { role: string; content: string }[];
      expect(second.at(-1)!.content).toMatch(/6494\.8/);
    } finally {
      await server.close();
    }
  });

  it('concludes at the first Ctrl-C with what it has, exits 130, and leaves it in the log', async () => {
    const server = await startFakeOllama({
      version: '0.33.0',
      tags,
      chat: (request) =>
        Array.isArray(request.body.tools) && !String(request.text).includes('interrupted')
          ? { steps: [{ hang: true }] }
          : says('I was stopped before I could look.'),
    });
    let pressed = false;
    try {
      const { code, stdout } = await runCli(['run', 'investigator', 'why?', '--json', '--model', 'ollama/qwen3:8b', ...example], {
        environment: { SOLOIST_HOME: home, OLLAMA_HOST: server.host },
        onStderr: (text, kill) => {
          if (pressed || !text.includes('starts (')) return;
          pressed = true;
          void server.until(() => server.chats.length > 0).then(() => kill('SIGINT'));
        },
      });
      expect(code).toBe(130);
      expect(JSON.parse(stdout)).toMatchObject({ status: 'aborted', answer: 'I was stopped before I could look.' });
      expect(server.chats[0]!.closedEarly).toBe(true);
    } finally {
      await server.close();
    }
  });
});
