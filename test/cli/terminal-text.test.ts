import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { terminalText } from '../../src/cli/terminal-text.ts';
import { runCli } from '../support/run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'soloist-terminal-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('leaves colours, lines and every letter, and nothing that moves, clears, names or rings', () => {
  const kept = 'a\tb\nZürich 東京 \u001b[1;31mred\u001b[0m {"escaped":"\\u001b[2J"}\n';
  expect(terminalText(kept)).toBe(kept);
  expect(terminalText('\u001b[2J\u001b]0;title\u0007\u001b[3Ax\r\u0085\u009by')).toBe('[2J]0;title[3Axy');
});

it('loses nothing of JSON, which leaves some of what steers a terminal as it is', () => {
  const value = { line: 'caf\u00e9 \u0085 \u009b2J \u007f \u001b[2J' };
  for (const indent of [0, 2]) {
    const text = terminalText(`${JSON.stringify([value], null, indent)}\n`);
    expect(text).not.toMatch(/[^\P{Cc}\n]/u);
    expect(JSON.parse(text)).toEqual([value]);
  }
});

it('keeps a question from steering the terminal of the one who lists the sessions', async () => {
  mkdirSync(join(folder, 'data'));
  writeFileSync(join(folder, 'data', 'a.csv'), 'id\n1\n');
  const environment = { SOLOIST_HOME: join(folder, 'home') };
  const { stderr } = await runCli(
    ['run', 'investigator', '\u001b[2J\u0007profile a', '--model', 'rules', '--source', `d=files:${join(folder, 'data')}`],
    { environment, cwd: folder },
  );
  expect(stderr).toContain('profile a');
  expect(stderr).not.toMatch(/[^\P{Cc}\n]/u);
  const { stdout } = await runCli(['trace', 'list'], { environment, cwd: folder });
  expect(stdout).toContain('profile a');
  expect(stdout).not.toMatch(/[^\P{Cc}\n]/u);
}, 60_000);

it('keeps a name that is refused from steering it', async () => {
  const { stderr } = await runCli(['agents', 'list', '--project', 'none\u001b[2J\u0007'], { cwd: folder });
  expect(stderr).toContain('none[2J');
  expect(stderr).not.toMatch(/[^\P{Cc}\n]/u);
});
