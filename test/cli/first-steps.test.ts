import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RunReport } from '../../src/app/run-report.ts';
import { type CliCall, runCli } from '../support/run-cli.ts';

const PATIENCE = 60_000;
const folder = mkdtempSync(join(tmpdir(), 'soloist-first-'));
const project = join(folder, 'proj');
const call = { cwd: folder, environment: { SOLOIST_HOME: join(folder, 'home') } };

beforeAll(async () => {
  await runCli(['init', 'proj'], call);
}, PATIENCE);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Presses Ctrl+C once stderr holds the text: a second time would end the process at once. */
function interruptOnce(text: string): NonNullable<CliCall['onStderr']> {
  let pressed = false;
  return (stderr, kill) => {
    if (pressed || !stderr.includes(text)) return;
    pressed = true;
    kill('SIGINT');
  };
}

it('the project that init writes answers its own question, each figure from a result', { timeout: PATIENCE }, async () => {
  const { stdout, code } = await runCli(
    ['run', 'my-investigator', 'Which orders came late?', '--project', project, '--json', '--quiet'],
    call,
  );
  const { answer, figures } = JSON.parse(stdout) as RunReport;
  expect([code, answer]).toEqual([0, '2 of 6 orders are late; the latest is A-1002 [r1].']);
  expect(figures.map(({ status }) => status)).toEqual(['stated', 'stated', 'stated']);
});

it('a tool that throws when nothing waits for it any more ends the command with an error', { timeout: PATIENCE }, async () => {
  const tool = `import { complete, defineTool, z } from 'soloist';
export const late = defineTool({ name: 'throw_late', description: 'Throws late.', input: z.object({}), output: z.object({}), effect: 'read',
  run: () => new Promise((resolve) => { setTimeout(() => { throw new Error('too late'); }, 1); setTimeout(() => resolve(complete({})), 500); }) });
`;
  const file = join(project, 'tools/throw-late.ts');
  writeFileSync(file, tool);
  const { stdout, stderr, code } = await runCli(['tools', 'call', 'throw_late', '--project', project], call);
  rmSync(file);
  expect([code, JSON.parse(stdout)]).toEqual([1, { error: { code: 'internal', message: 'Error: too late' } }]);
  expect(stderr).toMatch(/^soloist: .*\n(?:.*\n)*.*throw-late\.ts/);
});

it('a run that was interrupted ends though a tool of it heeds no stop', { timeout: PATIENCE }, async () => {
  const tool = `import { complete, defineTool, z } from 'soloist';
export const wait = defineTool({ name: 'wait_long', description: 'Waits.', input: z.object({}), output: z.object({}), effect: 'read', timeoutSeconds: 600,
  run: () => new Promise((resolve) => setTimeout(() => resolve(complete({})), 600_000)) });
`;
  writeFileSync(join(project, 'tools', 'wait-long.mjs'), tool);
  writeFileSync(
    join(project, 'agents', 'waiter.yaml'),
    'name: waiter\ndescription: Waits. Use it in tests.\ninstructions: Wait.\ntools: [wait_long]\n',
  );
  writeFileSync(
    join(project, 'agents', 'policies', 'waiter.mjs'),
    "export default async (play) => { await play.call('wait_long', {}); return 'Done.'; };\n",
  );
  const { code, stdout } = await runCli(['run', 'waiter', 'Wait.', '--project', project], {
    ...call,
    onStderr: interruptOnce('wait_long'),
  });
  expect([code, stdout]).toEqual([130, expect.stringContaining('interrupted')]);
});

it('an interrupted run ends only when a slow reader at the other end of a pipe has all of its report', { timeout: PATIENCE }, async () => {
  const filler = 2_000_000;
  writeFileSync(
    join(project, 'agents', 'policies', 'waiter.mjs'),
    `export default async (play) => { await play.call('wait_long', {}); return 'x'.repeat(${filler}); };\n`,
  );
  const { code, stdout } = await runCli(['run', 'waiter', 'Wait.', '--project', project, '--json'], {
    ...call,
    readAfter: 'concluded: ',
    onStderr: interruptOnce('wait_long'),
  });
  expect(code).toBe(130);
  expect(JSON.parse(stdout)).toMatchObject({ agent: 'waiter' });
  expect(stdout.length).toBeGreaterThan(filler);
});
