import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Event } from '../../src/core/event.ts';
import { type OpenProject, openProject } from '../../src/index.ts';
import { callsTools, says } from '../../src/testing/fake-answer.ts';
import { startFakeOllama } from '../../src/testing/fake-ollama.ts';

const CASE = fileURLToPath(new URL('../cases/slow-run-pool-starvation/', import.meta.url));
const QUESTION = 'Why did the last run take three times as long?';
let folder: string;
let project: OpenProject;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'soloist-open-'));
  project = await openProject({ folder, sources: [`runs=airflow-export:${CASE}`], environment: { SOLOIST_HOME: join(folder, 'home') } });
});
afterAll(async () => {
  await project.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('a project opened by a program', () => {
  it('answers a question as the command line does, and tells its events', async () => {
    const events: Event[] = [];
    const report = await project.run('investigator', QUESTION, { model: 'rules', onEvent: (event) => events.push(event) });
    expect(report).toMatchObject({ status: 'ok', model: 'rules' });
    // From expected.json of the case.
    expect(report.answer).toContain('6494.8 s');
    expect(report.answer).toContain('12 of 16');
    expect(events[0]?.body.type).toBe('session.opened');
    expect(events.every(({ session }) => session === report.session)).toBe(true);
  });

  it('runs two questions side by side, each with a session of its own', async () => {
    const [one, other] = await Promise.all([1, 2].map(() => project.run('investigator', QUESTION, { model: 'rules' })));
    expect(one?.session).not.toBe(other?.session);
    expect(one?.answer).toContain('6494.8 s');
    expect(other?.answer).toBe(one?.answer);
  });

  it('calls one tool by hand', async () => {
    const result = await project.callTool('list_runs', { limit: 1 });
    expect(result).toMatchObject({ tool: 'list_runs', returned: 1 });
    await expect(project.callTool('list_rums', {})).rejects.toMatchObject({ code: 'usage', message: expect.stringContaining('list_rums') });
  });

  it('names the nearest agent for one that there is not', async () => {
    await expect(project.run('investigater', QUESTION)).rejects.toMatchObject({ fix: expect.stringContaining('investigator') });
  });

  it('reports what it has when the signal says stop, and goes on from there', async () => {
    const abort = new AbortController();
    const server = await startFakeOllama({
      chat: [callsTools(['list_runs', { limit: 1 }]), says('One run was looked at [r1].'), says('Nothing more.')],
    });
    const own = await openProject({
      folder,
      sources: [`runs=airflow-export:${CASE}`],
      environment: { SOLOIST_HOME: join(folder, 'own'), OLLAMA_HOST: server.host },
    });
    try {
      const stopped = await own.run('investigator', QUESTION, {
        model: 'ollama/fake',
        signal: abort.signal,
        onEvent: ({ body }) => body.type === 'tool.finished' && abort.abort(),
      });
      expect(stopped.status).not.toBe('ok');
      expect(stopped.answer).toContain('One run was looked at');
      const resumed = await own.resume(stopped.session);
      expect(resumed.session).toBe(stopped.session);
    } finally {
      await own.close();
      await server.close();
    }
  });
});
