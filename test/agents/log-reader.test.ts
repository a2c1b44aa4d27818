import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { askAgent } from './ask-agent.ts';

const folderOf = (name: string): string => fileURLToPath(new URL(`../cases/${name}`, import.meta.url));
const expectedOf = (name: string) => JSON.parse(readFileSync(`${folderOf(name)}/expected.json`, 'utf8'));
const readLogs = async (folder: string, question = 'What led to what?') =>
  (await askAgent({ agent: 'log-reader', question, sources: [`logs=logs:${folder}`] })).report;

it('answers where it began, the first error and what followed, in UTC, over four formats of logs', async () => {
  const expected = expectedOf('mixed-log-formats');
  const { status, answer } = await readLogs(folderOf('mixed-log-formats'));
  expect(status).toBe('ok');
  const [began = '', first = '', ...rest] = answer.split('\n');
  expect(began).toMatch(/^It began: 2026-03-02T01:58:30\.5/);
  expect(expected.first_warning_utc).toMatch(/^2026-03-02T01:58:30\.5/);
  expect(began).toContain('dropped column paid_at');
  expect(first).toContain(`First error: ${expected.first_error_utc.replace('.000000', '')}`);
  expect(first).toContain(expected.first_error);
  expect(rest.filter((line) => line.startsWith('Only a consequence: ')).length).toBeGreaterThan(0);
  expect(answer).toContain(`\`dbt_run\` ${expected.final_state.dbt_run} after ${expected.attempts.dbt_run} attempts`);
  expect(answer).toContain(`\`report\` ${expected.final_state.report} after ${expected.attempts.report} attempt`);
  expect(answer).toContain(`${expected.bad_json_lines} lines could not be parsed`);
});

it('stays within what a conclusion may hold and cites results on every line', async () => {
  const { answer } = await readLogs(folderOf('mixed-log-formats'));
  // 400 tokens of about four characters.
  expect(answer.length).toBeLessThanOrEqual(1600);
  for (const line of answer.split('\n')) expect(line).toMatch(/\[r\d+\]$/);
});

it('says that there is no error where there is none', async () => {
  const { answer } = await readLogs(folderOf('slow-run-pool-starvation'));
  expect(answer).toMatch(/^The logs (hold no error|hold nothing)/);
});
