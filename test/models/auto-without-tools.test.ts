import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkModels } from '../../src/app/doctor-models.ts';
import { says } from '../../src/testing/fake-answer.ts';
import { type FakeOllama, startFakeOllama } from '../../src/testing/fake-ollama.ts';
import { runCli } from '../support/run-cli.ts';

let folder: string;
let fake: FakeOllama;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'soloist-auto-'));
  writeFileSync(join(folder, 'items.csv'), 'id,name\n1,a\n2,b\n3,c\n');
  const action = (value: object) => says(JSON.stringify({ action: value }));
  fake = await startFakeOllama({
    tags: [{ name: 'old:7b', details: { family: 'old', parameter_size: '7B' } }],
    show: { capabilities: ['completion'], model_info: { 'general.architecture': 'old', 'old.context_length': 32_768 } },
    chat: [
      action({ tool: 'query_sql', arguments: { sql: 'SELECT count(*) AS rows FROM items' } }),
      action({ answer: 'The table has 3 rows [r1].' }),
    ],
  });
});
afterAll(async () => {
  await fake.close();
  rmSync(folder, { recursive: true, force: true });
});

it('lets auto take a model without tools where there is no other, which says so and acts by JSON', async () => {
  const { code, stdout, stderr } = await runCli(['run', 'investigator', 'how many rows are there?', '--json', '--source', 'files:.'], {
    cwd: folder,
    environment: { SOLOIST_HOME: join(folder, 'home'), OLLAMA_HOST: fake.host },
  });
  expect(stderr).toMatch(/model: ollama\/old:7b at .* \(auto; it takes no tools, so it is asked for its actions as JSON\)/);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ answer: expect.stringContaining('3 rows'), model: 'ollama/old:7b' });
  expect(fake.chats).toHaveLength(2);
  for (const { body } of fake.chats) {
    expect(body).not.toHaveProperty('tools');
    expect(body.format).toBeTypeOf('object');
  }
  expect(fake.chats[1]?.text).toContain('[[3]]');
});

it('has the doctor warn of it', async () => {
  const checks = [];
  for await (const check of checkModels({ environment: { OLLAMA_HOST: fake.host } })) checks.push(check);
  expect(checks.find(({ name }) => name === 'Models')).toMatchObject({
    status: 'warning',
    found: expect.stringMatching(/^auto uses ollama\/old:7b \(window 32768 tokens, it takes no tools/),
    fix: expect.stringContaining('ollama pull'),
  });
});
