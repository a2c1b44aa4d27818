import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { runCli } from '../support/run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'soloist-breaking-'));
const environment = { SOLOIST_HOME: join(folder, 'home') };
writeFileSync(join(folder, 'orders.csv'), 'id,amount\n1,2\n');
writeFileSync(join(folder, 'soloist.yaml'), 'bogus: 1\nagents: 5\n');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('mistakes of the caller', () => {
  it.each([
    [['frobnicate', '--json'], 'unknown command'],
    [['run', '--json'], "missing required argument 'agent'"],
    [['doctor', '--nope', '--json'], "unknown option '--nope'"],
    [['tools', 'call'], "missing required argument 'name'"],
    [['tools', 'call', 'query_sq', '--source', `files:${folder}`], 'there is no tool'],
    [['init', '/dev/null/x', '--json'], 'cannot write'],
  ])('%j is one JSON object on stdout and one line on stderr', async (argv, fact) => {
    const { code, stdout, stderr } = await runCli(argv, { environment, cwd: tmpdir() });
    expect(code).toBe(2);
    expect(JSON.parse(stdout).error.message).toContain(fact);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  it('agents check --json prints the problems once', async () => {
    const { code, stdout, stderr } = await runCli(['agents', 'check', '--json', '--project', folder], { environment });
    expect(code).toBe(2);
    expect(JSON.parse(stdout).error.problems).toHaveLength(2);
    expect(stderr).toContain('unknown key "bogus"');
  });
});

describe('an output that cannot be written', () => {
  const source = ['tools', 'call', 'list_files', '--source', `files:${folder}`];

  it.runIf(process.platform === 'linux')('a full disk is one line and no stack trace', async () => {
    const { code, stderr } = await inShell(`"$@" > /dev/full`, source);
    expect(code).toBe(1);
    expect(stderr).toContain('the output cannot be written (ENOSPC)');
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it('progress that nobody reads does not cost the result', async () => {
    const question = ['run', 'investigator', 'what is here?', '--model', 'rules', '--json', '--source', `files:${folder}`];
    const { stdout } = await inShell(`{ "$@" 2>&1 1>&3 | true; } 3>&1`, question);
    expect(JSON.parse(stdout).status).toBe('ok');
  });
});

describe('a place where nothing can be made', () => {
  it.runIf(process.platform === 'linux')(
    'is refused and not tried for ever',
    async () => {
      const home = await runCli(['run', 'investigator', 'why?', '--model', 'rules', '--json', '--source', `files:${folder}`], {
        cwd: tmpdir(),
        environment: { SOLOIST_HOME: '/proc/nothing/here' },
      });
      expect([home.code, JSON.parse(home.stdout).error.code]).toEqual([1, 'store_unusable']);
      const init = await runCli(['init', '/proc/nothing/here', '--json'], { environment });
      expect(JSON.parse(init.stdout).error.message).toContain('cannot write');
    },
    20_000,
  );
});

/** Runs the command line as `"$@"` of a shell, so that its streams can be bound as a terminal would. */
function inShell(script: string, argv: readonly string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const main = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
  const command = [process.execPath, '--import', import.meta.resolve('tsx'), main, ...argv];
  return new Promise((resolve, reject) => {
    const child = spawn('sh', ['-c', script, 'sh', ...command], {
      cwd: tmpdir(),
      env: { ...process.env, ...environment, OLLAMA_HOST: '127.0.0.1:9' },
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}
